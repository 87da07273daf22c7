// Measures typing in a real VS Code: milliseconds from a key to the frame that shows its character, with the server and without.
// usage: node typing.mjs CACHE OPENCLSP FILE.cl [PAUSE [KEYS [ROUNDS]]]      the folder that test/run filled; ms a key
// The keys are typed into the body at the middle of the file; servers take turns. Prints median and 95th percentile of a run, each
// as the median of the runs.
import { existsSync, readFileSync } from 'node:fs';
import * as path from 'node:path';
import { Workbench } from './workbench.mjs';

const [cache, openclsp, file, pause = '30', keys = '90', rounds = '3'] = process.argv.slice(2);
const STATEMENT = 's = s + scale * weight - other_value / SCALE + n * s - ';
/** Milliseconds for the first analysis, and for hints and tokens after it. */
const SETTLING = 6000;

const PATH = process.env.PATH.split(path.delimiter)
  .filter((folder) => !existsSync(path.join(folder, 'openclsp')))
  .join(path.delimiter);
const text = readFileSync(file, 'utf8');
const lines = text.split('\n');
/** The number, from 1, of a line in a body. */
const line = lines.findIndex((each, number) => number > lines.length / 2 && /^ +.*;$/.test(each)) + 1;

async function typed(settings) {
  const order = { files: { 'typed.cl': text, 'compile_flags.txt': '-cl-std=CL2.0\n' }, userSettings: settings };
  const workbench = new Workbench(cache, order);
  try {
    workbench.install(path.join(cache, 'openclsp.vsix'), { PATH });
    await workbench.startServer({ PATH }, true);
    await workbench.startBrowser('typed.cl');
    await workbench.page.waitForTimeout(SETTLING);
    await workbench.goToLine(line);
    await workbench.page.keyboard.press('End');
    await workbench.page.keyboard.press('Enter');
    await workbench.page.waitForTimeout(SETTLING / 2);
    await workbench.page.evaluate(watch, line + 1);
    for (let key = 0; key < Number(keys); key += 1) {
      const next = Date.now() + Number(pause);
      void workbench.page.keyboard.press(STATEMENT[key % STATEMENT.length] === ' ' ? 'Space' : STATEMENT[key % STATEMENT.length]);
      await new Promise((resolve) => setTimeout(resolve, Math.max(next - Date.now(), 0)));
    }
    await workbench.page.waitForTimeout(3000);
    workbench.name = 'typing';
    await workbench.screenshot(settings['openclsp.server.command'] ? 'with' : 'without');
    return await workbench.page.evaluate(() => window.measuredKeys);
  } finally {
    await workbench.close();
  }
}

/** In the page: collects the time from each key to the end of the first frame in which the line is that much longer. */
function watch(number) {
  const waiting = [];
  const measured = (window.measuredKeys = []);
  let pressed = 0;
  window.addEventListener('keydown', (event) => waiting.push({ at: event.timeStamp, length: ++pressed }), true);
  const shown = () => {
    const margin = [...document.querySelectorAll('.monaco-editor .margin .line-numbers')].find(
      (each) => each.textContent === String(number),
    );
    if (margin === undefined) {
      return 0;
    }
    const top = margin.parentElement.style.top;
    const row = [...document.querySelectorAll('.monaco-editor .view-lines .view-line')].find((each) => each.style.top === top);
    return row === undefined ? 0 : row.textContent.length - (window.initialLength ??= row.textContent.length);
  };
  const look = () => {
    const length = waiting.length > 0 || window.initialLength === undefined ? shown() : 0;
    while (waiting.length > 0 && waiting[0].length <= length) {
      const { at } = waiting.shift();
      const channel = new MessageChannel();
      // The message is handled after the frame's paint.
      channel.port1.onmessage = () => measured.push(performance.now() - at);
      channel.port2.postMessage(0);
    }
    requestAnimationFrame(look);
  };
  look();
}

/** Of sorted numbers, the one below which that share lies. */
const at = (sorted, share) => sorted[Math.floor((sorted.length - 1) * share)];
const sort = (numbers) => numbers.sort((a, b) => a - b);

const runs = { without: [], with: [] };
for (let round = 0; round < Number(rounds); round += 1) {
  runs.without.push(sort(await typed({})));
  runs.with.push(sort(await typed({ 'openclsp.server.command': [openclsp, 'server'] })));
}
for (const [name, found] of Object.entries(runs)) {
  const middle = (share) => at(sort(found.map((sorted) => at(sorted, share))), 0.5).toFixed(0);
  console.log(`${name} the server: ${found.length} runs, median ${middle(0.5)} ms, 95th percentile ${middle(0.95)} ms, slowest ${middle(1)} ms`);
}
