/**
 * Random bodies, queries and deletions at every path: whatever is sent, the server answers, never
 * with a fault of its own, and goes on. `FUZZ_SECONDS` and `FUZZ_SEED` make it longer or the same.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { catalogueFiles } from '../support/catalogue.ts';
import { expectUnharmed } from '../support/expect-status.ts';
import { FuzzCases, hasServersOwners } from '../support/fuzz-cases.ts';
import type { FuzzCase, FuzzedResource } from '../support/fuzz-cases.ts';
import { shrunk } from '../support/mutate.ts';
import { isDeep } from '../support/fuzz-patches.ts';
import { missingPaths } from '../support/owned-paths.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { Random, seedFrom } from '../support/random.ts';
import { RESOURCES } from '../support/resources.ts';
import { servedPath, servedResource } from '../support/served-resource.ts';
import { servedKinds } from '../support/served-kind.ts';
import { startServer, type Answer } from '../support/server.ts';
import { MODEL } from '../resources/kind-rules.ts';

const SECONDS = Number(process.env['FUZZ_SECONDS'] ?? 0);
const SEED = seedFrom('FUZZ_SEED');
const REQUESTS_AT_ONCE = 8;
/** So many that some of each kind are among them, however slow the machine. */
const REQUESTS_MIN = 2_000;
/** Of a body that is smaller. */
const ANSWER_BYTES_MAX = 1_000_000;
/** Faults that are looked into; the rest is counted. */
const FAULTS_MAX = 40;
/** What controllers still do is over within it. */
const QUIET_TRIES_MAX = 100;

// Requests until then, faults that are looked into, a restart.
t.setTimeout((SECONDS + 300) * 1_000);
const catalogue = (await catalogueFiles()).map(({ cases }) => cases);
const server = await startServer({ test: t });
const cases = new FuzzCases(MODEL, catalogue, new Random(SEED));

type Sent = Omit<FuzzCase, keyof FuzzedResource>;

async function send({ method, path, body, contentType }: Sent): Promise<Answer | undefined> {
  const late = new AbortController();
  const answer = await Promise.race([
    server.request(
      method,
      path,
      body,
      contentType === undefined ? {} : { 'content-type': contentType },
    ),
    sleep(PATIENCE_MS, undefined, { signal: late.signal }).catch(() => undefined),
  ]);
  late.abort();
  return answer;
}

/**
 * No answer, or one that says that the server is at fault. What deletions and evictions answer with
 * 500 as the reference does has another message.
 */
function isFault(answer: Answer | undefined, method = ''): boolean {
  if (answer === undefined || answer.status > 500) return true;
  if (answer.status !== 500) return false;
  const { reason, message } = answer.json ?? {};
  if (UNREADABLE.test(answer.text) || REFUSALS.test(message)) return false;
  return reason !== undefined || (method === 'PATCH' && !PATCH_FAILURES.test(message));
}

/** Refusals that are 500 in the reference, too: of a port, and by a webhook that nobody can call. */
const REFUSALS =
  /^Internal error occurred: (failed to allocate requested HealthCheck NodePort|failed calling webhook) /;

/** A webhook that was made here and that nobody can call, where its policy is to ignore that. */
const WEBHOOK_FAILED = /^shardplane: failed calling webhook .*; writes pass without it$/;

/** What the server has reported besides. */
function reported(): string[] {
  const lines = server.stderr.split('\n');
  return lines.filter((line) => line !== '' && !WEBHOOK_FAILED.test(line));
}

/** A path that ends before it names anything. */
const UNREADABLE = /^Internal Server Error: .*: failed to create RequestInfo: /;

/** What patches are answered with 500 as the reference does. */
const PATCH_FAILURES = new RegExp(
  [
    '^failed to (create (typed (patch|live) object|manager for existing fields)|convert new object)',
    '^unknown patch type: ',
    '^map: [^]* does not contain declared merge key: ',
    '^expected a .*, but received a ',
    '^cannot merge lists without merge key for ',
    '^list element types are not identical: ',
    '^no elements in any of the given slices$',
    '^unable to find api field in ',
    '^merging an object in json but data type is not struct, ',
    '^expected slice or array type, but got: ',
    '^The order in patch list:',
  ].join('|'),
);

/** What is wrong with an object that was just written; '' when nothing is. */
async function problemOf({ method, path }: FuzzCase, { status, json }: Answer): Promise<string> {
  const isWritten = status < 300 && ['POST', 'PUT', 'PATCH'].includes(method);
  if (!isWritten || json?.metadata?.resourceVersion === undefined) return '';
  if (json.kind !== 'Scale' && hasServersOwners(json)) {
    const missing = missingPaths(json);
    if (missing.length > 0) return `owned, but not there: ${missing.slice(0, 3).join('; ')}`;
  }
  const shown = await problemOfForms(path.replace(/\?.*/, ''));
  if (shown !== '' || method === 'POST' || path.includes('dryRun')) return shown;
  const read = await server.get(path.replace(/\?.*/, ''));
  // Another request may have changed or deleted it, and subresources need not be readable.
  if ([404, 405].includes(read.status)) return '';
  const isSame = read.json?.metadata?.resourceVersion === json.metadata.resourceVersion;
  if (read.status !== 200) return `reads back as ${read.status}`;
  const wrong = isSame && JSON.stringify(read.json) !== JSON.stringify(json);
  return wrong ? `reads back as ${read.text.slice(0, 1_000)}` : '';
}

const FORMS = [
  'application/yaml',
  'application/vnd.cluster.protobuf',
  'application/json;as=Table;g=meta.cluster.io;v=v1',
];
let formsTried = 0;

/** Whether an object or list, if it is still there, is shown in one of the other forms. */
async function problemOfForms(path: string): Promise<string> {
  const accept = FORMS[formsTried++ % FORMS.length];
  const { status } = await server.get(path, { accept });
  // Subresources are in no Table.
  return [200, 404, 405, 406].includes(status) ? '' : `${status} as ${accept}`;
}

async function shownFault(sent: FuzzCase, answer: Answer | undefined): Promise<string> {
  const { method, path, body, contentType } = sent;
  const text = typeof body === 'string' ? body : (body?.toString('latin1') ?? '');
  const small = await shrunk(text, async (smaller) => {
    if (typeof body !== 'string' || answer === undefined) return false;
    return isFault(await send({ ...sent, body: smaller }), method);
  });
  const shown = `${answer?.status} ${answer?.json?.message}`;
  return `${shown}: ${method} ${path} ${contentType} ${small.slice(0, 3_000)}`;
}

/** The text of all lists, once nothing changes any more. */
async function allObjects(): Promise<string> {
  const paths = RESOURCES.filter(
    ([, resource, , , verbs]) =>
      !resource.includes('/') && (verbs === 'all' || verbs.includes('watch')),
  ).map(([groupVersion, , kind]) => servedPath(servedResource(groupVersion, kind)));
  let before = '';
  for (let tries = 0; tries < QUIET_TRIES_MAX; tries += 1) {
    const lists = await Promise.all(paths.map((path) => server.get(path)));
    // The version of a list goes on by itself; those of its items stay.
    const now = lists.map(({ json }) => JSON.stringify(json?.items)).join('\n');
    if (now === before) return now;
    before = now;
    await sleep(100);
  }
  return before;
}

t.test(`nothing that is sent makes the server fail (FUZZ_SEED=${SEED})`, async (t) => {
  const until = Date.now() + SECONDS * 1_000;
  const faults = new Map<string, string>();
  const statuses = new Map<number, number>();
  let slowest = { milliseconds: 0, shown: '' };
  let requests = 0;
  const read = async (path: string): Promise<unknown> => {
    const { status, json, text } = await server.get(path);
    return status === 200 && !isDeep(text) ? json : undefined;
  };
  const work = async (): Promise<void> => {
    while (Date.now() < until || requests < REQUESTS_MIN) {
      requests += 1;
      const sent = await cases.next(read);
      const answer = await send(sent);
      const status = answer?.status ?? 0;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const { milliseconds } = answer ?? { milliseconds: PATIENCE_MS };
      if (milliseconds > slowest.milliseconds) {
        const body = sent.body?.toString('latin1').slice(0, 500);
        slowest = { milliseconds, shown: `${sent.method} ${sent.path} ${body}` };
      }
      const what = `${answer?.json?.message} ${sent.path.replace(/\?.*|\/fuzz-\d+/g, '')}`;
      const isBad = isFault(answer, sent.method);
      const problem = isBad || answer === undefined ? '' : await problemOf(sent, answer);
      if (problem !== '') {
        const body = sent.body?.toString('latin1').slice(0, 1_000);
        const where = `${problem.slice(0, 60)} ${sent.path.replace(/\?.*/, '')}`;
        if (faults.size < FAULTS_MAX && !faults.has(where)) {
          faults.set(where, `${problem}: ${sent.method} ${sent.path} ${sent.contentType} ${body}`);
        }
      }
      if (!isBad || faults.has(what) || faults.size >= FAULTS_MAX) continue;
      faults.set(what, '');
      faults.set(what, await shownFault(sent, answer));
    }
  };
  await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, work));
  t.comment(JSON.stringify(Object.fromEntries(statuses)));
  t.comment(`the slowest took ${Math.round(slowest.milliseconds)} ms: ${slowest.shown}`);
  // As JSON: lines of a body would be read as lines of TAP.
  for (const fault of faults.values()) t.fail(`FUZZ_SEED=${SEED}: ${JSON.stringify(fault)}`);
  t.equal(faults.size, 0, 'no fault of the server');
  t.ok((statuses.get(201) ?? 0) > 20 && (statuses.get(200) ?? 0) > 20, 'some of it is accepted');
  t.ok((statuses.get(400) ?? 0) > 20 && (statuses.get(422) ?? 0) > 20, 'and some is refused');
});

t.test('schemas of any depth are answered', async (t) => {
  // One that was made at random, and that nobody can call, might refuse them.
  for (const plural of ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations']) {
    await server.delete(`/apis/admissionregistration.cluster.io/v1/${plural}`);
  }
  const [[, kind] = []] = await servedKinds(server, ['apiextensions/custom-resource-definition']);
  if (kind === undefined) throw new Error('no file of definitions');
  await kind.remove(kind.minimal('deep'));
  const made = await kind.create(kind.minimal('deep'));
  t.equal(made.status, 201, made.text.slice(0, 300));
  for (const [open, close] of [
    ['{"properties":{"a":', '}}'],
    ['{"items":', '}'],
    ['{"items":[', ']}'],
    ['{"not":', '}'],
    ['{"allOf":[', ']}'],
    ['{"additionalProperties":', '}'],
    ['{"default":{"a":', '}}'],
    ['{"enum":[', ']}'],
  ] as const) {
    for (const levels of [30, 300, 4_900, 20_000]) {
      const schema = `${open.repeat(levels)}{}${close.repeat(levels)}`;
      for (const [method, document, path] of [
        ['POST', kind.minimal(`deep-${levels}`), kind.path],
        ['PUT', made.json, kind.pathOf(made.json)],
        ['PUT', made.json, `${kind.pathOf(made.json)}/status`],
      ] as const) {
        const text = JSON.stringify(document).replace('{"type":"object"}', () => schema);
        const answer = await send({ method, path, body: text });
        const shown = `${open} ${levels} ${answer?.text.slice(0, 300)}`;
        t.notOk(isFault(answer), `${method} ${path}: ${answer?.status} ${shown}`);
        t.ok((answer?.text.length ?? 0) < ANSWER_BYTES_MAX, 'and at no great length');
      }
    }
  }
  await expectUnharmed(t, server);
});

t.test('it is unharmed, has nothing to report, and serves after a crash what it had', async (t) => {
  await expectUnharmed(t, server);
  t.same(reported(), [], 'nothing went wrong inside');
  const before = await allObjects();
  await server.kill();
  await server.restart();
  const after = await allObjects();
  const same = after === before;
  t.ok(same, 'all objects are there, as they were');
  t.ok(before.includes('fuzz-1'), 'and some came from here');
  await expectUnharmed(t, server);
  t.same(reported(), []);
});

t.end();
