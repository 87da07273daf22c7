import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { ClientCapabilities, LanguageClient, StaticFeature } from 'vscode-languageclient/node';

export const SHOW_FLOW = 'openclsp.showFlow';
/** The command of the code lens of a kernel's arguments; the server writes it into the lens. */
export const SHOW_ARGUMENT_FLOW = 'openclsp.showArgumentFlow';

const REQUEST = 'openclsp/flow';
const ARGUMENT_REQUEST = 'openclsp/argumentFlow';
/** The server's command that shows the summary of a kernel. */
const SHOW_KERNEL = 'openclsp.showKernel';
/** A drawing is wrapped rather than made smaller than this. */
const SMALLEST_SCALE = 0.85;
/** A change of the panel's width by fewer pixels does not wrap the drawing anew. */
const SAME_WIDTH = 40;

/** The result of the request `openclsp/flow`. */
interface Flow {
  title: string;
  element: string;
  svg: string;
  mermaid: string;
  moreChains: boolean;
  steps: { uri: string; range: { start: vscode.Position; end: vscode.Position } }[];
}

/** A generic pointer that receives arguments of a kernel: an element of the result of `openclsp/argumentFlow`. */
interface Receiver {
  pointer: string;
  function: string;
  arguments: string[];
  uri: string;
  position: { line: number; character: number };
}

/** A message from the panel's script. */
interface Message {
  step?: number;
  copy?: string;
  everyChain?: boolean;
  /** The widths of the page and of the unscaled drawing, in pixels. */
  width?: number;
  drawing?: number;
}

/** Where the flow was requested, and whether with every chain. */
interface Request {
  client: LanguageClient;
  uri: vscode.Uri;
  position: vscode.Position;
  everyChain: boolean;
}

/** The panel with the diagram of a pointer's flow. The window has one, which shows the last request. */
export class FlowPanel implements vscode.Disposable {
  /** The width of the panel's page in pixels, once it has reported it. */
  private width: number | undefined;
  private panel: vscode.WebviewPanel | undefined;
  private flow: Flow | undefined;
  private request: Request | undefined;
  private column: vscode.ViewColumn | undefined;

  constructor(private readonly media: vscode.Uri) {}

  dispose(): void {
    this.panel?.dispose();
  }

  /** Must be called before the client starts, because the server gives the lens only to clients that have its command. */
  follow(client: LanguageClient): void {
    const feature: StaticFeature = {
      fillClientCapabilities: (capabilities: ClientCapabilities) => {
        capabilities.experimental = { ...(capabilities.experimental as object | undefined), openclspArgumentFlow: true };
      },
      initialize: () => undefined,
      getState: () => ({ kind: 'static' }),
      clear: () => undefined,
    };
    client.registerFeature(feature);
  }

  /**
   * Shows the flow of a generic pointer that receives arguments of a kernel; the user chooses among several. If there is
   * none, the kernel's summary says where its arguments are.
   */
  async showArguments(client: LanguageClient | undefined, uri: string, kernel: string, number: number): Promise<void> {
    if (client === undefined) {
      return;
    }
    const params = { textDocument: { uri }, kernel, number };
    const found = await this.answerTo<Receiver[]>(client, ARGUMENT_REQUEST, params);
    if (found === undefined) {
      return;
    }
    if (found === null || found.length === 0) {
      await vscode.commands.executeCommand(SHOW_KERNEL, uri, kernel, number);
      return;
    }
    const items = found.map((each) => ({
      label: each.pointer,
      description: `in ${each.function}`,
      detail: `receives ${each.arguments.join(', ')}`,
      receiver: each,
    }));
    const options = { title: `Pointers that receive the arguments of ${kernel}`, matchOnDescription: true, matchOnDetail: true };
    const chosen = items.length === 1 ? items[0] : await vscode.window.showQuickPick(items, options);
    if (chosen !== undefined) {
      const place = new vscode.Position(chosen.receiver.position.line, chosen.receiver.position.character);
      this.column = vscode.window.activeTextEditor?.viewColumn;
      await this.showAnswer({ client, uri: vscode.Uri.parse(chosen.receiver.uri), position: place, everyChain: false });
    }
  }

  /** Shows the flow of the pointer at the cursor of the active editor. */
  async show(client: LanguageClient | undefined): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (client === undefined || editor === undefined) {
      void vscode.window.showInformationMessage('openclsp: open a kernel and put the cursor on a pointer.');
      return;
    }
    const request = {
      client,
      uri: editor.document.uri,
      position: editor.selection.active,
      everyChain: false,
    };
    this.column = editor.viewColumn;
    await this.showAnswer(request);
  }

  private async showAnswer(request: Request): Promise<void> {
    const flow = await this.asked(request);
    if (flow === undefined) {
      return;
    }
    if (flow === null) {
      void vscode.window.showInformationMessage('openclsp: there is no generic pointer at the cursor.');
      return;
    }
    this.flow = flow;
    this.request = request;
    const panel = this.opened();
    panel.webview.html = page(panel.webview, this.media, flow, request.everyChain);
    panel.reveal(undefined, true);
  }

  /** Null if there is no generic pointer; undefined if the request failed, which is shown to the user. */
  private async asked({ client, uri, position, everyChain }: Request): Promise<Flow | null | undefined> {
    return this.answerTo<Flow>(client, REQUEST, {
      textDocument: { uri: client.code2ProtocolConverter.asUri(uri) },
      position: client.code2ProtocolConverter.asPosition(position),
      everyChain,
      ...(this.width === undefined ? {} : { maximumWidth: this.width / SMALLEST_SCALE }),
    });
  }

  /** The answer to a request; undefined if it failed, which is shown to the user. */
  private async answerTo<Answer>(client: LanguageClient, request: string, params: object): Promise<Answer | null | undefined> {
    try {
      return await client.sendRequest<Answer | null>(request, params);
    } catch (error) {
      void vscode.window.showWarningMessage(`openclsp: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  }

  private opened(): vscode.WebviewPanel {
    if (this.panel === undefined) {
      this.panel = vscode.window.createWebviewPanel(
        'openclsp.flow',
        'Flow of a Pointer',
        { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
        { enableScripts: true, localResourceRoots: [this.media] },
      );
      this.panel.webview.onDidReceiveMessage((message: Message) => this.received(message));
      this.panel.onDidDispose(() => (this.panel = undefined));
    }
    return this.panel;
  }

  private async received(message: Message): Promise<void> {
    const step = message.step === undefined ? undefined : this.flow?.steps[message.step];
    if (step !== undefined) {
      const { start, end } = step.range;
      const selection = new vscode.Range(start.line, start.character, end.line, end.character);
      const column = this.column ?? vscode.ViewColumn.One;
      await vscode.window.showTextDocument(vscode.Uri.parse(step.uri), { selection, viewColumn: column });
    } else if (message.copy === 'svg' || message.copy === 'mermaid') {
      await vscode.env.clipboard.writeText(this.flow?.[message.copy] ?? '');
    } else if (message.width !== undefined && this.request !== undefined) {
      const tooWide = (message.drawing ?? 0) * SMALLEST_SCALE > message.width;
      if ((tooWide || this.width !== undefined) && Math.abs(message.width - (this.width ?? 0)) > SAME_WIDTH) {
        this.width = message.width;
        await this.showAnswer(this.request);
      }
    } else if (message.everyChain !== undefined && this.request !== undefined) {
      await this.showAnswer({ ...this.request, everyChain: message.everyChain });
    }
  }
}

/** The page of the panel. The server has escaped all text in the diagram; the policy allows only our script and style. */
function page(webview: vscode.Webview, media: vscode.Uri, flow: Flow, everyChain: boolean): string {
  const nonce = randomBytes(16).toString('base64');
  const file = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(media, name)).toString();
  const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<link rel="stylesheet" href="${file('flow.css')}">
<title>openclsp</title>
</head>
<body>
<p class="title">${escaped(flow.title)}${flow.moreChains ? ' There are more chains.' : ''}</p>
<div class="bar">
<label><input type="checkbox" id="every-chain"${everyChain ? ' checked' : ''}> Every chain</label>
<span class="zoom">
<button data-zoom="out" title="Zoom out" aria-label="Zoom out">−</button>
<button data-zoom="fit" title="Fit the width of the panel">Fit</button>
<button data-zoom="in" title="Zoom in" aria-label="Zoom in">+</button>
</span>
<button data-copy="svg">Copy as SVG</button>
<button data-copy="mermaid">Copy as Mermaid</button>
</div>
<div class="picture">${flow.element}</div>
<script nonce="${nonce}" src="${file('flow.js')}"></script>
</body>
</html>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
