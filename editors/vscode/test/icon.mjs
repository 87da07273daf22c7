// Draws media/icon.png from media/icon.svg, in Debian's chromium.
// usage: node icon.mjs CACHE      (the folder that test/run filled)
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';

const [cache] = process.argv.slice(2);
const media = path.join(import.meta.dirname, '..', 'media');
const { chromium } = createRequire(path.join(cache, 'playwright/'))('playwright-core');
const executablePath = execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim();
const browser = await chromium.launch({ executablePath, headless: true, args: ['--no-sandbox', '--disable-gpu'] });
const page = await browser.newPage({ viewport: { width: 256, height: 256 } });
await page.setContent(`<style>body{margin:0}svg{display:block}</style>${readFileSync(path.join(media, 'icon.svg'), 'utf8')}`);
await page.screenshot({ path: path.join(media, 'icon.png'), omitBackground: true });
await browser.close();
