(function () {
  'use strict';
  // Shows the text of the mark under the pointer. Nothing else needs a script:
  // the same numbers stand in the table below each figure.
  var tip = document.createElement('div');
  tip.className = 'tip';
  tip.hidden = true;
  document.body.appendChild(tip);
  document.addEventListener('pointerover', function (e) {
    var mark = e.target.closest && e.target.closest('[data-tip]');
    tip.hidden = !mark;
    if (mark) tip.textContent = mark.getAttribute('data-tip');
  });
  document.addEventListener('pointermove', function (e) {
    if (tip.hidden) return;
    tip.style.left = Math.max(8, Math.min(e.clientX + 14, innerWidth - tip.offsetWidth - 8)) + 'px';
    tip.style.top = (e.clientY + 18 + tip.offsetHeight > innerHeight ? e.clientY - tip.offsetHeight - 10 : e.clientY + 18) + 'px';
  });
})();
