// The command line client applied here before it left that to the server.
import t from 'tap';
import type { Members } from '../../../src/codec/model/schema-model.ts';
import { ApplyConflictError, applyConfig } from '../../../src/semantics/fields/apply.ts';
import { pathTexts, setOfPaths } from '../../../src/semantics/fields/field-set.ts';
import {
  CLI_MANAGER,
  LAST_APPLIED,
  lastAppliedFields,
  withLastApplied,
} from '../../../src/semantics/fields/last-applied.ts';
import type { ManagedEntry } from '../../../src/semantics/fields/managed-fields.ts';
import { schema } from '../../support/apply-scenario.ts';

const OBJECT = schema(`
  message Object {
    optional Meta metadata = 1 [(always) = true];
    map<string, string> data = 2;
    optional int64 count = 3;
    optional meta.v1.RawExtension tree = 4;
  }
  message Meta { optional string name = 1; map<string, string> annotations = 2; }
`);
const TYPE = OBJECT.typeOf('v1');

function annotated(annotation: unknown, rest: Members = {}): Members {
  const metadata = { name: 'x', annotations: { [LAST_APPLIED]: annotation, other: 'y' } };
  return { apiVersion: 'v1', kind: 'Object', metadata, ...rest };
}

const HEAD = { apiVersion: 'v1', kind: 'Object' };
const text = (config: object): string => JSON.stringify({ ...HEAD, ...config });

t.test('fields that may be taken', async (t) => {
  const fields = (annotation: unknown, data: Members = { a: '1', b: '2' }): string[] =>
    pathTexts(lastAppliedFields(TYPE, annotated(annotation, { data }), 'v1')).filter((path) =>
      path.startsWith('.data'),
    );
  t.same(
    fields(text({ data: { a: '1', b: '2' } })),
    ['.data.a', '.data.b'],
    'all that was applied',
  );
  t.same(fields(text({ data: { a: '1', b: 'x' } })), ['.data.a'], 'but what has another value');
  t.same(fields(text({ data: { a: '1', c: 'x' } })), ['.data.a'], 'or is gone');
  const none: readonly [name: string, annotation: unknown][] = [
    ['an empty annotation', ''],
    ['no text', 3],
    ['no JSON', '{'],
    ['no object', '[]'],
    ['no object at all', 'null'],
    ['another version', text({ apiVersion: 'v2', data: { a: '1' } })],
    ['no kind', text({ kind: '', data: { a: '1' } })],
    ['no name of a kind', text({ kind: 1, data: { a: '1' } })],
    ['an unknown field', text({ data: { a: '1' }, foo: 1 })],
    ['a wrong type', text({ data: ['a'] })],
    ['endless nesting', `{"data":${'{"a":'.repeat(1e5)}1${'}'.repeat(1e5)}}`],
  ];
  for (const [name, annotation] of none) t.same(fields(annotation), [], name);
  for (const live of [
    {},
    { metadata: null },
    { metadata: {} },
    { metadata: { annotations: [] } },
  ]) {
    t.same(pathTexts(lastAppliedFields(TYPE, live, 'v1')), [], JSON.stringify(live));
  }
});

function annotationOf(document: Members): unknown {
  return (document['metadata'] as { annotations: Members }).annotations[LAST_APPLIED];
}

t.test('the annotation is rewritten', async (t) => {
  const config = JSON.parse(
    `{"kind":"Object","data":{"b":"<2>","a":"1","__proto__":"p"},"apiVersion":"v1","count":12,` +
      `"tree":[{"z":1.50,"y":null}],"metadata":{"annotations":{"x":"y","${LAST_APPLIED}":"z"}}}`,
  ) as Members;
  const expected =
    '{"apiVersion":"v1","count":12,"data":{"__proto__":"p","a":"1","b":"\\u003c2\\u003e"},' +
    '"kind":"Object","metadata":{"annotations":{"x":"y"}},"tree":[{"y":null,"z":1.5}]}\n';
  const document = annotated('{}');
  const before = JSON.stringify([document, config]);
  const after = withLastApplied(document, config);
  t.equal(annotationOf(after), expected);
  t.same(after['metadata'], {
    name: 'x',
    annotations: { [LAST_APPLIED]: expected, other: 'y' },
  });
  t.equal(JSON.stringify([document, config]), before, 'the inputs stay');
  t.equal(withLastApplied(after, config), after, 'once is enough');
  const bare = annotated(text({}));
  t.equal(annotationOf(withLastApplied(bare, HEAD)), `${text({})}\n`, 'without metadata');
  const only = { metadata: { annotations: { [LAST_APPLIED]: 'z' } } };
  t.equal(annotationOf(withLastApplied(bare, only)), '{"metadata":{"annotations":{}}}\n');
});

t.test('the annotation stays as it is', async (t) => {
  for (const document of [HEAD, annotated(''), { metadata: { annotations: null } }]) {
    t.equal(withLastApplied(document, HEAD), document, 'where there is none');
  }
});

t.test('the annotation goes when it is too large', async (t) => {
  const others = `other`.length + 1 + LAST_APPLIED.length;
  const empty = `${JSON.stringify({ data: { a: '' } })}\n`.length;
  const fitting = 262_144 - others - empty;
  const large = (length: number): Members => ({ data: { a: 'é'.repeat(length / 2) } });
  const even = fitting - (fitting % 2);
  t.ok(annotationOf(withLastApplied(annotated('{}'), large(even))), 'it fits');
  const dropped = withLastApplied(annotated('{}'), large(even + 2));
  t.same(dropped['metadata'], { name: 'x', annotations: { other: 'y' } }, 'it does not');
});

t.test('apply', async (t) => {
  const entries: readonly ManagedEntry[] = [
    {
      manager: 'client-side',
      operation: 'Update',
      apiVersion: 'v1',
      time: '',
      subresource: '',
      fields: setOfPaths([
        ['f:data', 'f:a'],
        ['f:data', 'f:b'],
      ]),
    },
  ];
  const applied = (manager: string, annotation: string, data: Members, time = 'now') =>
    applyConfig({
      live: annotated(annotation, { data: { a: '1', b: '2' } }),
      config: { ...HEAD, data },
      entries,
      writer: { manager, apiVersion: 'v1', subresource: '', time },
      force: false,
      versions: OBJECT,
      ownable: {},
      emptyObject: {},
    });
  const conflictsOf = (...given: Parameters<typeof applied>): unknown => {
    try {
      applied(...given);
      return [];
    } catch (error) {
      return error instanceof ApplyConflictError ? error.causes.map(({ field }) => field) : error;
    }
  };
  const both = text({ data: { a: '1', b: '2' } });
  const change = { a: 'x', b: 'y' };
  t.same(conflictsOf(CLI_MANAGER, both, change), [], 'the client takes what it has applied');
  t.same(conflictsOf('ann', both, change), ['.data.a', '.data.b'], 'nobody else does');
  const first = text({ data: { a: '1' } });
  t.same(conflictsOf(CLI_MANAGER, first, change), ['.data.b'], 'nor does it take more');
  t.same(conflictsOf(CLI_MANAGER, '{', change), ['.data.a', '.data.b'], 'or from bad text');

  const { document, entries: after } = applied(CLI_MANAGER, both, change);
  t.same(document['data'], change);
  t.equal(annotationOf(document), '{"apiVersion":"v1","data":{"a":"x","b":"y"},"kind":"Object"}\n');
  t.same(
    after.map(({ manager, fields, time }) => [manager, time, ...pathTexts(fields)]),
    [[CLI_MANAGER, 'now', '.data.a', '.data.b']],
  );
  const other = applied('ann', both, { a: '1' });
  t.equal(annotationOf(other.document), both, 'others leave the annotation alone');
  const equal = applied(CLI_MANAGER, both, { a: '1', b: '2' });
  t.match(annotationOf(equal.document), /^.*}\n$/, 'it is written where nothing else changes');
  t.same(equal.document['data'], { a: '1', b: '2' });
});
