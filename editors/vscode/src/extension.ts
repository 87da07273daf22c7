import * as path from 'node:path';
import * as vscode from 'vscode';
import { type LanguageClientOptions, type ServerOptions, State } from 'vscode-languageclient/node';
import { QuietClient } from './client';
import { FlowPanel, SHOW_ARGUMENT_FLOW, SHOW_FLOW } from './flow';
import { HEADER_LANGUAGES, Headers, INCLUDER } from './headers';
import { InstallError, installServer } from './installation';
import { findPackage } from './packages';
import { Pauses } from './pauses';
import { findServer, type Program } from './program';
import { OPEN_SAMPLE, openSample } from './sample';
import { changesProgram, programSettings, SECTION, serverSettings } from './settings';
import { CONFIGURE, StatusItem, VARIANT, VERSION } from './status';
import { EXPAND_DOCUMENT, EXPAND_MACRO, SHOW_LAYOUT, Views } from './views';

const LANGUAGE = 'opencl';
const INSTALL = 'Install the Server';
const TRY_AGAIN = 'Try Again';
const OPEN_SETTINGS = 'Open Settings';
const SHOW_LOG = 'Show Log';
const RESTART = 'Restart the Server';
const NOTHING_TO_INSTALL =
  'this extension contains no server to install. Set openclsp.server.package to a wheel or a checkout of openclsp, ' +
  'or openclsp.server.interpreter to an interpreter that has openclsp installed.';

/** The client of this window, with the display of its state. */
class Session {
  readonly log = vscode.window.createOutputChannel('openclsp', { log: true });
  private readonly status = vscode.languages.createLanguageStatusItem('openclsp', { language: LANGUAGE });
  private readonly item = new StatusItem(LANGUAGE);
  private readonly headers = new Headers(LANGUAGE);
  private readonly pauses = new Pauses();
  private readonly flow: FlowPanel;
  private readonly views = new Views();
  private readonly version: string;
  private client: QuietClient | undefined;
  private saidMissing = false;
  /** Serialises starts and stops. */
  private queue: Promise<void> = Promise.resolve();

  constructor(private readonly context: vscode.ExtensionContext) {
    this.version = (context.extension.packageJSON as { version: string }).version;
    this.status.name = 'openclsp';
    this.flow = new FlowPanel(vscode.Uri.joinPath(context.extensionUri, 'media'));
    context.subscriptions.push(this.log, this.status, this.item, this.headers, this.pauses, this.flow, this.views);
  }

  restart(): Promise<void> {
    this.queue = this.queue.then(async () => {
      await this.stopNow();
      await this.startNow();
    });
    return this.queue;
  }

  stop(): Promise<void> {
    this.queue = this.queue.then(() => this.stopNow());
    return this.queue;
  }

  async configure(): Promise<void> {
    await this.item.configure();
  }

  async showFlow(): Promise<void> {
    await this.flow.show(this.client);
  }

  async showArgumentFlow(uri: string, kernel: string, number: number): Promise<void> {
    await this.flow.showArguments(this.client, uri, kernel, number);
  }

  async showLayout(): Promise<void> {
    await this.views.showLayout(this.client);
  }

  async showExpansion(whole: boolean): Promise<void> {
    await this.views.showExpansion(this.client, whole);
  }

  async install(): Promise<void> {
    try {
      const source = await findPackage(programSettings().package, this.context.extensionPath);
      if (source === undefined) {
        this.complain(`openclsp: ${NOTHING_TO_INSTALL}`, OPEN_SETTINGS);
        return;
      }
      await this.stop();
      await installServer(this.ownEnvironment, source, this.log);
    } catch (error) {
      const reason = error instanceof InstallError ? error.message : String(error);
      this.show(vscode.LanguageStatusSeverity.Error, 'openclsp: no server', reason, installCommand);
      this.complain(`openclsp: ${reason}`, TRY_AGAIN, SHOW_LOG);
      return;
    }
    await this.restart();
  }

  /** The path of the environment for this version; an update of the extension needs its own server. */
  private get ownEnvironment(): string {
    return path.join(this.context.globalStorageUri.fsPath, `server-${this.version}`);
  }

  private async stopNow(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.item.forget(false);
    this.headers.forget();
    if (client !== undefined) {
      // A server that never started, or that hangs, does not answer the stop request; its process is ended anyway.
      await client.dispose().catch((error: unknown) => this.log.warn(String(error)));
    }
  }

  private async startNow(): Promise<void> {
    this.status.busy = true;
    try {
      const found = await findServer(programSettings(), this.context.extensionPath, this.ownEnvironment);
      switch (found.kind) {
        case 'program':
          return await this.launch(found);
        case 'misnamed':
          this.show(vscode.LanguageStatusSeverity.Error, 'openclsp: no server', found.reason, settingsCommand);
          return this.complain(`openclsp: ${found.reason} (${found.setting}).`, OPEN_SETTINGS);
        case 'missing':
          this.show(vscode.LanguageStatusSeverity.Warning, 'openclsp: no server', 'not installed', installCommand);
          return this.offerToInstall();
      }
    } finally {
      this.status.busy = false;
    }
  }

  private async launch(program: Program): Promise<void> {
    this.log.info(`starting ${[program.command, ...program.args].join(' ')} (from ${program.origin})`);
    const client = new QuietClient(this.serverOptions(program), this.clientOptions());
    this.client = client;
    this.item.follow(client);
    this.flow.follow(client);
    this.headers.follow(client);
    try {
      await client.startUp((message, grave) => this.trouble(message, grave));
    } catch (error) {
      this.show(vscode.LanguageStatusSeverity.Error, 'openclsp: no server', program.command, settingsCommand);
      this.log.error(String(error));
      return this.complain(`openclsp: ${program.command}, from ${program.origin}, failed to start.`, SHOW_LOG, OPEN_SETTINGS);
    }
    const sayItRuns = (): void => {
      const version = client.initializeResult?.serverInfo?.version ?? '';
      const text = `openclsp ${version}`.trim();
      this.show(vscode.LanguageStatusSeverity.Information, text, `from ${program.origin}`, restartCommand);
      this.item.running();
    };
    sayItRuns();
    client.onDidChangeState(({ newState }) => {
      if (this.client !== client) {
        return;
      }
      if (newState === State.Running) {
        sayItRuns();
      } else if (newState === State.Stopped) {
        this.item.forget(true);
      }
    });
  }

  private trouble(message: string, grave: boolean): void {
    if (grave) {
      this.item.forget(true);
      this.show(vscode.LanguageStatusSeverity.Error, 'openclsp: stopped', 'the server has stopped', restartCommand);
      this.complain(`openclsp: ${message}`, RESTART, SHOW_LOG);
    } else {
      this.show(vscode.LanguageStatusSeverity.Warning, 'openclsp', 'a request failed; see the log', logCommand);
    }
  }

  private serverOptions(program: Program): ServerOptions {
    // Not in the workspace, because Python adds the working folder to its module path.
    const options = { cwd: this.context.extensionPath };
    return { command: program.command, args: program.args, options };
  }

  private clientOptions(): LanguageClientOptions {
    return {
      documentSelector: [
        { scheme: 'file', language: LANGUAGE },
        { scheme: 'untitled', language: LANGUAGE },
        { scheme: 'file', pattern: '**/openclsp.toml' },
        ...HEADER_LANGUAGES.map((language) => ({ scheme: 'file', language })),
      ],
      outputChannel: this.log,
      middleware: {
        ...this.headers.middleware,
        ...this.pauses.middleware,
        executeCommand: async (command, args, next) => {
          if (![VARIANT, VERSION, INCLUDER].includes(command) || args.length > 0) {
            return next(command, args) as unknown;
          }
          const chosen = await this.choose(command);
          return chosen === undefined ? undefined : (next(command, chosen) as unknown);
        },
        workspace: {
          configuration: (params) =>
            params.items.map((item) =>
              item.section === SECTION
                ? serverSettings(item.scopeUri === undefined ? undefined : vscode.Uri.parse(item.scopeUri))
                : null,
            ),
        },
      },
    };
  }

  /** The arguments that the user chooses for a command of the server; undefined without a choice. */
  private async choose(command: string): Promise<(string | null)[] | undefined> {
    switch (command) {
      case VARIANT:
        return this.item.chooseVariant();
      case VERSION:
        return this.item.chooseVersion();
      default:
        return this.headers.choose();
    }
  }

  /**
   * Installs what the extension carries; offers to install another package. Once in a session; later only the language status
   * shows that there is no server.
   */
  private async offerToInstall(): Promise<void> {
    if (!this.saidMissing) {
      this.saidMissing = true;
      const source = await findPackage(programSettings().package, this.context.extensionPath);
      if (source?.carried === true) {
        // Not awaited, because the installation waits for the start that has found no server.
        void this.install();
        return;
      }
      const buttons = source === undefined ? [OPEN_SETTINGS] : [INSTALL, OPEN_SETTINGS];
      this.complain('openclsp: no server was found. Without it, only syntax highlighting is available.', ...buttons);
    }
  }

  private show(
    severity: vscode.LanguageStatusSeverity,
    text: string,
    detail: string,
    command: vscode.Command,
  ): void {
    this.status.severity = severity;
    this.status.text = text;
    this.status.detail = detail;
    this.status.command = command;
  }

  /** Shows a message without waiting for the user, so that an unread message does not delay the start. */
  private complain(message: string, ...buttons: string[]): void {
    void vscode.window.showWarningMessage(message, ...buttons).then((button) => {
      switch (button) {
        case INSTALL:
        case TRY_AGAIN:
          return this.install();
        case OPEN_SETTINGS:
          return vscode.commands.executeCommand(settingsCommand.command, ...(settingsCommand.arguments ?? []));
        case SHOW_LOG:
          return this.log.show();
        case RESTART:
          return this.restart();
      }
      return undefined;
    });
  }
}

const restartCommand: vscode.Command = { command: 'openclsp.restart', title: 'Restart' };
const installCommand: vscode.Command = { command: 'openclsp.install', title: 'Install' };
const logCommand: vscode.Command = { command: 'openclsp.showLog', title: 'Show Log' };
const settingsCommand: vscode.Command = {
  // In a remote window, settings with machine scope have a tab of their own.
  command: vscode.env.remoteName === undefined ? 'workbench.action.openSettings' : 'workbench.action.openRemoteSettings',
  title: 'Settings',
  arguments: [{ query: 'openclsp.server' }],
};

let session: Session | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const started = new Session(context);
  session = started;
  context.subscriptions.push(
    vscode.commands.registerCommand('openclsp.restart', () => started.restart()),
    vscode.commands.registerCommand('openclsp.install', () => started.install()),
    vscode.commands.registerCommand('openclsp.showLog', () => started.log.show()),
    vscode.commands.registerCommand(OPEN_SAMPLE, openSample),
    vscode.commands.registerCommand(CONFIGURE, () => started.configure()),
    vscode.commands.registerCommand(SHOW_FLOW, () => started.showFlow()),
    vscode.commands.registerCommand(SHOW_ARGUMENT_FLOW, (uri: string, kernel: string, number: number) =>
      started.showArgumentFlow(uri, kernel, number),
    ),
    vscode.commands.registerCommand(SHOW_LAYOUT, () => started.showLayout()),
    vscode.commands.registerCommand(EXPAND_MACRO, () => started.showExpansion(false)),
    vscode.commands.registerCommand(EXPAND_DOCUMENT, () => started.showExpansion(true)),
    vscode.workspace.onDidGrantWorkspaceTrust(() => started.restart()),
    vscode.workspace.onDidChangeConfiguration((change) => (changesProgram(change) ? started.restart() : undefined)),
  );
  await started.restart();
}

export async function deactivate(): Promise<void> {
  await session?.stop();
}
