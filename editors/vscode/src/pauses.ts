import * as vscode from 'vscode';
import type { LanguageClientOptions } from 'vscode-languageclient/node';

/** Milliseconds without an edit that count as a pause. Single keys of a fast typist are 100 to 150 ms apart. */
const PAUSE = 150;
/** The same for symbols, which are many and not urgent: in a file of 5,000 lines, an answer has 100 KB. */
const LONG_PAUSE = 500;

type Middleware = NonNullable<LanguageClientOptions['middleware']>;
type Symbols = Awaited<ReturnType<NonNullable<Middleware['provideDocumentSymbols']>>>;

/**
 * Withholds requests while keys follow each other. VS Code asks for diagnostics after each key, and for tokens and symbols several
 * times a second; the answers would be outdated by the next key, but the window would draw them all. The server then also does
 * nothing with an edit until the pause, except for what the user asks for, such as completion.
 */
export class Pauses implements vscode.Disposable {
  /** The time of the last edit, by document. */
  private readonly edits = new WeakMap<vscode.TextDocument, number>();
  /** The last request for symbols, by document; `answered` is infinite until there is an answer. */
  private readonly symbols = new WeakMap<
    vscode.TextDocument,
    { version: number; answered: number; answer: Promise<Symbols> }
  >();
  private readonly subscription: vscode.Disposable;

  constructor() {
    this.subscription = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      // Without changes, the document was saved.
      if (contentChanges.length > 0) {
        this.edits.set(document, Date.now());
      }
    });
  }

  dispose(): void {
    this.subscription.dispose();
  }

  readonly middleware: Pick<
    Middleware,
    'provideDiagnostics' | 'provideDocumentSemanticTokensEdits' | 'provideDocumentSymbols'
  > = {
    provideDiagnostics: async (document, previousResultId, token, next) => {
      if (!(document instanceof vscode.Uri) && !(await this.pause(document, token))) {
        // The client asks again, because the document has changed.
        throw new vscode.CancellationError();
      }
      return next(document, previousResultId, token);
    },
    provideDocumentSemanticTokensEdits: async (document, previousResultId, token, next) => {
      const { version } = document;
      // VS Code moves the tokens of an answer by the edits since its request, so the answer must not take those into account.
      // After a cancellation, VS Code keeps the present tokens and asks again.
      if (!(await this.pause(document, token, PAUSE, () => document.version !== version))) {
        throw new vscode.CancellationError();
      }
      return next(document, previousResultId, token);
    },
    provideDocumentSymbols: async (document, token, next) => {
      if (!(await this.pause(document, token, LONG_PAUSE))) {
        return undefined;
      }
      // The breadcrumbs and the sticky lines both request the symbols: the second request gets the answer to the first, unless
      // that one was cancelled.
      const { version } = document;
      const last = this.symbols.get(document);
      if (last?.version === version && Date.now() - last.answered < LONG_PAUSE) {
        const shared = await last.answer.catch(() => undefined);
        if (shared) {
          return shared;
        }
      }
      const request = { version, answered: Infinity, answer: Promise.resolve(next(document, token)) };
      this.symbols.set(document, request);
      try {
        return await request.answer;
      } finally {
        request.answered = Date.now();
      }
    },
  };

  /** Waits for a pause; returns false if the request is cancelled or becomes useless before. */
  private async pause(
    document: vscode.TextDocument,
    token: vscode.CancellationToken,
    length = PAUSE,
    isUseless: () => boolean = () => false,
  ): Promise<boolean> {
    while (!token.isCancellationRequested && !isUseless()) {
      const left = (this.edits.get(document) ?? 0) + length - Date.now();
      if (left <= 0) {
        return true;
      }
      await sleep(left, token);
    }
    return false;
  }
}

/** Waits for some milliseconds, at most until the request is cancelled. */
function sleep(milliseconds: number, token: vscode.CancellationToken): Promise<void> {
  return new Promise((resolve) => {
    const cancelled = token.onCancellationRequested(() => end());
    const timer = setTimeout(() => end(), milliseconds);
    const end = (): void => {
      clearTimeout(timer);
      cancelled.dispose();
      resolve();
    };
  });
}
