/** A browser for tests, where the machine has one. */
import { existsSync } from 'node:fs';
import type { Browser } from 'puppeteer-core';
import type { Test } from 'tap';

const PROGRAMS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Why no browser can be started here; false where one can. */
export function lacksChromium(): string | false {
  return PROGRAMS.some((file) => existsSync(file)) ? false : 'there is no Chromium here';
}

/** A browser without a window; the end of the test ends it. */
export async function startChromium(test: Test): Promise<Browser> {
  const { launch } = await import('puppeteer-core');
  const browser = await launch({
    executablePath: PROGRAMS.find((file) => existsSync(file)) ?? '',
    headless: true,
    protocolTimeout: 120_000,
    // Containers of tests run as root, and have a small /dev/shm.
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  });
  test.teardown(() => browser.close());
  return browser;
}
