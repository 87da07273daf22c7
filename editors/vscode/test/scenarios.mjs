// What a user does with the extension, one function a scenario. Started by test/run.
// usage: node scenarios.mjs CACHE OPENCLSP [SCENARIO...]
import * as assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { eventually, Workbench } from './workbench.mjs';

const [cache, openclsp, ...chosen] = process.argv.slice(2);
const WITH_SERVER = { PATH: `${path.dirname(openclsp)}${path.delimiter}${process.env.PATH}` };
/** The PATH without any folder that holds openclsp. */
const WITHOUT_SERVER = {
  PATH: process.env.PATH.split(path.delimiter)
    .filter((folder) => !existsSync(path.join(folder, 'openclsp')))
    .join(path.delimiter),
};

const SERVER_FOLDER = path.join(import.meta.dirname, '..', 'server');
/** Why a scenario without a server is left out; undefined if the extension was packed without one. */
const carries = () => {
  const found = ['openclsp', 'wheels'].find((name) => existsSync(path.join(SERVER_FOLDER, name)));
  return found === undefined ? undefined : `the extension carries server/${found}`;
};

/** Debian's darktable brings real kernels. */
const DARKTABLE = process.env.OPENCLSP_DARKTABLE_KERNELS ?? '/usr/share/darktable/kernels';

const SCALE = `kernel void scale(global float *samples, int n) {
    /* größer, ➜ */ local float *tile = samples;
    tile[0] = n;
}
`;
const SCALE_MENDED = SCALE.replace('local float *tile', 'global float *tile');

/** Settings of a workspace that lead out of it, and what is there. */
const FOLDERS = { 'openclsp.includeFolders': ['../outside'], 'openclsp.readableFolders': ['/'] };
const OUTSIDE = { '../outside/away.h': '#define AWAY\n' };

/** A generic pointer that two kinds of memory reach, and an error. */
const TOUR = `int sum(int *values) { return values[0]; }
kernel void k(global int *samples, local int *tile) {
    int *any = samples;
    any = tile;
    local int *wrong = samples;
    tile[0] = sum(samples) + *any + wrong[0];
}
`;

/** A scenario returns nothing, or why it had to be left out. */
const scenarios = {
  /** The main features in one window: what .ci/run has the time for. */
  async tour() {
    const started = path.join(mkdtempSync(path.join(os.tmpdir(), 'openclsp-started-')), 'pids');
    const command = ['/bin/sh', '-c', 'echo $$ >> "$1"; exec "$0" server', openclsp, started];
    const pids = () => readFileSync(started, 'utf8').trim().split('\n').map(Number);
    const order = {
      files: { 'k.cl': TOUR, 'compile_flags.txt': '-cl-std=CL2.0\n' },
      open: 'k.cl',
      environment: WITHOUT_SERVER,
      userSettings: { 'openclsp.server.command': command, 'workbench.colorTheme': 'Default Dark Modern' },
    };
    await using(order, async (workbench) => {
      await eventually('the server to start', () => existsSync(started));
      await workbench.waitForErrors(1);
      await workbench.page.getByText('arguments: global, local').waitFor();
      await workbench.page.getByText('generic {global, local}').first().waitFor();
      await workbench.waitForColour('samples', 0, 'rgb(108, 182, 255)');
      await workbench.waitForColour('tile', 0, 'rgb(87, 209, 107)');
      await workbench.screenshot('window');
      await workbench.hoverOver('any', 2, /kernel parameter .?tile/);
      await workbench.screenshot('hover');
      await workbench.quickFix('samples', 2, 'global');
      await workbench.waitForErrors(0);
      await workbench.save('k.cl', TOUR.replace('local int *wrong', 'global int *wrong'));
      await workbench.clickOn('any', 2);
      await workbench.command('openclsp: Show Flow of This Pointer');
      await workbench.flowPanel('kernel parameter tile');
      await workbench.screenshot('flow');
      process.kill(pids()[0], 'SIGKILL');
      await eventually('a second server', () => pids().length === 2);
      await workbench.hoverOver('samples', 0, /global int \*/);
    });
    rmSync(path.dirname(started), { recursive: true });
  },

  /** The pictures of the README, the walkthrough and the documentation: OPENCLSP_PICTURES=media/pictures test/run pictures. */
  async pictures() {
    const sample = readFileSync(path.join(import.meta.dirname, '..', 'src', 'sample.ts'), 'utf8');
    const kernel = /const SAMPLE = `\/\/[^\n]*\n([^`]*)`/.exec(sample)[1];
    const order = {
      files: { 'blur.cl': kernel },
      open: 'blur.cl',
      environment: WITH_SERVER,
      viewport: { width: 900, height: 460 },
      userSettings: {
        'workbench.colorTheme': 'Default Dark Modern',
        'workbench.activityBar.location': 'hidden',
        'editor.minimap.enabled': false,
        'window.commandCenter': false,
        'editor.fontSize': 14,
      },
    };
    await using(order, async (workbench) => {
      await workbench.waitForErrors(1);
      await workbench.command('View: Close Primary Side Bar');
      await workbench.page.getByText('arguments: global, local').waitFor();
      await workbench.page.getByText('generic {global, local}').first().waitFor();
      await workbench.waitForColour('image', 0, 'rgb(108, 182, 255)');
      await workbench.clickOn('get_global_id', 0);
      await workbench.page.mouse.move(700, 420);
      await workbench.picture('window');
      await workbench.hoverOver('source', 2, /kernel parameter .?tile/);
      await workbench.picture('hover');
      await workbench.hoverOver('image', 2, /pointer-conversion/);
      await workbench.picture('error');
      await workbench.offeredFixes('image', 2, 'global');
      await workbench.picture('fix');
      await workbench.page.keyboard.press('Escape');
      await workbench.clickOn('source', 2);
      await workbench.command('openclsp: Show Flow of This Pointer');
      await workbench.flowPanel('kernel parameter tile');
      await workbench.picture('flow');
    });
  },

  /** The walkthrough shows its pictures, and its sample has one error. */
  async walkthrough() {
    await using({ files: { 'readme.txt': '' }, open: 'readme.txt', environment: WITH_SERVER }, async (workbench) => {
      await workbench.command('Welcome: Open Walkthrough...');
      await workbench.page.locator('.quick-input-list .monaco-list-row').getByText('Get started with OpenCL C').click();
      await workbench.page.getByText('Open a kernel').first().waitFor();
      await workbench.page.waitForTimeout(1000);
      await workbench.screenshot('first');
      await workbench.command('openclsp: Open a Sample Kernel');
      await workbench.waitForErrors(1);
      await workbench.screenshot('sample');
      await workbench.command('openclsp: Show Flow of This Pointer');
      await workbench.notification('no generic pointer at the cursor');
    });
  },

  /** No server anywhere: one message that says so. */
  async missing() {
    if (carries() !== undefined) {
      return carries();
    }
    await using({ files: { 'scale.cl': SCALE }, open: 'scale.cl', environment: WITHOUT_SERVER }, async (workbench) => {
      await workbench.notification('no server was found');
      assert.equal(await workbench.page.locator('.notification-toast').count(), 1);
      await workbench.screenshot('message');
    });
    return undefined;
  },

  /** Open a kernel, see the error and the space, apply the fix. */
  async fix() {
    await using(
      { files: { 'scale.cl': SCALE }, open: 'scale.cl', environment: WITH_SERVER, folder: 'with space 100% größer' },
      async (workbench) => {
        await workbench.waitForErrors(1);
        await workbench.hoverOver('samples', 0, /global float \*/);
        await workbench.screenshot('hover');
        await workbench.hoverOver('samples', 1, /pointer-conversion/);
        await workbench.screenshot('error');
        await workbench.quickFix('samples', 1, 'global');
        await workbench.waitForErrors(0);
        await workbench.screenshot('fixed');
        await workbench.save('scale.cl', SCALE_MENDED);
      },
    );
  },

  /** Completion of a name, the definition of a function, and a new name for it, written in all places. */
  async navigation() {
    const before = TOUR.replace('    local int *wrong = samples;\n', '').replace(' + wrong[0]', '');
    const order = {
      files: { 'k.cl': before, 'compile_flags.txt': '-cl-std=CL2.0\n' },
      open: 'k.cl',
      environment: WITH_SERVER,
    };
    await using(order, async (workbench) => {
      const keyboard = workbench.page.keyboard;
      await workbench.hoverOver('samples', 0, /global int \*/);
      await workbench.clickOn('sum', 1);
      await keyboard.press('F12');
      await workbench.page.getByText('Ln 1, Col 5').waitFor();
      await workbench.clickOn('sum', 1);
      await keyboard.press('F2');
      const box = workbench.page.locator('.rename-box input:visible');
      await box.fill('first');
      await box.press('Enter');
      const renamed = before.replaceAll('sum(', 'first(');
      await workbench.page.locator('.view-lines').getByText('first').first().waitFor();
      await workbench.save('k.cl', renamed);
      await workbench.goToLine(4);
      await keyboard.press('End');
      await keyboard.press('Enter');
      await keyboard.type('samp', { delay: 60 });
      await workbench.page.locator('.suggest-widget').getByText('samples').first().waitFor();
      await workbench.screenshot('completion');
      await keyboard.press('Tab');
      await keyboard.type('[0] = 1;');
      await workbench.save('k.cl', renamed.replace('any = tile;\n', 'any = tile;\n    samples[0] = 1;\n'));
    });
  },

  /** A header is served through a kernel that includes it, and another can be chosen; host code is not sent at all. */
  async headers() {
    const sent = path.join(mkdtempSync(path.join(os.tmpdir(), 'openclsp-sent-')), 'messages');
    const kernel = (space) => `#define SPACE ${space}\n#include "f.h"\nkernel void k(SPACE int *p) { f(p); }\n`;
    const order = {
      files: {
        'f.h': 'void f(SPACE int *p) {\n    local int *q = p;\n}\n',
        'host.h': 'void host(int *q);\n',
        'a.cl': kernel('local'),
        'b.cl': kernel('global'),
        'openclsp.toml': '',
      },
      open: 'f.h',
      environment: WITHOUT_SERVER,
      userSettings: { 'openclsp.server.command': ['/bin/sh', '-c', 'tee "$1" | "$0" server', openclsp, sent] },
    };
    await using(order, async (workbench) => {
      await workbench.hoverOver('q', 0, /as included by a\.cl/);
      assert.equal(await workbench.squiggles(), 0);
      await workbench.command('openclsp: Choose the Kernel That Includes This Header');
      await workbench.page.locator('.quick-input-list .monaco-list-row').getByText('b.cl').click();
      await workbench.waitForErrors(1);
      await workbench.page.locator('.statusbar').getByText('b.cl').waitFor();
      await workbench.screenshot('chosen');
      await workbench.page.locator('.statusbar').getByText('b.cl').click();
      for (const text of ['Including kernel', "The server's choice"]) {
        await workbench.page.locator('.quick-input-list .monaco-list-row').getByText(text, { exact: true }).first().click();
      }
      await workbench.waitForErrors(0);
      await workbench.page.locator('.statusbar').getByText('a.cl').waitFor();
      await workbench.command('openclsp: Choose the Kernel That Includes This Header');
      await workbench.page.locator('.quick-input-list .monaco-list-row').getByText('b.cl', { exact: true }).first().click();
      await workbench.waitForErrors(1);
      await workbench.openFile('host.h');
      await eventually('the question about host.h', () => /includers[^]*host\.h/.test(readFileSync(sent, 'utf8')));
      await workbench.goToLine(1);
      await workbench.page.keyboard.type('// typed ');
      await workbench.openFile('f.h');
      await workbench.waitForErrors(1);
      await workbench.page.keyboard.type(' ');
      await eventually('a message after those', () => /didChange[^]*f\.h/.test(readFileSync(sent, 'utf8')));
      const messages = readFileSync(sent, 'utf8').split('Content-Length');
      assert.deepEqual(messages.filter((each) => each.includes('host.h') && !each.includes('includers')), []);
    });
  },

  /** Host code: the kernel in its string, the name of one in another file, and no message about a file without either. */
  async host() {
    const sent = path.join(mkdtempSync(path.join(os.tmpdir(), 'openclsp-sent-')), 'messages');
    const host = `#include <CL/opencl.hpp>
const char *source = R"(kernel void fill(global float *out, int n) {
    /* größer */ local float *tile = out;
    tile[0] = n;
})";
`;
    const order = {
      files: {
        'scale.cl': SCALE_MENDED,
        'host.cpp': host,
        'run.py': 'import pyopencl as cl\nkernel = cl.Kernel(program, "scale")\n',
        'plain.cpp': 'int kernel_size = 3;\n',
        'openclsp.toml': '',
      },
      open: 'host.cpp',
      environment: WITHOUT_SERVER,
      userSettings: { 'openclsp.server.command': ['/bin/sh', '-c', 'tee "$1" | "$0" server', openclsp, sent] },
    };
    await using(order, async (workbench) => {
      await workbench.waitForErrors(1);
      await workbench.hoverOver('tile', 0, /local float \*/);
      await workbench.screenshot('string');
      await workbench.quickFix('out', 1, 'global');
      await workbench.waitForErrors(0);
      await workbench.save('host.cpp', host.replace('local float *tile', 'global float *tile'));
      await workbench.openFile('run.py');
      await workbench.hoverOver('scale', 0, /kernel void scale\(global float \*samples, int n\)/);
      await workbench.screenshot('name');
      await workbench.clickOn('scale', 0);
      await workbench.page.keyboard.press('F12');
      await workbench.page.getByText('größer').first().waitFor();
      await workbench.page.getByText('Ln 1, Col 13').waitFor();
      await workbench.screenshot('kernel');
      await workbench.openFile('plain.cpp');
      await eventually('the question about plain.cpp', () => /includers[^]*plain\.cpp/.test(readFileSync(sent, 'utf8')));
      const messages = readFileSync(sent, 'utf8').split('Content-Length');
      assert.deepEqual(messages.filter((each) => each.includes('plain.cpp') && !each.includes('includers')), []);
    });
  },

  /** A fix that is no edit: it checks the workspace as a newer version, and says how to keep that. */
  async version() {
    const kernel = `void clear(int *any) {
    *any = 0;
}
kernel void k(global int *numbers) {
    clear(numbers);
}
`;
    await using({ files: { 'k.cl': kernel }, open: 'k.cl', environment: WITH_SERVER }, async (workbench) => {
      await workbench.waitForErrors(1);
      await workbench.quickFix('numbers', 1, 'OpenCL C 2.0');
      await workbench.notification('OpenCL C 2.0');
      await workbench.waitForErrors(0);
      await workbench.hoverOver('any', 0, /generic int \*/);
      await workbench.screenshot('generic');
      await workbench.save('k.cl', kernel);
    });
  },

  /** The line above a kernel, and the panel with the flow of a pointer: a click on a step goes to it. */
  async flow() {
    const kernel = `void clear(int *any) {
    *any = 0;
}
kernel void k(global int *numbers, local int *tile) {
    clear(numbers);
    clear(tile);
}
`;
    for (const theme of ['Default Dark Modern', 'Default Light Modern']) {
      const order = {
        files: { 'k.cl': kernel, 'compile_flags.txt': '-cl-std=CL2.0\n' },
        open: 'k.cl',
        environment: WITH_SERVER,
        userSettings: { 'workbench.colorTheme': theme },
      };
      await using(order, async (workbench) => {
        await workbench.page.getByText('arguments: global, local').waitFor();
        await workbench.clickOn('any', 1);
        await workbench.command('openclsp: Show Flow of This Pointer');
        const panel = await workbench.flowPanel('kernel parameter tile');
        await panel.getByText('The flow of any: holds {global, local}').first().waitFor();
        const colour = await panel.locator('.arrow.local').first().evaluate((arrow) => getComputedStyle(arrow).stroke);
        assert.equal(colour, theme.includes('Dark') ? 'rgb(87, 209, 107)' : 'rgb(26, 127, 55)');
        await workbench.screenshot(theme.includes('Dark') ? 'dark' : 'light');
        await panel.getByText('kernel parameter tile').click();
        await workbench.page.getByText('Ln 4, Col 51 (4 selected)').waitFor();
        await workbench.screenshot('step');
      });
    }
  },

  /** A long chain is wrapped to the panel's width, stays legible, and can be enlarged. */
  async chain() {
    const links = Array.from({ length: 7 }, (_, link) => {
      const next = link === 0 ? '*out_pointer = value' : `process_level_${link - 1}(out_pointer, value)`;
      return `void process_level_${link}(float *out_pointer, float value) { ${next}; }\n`;
    });
    const kernel = `${links.join('')}kernel void filter_image(global float *image, local float *tile) {
    process_level_6(image, 1.0f);
    process_level_3(tile, 1.0f);
}
`;
    const order = { files: { 'k.cl': kernel, 'compile_flags.txt': '-cl-std=CL2.0\n' }, open: 'k.cl', environment: WITH_SERVER };
    await using(order, async (workbench) => {
      await workbench.page.getByText('arguments: global, local').waitFor();
      await workbench.clickOn('out_pointer', 0);
      await workbench.command('openclsp: Show Flow of This Pointer');
      // The page is replaced when the drawing is wrapped.
      const panel = () => workbench.webview('svg.openclsp-flow');
      const sizes = async () =>
        (await panel()).evaluate(() => {
          const drawing = document.querySelector('svg.openclsp-flow');
          const page = document.querySelector('.picture');
          const height = drawing.querySelector('.step text').getBoundingClientRect().height;
          return { drawing: drawing.getBoundingClientRect().width, page: page.clientWidth, height };
        });
      await eventually('a drawing that fits', async () => {
        const { drawing, page, height } = await sizes();
        return drawing <= page + 1 && height >= 10;
      });
      await workbench.screenshot('wrapped');
      const before = await sizes();
      await (await panel()).getByRole('button', { name: 'Zoom in' }).click();
      await eventually('a larger drawing', async () => (await sizes()).drawing > before.drawing * 1.1);
      await (await panel()).getByRole('button', { name: 'Fit' }).click();
      await eventually('the fitted drawing', async () => Math.abs((await sizes()).drawing - before.drawing) < 2);
    });
  },

  /** Names have the colour of their memory; a hint that the flow of spaces gives is written by a double click. */
  async memory() {
    const kernel = `int sum(int *values) { return values[0]; }
kernel void k(global int *samples, local int *tile) {
    int *any = samples;
    any = tile;
    tile[0] = sum(samples) + *any;
}
`;
    const palettes = {
      'Default Dark Modern': { global: 'rgb(108, 182, 255)', local: 'rgb(87, 209, 107)' },
      'Default Light Modern': { global: 'rgb(11, 107, 203)', local: 'rgb(26, 127, 55)' },
    };
    for (const [theme, palette] of Object.entries(palettes)) {
      const order = {
        files: { 'k.cl': kernel, 'compile_flags.txt': '-cl-std=CL2.0\n' },
        open: 'k.cl',
        environment: WITH_SERVER,
        userSettings: { 'workbench.colorTheme': theme },
      };
      await using(order, async (workbench) => {
        await workbench.waitForColour('samples', 0, palette.global);
        await workbench.waitForColour('tile', 0, palette.local);
        // generic, and what it holds there
        await workbench.waitForColour('values', 1, palette.global);
        await workbench.waitForColour('any', 2, palette.local);
        await workbench.page.getByText('generic {global, local}').first().waitFor();
        await workbench.screenshot(theme.includes('Dark') ? 'dark' : 'light');
        const hint = await workbench.boxOf('global', 0);
        await workbench.page.mouse.dblclick(hint.x + hint.width / 2, hint.y + hint.height / 2);
        await workbench.save('k.cl', kernel.replace('int *values', 'global int *values'));
        await workbench.screenshot('written');
      });
    }
  },

  /** The project's settings reach the server, and a change of them takes effect at once. */
  async settings() {
    const kernel = `kernel void sum(global int *numbers) {
#ifdef WIDE
    int *any = numbers;
    *any = 1;
#else
    local int *wrong = numbers;
#endif
}
`;
    const files = {
      'sum.cl': kernel,
      '.vscode/settings.json': JSON.stringify({ 'openclsp.languageVersion': 'CL2.0', 'openclsp.defines': ['WIDE'] }),
    };
    await using({ files, open: 'sum.cl', environment: WITH_SERVER }, async (workbench) => {
      await workbench.hoverOver('any', 0, /generic int \*/);
      assert.equal(await workbench.squiggles(), 0);
      await workbench.screenshot('generic');
      workbench.write(path.join(workbench.workspace, '.vscode/settings.json'), '{}');
      await workbench.waitForErrors(1);
      await workbench.screenshot('changed');
    });
  },

  /** No server anywhere: one message; a click on its button installs the wheel that the settings name, and it works. */
  async install() {
    if (carries() !== undefined) {
      return carries();
    }
    const wheels = path.join(cache, 'wheels');
    const userSettings = { 'openclsp.server.package': path.join(wheels, readdirSync(wheels)[0]) };
    const order = { files: { 'scale.cl': SCALE }, open: 'scale.cl', environment: WITHOUT_SERVER, userSettings };
    await using(order, async (workbench) => {
      const message = await workbench.notification('no server was found');
      await workbench.screenshot('message');
      assert.equal(await workbench.page.locator('.notification-toast').count(), 1);
      await message.getByText('Install the Server').click();
      await workbench.notification('Installing openclsp');
      await workbench.screenshot('progress');
      await workbench.waitForErrors(1, 180_000);
      await workbench.screenshot('installed');
    });
    return undefined;
  },

  /** An extension packed for this platform (freeze.py) needs no server, no Python and no network. */
  async carried() {
    if (!existsSync(path.join(import.meta.dirname, '..', 'server', 'openclsp', 'openclsp'))) {
      return 'the extension carries no server; freeze.py makes one';
    }
    const order = { files: { 'scale.cl': SCALE }, open: 'scale.cl', environment: WITHOUT_SERVER };
    await using(order, async (workbench) => {
      await workbench.waitForErrors(1);
      await workbench.hoverOver('samples', 0, /global float \*/);
      assert.equal(await workbench.page.locator('.notification-toast').count(), 0);
      await workbench.screenshot('hover');
    });
    return undefined;
  },

  /** The universal extension with wheels: no server anywhere and no network; it makes its environment without a question. */
  async wheels() {
    if (!existsSync(path.join(SERVER_FOLDER, 'wheels', 'requirements.txt'))) {
      return 'the extension carries no wheels; wheels.py collects them';
    }
    const environment = { ...WITHOUT_SERVER, PIP_INDEX_URL: 'http://127.0.0.1:9/', HTTPS_PROXY: 'http://127.0.0.1:9/' };
    await using({ files: { 'scale.cl': SCALE }, open: 'scale.cl', environment }, async (workbench) => {
      await workbench.notification('Installing openclsp');
      await workbench.screenshot('progress');
      await workbench.waitForErrors(1, 180_000);
      await workbench.hoverOver('samples', 0, /global float \*/);
      assert.equal(await workbench.page.locator('.notification-toast').count(), 0);
      await workbench.screenshot('installed');
    });
    return undefined;
  },

  /** The same without a Python that can make environments: one message that says what is missing, and what to do. */
  async unable() {
    if (!existsSync(path.join(SERVER_FOLDER, 'wheels', 'requirements.txt'))) {
      return 'the extension carries no wheels; wheels.py collects them';
    }
    const folder = mkdtempSync(path.join(os.tmpdir(), 'openclsp-programs-'));
    for (const name of readdirSync('/usr/bin').filter((each) => !/^(python|pypy|openclsp)/.test(each))) {
      symlinkSync(path.join('/usr/bin', name), path.join(folder, name));
    }
    const python = execFileSync('which', ['python3'], { encoding: 'utf8' }).trim();
    const stub = (code) => {
      writeFileSync(path.join(folder, 'sitecustomize.py'), `import sys\n${code}\n`);
      const script = `#!/bin/sh\nPYTHONPATH=${folder} exec ${python} "$@"\n`;
      writeFileSync(path.join(folder, 'python3'), script, { mode: 0o755 });
    };
    const cases = {
      'No Python was found on the PATH': () => undefined,
      'lacks the modules venv or ensurepip': () => stub('sys.modules["ensurepip"] = None'),
      'is Python 3.9': () => stub('sys.version_info = (3, 9, 2)'),
    };
    for (const [message, prepare] of Object.entries(cases)) {
      prepare();
      const order = { files: { 'scale.cl': SCALE }, open: 'scale.cl', environment: { PATH: folder } };
      await using(order, async (workbench) => {
        await workbench.notification(message);
        await workbench.page.waitForTimeout(1000);
        await workbench.screenshot(message.replaceAll(' ', '-').toLowerCase());
        assert.equal(await workbench.page.locator('.notification-toast').count(), 1);
      });
    }
    rmSync(folder, { recursive: true });
    return undefined;
  },

  /** The command of the settings is what runs; the restart command and a crash each start another process. */
  async restart() {
    const started = path.join(mkdtempSync(path.join(os.tmpdir(), 'openclsp-started-')), 'pids');
    const command = ['/bin/sh', '-c', 'echo $$ >> "$1"; exec "$0" server', openclsp, started];
    const pids = () => readFileSync(started, 'utf8').trim().split('\n').map(Number);
    const order = {
      files: { 'scale.cl': SCALE },
      open: 'scale.cl',
      environment: WITHOUT_SERVER,
      userSettings: { 'openclsp.server.command': command },
    };
    await using(order, async (workbench) => {
      await workbench.waitForErrors(1);
      assert.equal(pids().length, 1);
      await workbench.command('openclsp: Restart the Server');
      await eventually('a second server', () => pids().length === 2);
      await workbench.hoverOver('samples', 0, /global float \*/);
      process.kill(pids()[1], 'SIGKILL');
      await eventually('a third server', () => pids().length === 3);
      await workbench.hoverOver('samples', 0, /global float \*/);
      await workbench.waitForErrors(1);
    });
    rmSync(path.dirname(started), { recursive: true });
  },

  /** A program that is not there, or is no language server: one message that names it. */
  async broken() {
    for (const program of ['/nowhere/openclsp', '/bin/false']) {
      const userSettings = { 'openclsp.server.command': [program, 'server'] };
      const order = { files: { 'scale.cl': SCALE }, open: 'scale.cl', environment: WITH_SERVER, userSettings };
      await using(order, async (workbench) => {
        await workbench.notification(`${program}, from the setting openclsp.server.command, failed to start`);
        await workbench.page.waitForTimeout(3000);
        await workbench.screenshot('message');
        assert.equal(await workbench.page.locator('.notification-toast').count(), 1);
      });
    }
  },

  /** A setting names what is not there: the message says which setting, and the button leads to it. */
  async misnamed() {
    const userSettings = { 'openclsp.server.interpreter': '/nowhere/python' };
    const order = { files: { 'scale.cl': SCALE }, open: 'scale.cl', environment: WITH_SERVER, userSettings };
    await using(order, async (workbench) => {
      const message = await workbench.notification('openclsp.server.interpreter');
      await workbench.screenshot('message');
      await message.getByText('Open Settings').click();
      await workbench.page.locator('.settings-editor').getByText('Interpreter', { exact: true }).first().waitFor();
      await workbench.screenshot('settings');
    });
  },

  /** Settings with values that they cannot have: each is named once, and the server works without it. */
  async wrong() {
    const userSettings = { 'openclsp.languageVersion': 'CL9.9', 'openclsp.extensions': 'fp64' };
    await using({ files: { 'scale.cl': SCALE }, open: 'scale.cl', environment: WITH_SERVER, userSettings }, async (workbench) => {
      await workbench.waitForErrors(1);
      await workbench.page.waitForTimeout(1500);
      await workbench.command('Notifications: Show Notifications');
      await workbench.page.locator('.notifications-center').getByText('unknown language version').first().waitFor();
      await workbench.screenshot('messages');
      const messages = await workbench.page.locator('.notifications-center .notification-list-item-message').allInnerTexts();
      for (const name of ['CL9.9', 'fp64']) {
        assert.equal(messages.filter((each) => each.includes(name)).length, 1, `${name}: ${messages.join(' | ')}`);
      }
    });
  },

  /** The status of the language says which server runs and where it was found. */
  async status() {
    await using({ files: { 'scale.cl': SCALE }, open: 'scale.cl', environment: WITH_SERVER }, async (workbench) => {
      await workbench.waitForErrors(1);
      await eventually('the status', async () => {
        await workbench.page.mouse.move(5, 5);
        await workbench.page.locator('.statusbar-item', { hasText: '{}' }).or(workbench.page.locator('#status\\.languageStatus')).first().hover();
        await workbench.page.getByText(/from (the PATH|this extension)/).first().waitFor({ timeout: 3000 });
        return true;
      });
      await workbench.screenshot('hover');
    });
  },

  /** The status bar says the language version and why; its menu chooses another one, or a variant, and takes that back. */
  async configuration() {
    const PROJECT = "The project's choice";
    const pick = async (workbench, text) => {
      const row = workbench.page.locator('.quick-input-list .monaco-list-row').getByText(text, { exact: true }).first();
      await row.waitFor();
      await row.click();
    };
    const variants = '[variants.half]\ndefines = { TYPE = "half" }\n[variants.full]\ndefines = { TYPE = "float" }\n';
    const files = { 'scale.cl': SCALE, 'openclsp.toml': variants };
    await using({ files, open: 'scale.cl', environment: WITH_SERVER }, async (workbench) => {
      const item = workbench.page.locator('.statusbar #openclsp\\.openclsp\\.openclsp\\.status, .statusbar-item[id$="openclsp.status"]');
      await item.getByText('CL1.2').waitFor();
      await item.click();
      await pick(workbench, 'Language version');
      await workbench.screenshot('versions');
      await pick(workbench, 'OpenCL C 3.0');
      await item.getByText('CL3.0').waitFor();
      await workbench.screenshot('chosen');
      await item.click();
      await pick(workbench, 'Language version');
      await pick(workbench, PROJECT);
      await item.getByText('CL1.2').waitFor();
      for (const [choice, shown] of [['full', 'full'], [PROJECT, 'half']]) {
        await item.click();
        await pick(workbench, 'Variant');
        await pick(workbench, choice);
        await item.getByText(shown).waitFor();
      }
    });
  },

  /** After crashes the status bar says that the server has stopped; a click restarts it. */
  async stopped() {
    const started = path.join(mkdtempSync(path.join(os.tmpdir(), 'openclsp-started-')), 'pids');
    const command = ['/bin/sh', '-c', 'echo $$ >> "$1"; exec "$0" server', openclsp, started];
    const pids = () => readFileSync(started, 'utf8').trim().split('\n').map(Number);
    const order = {
      files: { 'scale.cl': `#include "scale.h"\n${SCALE}`, 'scale.h': 'int samples(void);\n' },
      open: 'scale.cl',
      environment: WITHOUT_SERVER,
      userSettings: { 'openclsp.server.command': command },
    };
    await using(order, async (workbench) => {
      await workbench.waitForErrors(1);
      await workbench.openFile('scale.h');
      for (let crashes = 1; crashes <= 5; crashes += 1) {
        await eventually(`server ${crashes}`, () => pids().length === crashes);
        await workbench.hoverOver('samples', 0, /int samples\(void\)/);
        process.kill(pids()[crashes - 1], 'SIGKILL');
      }
      const item = workbench.page.locator('.statusbar').getByText('openclsp: stopped');
      await item.waitFor();
      await workbench.screenshot('header');
      await workbench.openFile('scale.cl');
      await item.waitFor();
      await workbench.screenshot('stopped');
      await item.click();
      await eventually('a server after that', () => pids().length === 6);
      await workbench.page.locator('.statusbar').getByText('CL1.2').waitFor();
    });
    rmSync(path.dirname(started), { recursive: true });
  },

  /** A click on the line above a kernel shows its summary as a document. */
  async lens() {
    const kernel = `void clear(int *any, int n) { any[n] = 0; }
void clear_first(int *first) { clear(first, 0); }
kernel void one(global int *numbers) { clear(numbers, 1); }
kernel void two(global int *numbers, local int *tile) {
    clear_first(numbers);
    clear(tile, 2);
}
kernel void none(global int *numbers) { numbers[0] = 0; }
`;
    const order = { files: { 'k.cl': kernel, 'compile_flags.txt': '-cl-std=CL2.0\n' }, open: 'k.cl', environment: WITH_SERVER };
    await using(order, async (workbench) => {
      const lens = (title, number) => workbench.page.locator('.codelens-decoration a').filter({ hasText: title }).nth(number);
      await lens('arguments: global, local', 0).waitFor();
      await workbench.screenshot('lenses');
      // The only pointer that receives an argument; the flow joins what both kernels pass.
      await lens('arguments: global', 0).click();
      await workbench.flowPanel('kernel parameter numbers');
      await (await workbench.webview('svg.openclsp-flow')).getByText('The flow of any: holds {global, local}').first().waitFor();
      await workbench.screenshot('flow');
      await lens('arguments: global, local', 0).click();
      const choices = workbench.page.locator('.quick-input-list .monaco-list-row');
      await choices.filter({ hasText: 'clear_first' }).waitFor();
      assert.equal(await choices.count(), 2);
      await choices.filter({ hasText: 'receives numbers, tile' }).waitFor();
      await workbench.screenshot('choice');
      await choices.filter({ hasText: 'clear_first' }).click();
      await workbench.flowPanel('argument of clear_first');
      await (await workbench.webview('svg.openclsp-flow')).getByText('The flow of first: holds {global}').first().waitFor();
      await workbench.screenshot('chosen');
      await lens('1 function', 0).click();
      await workbench.page.getByText('kernel one').first().waitFor();
      await workbench.screenshot('summary');
      await workbench.openFile('k.cl');
      await lens('arguments: global', 2).click();
      await workbench.page.getByText('kernel none').first().waitFor();
      assert.equal(await workbench.page.locator('.notification-toast').count(), 0);
    });
  },

  /** While keys follow each other, the server is asked for almost nothing; when they stop, colours and errors are right. */
  async typing() {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'openclsp-sent-'));
    const sent = path.join(folder, 'messages');
    const order = {
      files: { 'k.cl': TOUR, 'compile_flags.txt': '-cl-std=CL2.0\n' },
      open: 'k.cl',
      environment: WITHOUT_SERVER,
      userSettings: {
        'openclsp.server.command': ['/bin/sh', '-c', 'tee "$1" | "$0" server', openclsp, sent],
        'workbench.colorTheme': 'Default Dark Modern',
      },
    };
    await using(order, async (workbench) => {
      await workbench.waitForErrors(1);
      await workbench.waitForColour('samples', 0, 'rgb(108, 182, 255)');
      await workbench.goToLine(4);
      await workbench.page.keyboard.press('End');
      await workbench.page.keyboard.press('Enter');
      await workbench.page.keyboard.type('local int *again = samples; tile[0] = samples[1] + again[2];', { delay: 20 });
      await workbench.waitForErrors(2);
      await workbench.waitForColour('samples', 3, 'rgb(108, 182, 255)');
      await workbench.waitForColour('again', 1, 'rgb(87, 209, 107)');
      await workbench.screenshot('typed');
      // longer than the pause after which symbols are requested
      await workbench.page.waitForTimeout(1500);
    });
    const methods = [...readFileSync(sent, 'utf8').matchAll(/"method":"([^"]+)"/g)].map((match) => match[1]);
    const change = 'textDocument/didChange';
    const during = methods.slice(methods.indexOf(change), methods.lastIndexOf(change));
    const count = (...names) => during.filter((each) => names.includes(each)).length;
    const asked = count('textDocument/diagnostic', 'textDocument/semanticTokens/full/delta', 'textDocument/documentSymbol');
    assert.ok(asked < count(change) / 3, `${asked} requests for ${count(change)} edits`);
    // In the pause, the outline, the breadcrumbs and sticky lines all need the symbols.
    const after = methods.slice(methods.lastIndexOf(change)).filter((each) => each === 'textDocument/documentSymbol');
    assert.equal(after.length, 1, `${after.length} requests for symbols after the last edit`);
    rmSync(folder, { recursive: true });
  },

  /** openclsp.toml has diagnostics and completion of its own. */
  async toml() {
    const files = { 'scale.cl': SCALE, 'openclsp.toml': 'exclud = []\n' };
    await using({ files, open: 'openclsp.toml', environment: WITH_SERVER }, async (workbench) => {
      await workbench.page.locator('.squiggly-warning').first().waitFor();
      await workbench.hoverOver('exclud', 0, /did you mean 'exclude'/);
      await workbench.screenshot('fault');
      await workbench.goToLine(2);
      await workbench.page.keyboard.type('lang', { delay: 60 });
      await workbench.page.locator('.suggest-widget').getByText('language-version').first().waitFor();
      await workbench.screenshot('completion');
    });
  },

  /** A real kernel of thousands of lines: no false error, the right hover, and an error shown while it is typed. */
  async darktable() {
    if (!existsSync(path.join(DARKTABLE, 'basic.cl'))) {
      return `no kernels of darktable in ${DARKTABLE}`;
    }
    const names = readdirSync(DARKTABLE).filter((name) => /\.(cl|h)$/.test(name));
    const files = Object.fromEntries(names.map((name) => [name, readFileSync(path.join(DARKTABLE, name), 'utf8')]));
    const lines = files['basic.cl'].split('\n');
    const kernel = lines.findIndex((line) => line.startsWith('rawprepare_1f('));
    const body = lines.findIndex((line, number) => number > kernel && line.startsWith('{'));
    await using({ files, open: 'basic.cl', environment: WITH_SERVER }, async (workbench) => {
      await workbench.goToLine(body + 1);
      await workbench.hoverOver('sub', 0, /global const float \*/);
      assert.equal(await workbench.squiggles(), 0);
      await workbench.screenshot('hover');
      await workbench.page.keyboard.press('End');
      await workbench.page.keyboard.type(' local const float *wrong = sub;', { delay: 40 });
      await workbench.waitForErrors(1);
      await workbench.screenshot('typed');
      await workbench.quickFix('sub', 1, 'global');
      await workbench.waitForErrors(0);
      const mended = [...lines];
      mended[body] += ' global const float *wrong = sub;';
      await workbench.save('basic.cl', mended.join('\n'));
    });
    return undefined;
  },

  /** A workspace that nobody trusts cannot make the editor run a program of its choice. */
  async untrusted() {
    const files = {
      'scale.cl': SCALE,
      'evil.sh': '#!/bin/sh\ntouch "$(dirname "$0")/it-ran"\n',
      '.vscode/settings.json': JSON.stringify({
        'openclsp.server.command': ['/bin/sh', '${workspaceFolder}/evil.sh'],
        'openclsp.server.interpreter': '${workspaceFolder}/evil.sh',
        ...FOLDERS,
      }),
      ...OUTSIDE,
    };
    const userSettings = { 'security.workspace.trust.startupPrompt': 'never' };
    const order = { files, open: 'scale.cl', environment: WITH_SERVER, userSettings, trusted: false };
    await using(order, async (workbench) => {
      await workbench.waitForErrors(1);
      await workbench.screenshot('restricted');
      assert.ok(!existsSync(path.join(workbench.workspace, 'it-ran')));
    });
  },

  /** Nor make the server read outside of it, which a trusted one can. */
  async folders() {
    const kernel = `#include <away.h>\n#ifndef AWAY\n${SCALE}#endif\n`;
    const files = { 'scale.cl': kernel, '.vscode/settings.json': JSON.stringify(FOLDERS), ...OUTSIDE };
    const userSettings = { 'security.workspace.trust.startupPrompt': 'never' };
    const order = { files, open: 'scale.cl', environment: WITH_SERVER, userSettings };
    await using({ ...order, trusted: false }, (workbench) => workbench.waitForErrors(1));
    await using({ ...order, trusted: true }, (workbench) => workbench.waitForErrors(0));
  },

  /** An option that leads out of the project is refused once, with the setting that allows it; then it counts. */
  async refused() {
    const kernel = `#include <away.h>\n#ifndef AWAY\n${SCALE}#endif\n`;
    const files = {
      'scale.cl': kernel,
      'other.cl': SCALE_MENDED,
      'compile_flags.txt': '-I../outside\n-I/[Show](command:workbench.action.showCommands)\n',
      ...OUTSIDE,
    };
    const order = { files, open: 'scale.cl', environment: WITH_SERVER, trusted: false };
    const quiet = { 'security.workspace.trust.startupPrompt': 'never' };
    await using({ ...order, userSettings: quiet }, async (workbench) => {
      await workbench.waitForErrors(1);
      const message = await workbench.notification('leads out of the project');
      assert.match(await message.innerText(), /readableFolders/);
      await workbench.screenshot('message');
      assert.equal(await workbench.page.locator('.notification-toast').filter({ hasText: '/outside ' }).count(), 1);
      assert.equal(await workbench.page.locator('.notification-toast-container a', { hasText: 'Show' }).count(), 0);
    });
    const allowed = { ...quiet, 'openclsp.readableFolders': ['../outside'] };
    await using({ ...order, userSettings: allowed }, async (workbench) => {
      await workbench.waitForErrors(0);
      await workbench.screenshot('allowed');
    });
  },

  /** A hover shows what a repository writes, and fetches nothing. */
  async inert() {
    const option = '`![x](https://example.org/seen.png)';
    const files = { 'k.cl': '#if WIDE\n#endif\nkernel void k() {}\n', 'compile_flags.txt': `-DWIDE=${option}\n` };
    await using({ files, open: 'k.cl', environment: WITH_SERVER }, async (workbench) => {
      const asked = [];
      workbench.page.on('request', (request) => asked.push(request.url()));
      await workbench.hoverOver('WIDE', 0, /seen\.png/);
      await workbench.screenshot('hover');
      assert.equal(await workbench.page.locator('.monaco-hover img').count(), 0);
      assert.deepEqual(asked.filter((url) => url.includes('example.org')), []);
    });
  },
};

async function using(order, scenario) {
  const workbench = await Workbench.open(cache, order);
  workbench.name = running;
  try {
    await scenario(workbench);
  } catch (error) {
    await workbench.keepTraces();
    throw error;
  } finally {
    await workbench.close();
  }
}

let running = '';
let failures = 0;
for (const name of chosen.length > 0 ? chosen : Object.keys(scenarios)) {
  const scenario = scenarios[name];
  if (scenario === undefined) {
    console.error(`no such scenario: ${name}; there are: ${Object.keys(scenarios).join(', ')}`);
    process.exit(2);
  }
  running = name;
  const start = Date.now();
  try {
    const leftOut = await scenario();
    const seconds = ((Date.now() - start) / 1000).toFixed(1);
    console.log(leftOut === undefined ? `ok    ${name} (${seconds} s)` : `skip  ${name}: ${leftOut}`);
  } catch (error) {
    failures += 1;
    console.log(`FAIL  ${name}\n${error.stack}`);
  }
}
process.exit(failures === 0 ? 0 : 1);
