import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import * as path from 'node:path';

/** Timeout in milliseconds for a question to an interpreter, longer than a cold start of Python from a slow disk. */
export const PROBE_LIMIT = 15_000;

export interface Finished {
  /** Exit code 0. */
  succeeded: boolean;
  stdout: string;
  /** Standard error, or why the program did not start. */
  stderr: string;
}

/**
 * Runs a program and waits for its end.
 * @param folder The working folder. Python adds it to its module path, so it must not be the user's workspace.
 * @param limit Timeout in milliseconds, after which the program is killed.
 */
export function run(
  program: string,
  args: string[],
  folder: string,
  limit: number,
  signal?: AbortSignal,
): Promise<Finished> {
  return new Promise((resolve) => {
    const options = { cwd: folder, timeout: limit, windowsHide: true, maxBuffer: 1 << 24, ...(signal ? { signal } : {}) };
    execFile(program, args, options, (error, stdout, stderr) => {
      resolve({ succeeded: error === null, stdout, stderr: stderr || (error?.message ?? '') });
    });
  });
}

/**
 * Finds a program on the PATH.
 * Relative folders are skipped, and so is the working folder, which Windows would search first: a workspace must not be
 * able to supply the program.
 */
export async function onPath(name: string): Promise<string | undefined> {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', '.bat'] : [''];
  for (const folder of (process.env['PATH'] ?? '').split(path.delimiter).filter(path.isAbsolute)) {
    for (const ending of endings) {
      const candidate = path.join(folder, name + ending);
      if (await isExecutable(candidate)) {
        return candidate;
      }
    }
  }
  return undefined;
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
