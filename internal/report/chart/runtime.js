// The functions that chart options may name, as "@fn:name". Options are data;
// this file is the only code. Plain ES2018, no host objects: the server's
// engine loads it, and a browser could.
(function () {
  'use strict';

  // --- labels of axes ---------------------------------------------------

  function ms(v) { return v >= 1000 ? +(v / 1000).toPrecision(12) + ' s' : +v.toPrecision(12) + ' ms'; }
  function percent(v) { return +(100 * v).toPrecision(12) + '%'; }
  // The guides of the tail chart: half still wait at p50, 5 % at p95.
  function guide(v) { return 'p' + +(100 * (1 - v)).toPrecision(6); }

  // --- marks --------------------------------------------------------------

  function has(v) { return typeof v === 'number' && isFinite(v); }
  function line(x1, y1, x2, y2, color, width) {
    return { type: 'line', shape: { x1: x1, y1: y1, x2: x2, y2: y2 }, style: { stroke: color, lineWidth: width } };
  }
  function rect(x, y, w, h, fill, opacity) {
    return { type: 'rect', shape: { x: x, y: y, width: w, height: h }, style: { fill: fill, opacity: opacity } };
  }

  // [p50, p95, p99, row, lo, hi]: a dot, a bar to p95, a line to p99, and
  // behind them the interval lo to hi of the quantile that sorts the rows.
  function range(params, api) {
    var row = api.value(3), p50 = api.value(0), p95 = api.value(1), p99 = api.value(2);
    var lo = api.value(4), hi = api.value(5), color = 'var(--s1)', parts = [];
    var x = function (v) { return api.coord([v, row])[0]; };
    var y = Math.round(api.coord([p50, row])[1]), area = params.coordSys;
    parts.push(rect(area.x, y - 15, area.width, 30, 'var(--card)', 0)); // catches the pointer
    if (has(lo) && has(hi)) parts.push(rect(x(lo), y - 8, Math.max(x(hi) - x(lo), 1), 16, color, 0.16));
    if (has(p99)) {
      parts.push(line(x(p50), y, x(p99), y, color, 1.5));
      parts.push(line(x(p99), y - 4, x(p99), y + 4, color, 1.5));
    }
    parts.push(rect(x(p50), y - 3, Math.max(x(p95) - x(p50), 0), 6, color, 0.35));
    parts.push(line(x(p95), y - 8, x(p95), y + 8, color, 3));
    parts.push({
      type: 'circle', shape: { cx: x(p50), cy: y, r: 5 },
      style: { fill: color, stroke: 'var(--card)', lineWidth: 2 }
    });
    return { type: 'group', children: parts };
  }

  // A text that stays readable over lines.
  function words(text, x, y, align, accent, size) {
    return {
      type: 'text', z2: 30, style: {
        text: text, x: x, y: y, align: align, verticalAlign: 'middle', fontSize: size, fontFamily: 'sans-serif',
        fontWeight: accent ? 'bold' : 'normal', fill: accent ? 'var(--t' + accent + ')' : 'var(--ink2)',
        stroke: 'var(--card)', lineWidth: 3
      }
    };
  }

  // [column, place, next place or null, solid, accent, lo, hi, label side]: a
  // disc with the place, the way to the next column, and for accented lines
  // the ranks that cannot be told apart.
  function bump(params, api) {
    var col = api.value(0), place = api.value(1), next = api.value(2), accent = api.value(4), side = api.value(7);
    var lo = api.value(5), hi = api.value(6);
    var color = accent ? 'var(--s' + accent + ')' : 'var(--line)', parts = [];
    var at = api.coord([col, place]), x = Math.round(at[0]), y = Math.round(at[1]);
    if (has(next)) {
      var to = api.coord([col + 1, next]), bend = (to[0] - x) / 2;
      parts.push({
        type: 'bezierCurve', z2: accent ? 10 : 1,
        shape: { x1: x, y1: y, cpx1: x + bend, cpy1: y, cpx2: to[0] - bend, cpy2: to[1], x2: to[0], y2: to[1] },
        style: { fill: 'none', stroke: color, lineWidth: accent ? 3 : 1.6, lineDash: api.value(3) ? null : (accent ? [6, 4] : [3, 4]) }
      });
    }
    if (accent && hi > lo) {
      var a = api.coord([col, lo])[1], b = api.coord([col, hi])[1];
      parts.push({
        type: 'rect', z2: 5, shape: { x: x - 13, y: a - 13, width: 26, height: b - a + 26, r: 13 },
        style: { fill: color, opacity: 0.16 }
      });
    }
    parts.push({
      type: 'circle', z2: accent ? 21 : 20, shape: { cx: x, cy: y, r: 10 },
      style: { fill: color, stroke: 'var(--card)', lineWidth: 2 }
    });
    parts.push({
      type: 'text', z2: accent ? 22 : 21, style: {
        text: String(place), x: x, y: y, align: 'center', verticalAlign: 'middle', fontSize: 11,
        fontFamily: 'sans-serif', fontWeight: 'bold', fill: accent ? 'var(--card)' : 'var(--ink)'
      }
    });
    if (side & 1) parts.push(words(params.seriesName, x - 16, y, 'right', accent, 12));
    if (side & 2) parts.push(words(params.seriesName, x + 16, y, 'left', accent, 12));
    return { type: 'group', children: parts };
  }

  // [accent, n, x1, y1, ... xn, yn]: a line, and a broad invisible one below it
  // that catches the pointer.
  function curve(params, api) {
    var accent = api.value(0), n = api.value(1), points = [];
    for (var i = 0; i < n; i++) points.push(api.coord([api.value(2 + 2 * i), api.value(3 + 2 * i)]));
    var color = accent ? 'var(--s' + accent + ')' : 'var(--line)';
    var draw = function (width, opacity, z2) {
      return {
        type: 'polyline', z2: z2, shape: { points: points },
        style: { fill: 'none', stroke: color, lineWidth: width, opacity: opacity, lineJoin: 'round' }
      };
    };
    return { type: 'group', children: [draw(12, 0, accent ? 2 : 0), draw(accent ? 2.6 : 1.3, 1, accent ? 3 : 1)] };
  }

  // [x, y, accent], in pixels: the series' name beside its line.
  function label(params, api) {
    return words(params.seriesName, api.value(0), api.value(1), 'left', api.value(2), 12);
  }

  // [from, row, to, class, gap]: slots from..to-1 in the class's colour; slots
  // that were not measured get diagonal lines instead.
  function run(params, api) {
    var from = api.value(0), row = api.value(1), to = api.value(2), cls = api.value(3), gap = api.value(4);
    var band = api.size([1, 1]), first = api.coord([from, row]), last = api.coord([to - 1, row]);
    var x = first[0] - band[0] / 2, w = last[0] + band[0] / 2 - gap - x, h = 19, y = Math.round(first[1] - h / 2);
    if (cls < 5) return rect(x, y, w, h, 'var(--a' + cls + ')', 1);
    var d = '', step = 6;
    for (var s = step; s < w + h; s += step) { // from the top edge down to the left
      var x1 = Math.min(s, w), y1 = s - x1, y2 = Math.min(s, h), x2 = s - y2;
      d += 'M' + (x + x1).toFixed(1) + ' ' + (y + y1).toFixed(1) + 'L' + (x + x2).toFixed(1) + ' ' + (y + y2).toFixed(1);
    }
    return {
      type: 'group', children: [
        rect(x, y, w, h, 'var(--card)', 1),
        { type: 'path', shape: { pathData: d }, style: { fill: 'none', stroke: 'var(--line)', lineWidth: 1.2 } }
      ]
    };
  }

  var functions = { ms: ms, percent: percent, guide: guide, range: range, bump: bump, line: curve, label: label, run: run };

  // --- options --------------------------------------------------------------

  // Only these keys may hold a function. What comes from a recording (names,
  // data) is never looked at.
  var keys = { formatter: true, renderItem: true };

  function revive(node) {
    if (Array.isArray(node)) {
      node.forEach(revive);
    } else if (node && typeof node === 'object') {
      Object.keys(node).forEach(function (key) {
        if (key === 'data' || key === 'name') return;
        var v = node[key];
        if (typeof v !== 'string') return revive(v);
        if (!keys[key]) return;
        var name = v.slice(0, 4) === '@fn:' ? v.slice(4) : '';
        if (!Object.prototype.hasOwnProperty.call(functions, name)) throw new Error('no function ' + v);
        node[key] = functions[name];
      });
    }
    return node;
  }

  globalThis.Aircheck = { revive: revive, functions: functions };
})();
