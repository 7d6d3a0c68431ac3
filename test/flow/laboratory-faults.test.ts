/** Faults of the laboratory: what a client sees of each, and that nobody else sees any. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import t, { type Test } from 'tap';
import { CONFIG_MAPS, configMap } from '../support/kinds.ts';
import { until } from '../support/owned-objects.ts';
import { connectRaw } from '../support/raw-exchange.ts';
import { startServer } from '../support/server.ts';

const FAULTS = '/shardplane/lab/v1/faults';
const VICTIM = { 'user-agent': 'victim/1.0' };
const REPEATS = 50;
const WHO = { userAgents: ['victim/*'] };

const server = await startServer({ test: t, args: ['--laboratory'] });

/** Removes the rule when the test ends. */
async function addFault(test: Test, rule: { name: string; [member: string]: unknown }) {
  const answer = await server.post(FAULTS, { who: WHO, ...rule });
  test.equal(answer.status, 201, answer.text);
  test.teardown(() => server.delete(`${FAULTS}/${rule.name}`));
}

async function journalOf(name: string): Promise<readonly { acted: boolean }[]> {
  return (await server.get(`${FAULTS}/${name}/journal`)).json.items;
}

t.test('a request is refused as the rule says, of one client alone', async (t) => {
  await addFault(t, {
    name: 'too-many',
    what: { verbs: ['create'], resources: ['configmaps'] },
    when: { first: 1 },
    then: { refuse: { code: 429, message: 'not now', retryAfterSeconds: 7 } },
  });
  const other = await server.post(CONFIG_MAPS, configMap('refused-other'));
  t.equal(other.status, 201, 'others are served');
  t.equal((await server.get(CONFIG_MAPS, VICTIM)).status, 200, 'so are other verbs');
  const refused = await server.post(CONFIG_MAPS, configMap('refused'), VICTIM);
  t.equal(refused.status, 429);
  t.equal(refused.headers['retry-after'], '7');
  t.match(refused.json, { reason: 'TooManyRequests', message: 'not now' });
  const again = await server.post(CONFIG_MAPS, configMap('refused'), VICTIM);
  t.equal(again.status, 201, 'once was said');
  t.match(await journalOf('too-many'), [{ acted: true }, { acted: false }]);
  const { text } = await server.get('/metrics');
  t.match(text, 'shardplane_laboratory_decisions_total{acted="true",fault="too-many"} 1');
});

t.test('the answer is lost, and what was asked for is done', async (t) => {
  await addFault(t, {
    name: 'lost',
    what: { verbs: ['create'] },
    when: { once: true },
    then: { loseAnswer: true },
  });
  await t.rejects(server.post(CONFIG_MAPS, configMap('lost'), VICTIM));
  t.equal((await server.get(`${CONFIG_MAPS}/lost`)).status, 200);
  const again = await server.post(CONFIG_MAPS, configMap('lost'), VICTIM);
  t.equal(again.json.reason, 'AlreadyExists');
});

t.test('the connection is cut before, in the midst of, or after the answer', async (t) => {
  const what = { verbs: ['create'] };
  const rule = (at: string) => ({ name: `reset-${at}`, what, when: { once: true } });
  await addFault(t, { ...rule('before'), then: { reset: 'before' } });
  await t.rejects(server.post(CONFIG_MAPS, configMap('cut-before'), VICTIM));
  t.equal((await server.get(`${CONFIG_MAPS}/cut-before`)).status, 404, 'nothing was done');
  await addFault(t, { ...rule('body'), then: { reset: 'body' } });
  await t.rejects(server.post(CONFIG_MAPS, configMap('cut-body'), VICTIM));
  t.equal((await server.get(`${CONFIG_MAPS}/cut-body`)).status, 200, 'it was done');
  await addFault(t, { ...rule('after'), then: { reset: 'after' } });
  const whole = await server.post(CONFIG_MAPS, configMap('cut-after'), VICTIM);
  t.equal(whole.status, 201, 'the answer is whole');
});

t.test('a request waits before it is done, or its answer does', async (t) => {
  for (const at of ['before', 'after']) {
    await addFault(t, {
      name: `barrier-${at}`,
      what: { verbs: ['create'], namespaces: ['default'] },
      then: { barrier: at },
    });
    let isAnswered = false;
    const name = `held-${at}`;
    const written = server.post(CONFIG_MAPS, configMap(name), VICTIM).finally(() => {
      isAnswered = true;
    });
    await until(async () => (await server.get(`${FAULTS}/barrier-${at}`)).json.held === 1);
    t.notOk(isAnswered);
    const { status } = await server.get(`${CONFIG_MAPS}/${name}`);
    t.equal(status, at === 'before' ? 404 : 200);
    const released = await server.post(`${FAULTS}/barrier-${at}/release`, {});
    t.same(released.json, { released: 1 });
    t.equal((await written).status, 201);
    t.equal((await written).json.metadata.name, name);
    await server.delete(`${FAULTS}/barrier-${at}`);
  }
});

t.test('what is held goes on when its rule goes, or its client', async (t) => {
  await addFault(t, {
    name: 'barrier-gone',
    what: { verbs: ['list'] },
    then: { barrier: 'after' },
  });
  const list = server.get(CONFIG_MAPS, VICTIM);
  const leaving = connectRaw({ port: server.port });
  leaving.write(
    `GET ${CONFIG_MAPS} HTTP/1.1\r\nHost: a\r\nUser-Agent: victim/1.0\r\n` +
      `Authorization: Bearer ${server.token}\r\n\r\n`,
  );
  await until(async () => (await server.get(`${FAULTS}/barrier-gone`)).json.held === 2);
  leaving.destroy();
  await server.delete(`${FAULTS}/barrier-gone`);
  t.equal((await list).status, 200);
});

t.test('somebody is told of what is held', async (t) => {
  const told: unknown[] = [];
  const webhook = createServer((request, response) => {
    request.setEncoding('utf8').on('data', (text: string) => told.push(JSON.parse(text)));
    request.on('end', () => response.end());
  });
  await once(webhook.listen(0, '127.0.0.1'), 'listening');
  t.teardown(() => webhook.close());
  const { port } = webhook.address() as { port: number };
  await addFault(t, {
    name: 'tells',
    what: { verbs: ['get'] },
    then: { barrier: 'before', webhook: `http://127.0.0.1:${port}/` },
  });
  const read = server.get(`${CONFIG_MAPS}/lost`, VICTIM);
  await until(async () => told.length === 1);
  t.match(told, [{ fault: 'tells', request: { verb: 'get', name: 'lost' } }]);
  await server.post(`${FAULTS}/tells/release`, {});
  t.equal((await read).status, 200);
});

t.test('a delay is drawn from its seed', async (t) => {
  await addFault(t, {
    name: 'slow',
    what: { verbs: ['get'] },
    then: { delay: { ms: 30, toMs: 60, at: 'after' } },
  });
  const startMs = performance.now();
  t.equal((await server.get(`${CONFIG_MAPS}/lost`, VICTIM)).status, 200);
  t.ok(performance.now() - startMs >= 29);
});

t.test('who waits for a delay is let go with its rule, or by request', async (t) => {
  const long = 600_000;
  const held = async (count: number) =>
    until(async () => (await server.get(`${FAULTS}/long`)).json.held === count);
  for (const at of ['before', 'after']) {
    const what = { verbs: ['get'] };
    await addFault(t, { name: 'long', what, then: { delay: { ms: long, at } } });
    const reads = [1, 2].map(() => server.get(`${CONFIG_MAPS}/lost`, VICTIM));
    await held(2);
    t.match((await server.post(`${FAULTS}/long/release`, { count: 1 })).json, { released: 1 });
    t.equal((await Promise.race(reads)).status, 200, `one of those ${at}`);
    await held(1);
    await server.delete(`${FAULTS}/long`);
    t.same(
      (await Promise.all(reads)).map(({ status }) => status),
      [200, 200],
    );
  }
});

t.test('what a delay held for its time is held no more', async (t) => {
  const what = { verbs: ['get'] };
  await addFault(t, { name: 'short', what, then: { delay: { ms: 1 } } });
  t.equal((await server.get(`${CONFIG_MAPS}/lost`, VICTIM)).status, 200);
  t.match((await server.get(`${FAULTS}/short`)).json, { acted: 1, held: 0 });
});

t.test('the same seed and order of requests give the same decisions', async (t) => {
  const decisions: string[] = [];
  for (const seed of [...Array.from({ length: REPEATS }, () => 7), 8]) {
    await server.post(FAULTS, {
      name: 'seeded',
      who: WHO,
      what: { verbs: ['get'] },
      when: { share: 0.5, seed },
      then: { refuse: { code: 500 } },
    });
    for (let turn = 0; turn < 20; turn++) await server.get(`${CONFIG_MAPS}/lost`, VICTIM);
    decisions.push((await journalOf('seeded')).map(({ acted }) => Number(acted)).join(''));
    await server.delete(`${FAULTS}/seeded`);
  }
  const [first] = decisions;
  t.equal(new Set(decisions.slice(0, REPEATS)).size, 1, 'each time');
  t.not(decisions.at(-1), first, 'another seed, other decisions');
  t.match(first, /1.*0|0.*1/, 'some are refused, and some are not');
});

t.test('every third, after the second', async (t) => {
  await addFault(t, {
    name: 'every',
    what: { verbs: ['get'] },
    when: { every: 3, after: 2, first: 2 },
    then: { refuse: { code: 503 } },
  });
  const codes: number[] = [];
  for (let turn = 0; turn < 12; turn++) {
    codes.push((await server.get(`${CONFIG_MAPS}/lost`, VICTIM)).status);
  }
  t.equal(codes.map((code) => (code === 503 ? 1 : 0)).join(''), '000010010000');
});

t.test('what is wrong with a rule is told with its member', async (t) => {
  const rows: readonly (readonly [object, string])[] = [
    [{}, 'name must be a name in lower case'],
    [{ name: 'a' }, 'then must have one of delay, refuse'],
    [{ name: 'a', then: { refuse: { code: 200 } } }, 'then.refuse.code must be'],
    [{ name: 'a', then: { barrier: 'during' } }, 'then.barrier must be one of before, after'],
    [{ name: 'a', then: { loseAnswer: true, reset: 'body' } }, 'then must have one of'],
    [{ name: 'a', what: { verb: [] }, then: { loseAnswer: true } }, 'what.verb is unknown'],
    [{ name: 'a', when: { share: 2 }, then: { loseAnswer: true } }, 'when.share must be'],
  ];
  for (const [rule, message] of rows) {
    const { status, json } = await server.post(FAULTS, rule);
    t.equal(status, 400);
    t.match(json.message, message);
  }
  await addFault(t, { name: 'twice', then: { loseAnswer: true } });
  t.equal((await server.post(FAULTS, { name: 'twice', then: { reset: 'body' } })).status, 409);
  t.equal((await server.get(`${FAULTS}/nobody`)).status, 404);
  t.equal((await server.delete(`${FAULTS}/nobody`)).status, 404);
});

t.end();
