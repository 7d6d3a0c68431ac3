/** The Scale of custom objects: what it shows, what it changes, and what is refused. */
import t from 'tap';
import type { ApiObject } from '../../src/resources/kind.ts';
import { StatusError } from '../../src/semantics/errors/status.ts';
import { CustomScale } from '../../src/types/custom/custom-scale.ts';

const SCALE = new CustomScale({
  specReplicasPath: '.spec.a.replicas',
  statusReplicasPath: '.status.b.replicas',
  labelSelectorPath: '.status.selector',
});

function object(members: object): ApiObject {
  return { metadata: { name: 'one', uid: 'u', resourceVersion: '7' }, ...members } as ApiObject;
}

function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof StatusError)
      return `${error.code} ${error.status.reason ?? ''} ${error.message}`;
    throw error;
  }
  return '';
}

const set = (stored: object, replicas?: number): ApiObject =>
  SCALE.merge(
    { metadata: { name: 'one' }, ...(replicas !== undefined && { spec: { replicas } }) },
    object(stored),
  );

t.test('what is shown', async (t) => {
  const spec = { a: { replicas: 3 } };
  const status = { b: { replicas: 2 }, selector: 'a=b' };
  t.same(SCALE.membersOf(object({ spec, status })), {
    spec: { replicas: 3 },
    status: { replicas: 2, selector: 'a=b' },
  });
  const none = { replicas: 0, selector: '' };
  t.same(SCALE.membersOf(object({ spec })), { spec: { replicas: 3 }, status: none });
  const long = { a: { replicas: 2n ** 62n + 5n } };
  t.same(SCALE.membersOf(object({ spec: long })), { spec: { replicas: 5 }, status: none });
});

t.test('an object without replicas has no Scale, but can be scaled', async (t) => {
  const missing =
    '500 InternalError Internal error occurred: the spec replicas field ".spec.a.replicas" does not exist';
  for (const members of [{}, { spec: {} }, { spec: { a: null } }, { spec: null }]) {
    t.equal(
      refusal(() => SCALE.membersOf(object(members))),
      missing,
      JSON.stringify(members),
    );
  }
  t.same(set({}, 5)['spec'], { a: { replicas: 5 } });
  t.same(set({ spec: { x: 1 } }, 5)['spec'], { x: 1, a: { replicas: 5 } });
  t.same(set({ spec: {} })['spec'], { a: { replicas: 0 } }, 'a Scale that says none');
  t.equal(
    refusal(() => set({ spec: { a: null } }, 5)),
    '500  value cannot be set because .spec.a is not a map[string]interface{}',
  );
});

t.test('a patch has to set replicas that are not there', async (t) => {
  const { spec } = SCALE.patchedMembersOf(object({ spec: {} }));
  t.same(SCALE.patchedMembersOf(object({ spec: { a: { replicas: 3 } } })).spec, { replicas: 3 });
  t.equal(
    refusal(() => set({ spec: {} }, spec.replicas)),
    '400 BadRequest the spec replicas field ".spec.a.replicas" cannot be empty',
  );
});

t.test('a write changes a copy and brings its version, if it has one', async (t) => {
  const stored = object({ spec: { a: { replicas: 1, other: {} } } });
  const before = structuredClone(stored);
  const scale = {
    metadata: { name: 'one', uid: 'v', resourceVersion: '6' },
    spec: { replicas: 9 },
  };
  const merged = SCALE.merge(scale, stored);
  t.same(stored, before);
  t.same(merged, {
    metadata: { ...stored.metadata, resourceVersion: '6' },
    spec: { a: { replicas: 9, other: {} } },
  });
  t.same(SCALE.merge({ metadata: { name: 'one' } }, stored).metadata, stored.metadata);
});

t.test('a path may have names of the runtime', async (t) => {
  const paths = {
    specReplicasPath: '.spec.__proto__.n',
    statusReplicasPath: '.status.constructor',
  };
  const scale = new CustomScale(paths);
  const merged = scale.merge({ metadata: {}, spec: { replicas: 4 } }, object({}));
  t.equal(JSON.stringify(merged['spec']), '{"__proto__":{"n":4}}');
  t.equal(scale.membersOf(merged).spec.replicas, 4);
  t.equal(scale.membersOf(merged).status.replicas, 0);
});

t.test('what objects are refused for, whoever writes them', async (t) => {
  const wrong = (value: string, type: string): string =>
    `Invalid value: 0: .spec.a.replicas accessor error: ${value} is of the type ${type}, expected int64`;
  const cases: readonly [replicas: unknown, message: string][] = [
    ['x', wrong('x', 'string')],
    [2.5, wrong('2.5', 'float64')],
    [1e20, wrong('1e+20', 'float64')],
    [null, wrong('<nil>', '<nil>')],
    [true, wrong('true', 'bool')],
    [{ b: 1 }, wrong('map[b:1]', 'map[string]interface {}')],
    [-1, 'Invalid value: -1: should be a non-negative integer'],
    [3_000_000_000, 'Invalid value: 3000000000: should be less than or equal to 2147483647'],
    [2n ** 60n, 'Invalid value: 1152921504606846976: should be less than or equal to 2147483647'],
  ];
  for (const [replicas, message] of cases) {
    const expected = { reason: 'FieldValueInvalid', field: '.spec.a.replicas', message };
    t.same(SCALE.specErrors(object({ spec: { a: { replicas } } })), [expected], String(replicas));
  }
  t.same(SCALE.specErrors(object({ spec: { a: { replicas: 5 } } })), []);
  t.same(SCALE.specErrors(object({})), []);
});

t.test('and for what the status has', async (t) => {
  const messages = (status: unknown): string[] =>
    SCALE.statusErrors(object({ status })).map(({ field, message }) => `${field}: ${message}`);
  t.same(messages({ b: { replicas: 2 }, selector: 'a=b' }), []);
  t.same(messages({ b: 5 }), [
    '.status.b.replicas: Invalid value: 0: .status.b.replicas accessor error: 5 is of the type int64, expected map[string]interface{}',
  ]);
  t.same(messages({ selector: 5 }), [
    '.status.selector: Invalid value: "": .status.selector accessor error: 5 is of the type int64, expected string',
  ]);
  t.same(messages({ selector: null, b: { replicas: -1 } }), [
    '.status.b.replicas: Invalid value: -1: should be a non-negative integer',
    '.status.selector: Invalid value: "": .status.selector accessor error: <nil> is of the type <nil>, expected string',
  ]);
});
