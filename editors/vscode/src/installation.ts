import { mkdir, readdir, rm } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { type Ability, abilityOf, chooseInterpreter, interpretersOnPath } from './interpreters';
import { type Package, packageFault, pipFault, pipRuns } from './packages';
import { run } from './processes';
import { chosenInterpreters, hasServer, interpreterOf } from './python';

/** Timeout for pip in milliseconds; it may have to download dependencies over a slow connection, or to compile. */
const INSTALL_LIMIT = 600_000;

export class InstallError extends Error {}

/**
 * Creates a virtual environment at `environment` and installs openclsp in it from this package.
 * It is removed on failure and if the user cancels.
 * @throws InstallError with a message for the user.
 */
export async function installServer(
  environment: string,
  source: Package,
  log: vscode.LogOutputChannel,
): Promise<void> {
  const fault = await packageFault(source);
  if (fault !== undefined) {
    throw new InstallError(`${fault} (${source.origin}).`);
  }
  await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: `Installing openclsp from ${source.origin}`,
      cancellable: true,
    },
    async (_progress, cancellation) => {
      const abort = new AbortController();
      cancellation.onCancellationRequested(() => abort.abort());
      const parent = path.dirname(environment);
      await mkdir(parent, { recursive: true });
      const python = await ablePython(parent);
      await rm(environment, { recursive: true, force: true });
      try {
        const created = await step(python.interpreter, ['-m', 'venv', environment], parent, log, abort.signal);
        if (created !== undefined) {
          throw new InstallError(`${python.interpreter} could not create an environment in ${parent}; see the log.`);
        }
        for (const pip of pipRuns(source)) {
          const output = await step(interpreterOf(environment), pip, parent, log, abort.signal);
          if (output !== undefined) {
            throw new InstallError(pipFault(output, source, python.version.join('.')));
          }
        }
        if (!(await hasServer(interpreterOf(environment), parent))) {
          throw new InstallError(`The package installed from ${source.location} does not contain the openclsp server.`);
        }
      } catch (error) {
        await rm(environment, { recursive: true, force: true });
        throw error;
      }
      await removeOlder(environment);
    },
  );
}

/** Removes the environments that earlier versions of the extension made. */
async function removeOlder(environment: string): Promise<void> {
  const parent = path.dirname(environment);
  for (const name of await readdir(parent)) {
    if (name.startsWith('server-') && name !== path.basename(environment)) {
      await rm(path.join(parent, name), { recursive: true, force: true });
    }
  }
}

async function ablePython(folder: string): Promise<Ability> {
  const found: Ability[] = [];
  for (const python of [...(await chosenInterpreters()), ...(await interpretersOnPath())]) {
    const ability = await abilityOf(python, folder);
    if (ability !== undefined) {
      found.push(ability);
    }
  }
  const chosen = chooseInterpreter(found);
  if (typeof chosen === 'string') {
    throw new InstallError(chosen);
  }
  return chosen;
}

/** Runs a program; its output if it failed, otherwise undefined. */
async function step(
  program: string,
  args: string[],
  folder: string,
  log: vscode.LogOutputChannel,
  signal: AbortSignal,
): Promise<string | undefined> {
  log.info(`${program} ${args.join(' ')}`);
  const finished = await run(program, args, folder, INSTALL_LIMIT, signal);
  if (signal.aborted) {
    throw new InstallError('The installation was cancelled.');
  }
  if (finished.succeeded) {
    return undefined;
  }
  const output = finished.stdout + finished.stderr;
  log.error(output);
  return output;
}
