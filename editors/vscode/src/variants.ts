import * as vscode from 'vscode';
import type { ClientCapabilities, LanguageClient, StaticFeature } from 'vscode-languageclient/node';
import { INCLUDER } from './headers';

/** The server's command. The client registers it under the same name; the command palette runs it without arguments. */
export const VARIANT = 'openclsp.variant';

const CHANGED = 'openclsp/statusChanged';
const PROJECT = "The project's choice";

/** The configuration under which a document is analysed: the parameters of `openclsp/statusChanged`. */
interface Status {
  uri: string;
  dialect: string;
  reason: string;
  variant: string | null;
  variants: { name: string; source: string }[];
  includedBy: string | null;
}

/** The status bar item for the build variant of the active editor's kernel, and the choice of another variant. */
export class Variants implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('openclsp.variant', vscode.StatusBarAlignment.Right, 90);
  private readonly statuses = new Map<string, Status>();
  private readonly subscription: vscode.Disposable;

  constructor() {
    this.item.name = 'openclsp: variant';
    this.subscription = vscode.Disposable.from(
      vscode.window.onDidChangeActiveTextEditor(() => this.show()),
      vscode.workspace.onDidCloseTextDocument((document) => this.statuses.delete(document.uri.toString())),
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
      this.statuses.set(vscode.Uri.parse(status.uri).toString(), status);
      this.show();
    });
  }

  /** Clears all statuses, because the server has stopped. */
  forget(): void {
    this.statuses.clear();
    this.show();
  }

  /** Lets the user choose a variant; returns the arguments for the server's command, or undefined without a choice. */
  async choose(): Promise<[string, string | null] | undefined> {
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

  private current(): Status | undefined {
    const document = vscode.window.activeTextEditor?.document;
    return document === undefined ? undefined : this.statuses.get(document.uri.toString());
  }

  private show(): void {
    const status = this.current();
    const root = status?.includedBy ?? null;
    const parts = [
      ...(status?.variant ? [`$(versions) ${status.variant}`] : []),
      ...(root === null ? [] : [`$(references) ${decodeURIComponent(root.slice(root.lastIndexOf('/') + 1))}`]),
    ];
    if (status === undefined || parts.length === 0) {
      this.item.hide();
      return;
    }
    this.item.text = parts.join(' ');
    this.item.command =
      root !== null && status.variants.length === 0
        ? { command: INCLUDER, title: 'Choose the Including Kernel' }
        : { command: VARIANT, title: 'Choose the Variant' };
    this.item.tooltip = status.reason;
    this.item.show();
  }
}
