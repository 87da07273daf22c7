import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';

export const SHOW_LAYOUT = 'openclsp.showLayout';
export const EXPAND_MACRO = 'openclsp.expandMacro';
export const EXPAND_DOCUMENT = 'openclsp.expandDocument';

const SCHEME = 'openclsp-view';

/** The results of the requests `openclsp/layout` and `openclsp/expand`. */
interface Layout {
  name: string;
  text: string;
}
interface Expansion {
  title: string;
  text: string;
}

/** Read-only documents beside the editor: layouts of structs and expansions of macros. */
export class Views implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly registrations: vscode.Disposable[];
  readonly onDidChange = this.changed.event;

  constructor() {
    this.registrations = [
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.workspace.onDidCloseTextDocument((document) => this.texts.delete(document.uri.toString())),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.registrations, this.changed).dispose();
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? '';
  }

  /** Shows the layout of the struct or union at the cursor. */
  async showLayout(client: LanguageClient | undefined): Promise<void> {
    const found = await this.asked<Layout>(client, 'openclsp/layout', true);
    if (found === null) {
      void vscode.window.showInformationMessage('openclsp: there is no struct or union at the cursor.');
    } else if (found !== undefined) {
      await this.open(`Layout of ${found.name}`, found.text, 'plaintext');
    }
  }

  /** Shows the expansion of the macro at the cursor, or of the whole document. */
  async showExpansion(client: LanguageClient | undefined, whole: boolean): Promise<void> {
    const found = await this.asked<Expansion>(client, 'openclsp/expand', !whole);
    if (found === null) {
      const reason = whole ? 'the document is included within a function.' : 'there is no macro at the cursor.';
      void vscode.window.showInformationMessage(`openclsp: ${reason}`);
    } else if (found !== undefined) {
      // Not as OpenCL C: a server would analyse it.
      await this.open(found.title, found.text, 'c');
    }
  }

  /** Null if there is nothing to show; undefined if the request failed, which is shown to the user. */
  private async asked<Result>(
    client: LanguageClient | undefined,
    request: string,
    withPosition: boolean,
  ): Promise<Result | null | undefined> {
    const editor = vscode.window.activeTextEditor;
    if (client === undefined || editor === undefined) {
      void vscode.window.showInformationMessage('openclsp: open a kernel first.');
      return undefined;
    }
    const textDocument = { uri: client.code2ProtocolConverter.asUri(editor.document.uri) };
    const position = client.code2ProtocolConverter.asPosition(editor.selection.active);
    try {
      return await client.sendRequest<Result | null>(request, withPosition ? { textDocument, position } : { textDocument });
    } catch (error) {
      void vscode.window.showWarningMessage(`openclsp: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  }

  private async open(title: string, text: string, language: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${title.replace(/[/\\]/g, '_')}` });
    this.texts.set(uri.toString(), text);
    this.changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.languages.setTextDocumentLanguage(document, language);
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true });
  }
}
