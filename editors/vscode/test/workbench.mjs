// A VS Code workbench in a browser: code-server with the packed extension, driven by playwright in Debian's chromium.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import * as os from 'node:os';
import * as path from 'node:path';

/** Milliseconds that a person would wait before giving up. */
const PATIENCE = 30_000;

const USER_SETTINGS = {
  'telemetry.telemetryLevel': 'off',
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'chat.disableAIFeatures': true,
  'git.enabled': false,
  'editor.fontSize': 15,
};

const CHROMIUM_ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-default-apps',
  '--no-first-run',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
];

export class Workbench {
  /**
   * Opens a fresh workbench with the extension installed.
   * @param cache The folder that test/run filled.
   * @param order `files` of the workspace by relative path, the one to `open`, `userSettings`, the `environment` of
   *   the editor's process, whether the workspace is `trusted`.
   */
  static async open(cache, order) {
    const workbench = new Workbench(cache, order);
    try {
      workbench.install(path.join(cache, 'openclsp.vsix'), order.environment ?? {});
      await workbench.startServer(order.environment ?? {}, order.trusted ?? true);
      await workbench.startBrowser(order.open);
    } catch (error) {
      await workbench.close();
      throw error;
    }
    return workbench;
  }

  constructor(cache, order) {
    this.cache = cache;
    this.viewport = order.viewport ?? { width: 1280, height: 760 };
    this.console = [];
    this.home = mkdtempSync(path.join(os.tmpdir(), 'openclsp-workbench-'));
    this.workspace = path.join(this.home, order.folder ?? 'workspace');
    this.userData = path.join(this.home, 'user-data');
    for (const [name, text] of Object.entries(order.files)) {
      this.write(path.join(this.workspace, name), text);
    }
    // A window of code-server is a remote window: VS Code reads settings with machine scope from the machine's file only. In the
    // user's file they count until the extension's package.json is known, so that a test would pass or fail by chance.
    const settings = Object.entries({ ...USER_SETTINGS, ...order.userSettings });
    for (const [folder, ofMachine] of [['User', false], ['Machine', true]]) {
      const chosen = settings.filter(([name]) => name.startsWith('openclsp.') === ofMachine);
      this.write(path.join(this.userData, folder, 'settings.json'), JSON.stringify(Object.fromEntries(chosen)));
    }
    this.write(path.join(this.home, 'config.yaml'), 'auth: none\n');
  }

  write(file, text) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  get entry() {
    return path.join(this.cache, 'code-server/node_modules/code-server/out/node/entry.js');
  }

  get folders() {
    return ['--user-data-dir', this.userData, '--extensions-dir', path.join(this.home, 'extensions')];
  }

  /** Installs a packed extension. */
  install(vsix, environment) {
    const env = { ...process.env, ...environment, VSCODE_CLI: '1' };
    execFileSync(process.execPath, [this.entry, ...this.folders, '--install-extension', vsix], { env, stdio: 'pipe' });
  }

  async startServer(environment, trusted) {
    this.port = await freePort();
    // As if started from a terminal: otherwise the PATH given here is replaced by that of a login shell.
    const env = { ...process.env, ...environment, VSCODE_CLI: '1' };
    const options = [
      ...['--config', path.join(this.home, 'config.yaml'), ...this.folders],
      ...['--bind-addr', `127.0.0.1:${this.port}`, '--auth', 'none'],
      ...['--disable-telemetry', '--disable-update-check', '--disable-getting-started-override', '--disable-proxy'],
      ...(trusted ? ['--disable-workspace-trust'] : []),
    ];
    this.server = spawn(process.execPath, [this.entry, ...options, this.workspace], { env, stdio: 'ignore', detached: true });
    await eventually('code-server to answer', async () => (await fetch(`http://127.0.0.1:${this.port}/healthz`)).ok);
  }

  async startBrowser(file) {
    const { chromium } = createRequire(path.join(this.cache, 'playwright/'))('playwright-core');
    const executablePath = execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim();
    this.browser = await chromium.launch({ executablePath, headless: true, args: CHROMIUM_ARGUMENTS });
    this.page = await this.browser.newPage({ viewport: this.viewport });
    // The extension host's console comes out here too.
    this.page.on('console', (message) => this.console.push(message.text()));
    const folder = encodeURIComponent(this.workspace);
    const uri = `vscode-remote://127.0.0.1:${this.port}${encodeURI(path.join(this.workspace, file))}`;
    const payload = encodeURIComponent(JSON.stringify([['openFile', uri]]));
    await this.page.goto(`http://127.0.0.1:${this.port}/?folder=${folder}&payload=${payload}`);
    await this.page.locator('.monaco-workbench').waitFor({ timeout: PATIENCE });
    await this.page.locator('.monaco-editor .view-lines').first().waitFor({ timeout: PATIENCE });
  }

  /** The box of the n-th occurrence of a word in the editor, as it is on the screen. */
  async boxOf(word, occurrence = 0) {
    return this.page.evaluate(
      ([wanted, skipped]) => {
        const lines = document.querySelector('.monaco-editor .view-lines');
        const walker = document.createTreeWalker(lines, NodeFilter.SHOW_TEXT);
        for (let left = skipped, node = walker.nextNode(); node !== null; node = walker.nextNode()) {
          for (const { index } of node.data.matchAll(new RegExp(`\\b${wanted}\\b`, 'g'))) {
            if (left-- === 0) {
              const range = document.createRange();
              range.setStart(node, index);
              range.setEnd(node, index + wanted.length);
              const { x, y, width, height } = range.getBoundingClientRect();
              return { x, y, width, height };
            }
          }
        }
        throw new Error(`the editor does not show ${wanted}`);
      },
      [word, occurrence],
    );
  }

  /** Waits until the n-th occurrence of a word has this colour, as `rgb(…)`. */
  async waitForColour(word, occurrence, wanted) {
    let colour = 'none';
    await eventually(() => `${word} to be ${wanted}, not ${colour}`, async () => {
      colour = await this.page.evaluate(
        ([text, skipped]) => {
          const lines = document.querySelector('.monaco-editor .view-lines');
          const walker = document.createTreeWalker(lines, NodeFilter.SHOW_TEXT);
          for (let left = skipped, node = walker.nextNode(); node !== null; node = walker.nextNode()) {
            for (const _ of node.data.matchAll(new RegExp(`\\b${text}\\b`, 'g'))) {
              if (left-- === 0) {
                return getComputedStyle(node.parentElement).color;
              }
            }
          }
          return 'not there';
        },
        [word, occurrence],
      );
      return colour === wanted;
    });
  }

  /** Puts the cursor on the n-th occurrence of a word. */
  async clickOn(word, occurrence) {
    const { x, y, width, height } = await this.boxOf(word, occurrence);
    await this.page.mouse.click(x + width / 2, y + height / 2);
  }

  /** The page inside of a panel that holds an element of that selector; waits for it. */
  async webview(selector) {
    return eventually(`a panel with ${selector}`, async () => {
      for (const frame of this.page.frames()) {
        if ((await frame.locator(selector).count()) > 0) {
          return frame;
        }
      }
      return undefined;
    });
  }

  /** The flow panel's page once it shows that text and has been fitted to the panel's width, for which it may be replaced. */
  async flowPanel(text) {
    await this.webview('svg.openclsp-flow');
    await this.page.waitForTimeout(1000);
    return eventually(`the flow with ${text}`, async () => {
      const panel = await this.webview('svg.openclsp-flow');
      return (await panel.getByText(text).count()) > 0 ? panel : undefined;
    });
  }

  /** Hovers over the n-th occurrence of a word until the hover's text is as wanted; the text. */
  async hoverOver(word, occurrence, wanted) {
    const hover = this.page.locator('.monaco-hover:visible');
    let text = '';
    const what = () => `a hover over ${word} with ${wanted}, not: ${text}`;
    return eventually(what, async () => {
      const { x, y, width, height } = await this.boxOf(word, occurrence);
      await this.page.mouse.move(x + width + 300, y + 300);
      await hover.first().waitFor({ state: 'hidden', timeout: 3000 });
      await this.page.mouse.move(x + width / 2, y + height / 2, { steps: 4 });
      await hover.first().waitFor({ timeout: 3000 });
      await this.page.waitForTimeout(500);
      text = plain((await hover.allInnerTexts()).join('\n'));
      return wanted.test(text) ? text : undefined;
    });
  }

  async waitForErrors(count, patience = PATIENCE) {
    await eventually(`${count} squiggles`, async () => (await this.squiggles()) === count, patience);
  }

  squiggles() {
    return this.page.locator('.monaco-editor .squiggly-error').count();
  }

  /** Puts the cursor on a word and opens the quick-fixes, one of which has that text; all titles offered. */
  async offeredFixes(word, occurrence, title) {
    const items = this.page.locator('.action-widget .monaco-list-row.action .title');
    return eventually(`the quick-fix ${title}`, async () => {
      await this.page.keyboard.press('Escape');
      const { x, y, width, height } = await this.boxOf(word, occurrence);
      await this.page.mouse.click(x + width / 2, y + height / 2);
      await this.page.keyboard.press('Control+.');
      await items.filter({ hasText: title }).first().waitFor({ timeout: 3000 });
      return (await items.allInnerTexts()).map(plain);
    });
  }

  /** Opens the quick-fixes and clicks the one with that text; all titles offered. */
  async quickFix(word, occurrence, title) {
    const items = this.page.locator('.action-widget .monaco-list-row.action .title');
    return eventually(`the quick-fix ${title}`, async () => {
      const titles = await this.offeredFixes(word, occurrence, title);
      await this.screenshot('quick-fix');
      await items.filter({ hasText: title }).first().click({ timeout: 3000 });
      return titles;
    });
  }

  /** Saves, and waits until a file of the workspace holds that text. */
  async save(file, wanted) {
    let text = '';
    await eventually(() => `${file} to hold ${JSON.stringify(wanted)}, not ${JSON.stringify(text)}`, async () => {
      await this.page.keyboard.press('Control+s');
      text = readFileSync(path.join(this.workspace, file), 'utf8');
      return text === wanted;
    });
  }

  /** Opens a file of the workspace by its name. */
  async openFile(file) {
    await this.page.keyboard.press('Control+p');
    const input = this.page.locator('.quick-input-widget input:visible');
    await input.fill(file);
    await this.page.locator('.quick-input-list .monaco-list-row').getByText(file).first().click();
    await this.page.locator('.tab.active').getByText(file).waitFor();
  }

  async goToLine(line) {
    await this.page.locator('.monaco-editor .view-lines').first().click({ position: { x: 5, y: 5 } });
    await this.page.keyboard.press('Control+g');
    const input = this.page.locator('.quick-input-widget input:visible');
    await input.fill(`:${line}`);
    await this.page.keyboard.press('Enter');
    await input.waitFor({ state: 'hidden' });
  }

  async command(title) {
    await this.page.keyboard.press('F1');
    const input = this.page.locator('.quick-input-widget input:visible');
    await input.fill(`>${title}`);
    await this.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: title }).first().click();
  }

  /** The notification with that text; waits for it. */
  async notification(text) {
    const toast = this.page.locator('.notification-toast').filter({ hasText: text }).first();
    await toast.waitFor({ timeout: PATIENCE });
    return toast;
  }

  async screenshot(name) {
    const folder = path.join(this.cache, 'screenshots');
    mkdirSync(folder, { recursive: true });
    await this.page.screenshot({ path: path.join(folder, `${this.name ?? 'workbench'}-${name}.png`) });
  }

  /** Writes a picture for the documents, if `OPENCLSP_PICTURES` names a folder; `clip`: the part of the window. */
  async picture(name, clip) {
    const folder = process.env.OPENCLSP_PICTURES;
    await this.screenshot(name);
    if (folder !== undefined) {
      await this.page.screenshot({ path: path.join(folder, `${name}.png`), ...(clip === undefined ? {} : { clip }) });
    }
  }

  /** Keeps what explains a failure. */
  async keepTraces() {
    await this.screenshot('failed');
    writeFileSync(path.join(this.cache, 'screenshots', `${this.name}-failed.log`), this.console.join('\n'));
  }

  async close() {
    await this.browser?.close();
    if (this.server !== undefined) {
      const ended = new Promise((resolve) => this.server.once('exit', resolve));
      process.kill(-this.server.pid, 'SIGTERM');
      const hard = setTimeout(() => process.kill(-this.server.pid, 'SIGKILL'), 5000);
      await ended;
      clearTimeout(hard);
    }
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** Repeats a gesture until it returns something true, and returns that. `what`: a text, or what makes one. */
export async function eventually(what, gesture, patience = PATIENCE) {
  const end = Date.now() + patience;
  let trouble = 'never true';
  while (Date.now() < end) {
    try {
      const result = await gesture();
      if (result) {
        return result;
      }
    } catch (error) {
      trouble = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`waited in vain for ${typeof what === 'function' ? what() : what}: ${trouble}`);
}

/** Monaco shows no-break spaces. */
function plain(text) {
  return text.replaceAll('\u00a0', ' ').trim();
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
