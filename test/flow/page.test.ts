/** The page at `/` in a real browser, and what it alone asks for. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'puppeteer-core';
import t from 'tap';
import { lacksChromium, startChromium } from '../support/chromium.ts';
import { startServer } from '../support/server.ts';
import type { Server } from '../support/server.ts';
import { temporaryFolder } from '../support/server-process.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const SLOW = '/shardplane/slow-requests';
const AUDIT = '/shardplane/audit-events';
const STRANGER = { authorization: undefined };

function deployment(image: string): object {
  return {
    metadata: { name: 'web' },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'web', image }] },
      },
    },
  };
}

t.test('strangers get script and style, and nothing else', async (t) => {
  const server = await startServer({ test: t });
  for (const [name, type] of [
    ['page.js', 'text/javascript'],
    ['page.css', 'text/css'],
  ] as const) {
    const file = await server.get(`/shardplane/page/${name}`, STRANGER);
    t.equal(file.status, 200);
    t.match(file.headers['content-type'], type);
    const again = { ...STRANGER, 'if-none-match': String(file.headers.etag) };
    t.equal((await server.get(`/shardplane/page/${name}`, again)).status, 304);
  }
  const page = await server.get('/', { ...STRANGER, accept: 'text/html' });
  t.match(page.headers['content-security-policy'], /default-src 'none'; script-src 'self'/);
  for (const path of ['/shardplane/page/', '/shardplane/page/x', SLOW, AUDIT]) {
    t.equal((await server.get(path, STRANGER)).status, 403, path);
  }
  t.equal((await server.get('/', {})).headers['content-type'], 'application/json');
  t.equal((await server.get(SLOW)).status, 404, 'off');
  t.equal((await server.get(AUDIT)).status, 404, 'off');
});

t.test('slow requests and audit events are told to who may', async (t) => {
  const folder = temporaryFolder();
  const policy = join(folder, 'policy.yaml');
  writeFileSync(
    policy,
    'apiVersion: audit.cluster.io/v1\nkind: Policy\nrules: [{level: Metadata}]',
  );
  const log = ['--audit-policy-file', policy, '--audit-log-path', join(folder, 'audit.log')];
  const args = ['--slow-request-threshold', '10ms', ...log];
  const server = await startServer({ test: t, args });
  await postSlowly(server, { metadata: { name: 'seen' } });
  const [slow] = (await server.get(SLOW)).json.items;
  t.match(slow, { method: 'POST', path: CONFIG_MAPS, code: 201, stages: { body: Number } });
  const events = (await server.get(AUDIT)).json.items;
  const complete = { verb: 'create', stage: 'ResponseComplete', requestURI: CONFIG_MAPS };
  t.ok(events.some((event: object) => matches(event, complete)));
});

/** A create whose body comes in two parts, so that it is slow for sure. */
async function postSlowly(server: Server, object: object): Promise<void> {
  const text = JSON.stringify(object);
  const body = new ReadableStream({
    start: (parts) => parts.enqueue(Buffer.from(text.slice(0, 5))),
    pull: async (parts) => {
      await setTimeout(30);
      parts.enqueue(Buffer.from(text.slice(5)));
      parts.close();
    },
  });
  const headers = {
    authorization: `Bearer ${server.token}`,
    'content-type': 'application/json',
    'content-length': String(text.length),
  };
  const options = { method: 'POST', headers, body, duplex: 'half' } as const;
  await (await fetch(`${urlOf(server)}${CONFIG_MAPS}`, options)).text();
}

function matches(value: object, wanted: object): boolean {
  const members = value as Record<string, unknown>;
  return Object.entries(wanted).every(([name, member]) => members[name] === member);
}

function urlOf({ port }: Server): string {
  return `http://127.0.0.1:${port}`;
}

/** Types the token and waits for the overview. */
async function signIn(page: Page, server: Server): Promise<void> {
  await page.goto(`${urlOf(server)}/`);
  await page.type('#token', server.token);
  await page.keyboard.press('Enter');
  await page.waitForSelector('section[aria-label="Requests by verb and type"] td');
}

/** Resolves when the texts of all such elements are as wanted; there may be none of them yet. */
async function untilText(
  page: Page,
  selector: string,
  isWanted: (text: string) => boolean,
): Promise<void> {
  for (;;) {
    const texts = await page.$$eval(selector, (all) => all.map(({ textContent }) => textContent));
    if (texts.length > 0 && isWanted(texts.join('\n'))) return;
    await setTimeout(20);
  }
}

async function pressButton(page: Page, text: string): Promise<void> {
  await page.locator(`.object button ::-p-text(${text})`).click();
}

t.test('in a browser', { skip: lacksChromium() }, async (t) => {
  const server = await startServer({ test: t });
  const browser = await startChromium(t);
  const page = await browser.newPage();
  await page.setViewport({ width: 1400, height: 900 });
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  const textOf = (selector: string) =>
    page.$eval(selector, (element) => (element as unknown as { innerText: string }).innerText);

  await t.test('a wrong token is refused, the right one stays in the tab', async (t) => {
    await page.goto(`${urlOf(server)}/`);
    await page.type('#token', 'wrong');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.sign-in [role=alert]');
    await signIn(page, server);
    await page.reload();
    await page.waitForSelector('.panel td');
    const other = await browser.newPage();
    await other.goto(`${urlOf(server)}/`);
    t.ok(await other.waitForSelector('#token'), 'another tab has none');
    await other.close();
  });

  await t.test('a list follows what is written', async () => {
    await page.goto(`${urlOf(server)}/#objects?type=configmaps&namespace=default`);
    await untilText(page, '.bar', (text) => text.includes(', live'));
    await server.post(CONFIG_MAPS, { metadata: { name: 'appears' } });
    await untilText(page, '.list', (text) => text.includes('appears'));
    await server.delete(`${CONFIG_MAPS}/appears`);
    await untilText(page, '.list', (text) => !text.includes('appears'));
  });

  await t.test('an edit is refused at its field, and then saved', async (t) => {
    await server.post(`${DEPLOYMENTS}?fieldManager=tester`, deployment('nginx'));
    await page.goto(`${urlOf(server)}/#objects?type=deployments.apps&in=default&name=web`);
    await untilText(page, '.yaml', (text) => text.includes('tester'));
    await pressButton(page, 'Edit');
    await edit(page, 'image: nginx', 'image: ""');
    await pressButton(page, 'Save');
    await page.waitForSelector('.causes button');
    t.match(await textOf('.causes'), /line \d+: spec\.template\.spec\.containers\[0\]\.image/);
    t.ok(await page.$('.marks i'), 'its line is marked');
    await edit(page, 'image: ""', 'image: caddy');
    await pressButton(page, 'Save');
    await untilText(page, '.yaml', (text) => text.includes('image: caddy'));
    await untilText(page, '.yaml', (text) => text.includes('shardplane-page'));
    const stored = (await server.get(`${DEPLOYMENTS}/web`)).json;
    t.equal(stored.spec.template.spec.containers[0].image, 'caddy');
  });

  await t.test('a type is found by its name with the keyboard', async (t) => {
    await page.focus('body');
    await page.keyboard.press('/');
    await page.keyboard.type('lease');
    await untilText(page, '.types', (text) => !text.includes('ConfigMap'));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await untilText(page, '.list h2', (text) => text.includes('Lease'));
    t.match(page.url(), /type=leases\./);
  });
  t.same(errors, []);
});

/** Types as a person would, in one go. */
async function edit(page: Page, from: string, to: string): Promise<void> {
  await page.$eval(
    'textarea',
    (element, from, to) => {
      const area = element as unknown as { value: string; dispatchEvent(event: Event): void };
      area.value = area.value.replace(from, to);
      area.dispatchEvent(new Event('input', { bubbles: true }));
    },
    from,
    to,
  );
}
