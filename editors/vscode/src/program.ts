import { access, constants } from 'node:fs/promises';
import * as path from 'node:path';
import { onPath } from './processes';
import { chosenInterpreters, hasServer, interpreterOf, RUN_SERVER } from './python';
import type { ProgramSettings } from './settings';

/** A way to start the server; `origin` describes to the user where it was found. */
export interface Program {
  kind: 'program';
  command: string;
  args: string[];
  origin: string;
}

/** A setting names a server that does not exist. Nothing else is tried, because the user chose that one. */
export interface Misnamed {
  kind: 'misnamed';
  setting: string;
  reason: string;
}

export interface Missing {
  kind: 'missing';
}

/**
 * Finds the server: in the settings, this extension, the Python extension's environment, the PATH, or the environment
 * that this extension created, in that order.
 * @param folder The extension's folder, which may contain `server/openclsp/`. It has no Python files at its top, so it
 * is the working folder for interpreters.
 * @param ownEnvironment The path of this extension's own virtual environment.
 */
export async function findServer(
  settings: ProgramSettings,
  folder: string,
  ownEnvironment: string,
): Promise<Program | Misnamed | Missing> {
  const [command, ...args] = settings.command;
  if (command !== undefined) {
    return { kind: 'program', command, args, origin: 'the setting openclsp.server.command' };
  }
  if (settings.interpreter !== '') {
    return (await hasServer(settings.interpreter, folder))
      ? byInterpreter(settings.interpreter, 'the setting openclsp.server.interpreter')
      : {
          kind: 'misnamed',
          setting: 'openclsp.server.interpreter',
          reason: `${settings.interpreter} cannot import openclsp`,
        };
  }
  const carried = carriedServer(folder);
  if (await isExecutable(carried)) {
    return { kind: 'program', command: carried, args: ['server'], origin: 'this extension' };
  }
  for (const chosen of await chosenInterpreters()) {
    if (await hasServer(chosen, folder)) {
      return byInterpreter(chosen, "the Python extension's environment");
    }
  }
  const installed = await onPath('openclsp');
  if (installed !== undefined) {
    return { kind: 'program', command: installed, args: ['server'], origin: 'the PATH' };
  }
  const own = interpreterOf(ownEnvironment);
  if (await hasServer(own, folder)) {
    return byInterpreter(own, "this extension's own environment");
  }
  return { kind: 'missing' };
}

/** The server that an extension packed for one platform carries (freeze.py); it needs no Python. */
export function carriedServer(extension: string): string {
  return path.join(extension, 'server', 'openclsp', process.platform === 'win32' ? 'openclsp.exe' : 'openclsp');
}

/** Whether the file exists and may be run. */
async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

function byInterpreter(interpreter: string, origin: string): Program {
  return { kind: 'program', command: interpreter, args: RUN_SERVER, origin };
}
