import { mkdir, rm } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { type Package, packageFault, pipRuns } from './packages';
import { run } from './processes';
import { canMakeEnvironments, chosenInterpreters, hasServer, interpreterOf, interpretersOnPath } from './python';

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
        await step(python, ['-m', 'venv', environment], parent, log, abort.signal);
        for (const pip of pipRuns(source)) {
          await step(interpreterOf(environment), pip, parent, log, abort.signal);
        }
        if (!(await hasServer(interpreterOf(environment), parent))) {
          throw new InstallError(`The package installed from ${source.location} does not contain the openclsp server.`);
        }
      } catch (error) {
        await rm(environment, { recursive: true, force: true });
        throw error;
      }
    },
  );
}

async function ablePython(folder: string): Promise<string> {
  for (const python of [...(await chosenInterpreters()), ...(await interpretersOnPath())]) {
    if (await canMakeEnvironments(python, folder)) {
      return python;
    }
  }
  throw new InstallError(
    'No Python 3.10 or newer with the modules venv and ensurepip was found on the PATH ' +
      '(on Debian and Ubuntu they are in the package python3-venv).',
  );
}

async function step(
  program: string,
  args: string[],
  folder: string,
  log: vscode.LogOutputChannel,
  signal: AbortSignal,
): Promise<void> {
  log.info(`${program} ${args.join(' ')}`);
  const finished = await run(program, args, folder, INSTALL_LIMIT, signal);
  if (signal.aborted) {
    throw new InstallError('The installation was cancelled.');
  }
  if (!finished.succeeded) {
    log.error(finished.stdout + finished.stderr);
    throw new InstallError('The server could not be installed; see the log.');
  }
}
