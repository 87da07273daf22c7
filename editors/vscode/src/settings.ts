import { existsSync } from 'node:fs';
import * as vscode from 'vscode';

/** The section of the settings, also used by the server to request them. */
export const SECTION = 'openclsp';

/** The answer to the server's request `workspace/configuration`. */
export interface ServerSettings {
  languageVersion?: string;
  extensions?: string;
  defines?: string[];
  includeFolders?: string[];
  readableFolders?: string[];
  inlayHints?: string;
  leaveToOtherServer?: string[];
  otherServerIn?: string;
  generalErrors?: boolean;
  workspaceDiagnostics?: string;
  hostCode?: boolean;
}

/**
 * The server's settings for one resource. Settings that the user did not change are absent, so that the server's defaults
 * apply. VS Code itself ignores an untrusted workspace's values of the folders, as below.
 */
export function serverSettings(resource?: vscode.Uri): ServerSettings {
  const configuration = vscode.workspace.getConfiguration(SECTION, resource);
  const languageVersion = configuration.get<string | null>('languageVersion');
  const extensions = configuration.get<string>('extensions');
  const defines = configuration.get<string[]>('defines') ?? [];
  const includeFolders = configuration.get<string[]>('includeFolders') ?? [];
  const readableFolders = configuration.get<string[]>('readableFolders') ?? [];
  const inlayHints = configuration.get<string>('inlayHints');
  const leaveToOtherServer = configuration.get<string[]>('leaveToOtherServer') ?? [];
  const otherServerIn = configuration.get<string>('otherServerIn');
  const generalErrors = configuration.get<boolean>('generalErrors');
  const workspaceDiagnostics = configuration.get<string>('workspaceDiagnostics');
  const hostCode = configuration.get<boolean>('hostCode');
  return {
    ...(languageVersion ? { languageVersion } : {}),
    ...(extensions ? { extensions } : {}),
    ...(defines.length > 0 ? { defines } : {}),
    ...(includeFolders.length > 0 ? { includeFolders } : {}),
    ...(readableFolders.length > 0 ? { readableFolders } : {}),
    ...(inlayHints ? { inlayHints } : {}),
    ...(leaveToOtherServer.length > 0 ? { leaveToOtherServer } : {}),
    ...(otherServerIn ? { otherServerIn } : {}),
    ...(generalErrors === false ? { generalErrors } : {}),
    ...(workspaceDiagnostics ? { workspaceDiagnostics } : {}),
    ...(hostCode === false ? { hostCode } : {}),
  };
}

/** The settings that determine the server program. */
export interface ProgramSettings {
  /** The server program and its arguments; empty if not set. */
  command: string[];
  /** A Python interpreter in whose environment openclsp is installed; empty if not set. */
  interpreter: string;
  /** A wheel, an archive or a checkout of openclsp to install from; empty if not set. */
  package: string;
}

/**
 * The settings of the server program. VS Code itself ignores an untrusted workspace's values of these (package.json,
 * capabilities.untrustedWorkspaces.restrictedConfigurations). No workspace can set the package, whose scope is the machine.
 */
export function programSettings(): ProgramSettings {
  const configuration = vscode.workspace.getConfiguration(`${SECTION}.server`);
  return {
    command: (configuration.get<string[]>('command') ?? []).map(withVariables),
    interpreter: withVariables(configuration.get<string>('interpreter') ?? ''),
    package: withVariables(configuration.get<string>('package') ?? ''),
  };
}

/** Whether a change of the settings requires a restart of the server. */
export function changesProgram(change: vscode.ConfigurationChangeEvent): boolean {
  return ['command', 'interpreter'].some((name) => change.affectsConfiguration(`${SECTION}.server.${name}`));
}

/**
 * Substitutes variables, which VS Code does in tasks and launch configurations only. There is one server for all folders:
 * `${workspaceFolder}` is the first folder in which the path exists, `${workspaceFolder:NAME}` the folder of that name.
 */
function withVariables(text: string): string {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const named = (name: string): string => folders.find((each) => each.name === name)?.uri.fsPath ?? '';
  const general = text
    .replace(/\$\{workspaceFolder:([^}]+)\}/g, (_, name: string) => named(name))
    .replace(/\$\{userHome\}/g, process.env['HOME'] ?? process.env['USERPROFILE'] ?? '')
    .replace(/\$\{env:(\w+)\}/g, (_, name: string) => process.env[name] ?? '');
  const candidates = folders.map((each) => general.replace(/\$\{workspaceFolder\}/g, each.uri.fsPath));
  return candidates.find((each) => existsSync(each)) ?? candidates[0] ?? general.replace(/\$\{workspaceFolder\}/g, '');
}
