import { access, readdir, stat } from 'node:fs/promises';
import * as path from 'node:path';

/** The source of an installation: a wheel, a source archive or a checkout, never a name in a package index. */
export interface Package {
  /** An absolute path. */
  location: string;
  /** The pinned dependencies, each with its hash. */
  requirements: string;
  /** Where it was found, as a description for the user. */
  origin: string;
}

const ARCHIVE = /^openclsp-.*\.(whl|tar\.gz)$/;

/**
 * The package in the setting, or else the one in the extension.
 * @param named The path in the setting; empty if it is not set.
 * @param extension The extension's folder, which may contain `server/openclsp-….whl`.
 */
export async function findPackage(named: string, extension: string): Promise<Package | undefined> {
  const requirements = path.join(extension, 'out', 'requirements.txt');
  if (named !== '') {
    const location = path.resolve(named);
    const own = path.join(location, 'requirements', 'run.txt');
    const origin = 'the setting openclsp.server.package';
    return { location, requirements: (await exists(own)) ? own : requirements, origin };
  }
  const folder = path.join(extension, 'server');
  const carried = (await readdir(folder).catch(() => [])).filter((file) => ARCHIVE.test(file)).sort();
  return carried[0] === undefined
    ? undefined
    : { location: path.join(folder, carried[0]), requirements, origin: 'this extension' };
}

/**
 * Why the package cannot be installed, or undefined if it can. pip would treat a path that does not exist as a name in a
 * package index.
 */
export async function packageFault({ location }: Package): Promise<string | undefined> {
  const found = await stat(location).catch(() => undefined);
  if (found?.isDirectory()) {
    return (await exists(path.join(location, 'pyproject.toml'))) ? undefined : `${location} is not a checkout of openclsp`;
  }
  return found?.isFile() ? undefined : `${location} does not exist`;
}

/** The arguments of each run of pip. Only the dependencies, which are pinned by hash, may come from an index. */
export function pipRuns({ location, requirements }: Package): string[][] {
  const install = ['-m', 'pip', 'install', '--disable-pip-version-check', '--no-input'];
  return [
    [...install, '--require-hashes', '-r', requirements],
    [...install, '--isolated', '--no-index', '--no-deps', '--no-build-isolation', location],
  ];
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
