/** Twenty identities and what each may do, beside what release 1.23.17 decides of the same. */
import t from 'tap';
import { MATRIX_DECISIONS } from '../support/access-decisions.ts';
import {
  IDENTITIES,
  MATRIX_OBJECTS,
  matrixRequests,
  requestText,
  reviewSpec,
} from '../support/access-matrix.ts';
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

/** The decisions as they are written down, from the first request on. */
function decided(bits: string): boolean[] {
  const bytes = Buffer.from(bits, 'base64');
  return requests.map((_request, at) => ((bytes[at >> 3] ?? 0) & (0x80 >> (at & 7))) !== 0);
}

for (const [what, identity] of Object.entries(IDENTITIES)) {
  t.test(`${what}: ${identity.user}`, async (t) => {
    const expected = decided(MATRIX_DECISIONS[what] ?? '');
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
    const expected = decided(MATRIX_DECISIONS[what] ?? '');
    for (const request of sample) {
      const asked = urlOf(request);
      if (asked === undefined) continue;
      const { status, text } = await server.get(asked, {
        'impersonate-user': user,
        'impersonate-group': groups as unknown as string,
      });
      const isAllowed = expected[requests.indexOf(request)];
      t.equal(status !== 403, isAllowed, `${what}: ${requestText(request)}: ${status} ${text}`);
    }
  }
});

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
