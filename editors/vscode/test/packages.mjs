// What the extension installs the server from: what the user names or what it carries, never a name in an index.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const folder = mkdtempSync(path.join(os.tmpdir(), 'openclsp-packages-'));
try {
  const load = async (name) => {
    const outfile = path.join(folder, `${name}.mjs`);
    await build({ entryPoints: [`src/${name}.ts`], outfile, bundle: true, format: 'esm', platform: 'node' });
    return import(pathToFileURL(outfile).href);
  };
  const { findPackage, packageFault, pipFault, pipRuns } = await load('packages');
  const { chooseInterpreter } = await load('interpreters');
  const extension = path.join(folder, 'extension');
  mkdirSync(path.join(extension, 'server'), { recursive: true });

  // nothing named, nothing carried
  assert.equal(await findPackage('', extension), undefined);
  assert.equal(await findPackage('', path.join(folder, 'nowhere')), undefined);

  // the wheels that the extension carries, with their list
  const wheels = path.join(extension, 'server', 'wheels');
  mkdirSync(wheels, { recursive: true });
  assert.equal(await findPackage('', extension), undefined);
  writeFileSync(path.join(wheels, 'requirements.txt'), '');
  const carried = await findPackage('', extension);
  assert.equal(carried.location, wheels);
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
  const [dependencies, server] = pipRuns(named);
  assert.deepEqual(dependencies.slice(-3), ['--require-hashes', '-r', named.requirements]);
  assert.ok(['--isolated', '--no-index', '--no-deps'].every((option) => server.includes(option)));
  assert.equal(server.at(-1), named.location);
  const [all, ...others] = pipRuns(carried);
  assert.deepEqual(others, []);
  assert.ok(['--isolated', '--no-index', '--require-hashes', wheels].every((option) => all.includes(option)));

  // what went wrong, in a sentence
  const missing = 'ERROR: No matching distribution found for tree-sitter==0.26.1';
  assert.match(pipFault(missing, carried, '3.15'), /carries no tree-sitter for Python 3\.15/);
  assert.match(pipFault('x: Failed to establish a new connection: ', named, '3.12'), /cannot be reached/);
  assert.match(pipFault("error: command 'gcc' failed", named, '3.12'), /C compiler/);
  assert.match(pipFault('ERROR: w.whl is not a supported wheel on this platform.', named, '3.12'), /another Python than 3\.12/);
  assert.match(pipFault('something else', named, '3.12'), /see the log/);

  // which interpreter, and why none
  const ability = (minor, makesEnvironments) => ({ interpreter: `p${minor}`, version: [3, minor], makesEnvironments });
  assert.equal(chooseInterpreter([ability(9, true), ability(11, false), ability(12, true)]).interpreter, 'p12');
  assert.match(chooseInterpreter([]), /No Python was found/);
  assert.match(chooseInterpreter([ability(9, true)]), /p9 is Python 3\.9/);
  assert.match(chooseInterpreter([ability(9, true), ability(11, false)]), /p11 .*lacks the modules venv or ensurepip/);
} finally {
  rmSync(folder, { recursive: true });
}
