import { access, stat } from 'node:fs/promises';
import * as path from 'node:path';

/** The source of an installation: a wheel, a source archive, a checkout or the carried wheels, never a name in an index. */
export interface Package {
  /** An absolute path; of a folder with wheels if `carried`. */
  location: string;
  /** The pinned packages, each with its hash: the dependencies, and openclsp itself if `carried`. */
  requirements: string;
  /** Where it was found, as a description for the user. */
  origin: string;
  /** The extension carries everything that is installed (wheels.py), so that no network is needed. */
  carried: boolean;
}

/**
 * The package in the setting, or else the wheels in the extension.
 * @param named The path in the setting; empty if it is not set.
 * @param extension The extension's folder, which may contain `server/wheels/`.
 */
export async function findPackage(named: string, extension: string): Promise<Package | undefined> {
  if (named !== '') {
    const location = path.resolve(named);
    const own = path.join(location, 'requirements', 'run.txt');
    const requirements = (await exists(own)) ? own : path.join(extension, 'out', 'requirements.txt');
    return { location, requirements, origin: 'the setting openclsp.server.package', carried: false };
  }
  const location = path.join(extension, 'server', 'wheels');
  const requirements = path.join(location, 'requirements.txt');
  return (await exists(requirements)) ? { location, requirements, origin: 'this extension', carried: true } : undefined;
}

/**
 * Why the package cannot be installed, or undefined if it can. pip would treat a path that does not exist as a name in a
 * package index.
 */
export async function packageFault({ location, carried }: Package): Promise<string | undefined> {
  const found = await stat(location).catch(() => undefined);
  if (found?.isDirectory()) {
    return carried || (await exists(path.join(location, 'pyproject.toml')))
      ? undefined
      : `${location} is not a checkout of openclsp`;
  }
  return found?.isFile() ? undefined : `${location} does not exist`;
}

/**
 * The arguments of each run of pip. Only the dependencies of a package that the user names, which are pinned by hash, may come
 * from an index.
 */
export function pipRuns({ location, requirements, carried }: Package): string[][] {
  const install = ['-m', 'pip', 'install', '--disable-pip-version-check', '--no-input'];
  const pinned = ['--require-hashes', '-r', requirements];
  if (carried) {
    return [[...install, '--isolated', '--no-index', '--find-links', location, ...pinned]];
  }
  return [
    [...install, '--retries', '1', ...pinned],
    [...install, '--isolated', '--no-index', '--no-deps', '--no-build-isolation', location],
  ];
}

/** Why a run of pip failed, as a sentence for the user; `version` is that of the interpreter, such as `3.12`. */
export function pipFault(output: string, { origin, carried }: Package, version: string): string {
  const unavailable = /No matching distribution found for (\S+)/.exec(output)?.[1];
  if (carried && unavailable !== undefined) {
    return (
      `This extension carries no ${unavailable.replace(/==.*/, '')} for Python ${version} on this system. ` +
      'Install another Python (3.10 or newer), or set openclsp.server.interpreter to one that has openclsp installed.'
    );
  }
  if (/is not a supported wheel on this platform/.test(output)) {
    return `The wheel in ${origin} is for another system or another Python than ${version}.`;
  }
  if (/Failed to establish a new connection|NameResolutionError|Temporary failure in name resolution|ProxyError/.test(output)) {
    return 'The package index with the dependencies of openclsp cannot be reached. Install it once you are online.';
  }
  if (/error: command '.*(cc|gcc|clang|cl\.exe)' failed|unable to execute|Microsoft Visual C\+\+/.test(output)) {
    return 'No C compiler was found, which a checkout of openclsp needs. Install one, or name a wheel in openclsp.server.package.';
  }
  return 'The server could not be installed; see the log.';
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
