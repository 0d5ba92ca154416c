(function () {
  'use strict';
  // All that needs a script, and nothing that is needed to read: the text of a
  // mark, tables in another order, and a link into what is folded. The same
  // numbers stand in the table below each figure.
  var all = function (query, of) { return Array.prototype.slice.call((of || document).querySelectorAll(query)); };
  var tip = document.createElement('div');
  tip.className = 'tip';
  tip.hidden = true;
  tip.setAttribute('role', 'status');
  document.querySelector('main').appendChild(tip);
  function show(text, x, y) {
    tip.textContent = text;
    tip.hidden = false;
    x = Math.min(x + 14, innerWidth - tip.offsetWidth - 8);
    tip.style.left = Math.max(8, x) + 'px';
    tip.style.top = (y + 18 + tip.offsetHeight > innerHeight ? y - tip.offsetHeight - 10 : y + 18) + 'px';
  }
  var near = [[0, -4], [0, 4], [-4, 0], [4, 0], [-3, -3], [3, -3], [-3, 3], [3, 3]];
  function follow(e) { // a finger's touch is a pointer, too
    var mark = e.target.closest && e.target.closest('[data-tip]');
    if (!mark && e.target.closest && e.target.closest('.drawing')) near.some(function (d) { // lines are thin
      var at = document.elementFromPoint(e.clientX + d[0], e.clientY + d[1]);
      return mark = at && at.closest('[data-tip]');
    });
    if (mark) show(mark.getAttribute('data-tip'), e.clientX, e.clientY); else tip.hidden = true;
  }
  document.addEventListener('pointerover', follow);
  document.addEventListener('pointermove', follow);
  // By keyboard: a drawing takes the focus, the arrows walk over its marks.
  all('figure').forEach(function (figure) {
    var at = -1;
    var box = figure.querySelector('.drawing');
    if (!box || !box.querySelector('[data-tip]')) return;
    box.tabIndex = 0;
    box.addEventListener('keydown', function (e) {
      var step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key];
      if (e.key === 'Escape') tip.hidden = true;
      if (!step) return;
      var marks = all('[data-tip]', box).filter(function (m) { return m.getBoundingClientRect().width > 0; });
      if (!marks.length) return;
      e.preventDefault();
      at = (at + step + marks.length) % marks.length;
      var r = marks[at].getBoundingClientRect();
      show(marks[at].getAttribute('data-tip'), r.left + r.width / 2, r.top + r.height / 2);
    });
    box.addEventListener('blur', function () { tip.hidden = true; });
  });

  // Numbers sort as numbers, with their units; what has no value comes last.
  function value(cell) {
    var text = cell.textContent.trim().replace(/,(?=\d{3})/g, '');
    var m = /-?\d+(\.\d+)?/.exec(text);
    if (!m || !/^[-$<>≤≥ ]*\d|^每秒/.test(text)) return text === '–' || text === '' ? null : text;
    var rest = text.slice(m.index + m[0].length);
    return m[0] * (/^.?(min|分钟)/.test(rest) ? 6e4 : /^.?(s|秒)/.test(rest) ? 1e3 : 1);
  }
  function compare(a, b) {
    if (a === null || b === null) return (a === null) - (b === null);
    if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1;
    return a < b ? -1 : a > b ? 1 : 0;
  }
  all('table.plain, table.verdict').forEach(function (table) {
    var body = table.tBodies[0];
    if (!body || body.rows.length < 3) return;
    all('thead th', table).forEach(function (th, column) {
      if (th.querySelector('svg') || !th.textContent.trim()) return;
      var button = document.createElement('button');
      button.className = 'sort';
      while (th.firstChild) button.appendChild(th.firstChild);
      all('[aria-hidden]', button).forEach(function (m) { m.remove(); });
      th.appendChild(button);
      button.addEventListener('click', function () {
        var up = th.getAttribute('aria-sort') !== 'ascending';
        all('thead th', table).forEach(function (o) { o.removeAttribute('aria-sort'); });
        th.setAttribute('aria-sort', up ? 'ascending' : 'descending');
        Array.prototype.slice.call(body.rows).map(function (row, i) { return [value(row.cells[column]), i, row]; }).sort(function (a, b) {
          var c = compare(a[0], b[0]);
          return (up || a[0] === null || b[0] === null ? c : -c) || a[1] - b[1];
        }).forEach(function (r) { body.appendChild(r[2]); });
      });
    });
  });

  // A link to what is folded opens it.
  function reveal() {
    var target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    for (var e = target; e; e = e.parentElement) if (e.tagName === 'DETAILS') e.open = true;
    target.scrollIntoView();
  }
  addEventListener('hashchange', reveal);
  if (location.hash) reveal();
})();
