import fc from 'fast-check';
import t from 'tap';
import { parse } from 'yaml';
import { deepEqual } from '../../src/base/deep-equal.ts';
import { yamlToJsonText } from '../../src/codec/yaml/yaml-body.ts';
import { yamlListItem, yamlText } from '../../src/codec/yaml/yaml-text.ts';

/** The text of one member `a` with this value. */
function member(value: unknown): string {
  return yamlText(JSON.stringify({ a: value }));
}

t.test('an object as clients see it', async (t) => {
  const object = {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: {
      name: 'web',
      creationTimestamp: '2024-01-01T00:00:00Z',
      labels: { on: 'true', app: 'web', 'example.com/a:b': '1' },
      annotations: {},
      finalizers: [],
    },
    spec: {
      containers: [
        { name: 'c', image: 'nginx:1.2', args: ['-v', '--x=1'], ports: [{ containerPort: 80 }] },
        { matrix: [[1, [2, {}]], []], nothing: null },
      ],
    },
    data: { script: '#!/bin/sh\necho "hi"\n', empty: '' },
  };
  t.equal(
    yamlText(`${JSON.stringify(object)}\n`),
    `apiVersion: v1
data:
  empty: ""
  script: |
    #!/bin/sh
    echo "hi"
kind: Pod
metadata:
  annotations: {}
  creationTimestamp: "2024-01-01T00:00:00Z"
  finalizers: []
  labels:
    app: web
    example.com/a:b: "1"
    "on": "true"
  name: web
spec:
  containers:
  - args:
    - -v
    - --x=1
    image: nginx:1.2
    name: c
    ports:
    - containerPort: 80
  - matrix:
    - - 1
      - - 2
        - {}
    - []
    nothing: null
`,
  );
});

const SCALARS: [style: string, values: Record<string, string>][] = [
  [
    'plain',
    Object.fromEntries(
      ['x', 'a b', 'a:b', '-x', ':x', '?x', 'a#b', "it's", '10.0.0.1', '100m', '1Gi', 'é\u00a0€']
        .concat(['1.2.3', '0b2', '2024-01-01x', '1:60', '+', '..', 'T', '/a', 'a\\b', '1,000'])
        .map((text) => [text, text]),
    ),
  ],
  [
    'single quotes',
    Object.fromEntries(
      ['-', '- a', '? a', 'a: b', 'a:', 'a #b', '#a', '[a', '{}', '*a', '&a', '!a', '%a', '@a']
        .concat(['`a', ' a', 'a ', '---', '...', '"a"', '|', '>', ',a'])
        .map((text) => [text, `'${text}'`]),
    ),
  ],
  [
    'plain, since a point alone makes no number',
    Object.fromEntries(
      ['.', '..', '._', '._5', '.5_', '.5.', '.5e', '+.', '-.e1', '-._'].map((text) => [
        text,
        text,
      ]),
    ),
  ],
  ['a quote in single quotes', { "'a": "'''a'", "a: it's": "'a: it''s'" }],
  [
    'double quotes, since others would read another type',
    Object.fromEntries(
      ['', '~', 'null', 'Null', 'true', 'FALSE', 'y', 'No', 'on', 'OFF', '<<', '=', '.inf']
        .concat(['0', '-1', '+1', '1.5', '.5', '1e3', '1e999', '123e4567', '0x1F', '0o17', '017'])
        .concat([
          '08',
          '0b11',
          '1_000',
          '1_.5',
          '.1_0',
          '-._5',
          '-.5_e1',
          '12:30',
          '190:20:30.15',
          '2024-01-01',
        ])
        .concat(['2024-1-1', '2024-02-30', '2024-01-01T00:00:00Z', '2024-01-01 00:00:00'])
        .concat(['2024-01-01T00:00:00.123456+02:00', '99999999999999999999'])
        .map((text) => [text, `"${text}"`]),
    ),
  ],
  [
    'escapes',
    {
      'a\tb"\\': String.raw`"a\tb\"\\"`,
      '\r\u0000\u0007\b\u000b\f\u001b\u001f': String.raw`"\r\0\a\b\v\f\e\x1F"`,
      '\u007f\u0085\u009f\u2028\u2029': String.raw`"\x7F\N\x9F\L\P"`,
      '\ufeff\ufffe\uffff\ud83d\ude00': String.raw`"\uFEFF\uFFFE\uFFFF\U0001F600"`,
      'half \ud800': 'half \ufffd',
      'a \nb': String.raw`"a \nb"`,
      'a\nb ': String.raw`"a\nb "`,
      'a\n\tb': String.raw`"a\n\tb"`,
    },
  ],
  [
    'literals',
    {
      'a\nb': '|-\n  a\n  b',
      'a\nb\n': '|\n  a\n  b',
      'a\n\n b\n\n': '|+\n  a\n\n   b\n',
      '\na': '|2-\n\n  a',
      ' a\nb': '|2-\n   a\n  b',
      '\n': '|2+\n',
      'a: b\n# c\n---\n': '|\n  a: b\n  # c\n  ---',
    },
  ],
];

for (const [style, values] of SCALARS) {
  t.test(`strings: ${style}`, async (t) => {
    for (const [value, text] of Object.entries(values)) {
      t.equal(member(value), `a: ${text}\n`, text);
    }
  });
}

t.test('numbers keep their digits, and what readers of YAML 1.1 need of a float', async (t) => {
  const cases = {
    '12345678901234567890123': '12345678901234567890123',
    '-9223372036854775808': '-9223372036854775808',
    '-0': '0',
    '-0.0': '-0',
    '1.0': '1',
    '0.10': '0.1',
    '100000.5': '100000.5',
    '1234567.5': '1.2345675e+06',
    '1e21': '1.0e+21',
    '0.00001': '1.0e-05',
    '-1.5E300': '-1.5e+300',
    '1e999': '1e999',
  };
  for (const [json, text] of Object.entries(cases)) {
    t.equal(yamlText(`{"a":${json}}`), `a: ${text}\n`, json);
  }
});

t.test('lines are folded at the first single space after column 80', async (t) => {
  const word = 'x'.repeat(78);
  t.equal(member(`${word} y z`), `a: ${word}\n  y z\n`);
  t.equal(member(`${word.slice(1)} y z`), `a: ${word.slice(1)} y\n  z\n`, 'not in column 80');
  t.equal(member(`${word}  y  z w`), `a: ${word}  y  z\n  w\n`, 'two spaces stay together');
  t.equal(member(`-: ${word} y`), `a: '-: ${word}\n  y'\n`);
  t.equal(member(`-: ${word}y `), `a: '-: ${word}y '\n`, 'not at the end');
  t.equal(member(`\t${word}  y`), `a: "\\t${word}\n  \\ y"\n`, 'escaped');
  t.equal(yamlText(JSON.stringify({ [`${word} y z`]: 1 })), `${word} y z: 1\n`, 'keys are not');
});

t.test('long keys and keys of several lines are introduced by a question mark', async (t) => {
  const keys = {
    ['k'.repeat(128)]: `${'k'.repeat(128)}: 1\n`,
    ['k'.repeat(129)]: `? ${'k'.repeat(129)}\n: 1\n`,
    ['é'.repeat(65)]: `? ${'é'.repeat(65)}\n: 1\n`,
    'a\nb': '? |-\n  a\n  b\n: 1\n',
    'a\rb': '? "a\\rb"\n: 1\n',
  };
  for (const [key, text] of Object.entries(keys)) {
    t.equal(yamlText(JSON.stringify({ [key]: 1 })), text, JSON.stringify(key));
  }
  const long = 'k'.repeat(129);
  t.equal(
    yamlText(JSON.stringify({ [long]: { a: [1, 2], [long]: [1, { b: 2 }] } })),
    `? ${long}\n: a:\n  - 1\n  - 2\n  ? ${long}\n  : - 1\n    - b: 2\n`,
  );
});

t.test('members stand in the order of names', async (t) => {
  const orders = [
    ['B', 'a', 'b', 'z'],
    ['-', '_', '1', 'a'],
    ['a1', 'a2', 'a10', 'a010', 'aa'],
    ['a', 'a-b', 'a.b', 'a/b', 'ab'],
    ['x100', 'x101', 'x110'],
    ['1', '01', '001'],
    ['\u00e9', '\u4e2d', '\ud800\udf30'],
    ['\ue000', '\ud83d\ude00', '\ud83d\ude01'],
    ['__proto__', 'constructor'],
  ];
  for (const names of orders) {
    const members = names.toReversed().map((name) => `${JSON.stringify(name)}:1`);
    const keys = yamlText(`{${members.join()}}`)
      .split('\n')
      .map((line) => line.slice(0, line.lastIndexOf(':')));
    const escaped = names.map((name) => yamlText(`{${JSON.stringify(name)}:1}`).slice(0, -4));
    t.strictSame(keys.slice(0, -1), escaped, names.join());
  }
  t.equal(yamlText(String.raw`{"\ud800":1,"\udfff":2}`), '\ufffd: 2\n', 'halves are the same');
  t.equal(yamlText('{"b":1,"a":2,"b":{"c":3}}'), 'a: 2\nb:\n  c: 3\n', 'the last of a name counts');
});

t.test('documents that are no objects', async (t) => {
  const cases = { '{}': '{}\n', '[]': '[]\n', '[1,[2]]': '- 1\n- - 2\n', null: 'null\n' };
  for (const [json, text] of Object.entries(cases)) t.equal(yamlText(json), text);
  t.equal(yamlText(' "a\\nb" '), '|-\n  a\n  b\n');
  t.equal(parse(yamlText('"---\\nb"')), '---\nb');
});

t.test('a list is its head, its items one by one, and its tail', async (t) => {
  const items = [
    { metadata: { name: 'a' }, list: [1, [2]], text: 'a\nb', long: 'some words '.repeat(20) },
    {},
    { ['k'.repeat(200)]: { deep: { deeper: ['x'] } } },
  ];
  const list = { apiVersion: 'v1', items, kind: 'List', metadata: { resourceVersion: '7' } };
  t.equal(
    yamlText(JSON.stringify(list)),
    [
      yamlText('{"apiVersion":"v1"}'),
      'items:\n',
      ...items.map((item) => yamlListItem(JSON.stringify(item))),
      yamlText('{"kind":"List","metadata":{"resourceVersion":"7"}}'),
    ].join(''),
  );
});

t.test('deep levels are on one line', async (t) => {
  const deep = (depth: number, inner: string): string =>
    `${'{"a":'.repeat(depth)}${inner}${'}'.repeat(depth)}`;
  const inner = '{"on":"x: y","b":[1,true,"two\\nlines",{},[]],"b":[null,"]"]}';
  const line = yamlText(deep(40, inner)).split('\n').at(-2);
  t.equal(line?.trimStart(), 'a: {"b": [null, "]"], "on": "x: y"}');
  const long = JSON.stringify({ ['k'.repeat(129)]: 1 });
  t.strictSame(parse(yamlText(deep(40, long))), JSON.parse(deep(40, long)));

  const deepest = 10_000;
  const text = yamlText(deep(deepest, '[["x"]]'));
  t.equal(text.split('"a": ').length - 1, deepest - 40);
  t.equal(text.length < 20 * deepest, true, 'no longer for being deep');
});

/** Everything that has a meaning somewhere in YAML. */
const PIECES = fc.constantFrom(
  ...'a bc : - ? # [ ] { } , & * ! | > % @ ` ~ = << 0 1 9 . 1e5 + _ 0x 0o true null yes'.split(' '),
  ...'.inf 12:30 --- 2024-01-01 T00:00:00Z \' " \\ \0 \u0085 \u2028 \u00e9 \ufeff'.split(' '),
  ...' |  |\n|\n\n|: | #|- |? |x y|\t|\r|\ud83d\ude00'.split('|'),
  'some longer words between spaces '.repeat(3),
);
const STRINGS = fc.array(PIECES, { maxLength: 7 }).map((pieces) => pieces.join(''));
const DOCUMENTS = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: 'large' },
    STRINGS,
    fc.constantFrom(null, true, false, 0, -7, 0.5, 1e-9, 123456789.25, 2 ** 53),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('object'),
  ),
  object: fc.dictionary(STRINGS, tie('value'), { maxKeys: 5, noNullPrototype: true }),
})).object;

/** This reader of YAML 1.1 takes a point alone, or with underscores, for a number. */
const POINT_AND_DIGITS = /"[-+]?\.[0-9_]*(?:[eE][-+]?[0-9]+)?"/;

t.test('readers of YAML 1.1 and 1.2, and our own, get the same document', async (t) => {
  const readers: Record<string, (yaml: string) => unknown> = {
    '1.1': (yaml) => parse(yaml, { version: '1.1', merge: true }) as unknown,
    '1.2': (yaml) => parse(yaml) as unknown,
    'our own': (yaml) => JSON.parse(yamlToJsonText(yaml)) as unknown,
    'an item of a list': (yaml) => (parse(yaml) as unknown[])[1],
  };
  for (const [name, read] of Object.entries(readers)) {
    const isItem = name === 'an item of a list';
    fc.assert(
      fc.property(DOCUMENTS, (document) => {
        const json = JSON.stringify(document);
        fc.pre(name !== '1.1' || !POINT_AND_DIGITS.test(json));
        const yaml = isItem ? yamlListItem(json).repeat(2) : yamlText(json);
        return deepEqual(read(yaml), JSON.parse(json));
      }),
      { seed: 1, numRuns: 400 },
    );
    t.pass(name);
  }
});
