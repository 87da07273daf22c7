import {
  CloseAction,
  ErrorAction,
  type ErrorHandler,
  LanguageClient,
  type LanguageClientOptions,
  type ServerOptions,
} from 'vscode-languageclient/node';
import { SECTION } from './settings';

/** Crashes within this time, in milliseconds, count together. */
const CRASH_WINDOW = 180_000;
/** So many crashes in that time, and the server is given up. */
const CRASHES = 5;
/** So many broken messages, and the server is given up. */
const BROKEN_MESSAGES = 3;

/** `grave`: the server is gone, not just one answer. */
export type OnTrouble = (message: string, grave: boolean) => void;

/**
 * A language client that leaves it to its owner to tell the user of troubles. The stock one shows a message for every
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

  /** Rejects when the server does not get as far as answering the first request. After that `onTrouble` is told. */
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

/** A server that has worked once is started again after a crash; one that never did is left alone. */
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
