/** `/livez`, `/readyz`, `/healthz` and `/version`. */
import t from 'tap';
import { sharedServer } from '../support/shared-server.ts';

const server = await sharedServer();
const ROOTS = ['/healthz', '/livez', '/readyz'];

function checkNames(verbose: string): string[] {
  return [...verbose.matchAll(/^\[[+-]\](\S+) /gm)].map((match) => match[1] ?? '');
}

for (const root of ROOTS) {
  t.test(`${root} is a short ok`, async (t) => {
    const answer = await server.get(root);
    t.equal(answer.status, 200);
    t.equal(answer.text, 'ok');
    t.equal(answer.headers['content-type'], 'text/plain; charset=utf-8');
    t.equal(answer.headers['x-content-type-options'], 'nosniff');
  });

  t.test(`${root}?verbose has a line per check`, async (t) => {
    const { status, text } = await server.get(`${root}?verbose`);
    t.equal(status, 200);
    const lines = text.split('\n');
    t.equal(lines.pop(), '', 'ends with a newline');
    t.match(lines.pop(), /^(healthz|livez|readyz) check passed$/, 'the last line');
    t.ok(lines.length > 1, 'there are checks');
    for (const line of lines) t.match(line, /^\[\+\]\S+ ok$/);
    t.match(lines, ['[+]ping ok']);
  });

  t.test(`${root} excludes checks by name`, async (t) => {
    const { status, text } = await server.get(`${root}?verbose&exclude=ping&exclude=log`);
    t.equal(status, 200);
    t.match(text, /^\[\+\]ping excluded: ok$/m);
    const unknown = await server.get(`${root}?verbose&exclude=nothing`);
    t.equal(unknown.status, 200);
    t.match(
      unknown.text,
      /^warn: some health checks cannot be excluded: no matches for "nothing"$/m,
    );
    t.equal((await server.get(`${root}?exclude=ping`)).text, 'ok', 'short without verbose');
  });

  t.test(`${root} answers each check by its own path`, async (t) => {
    const names = checkNames((await server.get(`${root}?verbose`)).text);
    for (const name of names) {
      const answer = await server.get(`${root}/${name}`);
      t.equal(answer.status, 200, name);
      t.equal(answer.text, 'ok', name);
    }
    t.equal((await server.get(`${root}/nothing`)).status, 404, 'an unknown check');
  });

  t.test(`${root} answers any method like GET`, async (t) => {
    t.equal((await server.post(root, '{}')).status, 200);
  });
}

t.test('the steps of the start are checks', async (t) => {
  const first = [
    'poststarthook/start-shards',
    'poststarthook/start-kube-apiserver-admission-initializer',
    'poststarthook/start-apiextensions-informers',
    'poststarthook/start-apiextensions-controllers',
    'poststarthook/crd-informer-synced',
  ];
  const controllers = [
    'poststarthook/namespace-controller',
    'poststarthook/garbage-collector-controller',
    'poststarthook/event-expiry-controller',
  ];
  const followed = 'poststarthook/generic-apiserver-start-informers';
  const steps = [...first, 'autoregister-completion', followed, ...controllers];
  for (const root of ROOTS) {
    const { text } = await server.get(`${root}?verbose&exclude=autoregister-completion`);
    const lines = first.map((name) => `[+]${name} ok\n`).join('');
    t.match(text, `${lines}[+]autoregister-completion excluded: ok\n[+]${followed} ok\n`, root);
    for (const name of controllers) t.match(text, `[+]${name} ok\n`, `${root} ${name}`);
  }
  const { paths } = (await server.get('/', { accept: 'application/json' })).json;
  for (const name of steps) t.ok(paths.includes(`/readyz/${name}`), `listed: ${name}`);
  t.equal((await server.get('/readyz/poststarthook')).status, 404);
});

t.test('who may be busy says nothing about whether to restart', async (t) => {
  const rows = { etcd: ROOTS, shards: ['/readyz', '/healthz'], 'informer-sync': ['/readyz'] };
  for (const [name, roots] of Object.entries(rows)) {
    for (const root of ROOTS) {
      const isThere = checkNames((await server.get(`${root}?verbose`)).text).includes(name);
      t.equal(isThere, roots.includes(root), `${root} ${name}`);
      const { status } = await server.get(`${root}/${name}`);
      t.equal(status, isThere ? 200 : 404, `${root}/${name}`);
    }
  }
});

t.test('/version says what this is', async (t) => {
  const { status, json, headers } = await server.get('/version');
  t.equal(status, 200);
  t.match(headers['content-type'], 'application/json');
  t.match(json, {
    major: '1',
    minor: '23',
    gitVersion: /^v1\.23\./,
    gitCommit: /^[0-9a-f]{40}$/,
    gitTreeState: /^(clean|dirty|archive)$/,
    buildDate: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
    goVersion: String,
    compiler: String,
    platform: /^\w+\/\w+$/,
  });
});

t.end();
