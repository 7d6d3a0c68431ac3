/**
 * Random bodies, queries and deletions at every path: whatever is sent, the server answers, never
 * with a fault of its own, and goes on. `FUZZ_SECONDS` and `FUZZ_SEED` make it longer or the same.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { catalogueFiles } from '../support/catalogue.ts';
import { expectUnharmed } from '../support/expect-status.ts';
import { isFault, reported, sendFuzzed } from '../support/fuzz-answers.ts';
import { FuzzCases, hasServersOwners } from '../support/fuzz-cases.ts';
import type { FuzzCase } from '../support/fuzz-cases.ts';
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
const REQUESTS_MIN = 1_000;
/** The limit of an answer to a smaller body. */
const ANSWER_BYTES_MAX = 1_000_000;
/** Faults that are looked into; the rest is counted. */
const FAULTS_MAX = 40;
/** Controllers finish their work within so many tries. */
const QUIET_TRIES_MAX = 100;

// Requests until then, faults that are looked into, a restart.
t.setTimeout((SECONDS + 300) * 1_000);
const catalogue = (await catalogueFiles()).map(({ cases }) => cases);
const server = await startServer({ test: t, args: ['--runtime-config', 'api/alpha'] });
const cases = new FuzzCases(MODEL, catalogue, new Random(SEED));

/** Tells what is wrong with an object that was just written; '' when nothing is. */
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
    return isFault(await sendFuzzed(server, { ...sent, body: smaller }), method);
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
      const answer = await sendFuzzed(server, sent);
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
  t.ok((statuses.get(201) ?? 0) > 5 && (statuses.get(200) ?? 0) > 5, 'some of it is accepted');
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
        const answer = await sendFuzzed(server, { method, path, body: text });
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
  t.same(reported(server), [], 'nothing went wrong inside');
  const before = await allObjects();
  await server.kill();
  await server.restart();
  const after = await allObjects();
  const same = after === before;
  t.ok(same, 'all objects are there, as they were');
  t.ok(before.includes('fuzz-1'), 'and some came from here');
  await expectUnharmed(t, server);
  t.same(reported(server), []);
});

t.end();
