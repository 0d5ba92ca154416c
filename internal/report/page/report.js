(function () {
  'use strict';
  // Shows the text of the mark under the pointer. Nothing else needs a script:
  // the same numbers stand in the table below each figure.
  var tip = document.createElement('div');
  tip.className = 'tip';
  tip.hidden = true;
  document.querySelector('main').appendChild(tip);
  function follow(e) {
    var mark = e.target.closest && e.target.closest('[data-tip]');
    tip.hidden = !mark;
    if (!mark) return;
    tip.textContent = mark.getAttribute('data-tip');
    var x = Math.min(e.clientX + 14, innerWidth - tip.offsetWidth - 8), y = e.clientY + 18;
    if (y + tip.offsetHeight > innerHeight) y = e.clientY - tip.offsetHeight - 10;
    tip.style.left = Math.max(8, x) + 'px';
    tip.style.top = y + 'px';
  }
  document.addEventListener('pointerover', follow);
  document.addEventListener('pointermove', follow);
})();
