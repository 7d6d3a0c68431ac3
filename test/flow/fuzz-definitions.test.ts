/**
 * Random definitions and their objects: whatever they are called and say, the server answers, never
 * with a fault of its own, and all of it can be removed. `FUZZ_SECONDS` and `FUZZ_SEED` as for
 * `fuzz.test.ts`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { DEFINITIONS, established } from '../support/custom-types.ts';
import { expectUnharmed } from '../support/expect-status.ts';
import {
  DefinitionCases,
  STEADY_DEFINITION,
  type DefinitionCase,
} from '../support/fuzz-definitions.ts';
import type { TestObject } from '../support/kinds.ts';
import { until } from '../support/owned-objects.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { Random, seedFrom } from '../support/random.ts';
import { startServer, type Answer } from '../support/server.ts';

const SECONDS = Number(process.env['FUZZ_SECONDS'] ?? 0);
const SEED = seedFrom('FUZZ_SEED');
const REQUESTS_AT_ONCE = 8;
const REQUESTS_MIN = 800;
const FAULTS_MAX = 20;
/** Lists that are the same so often stay so. */
const QUIET_TRIES = 5;
const MERGE = { 'content-type': 'application/merge-patch+json' };
/** The reference answers these with 500 too. */
const FAILURES = new RegExp(
  [
    '^failed to (create (typed (patch|live) object|manager for existing fields)|convert new object)',
    '^Internal error occurred: the spec replicas field ".*" does not exist$',
    '^Internal Server Error: .*: failed to create RequestInfo: unable to determine kind',
  ].join('|'),
);

t.setTimeout((SECONDS + 300) * 1_000);
const server = await startServer({ test: t, args: ['--durability', 'relaxed'] });
await established(server, STEADY_DEFINITION);
const cases = new DefinitionCases(new Random(SEED), SEED);

async function send({ method, path, body, headers }: DefinitionCase): Promise<Answer | undefined> {
  const late = new AbortController();
  const answer = await Promise.race([
    server.request(method, path, body, headers),
    sleep(PATIENCE_MS, undefined, { signal: late.signal }).catch(() => undefined),
  ]);
  late.abort();
  return answer;
}

function isFault(answer: Answer | undefined): boolean {
  if (answer === undefined || answer.status > 500) return true;
  return answer.status === 500 && !FAILURES.test(String(answer.json?.message ?? answer.text));
}

async function definitions(): Promise<TestObject[]> {
  return (await server.get(DEFINITIONS)).json.items;
}

/** The paths at which a definition serves objects. */
function collectionsOf({ spec }: TestObject): string[] {
  return spec.versions
    .filter(({ served }: TestObject) => served)
    .map(({ name }: TestObject) => `/apis/${spec.group}/${name}/${spec.names.plural}`);
}

t.test(`no definition makes the server fail (FUZZ_SEED=${SEED})`, async (t) => {
  const until = Date.now() + SECONDS * 1_000;
  const faults = new Map<string, string>();
  const counts = new Map<string, number>();
  let requests = 0;
  const work = async (): Promise<void> => {
    while (Date.now() < until || requests < REQUESTS_MIN) {
      requests += 1;
      const sent = cases.next();
      const answer = await send(sent);
      const what = `${sent.path.startsWith(DEFINITIONS) ? 'definition' : 'object'}`;
      const count = `${what} ${sent.method} ${answer?.status}`;
      counts.set(count, (counts.get(count) ?? 0) + 1);
      if (!isFault(answer) || faults.size >= FAULTS_MAX) continue;
      const shown = JSON.stringify(sent).slice(0, 3_000);
      faults.set(
        `${count} ${answer?.json?.message}`,
        `${answer?.status} ${answer?.text}: ${shown}`,
      );
    }
  };
  await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, work));
  t.comment(JSON.stringify(Object.fromEntries(counts)));
  for (const fault of faults.values()) t.fail(`FUZZ_SEED=${SEED}: ${JSON.stringify(fault)}`);
  t.equal(faults.size, 0, 'no fault of the server');
  t.ok((counts.get('definition POST 201') ?? 0) > 5, 'some definitions are accepted');
  t.ok((counts.get('definition POST 422') ?? 0) > 5, 'some are refused');
  t.ok((counts.get('object POST 201') ?? 0) > 5, 'some objects are');
});

/** Lets go what is held by a finalizer, until no definition waits for it. */
async function released(): Promise<TestObject[]> {
  let left: TestObject[] = [];
  await until(async () => {
    left = await definitions();
    const going = left.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
    for (const path of going.flatMap(collectionsOf)) {
      const { items = [] } = (await server.get(path)).json ?? {};
      for (const { metadata } of items) {
        const namespace = metadata.namespace === undefined ? '' : 'namespaces/default/';
        const object = path.replace(/[^/]+$/, `${namespace}$&/${metadata.name}`);
        await server.request('PATCH', object, { metadata: { finalizers: null } }, MERGE);
      }
    }
    return going.length === 0;
  });
  return left;
}

/** All that is served, once nothing changes any more. */
async function allObjects(): Promise<string> {
  let before = '';
  let same = 0;
  await until(async () => {
    const paths = (await definitions()).flatMap(collectionsOf);
    const answers = await Promise.all(paths.map((path) => server.get(path)));
    const now = answers
      .map(({ status, json }, at) => `${status} ${paths[at]} ${JSON.stringify(json?.items)}`)
      .join('\n');
    same = now === before ? same + 1 : 0;
    before = now;
    return same === QUIET_TRIES;
  });
  return before;
}

t.test('it is unharmed, and serves after a crash what it had', async (t) => {
  await expectUnharmed(t, server);
  t.equal(server.stderr, '', 'nothing went wrong inside');
  await released();
  const before = await allObjects();
  await server.kill();
  await server.restart();
  t.equal(await allObjects(), before);
});

t.test('all of it can be removed', async (t) => {
  for (const { metadata } of await definitions()) {
    await server.delete(`${DEFINITIONS}/${metadata.name}`);
  }
  t.same(await released(), []);
  await until(async () => {
    const { groups } = (await server.get('/apis')).json;
    const names: string[] = groups.map(({ name }: TestObject) => name);
    return !names.some((name) => /example\.com|a\.b|openapi|v1\.apis/.test(name));
  });
  await expectUnharmed(t, server);
  t.equal(server.stderr, '');
});
