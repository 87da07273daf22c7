// What the extension installs the server from: what the user names or what it carries, never a name in an index.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const folder = mkdtempSync(path.join(os.tmpdir(), 'openclsp-packages-'));
try {
  const outfile = path.join(folder, 'packages.mjs');
  await build({ entryPoints: ['src/packages.ts'], outfile, bundle: true, format: 'esm', platform: 'node' });
  const { findPackage, packageFault, pipRuns } = await import(pathToFileURL(outfile).href);
  const extension = path.join(folder, 'extension');
  mkdirSync(path.join(extension, 'server'), { recursive: true });

  // nothing named, nothing carried
  assert.equal(await findPackage('', extension), undefined);
  assert.equal(await findPackage('', path.join(folder, 'nowhere')), undefined);

  // the wheel that the extension carries
  writeFileSync(path.join(extension, 'server', 'readme.txt'), '');
  assert.equal(await findPackage('', extension), undefined);
  const wheel = path.join(extension, 'server', 'openclsp-0.1.0-cp311-cp311-linux_x86_64.whl');
  writeFileSync(wheel, '');
  const carried = await findPackage('', extension);
  assert.equal(carried.location, wheel);
  assert.equal(await packageFault(carried), undefined);

  // a checkout that the user names, with its own pinned dependencies
  const checkout = path.join(folder, 'checkout');
  mkdirSync(path.join(checkout, 'requirements'), { recursive: true });
  assert.match(await packageFault(await findPackage(checkout, extension)), /not a checkout/);
  writeFileSync(path.join(checkout, 'pyproject.toml'), '');
  writeFileSync(path.join(checkout, 'requirements', 'run.txt'), '');
  const named = await findPackage(checkout, extension);
  assert.equal(named.requirements, path.join(checkout, 'requirements', 'run.txt'));
  assert.equal(await packageFault(named), undefined);

  // a name is taken for a path, and there is nothing there
  for (const name of ['openclsp', 'openclsp==0.1.0', 'git+https://example.org/openclsp']) {
    const taken = await findPackage(name, extension);
    assert.ok(path.isAbsolute(taken.location));
    assert.match(await packageFault(taken), /does not exist/);
  }

  // no run of pip gets the server from an index, and what may come from one is held to its hash
  for (const source of [carried, named]) {
    const [dependencies, server] = pipRuns(source);
    assert.deepEqual(dependencies.slice(-3), ['--require-hashes', '-r', source.requirements]);
    assert.ok(['--isolated', '--no-index', '--no-deps'].every((option) => server.includes(option)));
    assert.equal(server.at(-1), source.location);
  }
} finally {
  rmSync(folder, { recursive: true });
}
