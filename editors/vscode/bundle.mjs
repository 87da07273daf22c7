// Bundles src/ into out/extension.js, and the licences of what went into the bundle into out/THIRD_PARTY_NOTICES.txt; puts
// the server's dependencies, pinned by hash, beside them.
import { build } from 'esbuild';
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import * as path from 'node:path';

const bundled = await build({
  entryPoints: ['src/extension.ts'],
  outfile: 'out/extension.js',
  bundle: true,
  minify: true,
  metafile: true,
  external: ['vscode'],
  format: 'cjs',
  platform: 'node',
  // The Node of Code 1.91, the oldest in package.json's engines.
  target: 'node20',
  logLevel: 'warning',
});

const PACKAGE_FOLDER = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;
const folders = new Set(Object.keys(bundled.metafile.inputs).flatMap((input) => input.match(PACKAGE_FOLDER) ?? []));

async function notice(folder) {
  const { name, version, license } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) {
    throw new Error(`${name} goes into the bundle and brings no licence text`);
  }
  return `${name} ${version} (${license})\n\n${(await readFile(path.join(folder, file), 'utf8')).trim()}\n`;
}

const notices = await Promise.all([...folders].sort().map(notice));
await writeFile('out/THIRD_PARTY_NOTICES.txt', notices.join(`\n${'-'.repeat(80)}\n\n`));
await copyFile('../../requirements/run.txt', 'out/requirements.txt');
