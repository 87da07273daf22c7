import {
  CloseAction,
  ErrorAction,
  type ErrorHandler,
  LanguageClient,
  type LanguageClientOptions,
  type ServerOptions,
} from 'vscode-languageclient/node';
import { SECTION } from './settings';

/** The period, in milliseconds, in which crashes are counted. */
const CRASH_WINDOW = 180_000;
/** After this many crashes in that period, the server is not restarted. */
const CRASHES = 5;
/** After this many broken messages, the server is shut down. */
const BROKEN_MESSAGES = 3;

/** Called with an error message; `grave` if the server is gone, not just one answer. */
export type OnTrouble = (message: string, grave: boolean) => void;

/**
 * A language client that passes errors to its owner instead of showing them. The base class shows a message for every
 * request that fails, and several for a server that does not start.
 */
export class QuietClient extends LanguageClient {
  private onTrouble: OnTrouble = () => undefined;
  private startedOnce = false;

  constructor(server: ServerOptions, options: LanguageClientOptions) {
    super(SECTION, 'openclsp', server, {
      ...options,
      errorHandler: restartingHandler(() => this.startedOnce),
      initializationFailedHandler: () => false,
    });
  }

  /** Rejects if the server does not answer the first request. Later errors are passed to `onTrouble`. */
  async startUp(onTrouble: OnTrouble): Promise<void> {
    await this.start();
    this.startedOnce = true;
    this.onTrouble = onTrouble;
  }

  override error(message: string, data?: unknown, show?: boolean | 'force'): void {
    super.error(message, data, false);
    this.onTrouble(message, show === 'force');
  }
}

/** Restarts a server after a crash, but only if it has worked before. */
function restartingHandler(hasWorked: () => boolean): ErrorHandler {
  let crashes: number[] = [];
  return {
    error: (_error, _message, count) => ({
      action: (count ?? 0) < BROKEN_MESSAGES ? ErrorAction.Continue : ErrorAction.Shutdown,
      handled: (count ?? 0) < BROKEN_MESSAGES,
    }),
    closed: () => {
      const now = Date.now();
      crashes = [...crashes.filter((time) => now - time < CRASH_WINDOW), now];
      return hasWorked() && crashes.length < CRASHES
        ? { action: CloseAction.Restart, handled: true }
        : { action: CloseAction.DoNotRestart };
    },
  };
}
