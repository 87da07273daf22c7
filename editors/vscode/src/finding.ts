import { onPath } from './processes';
import { chosenInterpreter, hasServer, interpreterOf, RUN_SERVER } from './python';
import type { ProgramSettings } from './settings';

/** A way to start the server, and where it was found, in the user's words. */
export interface Program {
  kind: 'program';
  command: string;
  args: string[];
  origin: string;
}

/** A setting names a server that is not there. Nothing else is tried: the user meant that one. */
export interface Misnamed {
  kind: 'misnamed';
  setting: string;
  reason: string;
}

export interface Missing {
  kind: 'missing';
}

/**
 * Looks for the server: the settings, the Python extension's environment, the PATH, the environment that this
 * extension made earlier. The first that has it wins.
 * @param folder A folder without Python files, to run interpreters in.
 * @param ownEnvironment Where this extension puts its own virtual environment.
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
          reason: `openclsp cannot be imported by ${settings.interpreter}`,
        };
  }
  const chosen = await chosenInterpreter();
  if (chosen !== undefined && (await hasServer(chosen, folder))) {
    return byInterpreter(chosen, "the Python extension's environment");
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

function byInterpreter(interpreter: string, origin: string): Program {
  return { kind: 'program', command: interpreter, args: RUN_SERVER, origin };
}
