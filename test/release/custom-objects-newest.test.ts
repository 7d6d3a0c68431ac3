/** Writes of custom objects as the newest release answers them. */
import t from 'tap';
import { customDefinition, definedVersion, established } from '../support/custom-types.ts';
import { startServer } from '../support/server.ts';

const server = await startServer({ test: t, args: ['--release', '1.37'] });
const SITES = '/apis/shop.test/v1/namespaces/default/sites';
const MERGE = { 'content-type': 'application/merge-patch+json' };
const APPLY = { 'content-type': 'application/apply-patch+yaml' };
const TYPE = { apiVersion: 'shop.test/v1', kind: 'Site' };

const named = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name'],
  items: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
};
const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        email: { type: 'string', format: 'email' },
        size: { type: 'number' },
        count: { type: 'integer', format: 'int64' },
        owner: {
          type: 'object',
          minProperties: 1,
          required: ['name'],
          properties: { name: { type: 'string' } },
        },
      },
      'x-kubernetes-validations': [{ rule: '!has(self.size) || self.size < 9.0' }],
    },
    status: { type: 'object', properties: { named } },
  },
};
await established(
  server,
  customDefinition('shop.test', 'Site', [
    definedVersion('v1', {
      storage: true,
      subresources: { status: {} },
      schema: { openAPIV3Schema: schema },
    }),
  ]),
);
await server.post(SITES, { ...TYPE, metadata: { name: 'one' } });

async function patched(path: string, patch: string) {
  const { status, json } = await server.request('PATCH', path, patch, MERGE);
  return [status, json.message];
}

t.test('lists of the status have no items twice', async (t) => {
  const patch = JSON.stringify({ status: { named: [{ name: 'a' }, { name: 'a' }] } });
  const [status, message] = await patched(`${SITES}/one/status`, patch);
  t.equal(status, 422);
  t.match(message, /: status\.named\[1\]: Duplicate value: \{"name":"a"\}$/);
});

t.test('writers are warned of finalizers that have no domain, or no path', async (t) => {
  const why = 'to avoid accidental conflicts with other finalizer writers';
  const told = (finalizer: string, path = ''): string =>
    `299 - "metadata.finalizers: \\"${finalizer}\\": ` +
    `prefer a domain-qualified finalizer name${path} ${why}"`;
  const metadata = { name: 'two', finalizers: ['keep', 'shop.test/keep'] };
  const made = await server.post(SITES, { ...TYPE, metadata });
  t.equal(made.headers['warning'], told('keep'));
  const patch = JSON.stringify({ metadata: { finalizers: ['keep', 'shop.test'] } });
  const changed = await server.request('PATCH', `${SITES}/two`, patch, MERGE);
  t.equal(changed.headers['warning'], told('shop.test', ' including a path (/)'));
});

t.test('a merge patch with a number that is none is no patch', async (t) => {
  const error = 'json: cannot unmarshal number 1e400 into Go value of type float64';
  t.same(await patched(`${SITES}/one`, '{"spec":{"size":1e400}}'), [
    400,
    `error decoding patch: ${error}`,
  ]);
});

t.test('a number for a text of a format is refused by the schema', async (t) => {
  const body = JSON.stringify({ ...TYPE, metadata: { name: 'one' }, spec: { email: 7 } });
  const { status, json } = await server.request(
    'PATCH',
    `${SITES}/one?fieldManager=a`,
    body,
    APPLY,
  );
  t.equal(status, 422);
  t.match(json.message, /spec\.email: Invalid value: "int64": spec\.email in body must be of/);
});

t.test('members that come twice are warned of with their paths', async (t) => {
  const twice = '"spec":{"size":1,"size":2,"x\\u0000":1},"also":[{"a":1,"a":1}]';
  const body = (name: string): string =>
    `{"apiVersion":"shop.test/v1","kind":"Site","metadata":{"name":"${name}"},${twice}}`;
  const made = await server.request('POST', SITES, body('three'));
  t.equal(made.status, 201);
  const also = '299 - "duplicate field \\"also[0].a\\""';
  const size = '299 - "duplicate field \\"spec.size\\""';
  t.equal(made.headers['warning'], `${size}, ${also}, 299 - "unknown field \\"also\\""`);
  const strict = await server.request('POST', `${SITES}?fieldValidation=Strict`, body('four'));
  t.equal(strict.status, 400);
  t.match(strict.json.message, /: strict decoding error: duplicate field "spec\.size", duplicate/);
  const text = body('five').replace(/,"x.*/, '}}');
  const applied = await server.request('PATCH', `${SITES}/five?fieldManager=a`, text, APPLY);
  t.equal(applied.headers['warning'], '299 - "line 1: key \\"size\\" already set in map"');
});

t.test('rules are not checked on an object that lacks a name', async (t) => {
  const { status, json } = await server.post(SITES, { ...TYPE, metadata: {}, spec: { size: 10 } });
  t.equal(status, 422);
  const causes = json.details.causes.map(({ field }: { field: string }) => field);
  t.same(causes, ['metadata.name', '<nil>']);
});

t.test(
  'an object with too few members is told with what it lacks, and how many it has',
  async (t) => {
    const { json } = await server.post(SITES, {
      ...TYPE,
      metadata: { name: 'six' },
      spec: { owner: {} },
    });
    const has = 'Invalid value: 0: spec.owner in body should have at least 1 properties';
    t.match(json.message, `[spec.owner: ${has}, spec.owner.name: Required value, <nil>: `);
  },
);

t.test('an integer that is too small for its format is out of its range', async (t) => {
  const spec = '{"count":-9223372036854775809}';
  const body = `{"apiVersion":"shop.test/v1","kind":"Site","metadata":{"name":"x"},"spec":${spec}}`;
  const { json } = await server.request('POST', SITES, body);
  const range = 'Checked value must be of type integer with format int64 in spec.count';
  t.equal(json.details.causes[1].message, `Invalid value: "": ${range}`);
});

t.test('an object says of itself which type it is', async (t) => {
  const text = '{"metadata":{"name":"x"}}';
  const message =
    'the object provided is unrecognized (must be of type Site): ' +
    `Object 'Kind' is missing in '${text}' (${text})`;
  t.match(await server.request('POST', SITES, text), { status: 400, json: { message } });
  const body = { kind: 'Site', metadata: { name: 'one' } };
  const other = 'the API version in the data () does not match the expected API version';
  for (const [method, path] of [
    ['POST', SITES],
    ['PUT', `${SITES}/one`],
  ] as const) {
    const { status, json } = await server.request(method, path, JSON.stringify(body));
    t.same([status, json.message], [400, `${other} (shop.test/v1)`]);
  }
});
