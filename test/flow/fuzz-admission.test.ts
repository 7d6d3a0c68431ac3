/**
 * Random requests while random rules of admission hold: webhooks that lie, sleep or are not there,
 * odd quotas, ranges and labels. Whatever they make of it, every request is answered, and never
 * with a fault of the server. `FUZZ_SECONDS` and `FUZZ_SEED` as for `fuzz.test.ts`.
 */
import t from 'tap';
import { startAdmissionWebhook } from '../support/admission-webhook.ts';
import { catalogueFiles } from '../support/catalogue.ts';
import { expectUnharmed } from '../support/expect-status.ts';
import { FuzzAdmission } from '../support/fuzz-admission.ts';
import { isFault, reported, sendFuzzed } from '../support/fuzz-answers.ts';
import { FuzzCases, type FuzzCase } from '../support/fuzz-cases.ts';
import { isDeep } from '../support/fuzz-patches.ts';
import { Random, seedFrom } from '../support/random.ts';
import { freePort } from '../support/server-process.ts';
import { startServer, type Answer } from '../support/server.ts';
import { MODEL } from '../resources/kind-rules.ts';

const SECONDS = Number(process.env['FUZZ_SECONDS'] ?? 0);
const SEED = seedFrom('FUZZ_SEED');
const REQUESTS_AT_ONCE = 8;
const REQUESTS_MIN = 800;
const FAULTS_MAX = 20;
const RULES_EVERY = 7;
const NAMESPACES = ['fuzz-first', 'fuzz-second'] as const;
const KINDS_OF_RULES = /^(Mutating|Validating)Webhook|^Namespace$/;

t.setTimeout((SECONDS + 300) * 1_000);
const catalogue = (await catalogueFiles()).map(({ cases }) => cases);
const server = await startServer({
  test: t,
  args: ['--durability', 'relaxed', '--controllers=*', '--disable-admission-plugins='],
});
const webhook = await startAdmissionWebhook(t);
const random = new Random(SEED);
for (const name of NAMESPACES) await server.post('/api/v1/namespaces', { metadata: { name } });
const cases = NAMESPACES.map((namespace, at) => {
  const includes = (kind: string): boolean => !KINDS_OF_RULES.test(kind);
  return new FuzzCases(MODEL, catalogue, new Random(SEED + at), { namespace, includes });
});
const unreached = `https://127.0.0.1:${await freePort()}/`;
const rules = new FuzzAdmission(random, webhook, unreached, NAMESPACES);

/** The answers of a webhook are its own business, and so is what its patches break. */
function isOfWebhook({ status, json }: Answer): boolean {
  const message = String(json?.message ?? '');
  if (/^admission webhook ".*" denied the request/.test(message)) return true;
  return status === 500 && message.startsWith('Internal error occurred: ');
}

/**
 * Gives the reports besides those of webhooks and quotas that were in the way of its own writes; a
 * webhook may take the name of an object away, too.
 */
function unforeseen(): string[] {
  return reported(server).filter((line) => !OF_RULES.test(line));
}

const OF_RULES =
  /^shardplane[^:]*: [^]*(admission webhook "|failed calling webhook "|Internal error occurred: |is invalid: |exceeded quota: |the name(space)? of the (provided )?object )/;

/** Whether what was written is what is read, as long as nobody writes it again. */
async function problemOf({ method, path }: FuzzCase, { status, json }: Answer): Promise<string> {
  const isWritten = status === 200 && (method === 'PUT' || method === 'PATCH');
  if (!isWritten || path.includes('dryRun')) return '';
  const version: unknown = json?.metadata?.resourceVersion;
  if (version === undefined) return '';
  const read = await server.get(path.replace(/\?.*/, ''));
  if ([404, 405].includes(read.status)) return '';
  if (read.status !== 200) return `reads back as ${read.status}`;
  const isSame = read.json.metadata?.resourceVersion === version;
  const isOther = isSame && JSON.stringify(read.json) !== JSON.stringify(json);
  return isOther ? `reads back as ${read.text.slice(0, 1_000)}` : '';
}

t.test(`whatever the rules of admission are, all is answered (FUZZ_SEED=${SEED})`, async (t) => {
  const until = Date.now() + SECONDS * 1_000;
  const faults = new Map<string, string>();
  const statuses = new Map<number, number>();
  let requests = 0;
  let refused = 0;
  const read = async (path: string): Promise<unknown> => {
    const { status, json, text } = await server.get(path);
    return status === 200 && !isDeep(text) ? json : undefined;
  };
  const work = async (): Promise<void> => {
    while (Date.now() < until || requests < REQUESTS_MIN) {
      requests += 1;
      const isRule = requests % RULES_EVERY === 0;
      const isPlain = requests % 2 === 0;
      const own = isRule ? rules.nextRule() : isPlain ? rules.nextWrite() : undefined;
      const sent: FuzzCase = own
        ? { kind: '', groupVersion: '', subresource: '', ...own }
        : await cases[random.below(cases.length)]!.next(read);
      const answer = await sendFuzzed(server, sent);
      const status = answer?.status ?? 0;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const isTheirs = answer !== undefined && isOfWebhook(answer);
      if (isTheirs) refused += 1;
      const isBad = !isTheirs && isFault(answer, sent.method);
      const problem = isBad
        ? `${status} ${answer?.text.slice(0, 500)}`
        : await problemOf(sent, answer!);
      if (problem === '' || faults.size >= FAULTS_MAX) continue;
      const body = sent.body?.toString('latin1').slice(0, 2_000);
      const where = `${problem.slice(0, 60)} ${sent.path.replace(/\?.*|\/fuzz-\w+/g, '')}`;
      faults.set(where, `${problem}: ${sent.method} ${sent.path} ${sent.contentType} ${body}`);
    }
  };
  await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, work));
  t.comment(JSON.stringify(Object.fromEntries(statuses)));
  t.comment(`${webhook.calls.length} calls of webhooks, ${refused} refusals by them`);
  // As JSON: lines of a body would be read as lines of TAP.
  for (const fault of faults.values()) t.fail(`FUZZ_SEED=${SEED}: ${JSON.stringify(fault)}`);
  t.equal(faults.size, 0, 'no fault of the server');
  t.ok((statuses.get(201) ?? 0) + (statuses.get(200) ?? 0) > 20, 'some of it is accepted');
  t.ok(refused > 10, 'and some is refused by webhooks');
});

t.test('it is unharmed, has nothing to report, and starts with what it has', async (t) => {
  for (const sort of ['mutating', 'validating']) {
    const path = `/apis/admissionregistration.cluster.io/v1/${sort}webhookconfigurations`;
    t.equal((await server.delete(path)).status, 200);
  }
  await expectUnharmed(t, server);
  t.same(unforeseen(), [], 'nothing went wrong inside');
  await server.kill();
  await server.restart();
  await expectUnharmed(t, server);
  t.same(unforeseen(), []);
});

t.end();
