// Server-side apply around its merge, which test/apply covers.
import t from 'tap';
import type { Members } from '../../../src/codec/model/schema-model.ts';
import {
  ApplyConflictError,
  applyConfig,
  type Applied,
  type ApplyInput,
} from '../../../src/semantics/fields/apply.ts';
import { setOfPaths } from '../../../src/semantics/fields/field-set.ts';
import type { ManagedEntry } from '../../../src/semantics/fields/managed-fields.ts';
import { TypedError } from '../../../src/semantics/fields/typed-error.ts';
import { scenarios, schema } from '../../support/apply-scenario.ts';

const OBJECT = schema(
  `
  message Object {
    optional Meta metadata = 1 [(always) = true];
    map<string, string> data = 2;
    optional string text_@ = 3;
    optional Part spec = 4;
    optional Part status = 5;
  }
  message Meta {
    optional string name = 1;
    optional string uid = 2;
    map<string, string> labels = 3;
    map<string, string> annotations = 4;
  }
  message Part { optional string a = 1; optional string b = 2; repeated string list = 3; }
`,
  {
    zero: { apiVersion: 'v1', kind: 'Object', metadata: {} },
    ownable: {
      '': { except: setOfPaths([['f:status']]) },
      status: { only: setOfPaths([['f:status']]) },
    },
  },
);

t.test('objects that nobody owned anything of', async (t) => {
  scenarios(t, OBJECT, {
    'an apply creates': `
      apply ann      {kind: Object, metadata: {name: x, labels: {a: b}}, data: {k: v}}
      is             {apiVersion: v1, kind: Object,
                      metadata: {name: x, labels: {a: b}}, data: {k: v}}
      applied ann    .metadata.labels.a .data.k`,
    'what was there belongs to somebody of before': `
      given          {metadata: {name: x, uid: u, labels: {a: b}}, data: {k: v}, status: {a: c}}
      at 5
      apply ann      {metadata: {name: x}, data: {l: w}}
      applied ann at 5                 .data.l
      updated before-first-apply at 5  .metadata.labels{,.a} .data{,.k}`,
    'also where the config says nothing': `
      given          {metadata: {name: x}, data: {k: v}}
      apply ann      {metadata: {name: x}}
      is             {metadata: {name: x}, data: {k: v}}
      updated before-first-apply  .data{,.k}`,
    'against whom there are conflicts': `
      given          {metadata: {name: x}, data: {k: v}}
      apply ann      {data: {k: w}}
      conflict       updated before-first-apply .data.k
      unowned
      force ann      {data: {k: w}}
      applied ann                 .data.k
      updated before-first-apply  .data`,
    'through a subresource': `
      given            {metadata: {name: x}, spec: {a: b}, status: {a: c}}
      apply ann on status {status: {b: d}}
      applied ann on status                 .status.b
      updated before-first-apply on status  .status.a`,
    'an object with nothing in it': `
      given          {metadata: {name: x}}
      apply ann      {metadata: {name: x}}
      unowned
      same`,
  });
});

t.test('times and no-ops', async (t) => {
  scenarios(t, OBJECT, {
    'the same again changes nothing': `
      apply ann      {data: {k: v}}
      at 5
      apply ann      {data: {k: v}}
      same
      applied ann at 0  .data.k`,
    'the same by somebody else changes who owns it': `
      apply ann      {data: {k: v}}
      at 5
      apply ben      {data: {k: v}}
      applied ann at 0  .data.k
      applied ben at 5  .data.k`,
    'another value of the same field is a change': `
      apply ann      {data: {k: v}}
      at 5
      apply ann      {data: {k: w}}
      applied ann at 5  .data.k`,
    'so is another version of the same fields': `
      apply ann      {data: {k: v}}
      at 5
      apply ann in v2 {data: {k: v}}
      applied ann in v2 at 5  .data.k`,
    'and the loss of an entry whose version is not served': `
      apply ann        {data: {k: v}}
      apply ben in v2  {data: {k: v}}
      at 5
      serve v1
      apply ann        {data: {k: v}}
      applied ann at 5  .data.k`,
    'others keep their times': `
      apply ann        {data: {k: v, l: w}}
      at 5
      force ben        {data: {k: x}}
      applied ann at 0  .data.l
      applied ben at 5  .data.k`,
    'the last field of an entry': `
      apply ann        {data: {k: v}}
      apply ann        {metadata: {name: x}}
      unowned`,
  });
});

t.test('owners', async (t) => {
  scenarios(t, OBJECT, {
    'a name is another owner for updates and through a subresource': `
      update ann            {data: {k: v}}
      apply ann             {data: {k: w}}
      conflict              updated ann .data.k
      apply ann on status   {status: {a: x}}
      apply ann             {status: {a: y}, data: {l: w}}
      is                    {data: {k: v, l: w}, status: {a: y}}
      applied ann           .data.l
      applied ann on status .status.a
      updated ann           .data{,.k}`,
    'what the endpoint does not give is not pruned either': `
      apply ann on status   {status: {a: x, b: y}}
      apply ann             {data: {l: w}}
      apply ann on status   {status: {a: x}}
      is       {apiVersion: v1, kind: Object, metadata: {}, status: {a: x}, data: {l: w}}`,
    'what goes leaves everybody': `
      apply ann             {data: {k: v, l: w}}
      own updated bot       .data.k .data
      own applied ben       .data.l
      update bot            {data: {l: w}}
      applied ann           .data.l
      applied ben           .data.l
      updated bot           .data`,
    'fields of other versions': `
      apply ann in v2       {text_v2: x}
      apply ben in v1       {text_v1: y}
      conflict              applied ann .text_v2
      force ben in v1       {text_v1: y}
      applied ben           .text_v1
      apply ben in v3       {data: {k: v}}
      is        {apiVersion: v1, kind: Object, metadata: {}, data: {k: v}}
      applied ben in v3     .data.k`,
    'what was applied in a version that is not served stays': `
      apply ann in v2       {data: {k: v}}
      serve v1
      apply ann             {data: {l: w}}
      is    {apiVersion: v1, kind: Object, metadata: {}, data: {k: v, l: w}}
      applied ann           .data.l`,
  });
});

const WRITER = { manager: 'ann', apiVersion: 'v1', subresource: '', time: '2022-02-02T02:02:02Z' };

function apply(rest: Partial<ApplyInput>): Applied {
  return applyConfig({
    live: { data: { a: '1', b: '2' }, spec: { a: '3' } },
    config: { data: { a: 'x' } },
    entries: [],
    writer: WRITER,
    force: false,
    versions: OBJECT,
    ownable: {},
    emptyObject: {},
    ...rest,
  });
}

function entry(text: string, ...paths: readonly string[]): ManagedEntry {
  const [manager = '', operation, subresource = '', time = ''] = text.split(' ');
  return {
    manager,
    operation: operation as 'Apply' | 'Update',
    apiVersion: 'v1',
    time,
    subresource,
    fields: setOfPaths(paths.map((path) => path.split('.').map((name) => `f:${name}`))),
  };
}

function conflictOf(rest: Partial<ApplyInput>): ApplyConflictError {
  try {
    apply(rest);
  } catch (error) {
    if (error instanceof ApplyConflictError) return error;
    throw error;
  }
  throw new Error('there is no conflict');
}

t.test('the texts of conflicts', async (t) => {
  const one = conflictOf({ entries: [entry('bot Update', 'data.a')] });
  t.equal(one.message, 'Apply failed with 1 conflict: conflict with "bot" using v1: .data.a');
  t.same(one.causes, [{ message: 'conflict with "bot" using v1', field: '.data.a' }]);

  const several = conflictOf({
    config: { data: { a: 'x', b: 'y' }, spec: { a: 'z' } },
    entries: [
      entry('zoe Apply', 'data.b', 'data.a'),
      entry('bot Update status 2021-01-01T00:00:00Z', 'spec.a'),
      entry('bot Apply', 'data.b'),
      entry('"\\ Apply status', 'spec.a'),
      entry('cat Apply', 'spec.b'),
    ],
  });
  t.equal(
    several.message,
    [
      'Apply failed with 5 conflicts: conflicts with "\\"\\\\" with subresource "status":',
      '- .spec.a',
      'conflicts with "bot":',
      '- .data.b',
      'conflicts with "bot" with subresource "status" using v1:',
      '- .spec.a',
      'conflicts with "zoe":',
      '- .data.a',
      '- .data.b',
    ].join('\n'),
  );
  t.same(
    several.causes.map(({ message, field }) => `${message}: ${field}`),
    [
      'conflict with "\\"\\\\" with subresource "status": .spec.a',
      'conflict with "bot": .data.b',
      'conflict with "bot" with subresource "status" using v1: .spec.a',
      'conflict with "zoe": .data.a',
      'conflict with "zoe": .data.b',
    ],
  );
});

t.test('inputs stay as they are, and are the result where nothing changes', async (t) => {
  const live: Members = { data: { a: '1', b: '2' }, spec: { a: '3', list: ['x'] } };
  const config: Members = { data: { a: '1' }, spec: { list: ['x'] } };
  const before = JSON.stringify([live, config]);
  const entries = [
    entry('ann Apply', 'data.a', 'spec.list'),
    entry('bot Update', 'data.b', 'spec.a'),
  ];
  const same = apply({ live, config, entries });
  t.equal(same.document, live);
  t.equal(same.entries, entries);
  const changed = apply({ live, config: { data: { a: 'x' } }, entries });
  t.same(changed.document, { data: { a: 'x', b: '2' }, spec: { a: '3' } });
  t.equal(changed.entries[1], entries[1], 'so are entries of others');
  t.equal(JSON.stringify([live, config]), before);
});

t.test('what the server does not own is no change', async (t) => {
  const live: Members = { status: { a: '1' } };
  const ownable = { except: setOfPaths([['f:status']]) };
  const entries = [entry('bot Update', 'status.a')];
  const applied = apply({ live, config: { status: { a: '2' } }, entries, ownable });
  t.equal(applied.document, live);
  t.equal(applied.entries, entries);
});

t.test('configs and objects that do not fit', async (t) => {
  const fails = (config: Members): unknown => {
    try {
      return apply({ config });
    } catch (error) {
      return error instanceof TypedError ? error.message : error;
    }
  };
  t.equal(fails({ spec: { foo: 1 } }), '.spec.foo: field not declared in schema');
  t.match(fails({ data: [] }), /^\.data: /);
  t.throws(
    () => apply({ writer: { ...WRITER, apiVersion: 'v9' }, versions: noShapes }),
    /not served/,
  );
});

const noShapes = { ...OBJECT, typeOf: () => undefined };

t.test('keys that are names of prototypes', async (t) => {
  const config = JSON.parse('{"data":{"__proto__":"x","constructor":"y"}}') as Members;
  const applied = apply({ config, entries: [entry('bot Update', 'data.b')] });
  t.equal(
    JSON.stringify(applied.document),
    '{"data":{"a":"1","b":"2","__proto__":"x","constructor":"y"},"spec":{"a":"3"}}',
  );
  const again = apply({ live: applied.document, config, entries: applied.entries });
  t.equal(again.entries, applied.entries);
  const gone = apply({ live: applied.document, config: {}, entries: applied.entries });
  t.equal(JSON.stringify(gone.document), '{"data":{"a":"1","b":"2"},"spec":{"a":"3"}}');
});
