import * as vscode from 'vscode';

/** The section of the settings, and the name under which the server asks for them. */
export const SECTION = 'openclsp';

/** What the server is told when it asks (`workspace/configuration`). */
export interface ServerSettings {
  languageVersion?: string;
  extensions?: string;
  defines?: string[];
  includeFolders?: string[];
  readableFolders?: string[];
  inlayHints?: string;
}

/**
 * The server's settings for one resource. What the user left alone is absent: its default is the server's. What an untrusted
 * workspace says of the folders is left out by VS Code itself, as below.
 */
export function serverSettings(resource?: vscode.Uri): ServerSettings {
  const configuration = vscode.workspace.getConfiguration(SECTION, resource);
  const languageVersion = configuration.get<string | null>('languageVersion');
  const extensions = configuration.get<string>('extensions');
  const defines = configuration.get<string[]>('defines') ?? [];
  const includeFolders = configuration.get<string[]>('includeFolders') ?? [];
  const readableFolders = configuration.get<string[]>('readableFolders') ?? [];
  const inlayHints = configuration.get<string>('inlayHints');
  return {
    ...(languageVersion ? { languageVersion } : {}),
    ...(extensions ? { extensions } : {}),
    ...(defines.length > 0 ? { defines } : {}),
    ...(includeFolders.length > 0 ? { includeFolders } : {}),
    ...(readableFolders.length > 0 ? { readableFolders } : {}),
    ...(inlayHints ? { inlayHints } : {}),
  };
}

/** The settings that say which program the server is. */
export interface ProgramSettings {
  /** The server's program and its arguments; empty where the user named none. */
  command: string[];
  /** A Python interpreter in whose environment openclsp is installed; empty where the user named none. */
  interpreter: string;
  /** A wheel, an archive or a checkout of openclsp to install from; empty where the user named none. */
  package: string;
}

/**
 * In an untrusted workspace VS Code itself leaves out what the workspace says of these (package.json,
 * capabilities.untrustedWorkspaces.restrictedConfigurations); of the package no workspace has a say (its scope is the machine).
 */
export function programSettings(): ProgramSettings {
  const configuration = vscode.workspace.getConfiguration(`${SECTION}.server`);
  return {
    command: (configuration.get<string[]>('command') ?? []).map(withVariables),
    interpreter: withVariables(configuration.get<string>('interpreter') ?? ''),
    package: withVariables(configuration.get<string>('package') ?? ''),
  };
}

/** Whether a change of the settings asks for another server process. */
export function changesProgram(change: vscode.ConfigurationChangeEvent): boolean {
  return ['command', 'interpreter'].some((name) => change.affectsConfiguration(`${SECTION}.server.${name}`));
}

/** VS Code replaces variables in tasks and launch configurations only; settings have to do it themselves. */
function withVariables(text: string): string {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  return text
    .replace(/\$\{workspaceFolder\}/g, folder)
    .replace(/\$\{userHome\}/g, process.env['HOME'] ?? process.env['USERPROFILE'] ?? '')
    .replace(/\$\{env:(\w+)\}/g, (_, name: string) => process.env[name] ?? '');
}
