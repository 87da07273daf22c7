import * as vscode from 'vscode';
import type { ClientCapabilities, LanguageClient, StaticFeature } from 'vscode-languageclient/node';
import { INCLUDER } from './headers';

/** The server's commands. The client registers them under the same names; the command palette runs them without arguments. */
export const VARIANT = 'openclsp.variant';
export const VERSION = 'openclsp.checkAs';
/** The extension's command that offers these choices; a click on the status bar item runs it. */
export const CONFIGURE = 'openclsp.configure';

const CHANGED = 'openclsp/statusChanged';
const PROJECT = "The project's choice";
const VERSIONS = ['CL1.0', 'CL1.1', 'CL1.2', 'CL2.0', 'CL3.0'];

/** The configuration under which a document is analysed: the parameters of `openclsp/statusChanged`. */
interface Status {
  uri: string;
  dialect: string;
  reason: string;
  variant: string | null;
  variants: { name: string; source: string }[];
  includedBy: string | null;
}

/**
 * The status bar item: the language version, build variant and including kernel of the active editor's document, and the
 * choice of others. Without a running server it says that openclsp has stopped.
 */
export class StatusItem implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('openclsp.status', vscode.StatusBarAlignment.Right, 90);
  private readonly statuses = new Map<string, Status>();
  /** The open documents that the server has analysed, headers among them. A crash leaves them in place. */
  private readonly analysed = new Set<string>();
  private readonly subscription: vscode.Disposable;
  private hasStopped = false;

  constructor(private readonly language: string) {
    this.item.name = 'openclsp: language version';
    this.subscription = vscode.Disposable.from(
      vscode.window.onDidChangeActiveTextEditor(() => this.show()),
      vscode.workspace.onDidCloseTextDocument((document) => {
        this.statuses.delete(document.uri.toString());
        this.analysed.delete(document.uri.toString());
      }),
    );
  }

  dispose(): void {
    this.subscription.dispose();
    this.item.dispose();
  }

  /** Must be called before the client starts, because the server notifies only clients that declare the capability. */
  follow(client: LanguageClient): void {
    this.statuses.clear();
    const feature: StaticFeature = {
      fillClientCapabilities: (capabilities: ClientCapabilities) => {
        capabilities.experimental = { ...(capabilities.experimental as object | undefined), openclspStatus: true };
      },
      initialize: () => undefined,
      getState: () => ({ kind: 'static' }),
      clear: () => undefined,
    };
    client.registerFeature(feature);
    client.onNotification(CHANGED, (status: Status) => {
      const uri = vscode.Uri.parse(status.uri).toString();
      this.statuses.set(uri, status);
      this.analysed.add(uri);
      this.show();
    });
  }

  /** Clears all statuses. `crashed`: the server has ended by itself, which the item then says. */
  forget(crashed: boolean): void {
    this.statuses.clear();
    this.hasStopped = crashed;
    this.show();
  }

  /** The server runs (again). */
  running(): void {
    this.hasStopped = false;
    this.show();
  }

  /** Offers the choices that there are for the active document, and runs the command of the chosen one. */
  async configure(): Promise<void> {
    const status = this.current();
    if (status === undefined) {
      void vscode.window.showInformationMessage('openclsp: the active document is not analysed.');
      return;
    }
    const items: (vscode.QuickPickItem & { run: string })[] = [
      { label: '$(symbol-misc) Language version', description: status.dialect, detail: status.reason, run: VERSION },
    ];
    if (status.variants.length > 0) {
      items.push({ label: '$(versions) Variant', description: status.variant ?? '', run: VARIANT });
    }
    if (status.includedBy !== null) {
      items.push({ label: '$(references) Including kernel', description: baseName(status.includedBy), run: INCLUDER });
    }
    const chosen = await vscode.window.showQuickPick(items, { title: 'Configuration for the analysis of this document' });
    if (chosen !== undefined) {
      await vscode.commands.executeCommand(chosen.run);
    }
  }

  /** Lets the user choose a variant; returns the arguments for the server's command, or undefined without a choice. */
  async chooseVariant(): Promise<[string, string | null] | undefined> {
    const status = this.current();
    if (status === undefined || status.variants.length === 0) {
      void vscode.window.showInformationMessage(
        'openclsp: this file has no other variants. Variants are defined in openclsp.toml or found in the host program.',
      );
      return undefined;
    }
    const items = [
      ...status.variants.map(({ name, source }) => ({
        label: name,
        description: source,
        picked: name === status.variant,
        name: name as string | null,
      })),
      { label: PROJECT, description: 'the variant that openclsp.toml selects, or the first', picked: false, name: null },
    ];
    const chosen = await vscode.window.showQuickPick(items, { title: 'Build variant for the analysis of this kernel' });
    return chosen === undefined ? undefined : [status.uri, chosen.name];
  }

  /** The same for the language version, which counts for the project of the active document. */
  async chooseVersion(): Promise<[string | null, string] | undefined> {
    const status = this.current();
    if (status === undefined) {
      void vscode.window.showInformationMessage('openclsp: the active document is not analysed.');
      return undefined;
    }
    const items = [
      ...VERSIONS.map((name) => ({
        label: name.replace('CL', 'OpenCL C '),
        description: status.dialect.startsWith(name) ? status.reason : '',
        version: name as string | null,
      })),
      { label: PROJECT, description: 'from options and host code, or the lowest version that has what is used', version: null },
    ];
    const chosen = await vscode.window.showQuickPick(items, { title: 'Language version for the analysis of this project' });
    return chosen === undefined ? undefined : [chosen.version, status.uri];
  }

  private current(): Status | undefined {
    const document = vscode.window.activeTextEditor?.document;
    return document === undefined ? undefined : this.statuses.get(document.uri.toString());
  }

  private show(): void {
    const status = this.current();
    this.item.backgroundColor = undefined;
    const document = vscode.window.activeTextEditor?.document;
    const concerned = document?.languageId === this.language || this.analysed.has(document?.uri.toString() ?? '');
    if (this.hasStopped && concerned) {
      this.item.text = '$(error) openclsp: stopped';
      this.item.tooltip = 'The server has stopped. Click to restart it.';
      this.item.command = 'openclsp.restart';
      this.item.backgroundColor = new vscode.ThemeColor('statusBarItem.errorBackground');
      this.item.show();
      return;
    }
    if (status === undefined) {
      this.item.hide();
      return;
    }
    const parts = [
      status.dialect,
      ...(status.variant ? [`$(versions) ${status.variant}`] : []),
      ...(status.includedBy === null ? [] : [`$(references) ${baseName(status.includedBy)}`]),
    ];
    this.item.text = parts.join(' ');
    this.item.command = CONFIGURE;
    this.item.tooltip = `${status.reason}\nClick to choose another version, variant or including kernel.`;
    this.item.show();
  }
}

function baseName(uri: string): string {
  return decodeURIComponent(uri.slice(uri.lastIndexOf('/') + 1));
}
