// Opens the pages of the gallery in Chromium. "take" takes the pictures and writes
// docs/gallery.md, each picture with the sentence that its page opens with; "check"
// compares these sentences with what the pages say now. The demo is a recording of
// its own each time, so that its sentence is not compared.
'use strict';
const fs = require('fs'), path = require('path');
const { chromium } = require('playwright-core');
const [mode, sites] = process.argv.slice(2);
const root = path.join(__dirname, '../..');

const desktop = { width: 1180, height: 780 }, phone = { width: 390, height: 780 };
const sections = [
  ['The market', 'Fourteen days of twelve invented providers ([quality.md](quality.md)): simulated, and every page says so.', [
    { name: 'market', site: 'market', view: desktop, of: 'the first screen' },
    { name: 'market-dark', site: 'market', view: desktop, dark: true, of: 'the same in the dark' },
    { name: 'market-zh', site: 'market-zh', view: desktop, of: 'in Chinese' },
    { name: 'market-phone', site: 'market', view: phone, of: 'on a phone' },
    { name: 'market-phone-zh-dark', site: 'market-zh', view: phone, dark: true, of: 'on a phone, in Chinese, in the dark' },
    { name: 'market-flips', site: 'market', page: 'flips.html', view: desktop, of: 'the pairs that trade places' },
    { name: 'market-cost', site: 'market', page: 'cost.html', view: desktop, of: 'what a useful answer costs' },
    { name: 'market-proof', site: 'market', page: 'proof.html', view: desktop, of: 'from a headline to the bytes behind it' },
  ]],
  ['thefastest.ai, April and May 2024', 'Published by thefastest.ai (MIT licence): real results of real providers, without frames ([worked-example.md](worked-example.md)).', [
    { name: 'thefastest', site: 'thefastest', view: desktop, of: 'the first screen' },
    { name: 'thefastest-phone', site: 'thefastest', view: phone, of: 'on a phone' },
  ]],
  ['The LLMPerf leaderboard', 'Published by Anyscale (Apache-2.0): real results of real providers, without frames.', [
    { name: 'llmperf', site: 'llmperf', view: desktop, of: 'the first screen' },
    { name: 'llmperf-dark', site: 'llmperf', view: desktop, dark: true, of: 'the same in the dark' },
  ]],
  ['The demo', 'What `make demo` records over loopback in a hundred seconds: simulated providers, real sockets.', [
    { name: 'demo', site: 'demo', view: desktop, live: true, of: 'the first screen' },
    { name: 'demo-phone', site: 'demo', view: phone, live: true, of: 'on a phone' },
  ]],
];

(async () => {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  const gallery = path.join(root, 'docs/gallery.md');
  const old = mode === 'check' ? fs.readFileSync(gallery, 'utf8') : '';
  const faults = [];
  let compared = 0;
  let text = '# Gallery\n\nPictures of reports, taken by `scripts/gallery.sh`; `make soak` says where a page no longer says what its picture shows. Nothing here is a recording of a real provider with its frames: those need keys, and are yours to make.\n';
  for (const [title, about, shots] of sections) {
    text += `\n## ${title}\n\n${about}\n`;
    for (const shot of shots) {
      const file = path.join(sites, shot.site, shot.page || 'index.html');
      if (!fs.existsSync(file)) {
        if (mode === 'take') faults.push(`${shot.name}: no ${shot.site} to take a picture of`);
        continue;
      }
      const page = await browser.newPage({ viewport: shot.view, deviceScaleFactor: shot.view === phone ? 2 : 1, colorScheme: shot.dark ? 'dark' : 'light' });
      await page.goto('file://' + fs.realpathSync(file));
      const says = (await page.locator('h1').first().innerText()).replace(/[\u2066-\u2069]/g, '').replace(/\s+/g, ' ').trim();
      const entry = `![${says}](images/gallery/${shot.name}.jpg)\n\n*${shot.of[0].toUpperCase()}${shot.of.slice(1)}.*\n`;
      if (mode === 'take') {
        const image = path.join(root, 'docs/images/gallery', shot.name + '.jpg');
        fs.mkdirSync(path.dirname(image), { recursive: true });
        await page.screenshot({ path: image, type: 'jpeg', quality: 82 });
      } else if (!shot.live) {
        compared++;
        const was = new RegExp(`!\\[(.*)\\]\\(images/gallery/${shot.name}\\.jpg\\)`).exec(old);
        if (!was || was[1] !== says) faults.push(`${shot.name}: the page says "${says}", its picture ${was ? `"${was[1]}"` : 'is missing'}`);
      }
      text += '\n' + entry;
      await page.close();
    }
  }
  await browser.close();
  if (mode === 'take' && !faults.length) fs.writeFileSync(gallery, text);
  if (faults.length) {
    console.error(faults.join('\n') + (mode === 'check' ? '\nrun make demo, make market and scripts/gallery.sh' : ''));
    process.exit(1);
  }
  console.log(mode === 'take' ? 'docs/gallery.md is written' : `${compared} pictures are of the pages as they are`);
})();
