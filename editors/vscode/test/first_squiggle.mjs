// Times a new user of Visual Studio Code: install the packed extension, open a folder with a faulty kernel, see the error.
// usage: node first_squiggle.mjs CACHE FILE.vsix [RUNS]      started by tests/editors/first_squiggle.py
// Prints one line of JSON a run: seconds until the extension is installed, the editor shows the kernel, the squiggle is painted.
import { existsSync } from 'node:fs';
import * as path from 'node:path';
import { Workbench } from './workbench.mjs';

const [cache, vsix, runs = '1'] = process.argv.slice(2);
/** Milliseconds; the installation of carried wheels may take long on a busy machine. */
const PATIENCE = 180_000;

const FAULTY = `kernel void scale(global float *samples, int n) {
    local float *tile = samples;
    tile[0] = n;
}
`;
/** No server is found by accident. */
const PATH = process.env.PATH.split(path.delimiter)
  .filter((folder) => !existsSync(path.join(folder, 'openclsp')))
  .join(path.delimiter);

for (let run = 0; run < Number(runs); run += 1) {
  const start = Date.now();
  const seconds = () => (Date.now() - start) / 1000;
  const workbench = new Workbench(cache, { files: { 'scale.cl': FAULTY } });
  try {
    workbench.install(vsix, { PATH });
    const installed = seconds();
    await workbench.startServer({ PATH }, true);
    await workbench.startBrowser('scale.cl');
    const opened = seconds();
    await workbench.waitForErrors(1, PATIENCE);
    await workbench.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
    const painted = seconds();
    workbench.name = 'first-squiggle';
    await workbench.screenshot('painted');
    console.log(JSON.stringify({ installed, opened, painted }));
  } finally {
    await workbench.close();
  }
}
