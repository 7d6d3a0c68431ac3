/** JSON paths find what the reference's find. */
import t from 'tap';
import { RawJson } from '../../src/codec/json/raw-json.ts';
import { compileJsonPath } from '../../src/types/custom/json-path.ts';
import { parseJsonPath, PathNumber } from '../../src/types/custom/json-path-parser.ts';

const OBJECT = {
  spec: {
    replicas: 3,
    'a.b': 'dotted',
    'x-y': { deep: null },
    text: 'ab',
    list: ['p', 'q', 'r', 's'],
    empty: [],
  },
  status: {
    conditions: [
      { type: 'Ready', status: 'True', weight: 1, since: 9007199254740993n },
      { type: 'Synced', status: 'False', weight: 2, since: 5, extra: 'yes' },
      { type: 'é', status: 'True', weight: 10 },
    ],
  },
};

function found(path: string, object: unknown = OBJECT): unknown {
  const values = compileJsonPath(path)?.(object, { left: 10_000 });
  return values?.map((value) =>
    value instanceof PathNumber ? `${value.type} ${value.value}` : value,
  );
}

t.test('what paths find', async (t) => {
  const cases: readonly [path: string, expected: readonly unknown[]][] = [
    ['.spec.replicas', [3]],
    ['.', []],
    ['.spec.missing.deeper', []],
    ['.spec.replicas.deeper', []],
    ['.spec.x-y.deep', [null]],
    ['.spec.x-y.deep.deeper', []],
    [".spec['a\\.b']", ['dotted']],
    [".spec['a.b']", []],
    ['.spec.a\\.b', ['dotted']],
    [".spec['replicas','text']", [3, 'ab']],
    ['.spec.list[0]', ['p']],
    ['.spec.list[]', ['p']],
    ['.spec.list[-1]', ['s']],
    ['.spec.list[4]', []],
    ['.spec.list[*]', ['p', 'q', 'r', 's']],
    ['.spec.list[1:3]', ['q', 'r']],
    ['.spec.list[-2:]', ['r', 's']],
    ['.spec.list[:-1]', ['p', 'q', 'r']],
    ['.spec.list[::2]', ['p', 'r']],
    ['.spec.list[0,2]', ['p', 'r']],
    ['.spec.list[3:1]', []],
    ['.spec.list[0:4:0]', []],
    ['.spec.empty[*]', []],
    ['.spec.empty[0]', []],
    ['.spec.replicas[0]', []],
    ['.spec.text.*', ['byte 97', 'byte 98']],
    ['.status.conditions.*.type', ['Ready', 'Synced', 'é']],
    ['..type', ['Ready', 'Synced', 'é']],
    ['.status..weight', [1, 2, 10]],
    ['.status.conditions[?(@.type=="Ready")].status', ['True']],
    [".status.conditions[?(@.type == 'é')].weight", [10]],
    ['.status.conditions[?(@.type!="Ready")].type', ['Synced', 'é']],
    ['.status.conditions[?(@.weight>1)].type', ['Synced', 'é']],
    ['.status.conditions[?(@.weight<=2)].type', ['Ready', 'Synced']],
    ['.status.conditions[?(@.since>=9007199254740993)].type', ['Ready']],
    ['.status.conditions[?(@.extra)].type', ['Synced']],
    ['.status.conditions[?(@.status==@.type)].type', []],
    ['.status.conditions[?(@.type=="\\u00e9")].type', ['é']],
    ['.status.conditions[?(@.type>"T")].type', ['é']],
    ['.spec.missing "text"', ['text']],
    ['.spec 5', ['int 5']],
    ['.spec 2.5', ['float 2.5']],
    ['.spec true', [true]],
    ['.spec.text} and more', ['ab']],
    ['$.spec@.text', ['ab']],
  ];
  for (const [path, expected] of cases) t.same(found(path), expected, path);
});

t.test('what cannot be compared finds nothing at all', async (t) => {
  const paths = [
    '.status.conditions[?(@.weight=="1")]',
    '.status.conditions[?(@.weight==1.0)]',
    '.status.conditions[?(@.type=1)]',
    '.status.conditions[?(@==1)]',
    '.status.conditions[?(@.*=="True")]',
    '.spec[?(@.a)]',
    '.spec range',
    '.spec}{.spec[0]',
  ];
  for (const path of paths) t.same(found(path), [], path);
});

t.test('paths that cannot be understood', async (t) => {
  const paths = [
    '.a[',
    '.a[x]',
    '.a["x"]',
    '.a[?(@.b)',
    '.a[?(@.b=="c)]',
    '.a,b',
    '.a "b',
    '.a "\\q"',
    '.a{',
    '....b',
    '..*',
    '.a 1.2.3',
    '.a[99999999999999999999]',
    '.a\n',
  ];
  for (const path of paths) t.equal(compileJsonPath(path), undefined, JSON.stringify(path));
});

t.test('members that have names of the runtime are members', async (t) => {
  t.same(found('.constructor', {}), []);
  t.same(found('.__proto__', {}), []);
  t.same(found('.__proto__.a', JSON.parse('{"__proto__":{"a":1}}')), [1]);
  t.same(found('.length', []), []);
});

t.test('kept text is looked into', async (t) => {
  t.same(found('.kept.f:a', { kept: new RawJson('{"f:a":{}}') }), [{}]);
});

t.test('a path that goes everywhere again and again ends', async (t) => {
  let deep: unknown = 'end';
  for (let level = 0; level < 9_000; level += 1) deep = [deep];
  t.same(found('...*...*...*', { deep }), []);
  const budget = { left: 1_000 };
  t.same(compileJsonPath('..a')?.({ deep }, budget), []);
  t.ok(budget.left < 0);
  t.same(compileJsonPath('.deep')?.({ deep }, budget), [], 'and so do those after it');
});

t.test('a long path is parsed once', async (t) => {
  const count = 100_000;
  t.equal(parseJsonPath('.a'.repeat(count))?.[0]?.length, count);
  t.equal(parseJsonPath('.a[0]'.repeat(count))?.[0]?.length, 2 * count);
  t.equal(parseJsonPath('.a['.repeat(count)), undefined);
  t.equal(parseJsonPath('.a[?('.repeat(count)), undefined);
  t.equal(parseJsonPath(`.a "${'\\"'.repeat(count)}`), undefined);
  const spaces = ' '.repeat(10 * count);
  const digits = '1'.repeat(10 * count);
  t.equal(parseJsonPath(`.a[${spaces}1,2${spaces}x]`), undefined);
  t.equal(parseJsonPath(`.a[${digits}]`), undefined);
  t.equal(parseJsonPath(`.a ${digits}.${digits}.`), undefined);
});
