/**
 * Twenty-six identities and what each may do, beside what the reference decides of the same: by
 * reviews, and by the answers to the very requests.
 */
import t from 'tap';
import { accessCells, CELL_OBJECTS, WIDGET_DEFINITION, WIDGET_PATH } from './access-cells.ts';
import type { AccessCell } from './access-cells.ts';
import {
  IDENTITIES,
  MATRIX_OBJECTS,
  matrixRequests,
  requestText,
  reviewSpec,
} from './access-matrix.ts';
import type { Identity, MatrixRequest } from './access-matrix.ts';
import { decisionBits } from './decision-bits.ts';
import { until } from './owned-objects.ts';
import { startServer, type Server } from './server.ts';

const REVIEWS = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
const AT_ONCE = 64;
const SAMPLED = ['viewer', 'editor', 'reader', 'named', 'account', 'node'];

/** By identity, as `access-decisions.ts` has them. */
export interface AccessDecisions {
  readonly reviews: Readonly<Record<string, string>>;
  readonly cells: Readonly<Record<string, string>>;
}

/** Tests a server of its own, which has these flags too. */
export async function testAccess(decisions: AccessDecisions, ...flags: string[]): Promise<void> {
  const server = await startServer({
    test: t,
    args: ['--api-domain', 'k8s.io', '--durability', 'relaxed', ...flags],
  });
  await testReviews(server, decisions);
  await testCells(server, decisions);
}

async function testReviews(server: Server, { reviews }: AccessDecisions): Promise<void> {
  const requests = matrixRequests();
  const bitsOf = (what: string) => decisionBits(reviews[what] ?? '', requests.length);

  await t.test('the objects that decide', async (t) => {
    for (const { path, object } of MATRIX_OBJECTS) {
      const { status, text } = await server.post(path, object);
      t.equal(status, 201, text);
    }
    t.ok(requests.length * Object.keys(IDENTITIES).length >= 2_000, 'a large matrix');
  });

  for (const [what, identity] of Object.entries(IDENTITIES)) {
    await t.test(`${what}: ${identity.user}`, async (t) => {
      const expected = bitsOf(what);
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

  await t.test('requests are decided as reviews say', async (t) => {
    const sample = requests.filter((request) => 'path' in request || request.verb === 'list');
    for (const what of SAMPLED) {
      const headers = headersOf(IDENTITIES[what] ?? { user: '', groups: [] });
      const expected = bitsOf(what);
      for (const request of sample) {
        const asked = urlOf(request);
        if (asked === undefined) continue;
        const { status, text } = await server.get(asked, headers);
        const isAllowed = expected[requests.indexOf(request)];
        t.equal(status !== 403, isAllowed, `${what}: ${requestText(request)}: ${status} ${text}`);
      }
    }
  });
}

async function testCells(server: Server, decisions: AccessDecisions): Promise<void> {
  const cells = accessCells();
  await t.test('the objects that are asked for', async (t) => {
    const { path, object } = WIDGET_DEFINITION;
    t.equal((await server.post(path, object)).status, 201);
    await until(async () => (await server.get(WIDGET_PATH)).status === 200);
    for (const { path, object } of CELL_OBJECTS) {
      const { status, text } = await server.post(path, object);
      t.equal(status, 201, text);
    }
  });

  for (const [what, identity] of Object.entries(IDENTITIES)) {
    await t.test(`what ${what} asks for`, async (t) => {
      const bits = decisionBits(decisions.cells[what] ?? '', cells.length);
      const noted = new Map(cells.map((cell, at) => [cell.what, bits[at]]));
      const others: string[] = [];
      const ask = async (cell: AccessCell): Promise<void> => {
        const expected = noted.get(cell.decidedAs ?? cell.what);
        const isAnswered = await isAllowed(server, cell, identity);
        if (isAnswered !== expected) others.push(`${isAnswered ? 'may' : 'may not'} ${cell.what}`);
      };
      await Promise.all(cells.filter(({ made }) => made === undefined).map(ask));
      for (const cell of cells.filter(({ made }) => made !== undefined)) await ask(cell);
      t.same(others, []);
    });
  }
}

/** As somebody else. */
function headersOf({ user, groups }: Identity): Record<string, string> {
  return { 'impersonate-user': user, 'impersonate-group': groups as unknown as string };
}

/** Whether the request is answered anything but 403; what it has made is gone afterwards. */
async function isAllowed(
  server: Server,
  { method, path, type, body, made, isWatch }: AccessCell,
  identity: Identity,
): Promise<boolean> {
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

/** Undefined for what no request can ask. */
function urlOf(request: MatrixRequest): string | undefined {
  if ('path' in request) return request.verb === 'get' ? request.path : undefined;
  const { group, resource, subresource, namespace, name } = request;
  if (resource === '*' || subresource !== '' || name !== '') return undefined;
  // A collection is of no namespace.
  if (resource === 'namespaces' && namespace !== '') return undefined;
  const of = group === '' ? '/api/v1' : `/apis/${group}/v1`;
  const within = namespace === '' ? '' : `/namespaces/${namespace}`;
  return `${of}${within}/${resource}`;
}
