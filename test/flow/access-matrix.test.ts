/**
 * Twenty-six identities and what each may do, beside what release 1.23.17 decides of the same: by
 * reviews, and by the answers to the very requests.
 */
import t from 'tap';
import {
  accessCells,
  CELL_OBJECTS,
  WIDGET_DEFINITION,
  WIDGET_PATH,
} from '../support/access-cells.ts';
import type { AccessCell } from '../support/access-cells.ts';
import { CELL_DECISIONS, MATRIX_DECISIONS } from '../support/access-decisions.ts';
import {
  IDENTITIES,
  MATRIX_OBJECTS,
  matrixRequests,
  requestText,
  reviewSpec,
} from '../support/access-matrix.ts';
import type { Identity } from '../support/access-matrix.ts';
import { decisionBits } from '../support/decision-bits.ts';
import { until } from '../support/owned-objects.ts';
import { startServer } from '../support/server.ts';

const REVIEWS = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
const AT_ONCE = 64;

const server = await startServer({
  test: t,
  args: ['--api-domain', 'k8s.io', '--durability', 'relaxed'],
});
const requests = matrixRequests();

t.test('the objects that decide', async (t) => {
  for (const { path, object } of MATRIX_OBJECTS) {
    const { status, text } = await server.post(path, object);
    t.equal(status, 201, text);
  }
  t.ok(requests.length * Object.keys(IDENTITIES).length >= 2_000, 'a large matrix');
});

for (const [what, identity] of Object.entries(IDENTITIES)) {
  t.test(`${what}: ${identity.user}`, async (t) => {
    const expected = decisionBits(MATRIX_DECISIONS[what] ?? '', requests.length);
    const others: string[] = [];
    for (let at = 0; at < requests.length; at += AT_ONCE) {
      const asked = requests.slice(at, at + AT_ONCE);
      const answers = await Promise.all(
        asked.map((request) => server.post(REVIEWS, { spec: reviewSpec(identity, request) })),
      );
      answers.forEach(({ json }, index) => {
        const request = asked[index];
        const isAllowed = json.status.allowed === true;
        if (request === undefined || isAllowed === expected[at + index]) return;
        others.push(`${isAllowed ? 'may' : 'may not'} ${requestText(request)}`);
      });
    }
    t.same(others, []);
  });
}

t.test('requests are decided as reviews say', async (t) => {
  const sample = requests.filter((request) => 'path' in request || request.verb === 'list');
  for (const what of ['viewer', 'editor', 'reader', 'named', 'account', 'node']) {
    const { user, groups } = IDENTITIES[what] ?? { user: '', groups: [] };
    const expected = decisionBits(MATRIX_DECISIONS[what] ?? '', requests.length);
    for (const request of sample) {
      const asked = urlOf(request);
      if (asked === undefined) continue;
      const { status, text } = await server.get(asked, headersOf({ user, groups }));
      const isAllowed = expected[requests.indexOf(request)];
      t.equal(status !== 403, isAllowed, `${what}: ${requestText(request)}: ${status} ${text}`);
    }
  }
});

/** As somebody else. */
function headersOf({ user, groups }: Identity): Record<string, string> {
  return { 'impersonate-user': user, 'impersonate-group': groups as unknown as string };
}

const cells = accessCells();

t.test('the objects that are asked for', async (t) => {
  const { path, object } = WIDGET_DEFINITION;
  t.equal((await server.post(path, object)).status, 201);
  await until(async () => (await server.get(WIDGET_PATH)).status === 200);
  for (const { path, object } of CELL_OBJECTS) {
    const { status, text } = await server.post(path, object);
    t.equal(status, 201, text);
  }
});

/** Whether the request is answered anything but 403; what it has made is gone afterwards. */
async function isAllowed(cell: AccessCell, identity: Identity): Promise<boolean> {
  const { method, path, type, body, made, isWatch } = cell;
  const headers = headersOf(identity);
  if (isWatch) {
    const watch = await server.watch(path, headers);
    watch.close();
    return watch.status !== 403;
  }
  const { status } = await server.request(method, path, body, {
    ...headers,
    ...(body !== undefined && { 'content-type': type }),
  });
  if (made !== undefined && status === 201) await server.delete(made);
  return status !== 403;
}

for (const [what, identity] of Object.entries(IDENTITIES)) {
  t.test(`what ${what} asks for`, async (t) => {
    const bits = decisionBits(CELL_DECISIONS[what] ?? '', cells.length);
    const noted = new Map(cells.map((cell, at) => [cell.what, bits[at]]));
    const others: string[] = [];
    const ask = async (cell: AccessCell): Promise<void> => {
      const expected = noted.get(cell.decidedAs ?? cell.what);
      const isAnswered = await isAllowed(cell, identity);
      if (isAnswered !== expected) others.push(`${isAnswered ? 'may' : 'may not'} ${cell.what}`);
    };
    await Promise.all(cells.filter(({ made }) => made === undefined).map(ask));
    for (const cell of cells.filter(({ made }) => made !== undefined)) await ask(cell);
    t.same(others, []);
  });
}

/** Undefined for what no request can ask. */
function urlOf(request: (typeof requests)[number]): string | undefined {
  if ('path' in request) return request.verb === 'get' ? request.path : undefined;
  const { group, resource, subresource, namespace, name } = request;
  if (resource === '*' || subresource !== '' || name !== '') return undefined;
  // A collection is of no namespace.
  if (resource === 'namespaces' && namespace !== '') return undefined;
  const of = group === '' ? '/api/v1' : `/apis/${group}/v1`;
  const within = namespace === '' ? '' : `/namespaces/${namespace}`;
  return `${of}${within}/${resource}`;
}
