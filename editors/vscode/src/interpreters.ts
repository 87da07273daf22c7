import { onPath, PROBE_LIMIT, run } from './processes';

/** What an interpreter has that an environment for openclsp needs. */
export interface Ability {
  interpreter: string;
  /** Such as `[3, 12]`. */
  version: [number, number];
  /** It can make virtual environments with pip in them. Debian leaves a part of that out of its package `python3`. */
  makesEnvironments: boolean;
}

/** The first version that openclsp supports. */
const OLDEST = 10;

/** What the interpreter can do; undefined if it cannot be run, or is Python 2. */
export async function abilityOf(interpreter: string, folder: string): Promise<Ability | undefined> {
  const question =
    'import sys; from importlib.util import find_spec as f; print(*sys.version_info[:2], int(bool(f("venv") and f("ensurepip"))))';
  const { succeeded, stdout } = await run(interpreter, ['-c', question], folder, PROBE_LIMIT);
  const [major, minor, able] = stdout.trim().split(' ').map(Number);
  return succeeded && major !== undefined && minor !== undefined
    ? { interpreter, version: [major, minor], makesEnvironments: able === 1 }
    : undefined;
}

/** Why none of these interpreters can make an environment for openclsp, as sentences for the user; or the first that can. */
export function chooseInterpreter(found: readonly Ability[]): Ability | string {
  const newEnough = found.filter(({ version: [major, minor] }) => major > 3 || (major === 3 && minor >= OLDEST));
  const able = newEnough.find((each) => each.makesEnvironments);
  if (able !== undefined) {
    return able;
  }
  const [first] = newEnough;
  if (first !== undefined) {
    return (
      `${first.interpreter} cannot make environments, because it lacks the modules venv or ensurepip. ` +
      `On Debian and Ubuntu, install the package python3-venv.`
    );
  }
  const [old] = found;
  return old === undefined
    ? `No Python was found on the PATH. The server needs Python 3.${OLDEST} or newer.`
    : `${old.interpreter} is Python ${old.version.join('.')}. The server needs Python 3.${OLDEST} or newer.`;
}

/** Interpreters on the PATH, most suitable first: `python3` may be older than another one that is there. */
export async function interpretersOnPath(): Promise<string[]> {
  const names = ['python3', 'python', ...Array.from({ length: 6 }, (_, newer) => `python3.${OLDEST + 5 - newer}`)];
  const found = await Promise.all(names.map(onPath));
  return found.filter((interpreter) => interpreter !== undefined);
}
