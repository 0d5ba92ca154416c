// browser.cjs SITE [axe]: opens every page of a report at two sizes, in two
// colour schemes, with and without a script, and lists what is wrong. Ends with
// 1 if anything is.
const { chromium } = require('playwright-core');
const axe = require.resolve('axe-core/axe.min.js');
const fs = require('fs');
const path = require('path');
const { pathToFileURL } = require('url');

const [site, ask, only] = process.argv.slice(2);
const pages = fs.readdirSync(site, { recursive: true }).filter((f) => f.endsWith('.html')).sort();
// One page of each kind is looked at in every setting, the others in two.
const kinds = new Set();
const kindOf = (f) => f.includes('/') ? f.split('/')[0] : f.replace(/^matrix-.*/, 'matrix');
const firstOfKind = new Set(pages.filter((f) => !kinds.has(kindOf(f)) && kinds.add(kindOf(f))));
const faults = [];

// measure runs in the page: it names texts that are cut off without a title, and
// cells of a table whose text reaches into the next.
function measure() {
  const out = [];
  const text = (e) => e.textContent.trim().slice(0, 40);
  for (const e of document.querySelectorAll('h1, h2, h3, p, li, dt, dd, a, summary, button, th, td')) {
    const style = getComputedStyle(e);
    if (e.closest('.vh') || e.matches('.vh, .skip') || e.getClientRects().length === 0) continue;
    if (style.overflowX === 'hidden' && e.scrollWidth > e.clientWidth + 1 && !e.title) out.push(`cut off: <${e.tagName.toLowerCase()} class="${e.className}"> ${text(e)}`);
  }
  for (const row of document.querySelectorAll('table tr')) {
    let before = null;
    for (const cell of row.cells) {
      if (cell.getClientRects().length === 0 || cell.querySelector('svg')) { before = null; continue; }
      const range = document.createRange();
      range.selectNodeContents(cell);
      const boxes = [...range.getClientRects()].filter((r) => r.width > 1 && r.height > 1);
      for (const hidden of cell.querySelectorAll('.vh')) for (const h of hidden.getClientRects()) boxes.splice(boxes.findIndex((r) => r.left === h.left && r.top === h.top), 1);
      if (!boxes.length || getComputedStyle(cell).overflowX === 'hidden') { before = null; continue; }
      const left = Math.min(...boxes.map((r) => r.left)), right = Math.max(...boxes.map((r) => r.right));
      if (before && left < before.right - 1) out.push(`overlap: "${before.text}" reaches into "${text(cell)}" by ${Math.round(before.right - left)} px`);
      before = { right, text: text(cell) };
    }
  }
  return out.slice(0, 5);
}

async function look(browser, file, setting) {
  const fault = (what) => faults.push(`${file}, ${setting.name}: ${what}`);
  const context = await browser.newContext(setting.options);
  const page = await context.newPage();
  const url = pathToFileURL(path.join(site, file)).href;
  page.on('request', (r) => { if (r.url() !== url) fault('asks for ' + r.url()); });
  page.on('console', (m) => fault('console: ' + m.text()));
  page.on('pageerror', (e) => fault('error: ' + e.message));
  page.on('dialog', (d) => { fault('a dialog opens: ' + d.message()); d.dismiss(); });
  await page.goto(url);
  if (setting.print) await page.emulateMedia({ media: 'print' });

  const seen = await page.evaluate(() => ({
    wide: document.documentElement.scrollWidth > innerWidth,
    shown: [...document.querySelectorAll('figure')].filter((f) => [...f.querySelectorAll(':scope > .drawing > svg')].filter((s) => s.getBoundingClientRect().height > 0).length !== 1).map((f) => f.id),
    images: document.querySelectorAll('img, iframe, object, embed, link:not([rel=icon]):not([rel=canonical])').length,
    names: Math.min(...[...document.querySelectorAll('table.verdict .who')].map((w) => w.getBoundingClientRect().width)),
    strip: Math.min(...[...document.querySelectorAll('table.verdict td.range svg')].map((w) => w.getBoundingClientRect().width)),
    rows: document.querySelectorAll('table.verdict tbody tr').length,
    heading: document.querySelector('h1').getBoundingClientRect().height / parseFloat(getComputedStyle(document.querySelector('h1')).lineHeight),
    styled: getComputedStyle(document.body).margin === '0px',
    dark: getComputedStyle(document.body).backgroundColor,
    table: Math.min(...[...document.querySelectorAll('table, .answers, .none')].map((t) => t.getBoundingClientRect().top)),
    verdict: document.querySelectorAll('table.verdict').length > 0,
  }));
  if (seen.wide) fault('scrolls sideways');
  // A text that its box cuts off has a title; none lies over its neighbour's.
  for (const what of await page.evaluate(measure)) fault(what);
  if (seen.shown.length) fault('figures without exactly one drawing: ' + seen.shown);
  if (seen.images) fault('holds foreign elements');
  if (seen.verdict && (seen.names < 75 || seen.strip < 75 && setting.options.viewport.width > 360)) fault(`has ${seen.names} px for names and ${seen.strip} px for ranges`);
  if (seen.verdict && !seen.rows) fault('has no verdict');
  if (/^(index|single|model)/.test(file) && !seen.verdict) fault('has no verdict');
  if (!seen.styled) fault('is not styled: the policy stops its own style sheet');
  if ((seen.dark === 'rgb(255, 255, 255)') === (setting.options.colorScheme === 'dark')) fault('background is ' + seen.dark);
  if (seen.table > setting.options.viewport.height) fault('no answer is on the first screen');

  if (setting.options.javaScriptEnabled !== false && !setting.print) {
    const mark = page.locator('figure .drawing > svg:visible [data-tip] > :is(circle, rect)').first();
    if (await mark.count()) {
      await mark.scrollIntoViewIfNeeded();
      await mark.hover({ force: true });
      const tip = await page.locator('.tip').textContent();
      if (!(await page.locator('.tip').isVisible()) || !tip) fault('no tip is shown');
    }
    await page.evaluate(() => document.querySelectorAll('details').forEach((d) => { d.open = true; }));
    if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) fault('scrolls sideways with its details open');
  }
  if (ask === 'axe' && setting.axe) {
    // The policy keeps foreign scripts out of the page, so axe comes in beside it.
    await page.evaluate(fs.readFileSync(axe, 'utf8') + ';undefined');
    const result = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'], rules: { 'target-size': { enabled: true } } }));
    for (const v of result.violations) {
      fault(`axe ${v.id} (${v.impact}): ${v.help}; ${v.nodes.length} times, first ${v.nodes[0].html.slice(0, 160)} ${v.nodes[0].any.map((a) => a.message).join('; ').slice(0, 200)}`);
    }
  }
  await context.close();
  console.log(`looked at ${file}, ${setting.name}`);
}

(async () => {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox'] });
  const desk = { viewport: { width: 1440, height: 900 } };
  const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
  const settings = [
    { name: '1440', always: true, axe: true, options: { ...desk, colorScheme: 'light' } },
    { name: '1440 dark', axe: true, options: { ...desk, colorScheme: 'dark' } },
    { name: '1024', options: { viewport: { width: 1024, height: 768 }, colorScheme: 'light' } },
    { name: '390', always: true, axe: true, options: { ...phone, colorScheme: 'light' } },
    { name: '320', options: { ...phone, viewport: { width: 320, height: 640 }, colorScheme: 'light' } },
    { name: 'print', print: true, options: { viewport: { width: 700, height: 990 }, colorScheme: 'light' } },
    { name: 'phone, dark, no script', options: { ...phone, colorScheme: 'dark', javaScriptEnabled: false } },
  ];
  for (const file of pages) {
    for (const setting of settings) {
      if (only ? firstOfKind.has(file) && only.split(',').includes(setting.name) : setting.always || firstOfKind.has(file)) await look(browser, file, setting);
    }
  }
  await browser.close();
  faults.forEach((f) => console.log(f));
  process.exit(faults.length ? 1 : 0);
})();
