// What the charts draw with: a part of ECharts, one global, no DOM.
// A chart that needs more adds it here and runs `go generate ./chart`.
import * as echarts from 'echarts/core';
import { CustomChart } from 'echarts/charts';
import { GridComponent } from 'echarts/components';
import { SVGRenderer } from 'echarts/renderers';

echarts.use([CustomChart, GridComponent, SVGRenderer]);

globalThis.echarts = { init: echarts.init };
