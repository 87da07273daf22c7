import * as vscode from 'vscode';
import type { LanguageClient, LanguageClientOptions, MessageSignature } from 'vscode-languageclient/node';
import { SECTION } from './settings';

/** The server's command that chooses the kernel through which a header is analysed. */
export const INCLUDER = 'openclsp.includer';

/** The languages that VS Code gives to headers, and to host code that may hold kernels in strings. */
export const HEADER_LANGUAGES = [
  'c', 'cpp', 'python', 'rust', 'd', 'ruby', 'haskell', 'go', 'java', 'kotlin', 'scala', 'csharp', 'javascript', 'typescript',
];

/**
 * Text that every kernel in a string has; the server reads the strings themselves. These expressions are those of
 * `may_hold_kernel` in server/openclsp/host_code/host_words.py; tests/editors/test_host_words.py compares them.
 */
const KERNEL = /kernel(?:\s|\\[nrt]|\\\r?\n)+(?:void\b|__attribute__|["'$%{<]|[A-Z_]+\b|\/[/*]|[A-Za-z_]\w*\s+void\b)|__(?:global|local|constant)\b|(?:Elementwise|Reduction|Scan|Raw)Kernel\s*\(/;
const INCLUDED_KERNEL = /#[ \t]*include[ \t]*"[^"\r\n]+\.(?:cl|ocl|opencl)"/;
const LANGUAGE_MARK = /(?:language\s*=\s*|\/\*\s*|#\s*)opencl\b/i;

/** Text that host code has where it names kernels; from there the server leads to them. */
const NAMES_KERNEL =
  /\bclCreateKernel\b|\bcl::(?:Kernel|make_kernel)|\bpyopencl\b|\b[cC]reate_?[kK]ernel\s*\(|#\s*include\s*[<"](?:CL|OpenCL)\//;

const INCLUDERS = 'openclsp/includers';
const PULL = 'textDocument/diagnostic';
const NOTHING = { kind: 'full', items: [] };
const SERVER = "The server's choice";

interface Includers {
  uri: string;
  includers: string[];
  chosen: string | null;
}

type Middleware = NonNullable<LanguageClientOptions['middleware']>;
type Send = (document: vscode.TextDocument) => Promise<void>;

/** A document of a host language, and how to open it in the server. */
interface Asked {
  document: vscode.TextDocument;
  send: Send;
  /** Whether a kernel includes it; resolved after the document was opened in the server. */
  included: Promise<boolean>;
  /** Only an accepted document is open in the server. Its changes before that are part of the text that opens it. */
  state: 'waiting' | 'accepted' | 'declined';
}

/**
 * Sends documents of host languages to the server only if a kernel includes them, if their strings may hold one, or if they
 * name one. The server is asked about an includer when a document is opened, and again when a kernel is saved. For all other documents,
 * no message leaves the client.
 */
export class Headers implements vscode.Disposable {
  private readonly asked = new Map<string, Asked>();
  private readonly subscription: vscode.Disposable;
  private client: LanguageClient | undefined;

  constructor(private readonly kernelLanguage: string) {
    this.subscription = vscode.workspace.onDidSaveTextDocument((document) => {
      const own = this.asked.get(document.uri.toString());
      if (document.languageId === this.kernelLanguage) {
        this.askAgain();
      } else if (own?.state === 'declined' && concernsKernels(document)) {
        own.included = this.ask(own);
      }
    });
  }

  dispose(): void {
    this.subscription.dispose();
  }

  /** Must be called before the client starts. */
  follow(client: LanguageClient): void {
    this.asked.clear();
    this.client = client;
  }

  /** Forgets all documents, because the server has stopped. */
  forget(): void {
    this.asked.clear();
    this.client = undefined;
  }

  readonly middleware: Pick<Middleware, 'didOpen' | 'didClose' | 'sendRequest' | 'sendNotification'> = {
    didOpen: async (document, next) => {
      if (!HEADER_LANGUAGES.includes(document.languageId)) {
        return next(document);
      }
      const asked: Asked = { document, send: next, included: Promise.resolve(false), state: 'waiting' };
      this.asked.set(document.uri.toString(), asked);
      asked.included = this.ask(asked);
      await asked.included;
    },
    didClose: async (document, next) => {
      await next(document);
      this.asked.delete(document.uri.toString());
    },
    sendRequest: async (type, params, token, next) => {
      const asked = nameOf(type) === INCLUDERS ? undefined : this.askedAbout(params);
      if (asked === undefined || (await asked.included)) {
        return next(type, params, token);
      }
      return (nameOf(type) === PULL ? NOTHING : null) as never;
    },
    sendNotification: async (type, next, params) => {
      const asked = this.askedAbout(params);
      if (asked === undefined || asked.state === 'accepted') {
        await next(type, params);
      }
    },
  };

  /** Lets the user choose; returns the arguments for the server's command, or undefined without a choice. */
  async choose(): Promise<[string, string | null] | undefined> {
    const document = vscode.window.activeTextEditor?.document;
    const found = document === undefined ? undefined : await this.includers(document);
    if (found === undefined || found.includers.length === 0) {
      void vscode.window.showInformationMessage('openclsp: no kernel includes this file.');
      return undefined;
    }
    const items = [
      ...found.includers.map((uri) => ({
        label: vscode.workspace.asRelativePath(vscode.Uri.parse(uri)),
        picked: uri === found.chosen,
        uri: uri as string | null,
      })),
      { label: SERVER, picked: found.chosen === null, uri: null },
    ];
    const chosen = await vscode.window.showQuickPick(items, { title: 'Kernel through which this header is analysed' });
    return chosen === undefined ? undefined : [found.uri, chosen.uri];
  }

  private async ask(asked: Asked): Promise<boolean> {
    asked.state = 'waiting';
    const includers = async (): Promise<number> =>
      (await this.includers(asked.document).catch(() => undefined))?.includers.length ?? 0;
    if ((!concernsKernels(asked.document) && (await includers()) === 0) || asked.document.isClosed) {
      asked.state = 'declined';
      return false;
    }
    asked.state = 'accepted';
    await asked.send(asked.document);
    return true;
  }

  private askAgain(): void {
    for (const asked of this.asked.values()) {
      if (asked.state === 'declined') {
        asked.included = this.ask(asked);
      }
    }
  }

  private async includers(document: vscode.TextDocument): Promise<Includers | undefined> {
    return this.client?.sendRequest<Includers>(INCLUDERS, { textDocument: { uri: document.uri.toString() } });
  }

  /** The document of a host language that a message is about; undefined for other messages. */
  private askedAbout(params: unknown): Asked | undefined {
    const uri = (params as { textDocument?: { uri?: string } } | undefined)?.textDocument?.uri;
    return uri === undefined ? undefined : this.asked.get(uri);
  }
}

/** Whether a document may hold a kernel in a string, or name one: a search for words. */
function concernsKernels(document: vscode.TextDocument): boolean {
  const enabled = vscode.workspace.getConfiguration(SECTION, document.uri).get<boolean>('hostCode') !== false;
  if (!enabled) {
    return false;
  }
  const text = document.getText();
  return mayHoldKernel(text) || NAMES_KERNEL.test(text);
}

/** Whether host code may hold the text of a kernel. */
function mayHoldKernel(text: string): boolean {
  if (text.includes('ernel') && KERNEL.test(text)) {
    return true;
  }
  return INCLUDED_KERNEL.test(text) || (text.includes('OpenCL') && LANGUAGE_MARK.test(text));
}

function nameOf(type: string | MessageSignature): string {
  return typeof type === 'string' ? type : type.method;
}
