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

  // [column, place, next place or null, solid, accent, lo, hi, width]: the name
  // with its places, the way to the next column, and for accented lines a bar
  // over the rows of the places that cannot be told apart.
  function bump(params, api) {
    var col = api.value(0), place = api.value(1), next = api.value(2), accent = api.value(4), half = api.value(7) / 2;
    var lo = api.value(5), hi = api.value(6);
    var stroke = accent ? 'var(--s' + accent + ')' : 'var(--line)', fill = accent ? 'var(--t' + accent + ')' : 'var(--ink2)', parts = [];
    var at = api.coord([col, place]), x = Math.round(at[0]), y = Math.round(at[1]);
    if (has(next)) {
      var to = api.coord([col + 1, next]), x1 = x + half, x2 = to[0] - half, bend = (x2 - x1) / 2;
      parts.push({
        type: 'bezierCurve', z2: accent ? 10 : 1,
        shape: { x1: x1, y1: y, cpx1: x1 + bend, cpy1: y, cpx2: x2 - bend, cpy2: to[1], x2: x2, y2: to[1] },
        style: { fill: 'none', stroke: stroke, lineWidth: accent ? 2.6 : 1.2, lineDash: api.value(3) ? null : (accent ? [6, 4] : [3, 4]) }
      });
    }
    if (accent && hi > lo) {
      var a = api.coord([col, lo])[1], b = api.coord([col, hi])[1];
      parts.push(rect(x - half - 2 - 3 * accent, a - 9, 3, b - a + 18, stroke, 0.75));
    }
    parts.push(rect(x - half, y - 16, 2 * half, 32, 'var(--card)', 0)); // catches the pointer
    parts.push(text(params.seriesName, x, y - 6, 'center', fill, 12, accent));
    parts.push(text(lo === hi ? String(lo) : lo + '–' + hi, x, y + 8, 'center', accent ? fill : 'var(--ink3)', 11, false));
    return { type: 'group', children: parts };
  }

  // [accent, n, x1, y1, ... xn, yn]: a line, and a broad invisible one below it
  // that catches the pointer.
  function curve(params, api) {
    var accent = api.value(0), n = api.value(1), points = [];
    for (var i = 0; i < n; i++) points.push(api.coord([api.value(2 + 2 * i), api.value(3 + 2 * i)]));
    return {
      type: 'polyline', z2: accent ? 3 : 1, shape: { points: points },
      style: { fill: 'none', stroke: color(accent), lineWidth: accent ? 2.6 : 1.3, lineJoin: 'round' }
    };
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
    return {
      type: 'group', children: [
        rect(x, y, w, h, 'var(--card)', 1),
        { type: 'path', shape: { pathData: hatch(x, y, w, h, 6) }, style: { fill: 'none', stroke: 'var(--line)', lineWidth: 1.2 } }
      ]
    };
  }

  // --- marks of a plot ------------------------------------------------------

  function usd(v) { return '$' + +v.toPrecision(12); }
  function ratio(v) { return +v.toPrecision(12) + '×'; }
  function number(v) { return String(+v.toPrecision(12)).replace(/\B(?=(\d{3})+(?!\d))/g, ','); }
  var months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
  function day(v) { var d = new Date(v * 1000); return d.getUTCDate() + ' ' + months[d.getUTCMonth()]; }
  function hour(v) { return new Date(v * 1000).toISOString().slice(11, 16); }
  function none() { return ''; }

  function color(code) {
    return 'var(--' + (code === 7 ? 'bad' : code === 8 ? 'mid' : code === 9 ? 'ink2' : code === 10 ? 'good' : code ? 's' + code : 'line') + ')';
  }
  function inkOf(code) {
    return 'var(--' + (code === 7 ? 'bad' : code === 8 ? 'ink3' : code === 9 ? 'ink' : code === 10 ? 'good' : code ? 't' + code : 'ink3') + ')';
  }
  function text(s, x, y, align, fill, size, bold) {
    return {
      type: 'text', z2: 30, style: {
        text: s, x: x, y: y, align: align, verticalAlign: 'middle', fontSize: size, fontFamily: 'sans-serif',
        fontWeight: bold ? 'bold' : 'normal', fill: fill, stroke: 'var(--card)', lineWidth: 3
      }
    };
  }

  // [x, y, colour, hollow, xlo, xhi, ylo, yhi]
  function dot(params, api) {
    var x = api.value(0), y = api.value(1), c = color(api.value(2)), at = api.coord([x, y]), parts = [];
    var a, b;
    if (has(api.value(4)) && has(api.value(5))) {
      a = api.coord([api.value(4), y]); b = api.coord([api.value(5), y]);
      parts.push(line(a[0], at[1], b[0], at[1], c, 1));
    }
    if (has(api.value(6)) && has(api.value(7))) {
      a = api.coord([x, api.value(6)]); b = api.coord([x, api.value(7)]);
      parts.push(line(at[0], a[1], at[0], b[1], c, 1));
    }
    parts.push({
      type: 'circle', z2: 10, shape: { cx: at[0], cy: at[1], r: 4.5 },
      style: { fill: api.value(3) ? 'var(--card)' : c, stroke: api.value(3) ? c : 'var(--card)', lineWidth: api.value(3) ? 1.6 : 1.2 }
    });
    return { type: 'group', children: parts };
  }

  // [colour, n, x1, y1, ...]
  function band(params, api) {
    var points = [];
    for (var i = 0; i < api.value(1); i++) points.push(api.coord([api.value(2 + 2 * i), api.value(3 + 2 * i)]));
    return { type: 'polygon', shape: { points: points }, style: { fill: color(api.value(0)), opacity: 0.16 } };
  }

  // [x1, y1, x2, y2, colour, width]
  function segment(params, api) {
    var a = api.coord([api.value(0), api.value(1)]), b = api.coord([api.value(2), api.value(3)]);
    return line(a[0], a[1], b[0], b[1], color(api.value(4)), api.value(5));
  }

  // [x, colour]; the series' name is the text at the top.
  function rule(params, api) {
    var area = params.coordSys, x = Math.round(api.coord([api.value(0), 1])[0]) + 0.5, c = api.value(1);
    var right = x > area.x + area.width * 0.6;
    return {
      type: 'group', children: [
        { type: 'line', shape: { x1: x, y1: area.y, x2: x, y2: area.y + area.height }, style: { stroke: color(c), lineWidth: 1, lineDash: [4, 3] } },
        text(params.seriesName, x + (right ? -5 : 5), area.y + 7, right ? 'right' : 'left', inkOf(c), 11)
      ]
    };
  }

  // [x1, x2, colour]
  function span(params, api) {
    var area = params.coordSys, a = api.coord([api.value(0), 1])[0], b = api.coord([api.value(1), 1])[0], c = api.value(2);
    var right = a > area.x + area.width * 0.6;
    return {
      type: 'group', children: [
        rect(a, area.y, Math.max(b - a, 2), area.height, color(c), 0.16),
        text(params.seriesName, right ? a - 4 : Math.max(b, a + 2) + 4, area.y + 7, right ? 'right' : 'left', inkOf(c), 11)
      ]
    };
  }

  // Diagonal lines over a box.
  function hatch(x, y, w, h, step) {
    var d = '';
    for (var s = step; s < w + h; s += step) { // from the top edge down to the left
      var x1 = Math.min(s, w), y1 = s - x1, y2 = Math.min(s, h), x2 = s - y2;
      d += 'M' + (x + x1).toFixed(1) + ' ' + (y + y1).toFixed(1) + 'L' + (x + x2).toFixed(1) + ' ' + (y + y2).toFixed(1);
    }
    return d;
  }

  // [from, row, to, colour, hatched]
  function bar(params, api) {
    var a = api.coord([api.value(0), api.value(1)]), b = api.coord([api.value(2), api.value(1)]);
    var h = 14, y = Math.round(a[1] - h / 2), w = Math.max(b[0] - a[0], 0), c = color(api.value(3));
    if (!api.value(4)) return rect(a[0], y, w, h, c, 1);
    return {
      type: 'group', children: [
        rect(a[0], y, w, h, 'var(--card)', 1),
        { type: 'path', shape: { pathData: hatch(a[0], y, w, h, 4) || 'M0 0' }, style: { fill: 'none', stroke: c, lineWidth: 1.4 } }
      ]
    };
  }

  // [row, colour, height, n, x1, ...]: one path.
  function strokes(params, api) {
    var d = '', h = api.value(2), y = api.coord([api.value(4) || 0, api.value(0)])[1];
    for (var i = 0; i < api.value(3); i++) d += 'M' + api.coord([api.value(4 + i), api.value(0)])[0].toFixed(1) + ' ' + (y - h / 2).toFixed(1) + 'v' + h;
    return { type: 'path', shape: { pathData: d || 'M0 0' }, style: { fill: 'none', stroke: color(api.value(1)), lineWidth: 1.2 } };
  }

  // [x, y, colour, side, dy]; the series' name is the text.
  function note(params, api) {
    var at = api.coord([api.value(0), api.value(1)]), side = api.value(3), c = api.value(2);
    return text(params.seriesName, at[0] + 8 * side, at[1] + api.value(4), side < 0 ? 'right' : side > 0 ? 'left' : 'center', inkOf(c), 12, c !== 0 && c !== 8);
  }

  var functions = {
    ms: ms, percent: percent, guide: guide, usd: usd, ratio: ratio, number: number, day: day, hour: hour, none: none,
    range: range, bump: bump, line: curve, label: label, run: run,
    dot: dot, band: band, segment: segment, rule: rule, span: span, bar: bar, strokes: strokes, note: note
  };

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
