// What ECharts expects of its host when it draws without a browser. Nothing
// is ever scheduled: a drawing is finished when draw returns.
(function () {
  'use strict';
  var idle = function () { return 0; };
  globalThis.setTimeout = globalThis.clearTimeout = idle;
  globalThis.console = { log: idle, warn: idle, error: idle };

  globalThis.draw = function (json, width, height) {
    var chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width: width, height: height });
    try {
      chart.setOption(Aircheck.revive(JSON.parse(json)));
      return chart.renderToSVGString({ useViewBox: true });
    } finally {
      chart.dispose();
    }
  };
})();
