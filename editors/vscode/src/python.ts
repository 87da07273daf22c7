import * as path from 'node:path';
import * as vscode from 'vscode';
import { PROBE_LIMIT, run } from './processes';

/** The part of the Python extension's public interface that is used here. */
interface PythonExtension {
  environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { path: string };
    resolveEnvironment(environment: {
      path: string;
    }): Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
  };
}

/** Arguments with which an interpreter runs the server of its own environment. */
export const RUN_SERVER = ['-m', 'openclsp', 'server'];

/** Whether openclsp can be imported in the interpreter's environment. */
export async function hasServer(interpreter: string, folder: string): Promise<boolean> {
  const question = 'import sys; from importlib.util import find_spec; sys.exit(find_spec("openclsp.cli") is None)';
  return (await run(interpreter, ['-c', question], folder, PROBE_LIMIT)).succeeded;
}

/** The interpreter of a virtual environment. */
export function interpreterOf(environment: string): string {
  return process.platform === 'win32'
    ? path.join(environment, 'Scripts', 'python.exe')
    : path.join(environment, 'bin', 'python');
}

/**
 * The interpreters that the user chose in the Python extension for the workspace folders, each once, if that extension is
 * installed. None in an untrusted workspace, because the choice may be an environment inside the workspace.
 */
export async function chosenInterpreters(): Promise<string[]> {
  const extension = vscode.extensions.getExtension<PythonExtension>('ms-python.python');
  if (extension === undefined || !vscode.workspace.isTrusted) {
    return [];
  }
  try {
    const { environments } = extension.isActive ? extension.exports : await extension.activate();
    const folders = vscode.workspace.workspaceFolders?.map((each) => each.uri) ?? [undefined];
    const found = await Promise.all(
      folders.map(async (folder) =>
        environments.resolveEnvironment(environments.getActiveEnvironmentPath(folder)),
      ),
    );
    const paths = found.map((each) => each?.executable.uri?.fsPath).filter((each) => each !== undefined);
    return [...new Set(paths)];
  } catch {
    // A failure of the other extension must not prevent the start of the server.
    return [];
  }
}
