/** The one-pass check against a plain walk over the tree that the text was written from. */
import fc from 'fast-check';
import t from 'tap';
import type { FieldSchema, SchemaModel } from '../../src/codec/model/schema-model.ts';
import { jsonFields, isMessageType, messageNamed } from '../../src/codec/model/schema-walk.ts';
import { compileStrictCheck } from '../../src/codec/json/strict-check.ts';

type Tree =
  | { readonly kind: 'scalar'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly Tree[] }
  | { readonly kind: 'object'; readonly entries: readonly (readonly [key: string, Tree])[] };

function field(name: string, type: string, more: Partial<FieldSchema> = {}): FieldSchema {
  return { name, type, number: 1, container: 'single', ...more };
}

const model: SchemaModel = {
  messages: {
    'x.v1.Root': {
      name: 'x.v1.Root',
      fields: [
        field('spec', 'x.v1.Spec'),
        field('labels', 'string', { container: 'map' }),
        field('raw', 'RawExtension'),
      ],
    },
    'x.v1.Spec': {
      name: 'x.v1.Spec',
      fields: [
        field('a', 'string'),
        field('items', 'x.v1.Spec', { container: 'list' }),
        field('byName', 'x.v1.Spec', { container: 'map' }),
        field('names', 'string', { container: 'list' }),
        field('raws', 'RawExtension', { container: 'map' }),
        field('source', 'x.v1.Source', { inline: true }),
      ],
    },
    'x.v1.Source': {
      name: 'x.v1.Source',
      fields: [field('b', 'int32'), field('sub', 'x.v1.Spec'), field('kind', 'string')],
    },
  },
};

const NAMES = ['a', 'b', 'sub', 'items', 'byName', 'names', 'raws', 'source', 'spec', 'labels'];
const HOSTILE = ['raw', 'kind', 'apiVersion', '__proto__', 'A', '', 'n.m', '[0]', '"\\', 'é', '{'];
const SCALARS = ['null', 'true', '-1.5e3', '0', '""', '"a\\"}"', '"]\\\\"', '"\\u0022"'];

const keys = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...NAMES) },
  fc.constantFrom(...HOSTILE),
);

const { object } = fc.letrec<{ tree: Tree; object: Tree }>((tie) => ({
  object: fc.record({
    kind: fc.constant('object' as const),
    entries: fc.array(fc.tuple(keys, tie('tree')), { minLength: 1, maxLength: 6, size: 'max' }),
  }),
  tree: fc.oneof(
    { maxDepth: 7, depthIdentifier: 'tree' },
    fc.record({ kind: fc.constant('scalar' as const), text: fc.constantFrom(...SCALARS) }),
    fc.record({
      kind: fc.constant('list' as const),
      items: fc.array(tie('tree'), { maxLength: 3 }),
    }),
    tie('object'),
    tie('object'),
  ),
}));

/** `space` stands between all tokens; `escape` writes the first character of keys as an escape. */
function write(node: Tree, space: string, escape: boolean): string {
  const within = (open: string, parts: string[], close: string): string =>
    [open, parts.join(`${space},${space}`), close].join(space);
  if (node.kind === 'scalar') return node.text;
  if (node.kind === 'list') {
    return within(
      '[',
      node.items.map((item) => write(item, space, escape)),
      ']',
    );
  }
  const parts = node.entries.map(([key, value]) => {
    const text = escape ? escapeFirst(key) : JSON.stringify(key);
    return [text, ':', write(value, space, escape)].join(space);
  });
  return within('{', parts, '}');
}

function escapeFirst(key: string): string {
  if (key === '') return '""';
  const code = key.charCodeAt(0).toString(16).padStart(4, '0');
  return `"\\u${code}${JSON.stringify(key.slice(1)).slice(1)}`;
}

function walk(root: Tree): string[] {
  const problems: string[] = [];
  const report = (what: string, path: string): void => {
    // None of the names has a character that is escaped otherwise in JSON.
    const problem = `${what} field ${JSON.stringify(path)}`;
    if (!problems.includes(problem)) problems.push(problem);
  };
  const message = (node: Tree, name: string, path: string | undefined): void => {
    if (node.kind !== 'object') return;
    const fields = jsonFields(model, messageNamed(model, name));
    for (const [index, [key, value]] of node.entries.entries()) {
      const below = path === undefined ? key : `${path}.${key}`;
      const known = fields.find((one) => one.name === key);
      const isType = path === undefined && (key === 'kind' || key === 'apiVersion');
      if (known === undefined && !isType) report('unknown', below);
      else if (node.entries.slice(0, index).some(([other]) => other === key)) {
        report('duplicate', below);
      }
      if (known !== undefined) member(value, known, below);
    }
  };
  const member = (node: Tree, { container, type }: FieldSchema, path: string): void => {
    const isMessage = isMessageType(type);
    if (container === 'single' && isMessage) message(node, type, path);
    if (container === 'list' && isMessage && node.kind === 'list') {
      for (const [index, item] of node.items.entries()) message(item, type, `${path}[${index}]`);
    }
    if (container !== 'map' || node.kind !== 'object') return;
    for (const [index, [key, value]] of node.entries.entries()) {
      const repeats = node.entries.slice(0, index).some(([other]) => other === key);
      if (repeats) report('duplicate', `${path}.${key}`);
      if (isMessage) message(value, type, `${path}.${key}`);
    }
  };
  message(root, 'x.v1.Root', undefined);
  return problems.slice(0, 100);
}

t.test('finds what a walk over the tree finds', async (t) => {
  const check = compileStrictCheck(model, 'x.v1.Root');
  let found = 0;
  fc.assert(
    fc.property(
      object.map((spec): Tree => {
        const entry = (key: string): [string, Tree] => [key, spec];
        return { kind: 'object', entries: ['spec', 'labels', 'spec', 'raw'].map(entry) };
      }),
      fc.constantFrom('', ' ', '\r\n\t'),
      fc.boolean(),
      (root, space, escape) => {
        const expected = walk(root);
        found += expected.length - 1;
        const text = write(root, space, escape);
        t.same(check(text), expected, text.slice(0, 200));
      },
    ),
    { numRuns: 500 },
  );
  t.ok(found > 800, 'the documents have problems');
});
