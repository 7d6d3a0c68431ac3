/**
 * Patches and applies made to hurt: deep, huge, self-multiplying, with keys that JavaScript minds.
 * Each is answered in bounded time, beside other requests, and leaves neither rubbish nor memory.
 */
import t, { type Test } from 'tap';
import { expectUnharmed } from '../support/expect-status.ts';
import { hurt, members, nested, residentMib, target, times } from '../support/hostile-patches.ts';
import type { TestObject } from '../support/kinds.ts';
import { sendPatch, type PatchType } from '../support/send-patch.ts';
import { startServer } from '../support/server.ts';

/** The runtime keeps empty pages for a while: most of it is that. */
const GROWTH_MIB_MAX = 400;
const LEVELS = 9_990;
const MANY = 10_000;
const CRDS = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';

// The runner ends a file that takes longer.
const server = await startServer({ test: t });

function applied(data: string, metadata = '{}'): string {
  return `{"apiVersion":"v1","kind":"ConfigMap","metadata":${metadata},"data":${data}}`;
}

type Case = readonly [what: string, type: PatchType, body: string, status: number];

/** Each on an object of its own, which goes afterwards. */
async function hurtAll(t: Test, cases: readonly Case[]): Promise<void> {
  for (const [what, type, body, status] of cases) {
    const path = await target(server);
    const answer = await hurt(t, server, what, path, type, body);
    t.equal(answer.status, status, `${what}: ${answer.text.slice(0, 300)}`);
    const metadata = { finalizers: null };
    const after = await sendPatch(server, path, 'merge', { metadata, data: { after: '1' } });
    t.equal(after.status, 200, `${what}: and can be patched on: ${after.text.slice(0, 300)}`);
    await server.delete(path);
  }
}

const ANYTHING = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

t.test('nesting', async (t) => {
  const types = ['merge', 'strategic'] as const;
  const deepJson = (path: string): string =>
    `[{"op":"add","path":"${path}","value":${nested(LEVELS)}}]`;
  await hurtAll(t, [
    ...types.flatMap((type): Case[] => [
      ['known', type, `{"data":${nested(LEVELS)}}`, 422],
      ['unknown', type, `{"x":${nested(LEVELS)}}`, 200],
      ['lists', type, `{"metadata":{"finalizers":${nested(LEVELS, '[', ']')}}}`, 422],
    ]),
    ['known to apply', 'apply', applied(nested(LEVELS)), 500],
    ['lists to apply', 'apply', applied('{}', `{"finalizers":${nested(LEVELS, '[', ']')}}`), 500],
    ['added', 'json', deepJson('/data/key'), 422],
    ['tested', 'json', `[{"op":"test","path":"/data","value":${nested(LEVELS)}}]`, 422],
    [
      'added twice',
      'json',
      `${deepJson('/x').slice(0, -1)},${deepJson(`/x${'/a'.repeat(LEVELS - 1)}`).slice(1)}`,
      422,
    ],
    [
      'copied into itself',
      'json',
      `${deepJson('/x').slice(0, -1)},{"op":"copy","from":"/x","path":"/x${'/a'.repeat(LEVELS)}"}]`,
      422,
    ],
    [
      'said of owners',
      'merge',
      '{"metadata":{"managedFields":[{"manager":"me","operation":"Update","apiVersion":"v1",' +
        `"fieldsType":"FieldsV1","fieldsV1":${nested(LEVELS - 10, '{"f:a":').replace('1', '{}')}}]}}`,
      200,
    ],
  ]);
  const made = await server.post(CRDS, {
    metadata: { name: 'foos.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Cluster',
      names: { plural: 'foos', kind: 'Foo' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { any: ANYTHING } } },
        },
      ],
    },
  });
  t.equal(made.status, 201, made.text.slice(0, 300));
  const schema = '/spec/versions/0/schema/openAPIV3Schema';
  for (const [levels, path, status] of [
    [4_900, `${schema}/properties/any/default`, 200],
    [4_900, `${schema}/properties/any/default${'/a'.repeat(4_899)}`, 200],
    [4_900, `${schema}/properties/any/default${'/a'.repeat(9_798)}`, 422],
    [4_900, `${schema}/not`, 200],
  ] as const) {
    const body = `[{"op":"add","path":"${path}","value":${nested(levels)}}]`;
    const what = `raw at ${path.length}`;
    const answer = await hurt(t, server, what, `${CRDS}/foos.example.com`, 'json', body);
    t.equal(answer.status, status, answer.text.slice(0, 300));
  }
  await server.delete(`${CRDS}/foos.example.com`);
});

t.test('keys that JavaScript minds', async (t) => {
  for (const key of ['__proto__', 'constructor', 'prototype', 'hasOwnProperty', '$patch']) {
    const quoted = JSON.stringify(key);
    const path = await target(server);
    const bodies: readonly (readonly [PatchType, string])[] = [
      ['merge', `{${quoted}:{"polluted":"1"},"metadata":{${quoted}:{"polluted":"1"}}}`],
      ['merge', `{"metadata":{"labels":{${quoted}:"1"}},"data":{${quoted}:"1"}}`],
      ['merge', `{"data":{${quoted}:"1"}}`],
      ['strategic', `{${quoted}:{"polluted":"1"},"data":{${quoted}:"2"}}`],
      ['json', `[{"op":"add","path":"/data/${key}","value":"3"}]`],
      [
        'json',
        `[{"op":"add","path":"/${key}","value":{}},{"op":"add","path":"/${key}/p","value":1}]`,
      ],
      ['json', `[{"op":"add","path":"/metadata/${key}/polluted","value":"1"}]`],
      ['json', `[{"op":"copy","from":"/${key}","path":"/data"}]`],
      ['json', `[{"op":"add","path":"/data/${key}/polluted","value":"1"}]`],
      ['apply', applied(`{${quoted}:"4"}`)],
      ['apply', `apiVersion: v1\nkind: ConfigMap\n${key}: {polluted: 1}\n`],
      ['apply', `apiVersion: v1\nkind: ConfigMap\ndata: {${key}: '5'}\n`],
    ];
    for (const [type, body] of bodies) {
      const answer = await sendPatch(
        server,
        `${path}?fieldManager=me${type === 'apply' ? '&force=true' : ''}`,
        type,
        body,
      );
      t.notMatch(answer.text, '"polluted":', body);
      t.ok(answer.status < 500 || !('reason' in answer.json), `${body}: ${answer.text}`);
    }
    const { data } = (await server.get(path)).json as TestObject;
    const expected = key === '$patch' ? undefined : '5';
    if (expected !== undefined) {
      t.equal(Object.getOwnPropertyDescriptor(data, key)?.value, expected, `${key} is a key`);
    }
    await expectUnharmed(t, server);
  }
});

t.test('operations without end', async (t) => {
  const add = (index: number): string =>
    `{"op":"add","path":"/data/k${index % 100}","value":"${index}"}`;
  const tests = (value: string, repeated: number): string =>
    `[{"op":"add","path":"/data","value":${value}},` +
    `${times(repeated, () => `{"op":"test","path":"/data","value":${value}}`).join(',')}]`;
  const finalizers = '{"op":"add","path":"/metadata/finalizers","value":[]}';
  const front = (index: number): string =>
    `{"op":"add","path":"/metadata/finalizers/0","value":"example.com/f${index}"}`;
  const bomb = times(60, () => '{"op":"copy","from":"/x","path":"/x/-"}').join(',');
  await hurtAll(t, [
    ['10,000 operations', 'json', `[${times(10_000, add).join(',')}]`, 200],
    ['10,001 operations', 'json', `[${times(10_001, add).join(',')}]`, 413],
    ['at the front', 'json', `[${finalizers},${times(9_999, front).join(',')}]`, 200],
    ['a huge index', 'json', `[${finalizers},${front(0).replace('/0"', '/4294967294"')}]`, 422],
    ['a huger index', 'json', `[${finalizers},${front(0).replace('/0"', '/1e9"')}]`, 422],
    ['copies of copies', 'json', `[{"op":"add","path":"/x","value":["a"]},${bomb}]`, 422],
    [
      'large tests',
      'json',
      tests(
        members(1_500, (index) => `k${index}`, '"v"'),
        150,
      ),
      200,
    ],
    [
      'many tests of something large',
      'json',
      `[{"op":"add","path":"/data","value":${members(MANY, (index) => `k${index}`, '"v"')}},` +
        `${times(9_900, () => '{"op":"test","path":"/data","value":{}}').join(',')}]`,
      422,
    ],
    [
      'moves of something large',
      'json',
      `[{"op":"add","path":"/x","value":${members(MANY, (index) => `k${index}`, '"v"')}},` +
        times(
          4_999,
          () => '{"op":"move","from":"/x","path":"/y"},{"op":"move","from":"/y","path":"/x"}',
        ).join(',') +
        ']',
      200,
    ],
  ]);
});

t.test('much of everything', async (t) => {
  const keys = (total: number, value = '"v"'): string => members(total, (at) => `k${at}`, value);
  const repeated = `{${times(200_000, () => '"k":"v"').join(',')}}`;
  const owners = times(MANY, (at) => ({
    apiVersion: 'v1',
    kind: 'A',
    name: `n${at}`,
    uid: `u${at}`,
  }));
  const finalizers = times(MANY, (at) => `example.com/f${at}`);
  const metadata = (what: object): string => JSON.stringify({ metadata: what });
  const uids = owners.map(({ uid }) => ({ uid })).toReversed();
  await hurtAll(t, [
    ['a value of 3 MiB', 'merge', `{"data":{"a":"${'x'.repeat(3 * 1024 * 1024 - 20)}"}}`, 422],
    ['of another type', 'merge', `{"data":{"a":"${'\\n'.repeat(1_500_000)}","b":1}}`, 422],
    ['100,000 keys', 'merge', `{"data":${keys(100_000)}}`, 200],
    ['100,000 removals', 'merge', `{"data":${keys(100_000, 'null')}}`, 200],
    ['50,000 keys', 'apply', applied(keys(50_000)), 200],
    ['50,000 annotations', 'apply', applied('{}', `{"annotations":${keys(50_000)}}`), 422],
    ['one key', 'apply', applied(repeated), 200],
    ['one key', 'merge', `{"data":${repeated}}`, 200],
    ['owners', 'apply', applied('{}', `{"ownerReferences":${JSON.stringify(owners)}}`), 200],
    [
      'one owner',
      'apply',
      applied(
        '{}',
        metadata({ ownerReferences: times(MANY, () => owners[0]) }).slice(
          '{"metadata":'.length,
          -1,
        ),
      ),
      500,
    ],
    ['owners', 'merge', metadata({ ownerReferences: owners }), 200],
    [
      'owners in order',
      'strategic',
      metadata({ ownerReferences: owners.toReversed(), '$setElementOrder/ownerReferences': uids }),
      200,
    ],
    ['finalizers', 'apply', applied('{}', `{"finalizers":${JSON.stringify(finalizers)}}`), 200],
    [
      'finalizers in order',
      'strategic',
      metadata({
        finalizers: finalizers.toReversed(),
        '$setElementOrder/finalizers': finalizers.toReversed(),
      }),
      200,
    ],
    [
      'no finalizers',
      'strategic',
      metadata({ '$deleteFromPrimitiveList/finalizers': finalizers }),
      200,
    ],
  ]);
});

t.test('lists of parts', async (t) => {
  const labels = { app: 'parts' };
  const deployment = (containers: readonly object[]): string =>
    JSON.stringify({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'parts' },
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers } },
      },
    });
  const env = (value: string): object[] => times(MANY, (at) => ({ name: `E${at}`, value }));
  const withEnv = (parts: object): object[] => [
    { name: 'main', image: 'example.com/a:1', ...parts },
  ];
  const names = times(MANY, (at) => ({ name: `E${at}` })).toReversed();
  const many = times(MANY, (at) => ({ name: `c${at}`, image: 'a' }));
  const deleted = env('').map((item) => ({ ...item, $patch: 'delete' }));
  const inPod = (parts: object): string =>
    JSON.stringify({ spec: { template: { spec: { containers: [{ name: 'main', ...parts }] } } } });
  const cases: readonly Case[] = [
    ['variables', 'apply', deployment(withEnv({ env: env('a') })), 201],
    ['others in another order', 'apply', deployment(withEnv({ env: env('b').toReversed() })), 200],
    [
      'one variable',
      'apply',
      deployment(withEnv({ env: times(MANY, () => ({ name: 'E' })) })),
      500,
    ],
    [
      'in order',
      'strategic',
      inPod({ env: env('c').toReversed(), '$setElementOrder/env': names }),
      200,
    ],
    ['out of order', 'strategic', inPod({ env: env('d'), '$setElementOrder/env': names }), 500],
    ['deleted', 'strategic', inPod({ env: deleted }), 200],
    ['containers', 'apply', deployment(many), 200],
    ['containers twice', 'apply', deployment([...many, ...many.slice(MANY / 2)]), 500],
  ];
  for (const [what, type, body, status] of cases) {
    const answer = await hurt(t, server, what, `${DEPLOYMENTS}/parts`, type, body);
    t.equal(answer.status, status, `${what}: ${answer.text.slice(0, 300)}`);
  }
  await server.delete(`${DEPLOYMENTS}/parts`);
});

t.test('owners that a client makes up', async (t) => {
  const owner = { operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1' };
  const owned = (fields: string, entries = 1): string => {
    const entry = (at: number): string => {
      const text = JSON.stringify({ manager: `m${at}`, ...owner, fieldsV1: 0 });
      return text.replace('"fieldsV1":0', () => `"fieldsV1":${fields}`);
    };
    return `{"metadata":{"managedFields":[${times(entries, entry).join(',')}]},"data":{"a":"b"}}`;
  };
  const uids = members(60_000, (at) => `k:{"uid":"${60_000 - at}"}`, '{}');
  await hurtAll(t, [
    [
      '100,000 paths',
      'merge',
      owned(`{"f:data":${members(100_000, (at) => `f:k${at}`, '{}')}}`),
      200,
    ],
    ['60,000 keys', 'merge', owned(`{"f:metadata":{"f:ownerReferences":${uids}}}`), 200],
    [
      '500 entries',
      'merge',
      owned(`{"f:data":${members(100, (at) => `f:k${at}`, '{}')}}`, 500),
      200,
    ],
    ['a long name', 'merge', owned(`{"f:${'x'.repeat(1_000_000)}":{}}`), 200],
    [
      'a long key',
      'merge',
      owned(`{"f:a":{"k:{\\"a\\":\\"${'x'.repeat(1_000_000)}\\"}":{}}}`),
      200,
    ],
    ['a long number', 'merge', owned(`{"f:a":{"i:${'9'.repeat(1_000_000)}":{}}}`), 200],
    [
      '100,000 managers',
      'merge',
      `{"metadata":{"managedFields":[${times(100_000, () => '{}').join(',')}]}}`,
      200,
    ],
  ]);
});

t.test('configurations that are none', async (t) => {
  const alias = (at: number): string =>
    `a${at}: &a${at} [${times(9, () => `*a${at - 1}`).join(',')}]`;
  const bomb = `apiVersion: v1\nkind: ConfigMap\na0: &a0 [x]\n${times(12, (at) => alias(at + 1)).join('\n')}`;
  const merge = `a: &a {b: c}\n${times(5_000, () => '<<: *a').join('\n')}`;
  await hurtAll(t, [
    ...[
      'null',
      '[]',
      '1',
      '""',
      '',
      '{}',
      '---',
      '--- {}\n--- {}',
      '"a"',
      'a: *b',
      '&a [*a]',
      '\u0000',
    ].map((body): Case => [JSON.stringify(body), 'apply', body, 400]),
    ['aliases of aliases', 'apply', bomb, 400],
    ['merge keys', 'apply', merge, 400],
    ['open brackets', 'apply', '['.repeat(200_000), 400],
    ['indented', 'apply', times(600, (at) => `${' '.repeat(at)}a:`).join('\n'), 400],
    [
      'quotes',
      'apply',
      `apiVersion: v1\nkind: ConfigMap\ndata:\n  a: "${'\\x41'.repeat(50_000)}"`,
      200,
    ],
  ]);
});

t.test('memory does not stay taken', async (t) => {
  await expectUnharmed(t, server);
  const grown = Math.round(residentMib(server) - started);
  t.ok(grown <= GROWTH_MIB_MAX, `${grown} MiB more`);
  t.equal(server.stderr, '', 'nothing went wrong inside');
});

const started = residentMib(server);

t.end();
