import fc from 'fast-check';
import t from 'tap';
import { yamlToJsonText } from '../../src/codec/yaml/yaml-body.ts';
import { YamlError } from '../../src/codec/yaml/yaml-document.ts';

function refusal(text: string): string {
  try {
    return `accepted: ${yamlToJsonText(text).slice(0, 200)}`;
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    return error.message;
  }
}

const START = 'yaml: line';

t.test('an object as users write it', async (t) => {
  const yaml = `# a comment
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: web   # trailing
  labels: {app: "web", tier: 'front'}
data:
  script: |
    #!/bin/sh
    echo "hi"
  folded: >-
    one
    two
list:
- a
- b: 1
  c: [x, {d: e}]
empty:
none: ~
`;
  t.same(JSON.parse(yamlToJsonText(yaml)), {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'web', labels: { app: 'web', tier: 'front' } },
    data: { script: '#!/bin/sh\necho "hi"\n', folded: 'one two' },
    list: ['a', { b: 1, c: ['x', { d: 'e' }] }],
    empty: null,
    none: null,
  });
});

t.test('line ends and a byte order mark of other systems', async (t) => {
  t.equal(yamlToJsonText('\ufeffa: |\r\n  x\r\n  y\r\nb: 1\r\n'), '{"a":"x\\ny\\n","b":1}');
});

t.test('scalars mean what the reference takes them for', async (t) => {
  const cases: (readonly [yaml: string, json: string])[] = [
    ['true', 'true'],
    ['False', 'false'],
    ['"true"', '"true"'],
    ['1e400', '"1e400"'],
    ['-1.5e+309', '"-1.5e+309"'],
    ['9'.repeat(309), `"${'9'.repeat(309)}"`],
    ['9'.repeat(308), '9'.repeat(308)],
    ["'1'", '"1"'],
    ...'y Y yes Yes YES on On ON TRUE'.split(' ').map((word) => [word, 'true'] as const),
    ...'n N no No NO off Off OFF'.split(' ').map((word) => [word, 'false'] as const),
    ['"yes"', '"yes"'],
    ['yEs', '"yEs"'],
    ['=', '"="'],
    ['190:20:30', '"190:20:30"'],
    ['0b', '"0b"'],
    ['0o18', '"0o18"'],
    ['1__0', '10'],
    ['_1', '"_1"'],
    ['5.', '5'],
    ['1e', '"1e"'],
    ['!!str yes', '"yes"'],
    ['!!bool on', 'true'],
    ['null', 'null'],
    ['~', 'null'],
    ['', 'null'],
    ['"null"', '"null"'],
    ['12', '12'],
    ['+12', '12'],
    ['-0', '0'],
    ['0644', '420'],
    ['0o17', '15'],
    ['-0x1F', '-31'],
    ['0b101', '5'],
    ['08', '8'],
    ['1_000', '1000'],
    ['0x', '"0x"'],
    ['9223372036854775807', '9223372036854775807'],
    ['-9223372036854775808', '-9223372036854775808'],
    ['123456789012345678901234567890', '123456789012345678901234567890'],
    ['0xFFFFFFFFFFFFFFFFF', '"0xFFFFFFFFFFFFFFFFF"'],
    ['1.50', '1.5'],
    ['1.0', '1'],
    ['.5', '0.5'],
    ['1e3', '1000'],
    ['-1.5E-7', '-1.5e-7'],
    ['1e999', '"1e999"'],
    ['1.2.3', '"1.2.3"'],
    ['12:30', '"12:30"'],
    ['100m', '"100m"'],
    ['-', '[null]'],
    ['2020-01-02', '"2020-01-02"'],
    ['2020-01-02T03:04:05Z', '"2020-01-02T03:04:05Z"'],
    ['"a\\tb\\u00e9\\n"', '"a\\tbé\\n"'],
    ['"\\0"', '"\\u0000"'],
    ['!!str 12', '"12"'],
    ['!!int "12"', '12'],
    ['!!float 3', '3'],
    ['!!bool "true"', 'true'],
    ['!!null ""', 'null'],
    ['!!binary aGVs bG8=', '"hello"'],
    ['!custom 5', '"5"'],
    ['! 5', '"5"'],
  ];
  for (const [yaml, json] of cases) t.equal(yamlToJsonText(yaml), json, yaml);
});

t.test('values that their tag or JSON does not allow are refused', async (t) => {
  t.equal(refusal('a: 1\nb: !!int x'), `${START} 2: cannot decode "x" as a !!int`);
  t.equal(refusal('!!bool maybe'), `${START} 1: cannot decode "maybe" as a !!bool`);
  t.equal(refusal('!!binary /w=='), `${START} 1: cannot decode "/w==" as a !!binary`);
  t.equal(refusal('!!binary "*"'), `${START} 1: cannot decode "*" as a !!binary`);
  t.equal(refusal('- .inf'), 'json: unsupported value: +Inf');
  t.equal(refusal('- -.INF'), 'json: unsupported value: -Inf');
  t.equal(refusal('.NaN'), 'json: unsupported value: NaN');
  t.equal(refusal('a: \u0001'), 'yaml: control characters are not allowed');
  t.equal(refusal('a: \uffff'), 'yaml: control characters are not allowed');
  t.equal(yamlToJsonText('\ufeffa: b'), '{"a":"b"}', 'a byte order mark starts a text');
});

t.test('keys that are not strings become strings', async (t) => {
  t.equal(
    yamlToJsonText('1: a\nyes: b\n1.5: c\n0x10: d\n"x": e\n2020-01-01: f\n-.inf: g'),
    '{"-.inf":"g","1":"a","1.5":"c","16":"d","2020-01-01":"f","true":"b","x":"e"}',
  );
  t.equal(refusal('~: a'), 'null is not a valid map key');
  t.equal(refusal('a: 1\n? [x]\n: b'), `${START} 2: invalid map key`);
});

t.test('keys are in the order of their bytes, whatever they mean in JavaScript', async (t) => {
  t.equal(
    yamlToJsonText('z: 1\n__proto__: {a: 1}\n2: x\n1: w\nconstructor: c'),
    '{"1":"w","2":"x","__proto__":{"a":1},"constructor":"c","z":1}',
  );
  t.equal(yamlToJsonText('\u{1f600}: 1\n\ufffd: 2\né: 3'), '{"é":3,"\ufffd":2,"\u{1f600}":1}');
});

t.test('of a key that repeats the last value counts, however it is written', async (t) => {
  t.equal(yamlToJsonText('a: 1\nb: 2\na: 3'), '{"a":3,"b":2}');
  t.equal(yamlToJsonText('{a: 1, "a": 2}'), '{"a":2}');
  t.equal(yamlToJsonText('1: a\n"1": b'), '{"1":"b"}');
  t.equal(yamlToJsonText('a: &x {k: 1}\na: 2\nb: *x'), '{"a":2,"b":{"k":1}}');
});

t.test('anchors and aliases', async (t) => {
  t.equal(
    yamlToJsonText('a: &x {b: [1]}\nc: *x\nd: *x'),
    '{"a":{"b":[1]},"c":{"b":[1]},"d":{"b":[1]}}',
  );
  t.equal(yamlToJsonText('&k key: *k'), '{"key":"key"}');
  t.equal(yamlToJsonText('- &k key\n- *k : 1'), '["key",{"key":1}]');
  t.equal(
    yamlToJsonText('- &x 1\n- &m {v: *x}\n- &x 2\n- *m\n- *x'),
    '[1,{"v":1},2,{"v":1},2]',
    'an alias keeps the meaning that it had where it is written',
  );
  t.equal(refusal('a: 1\nb: *nope'), `${START} 2: unknown anchor 'nope' referenced`);
  t.equal(refusal('a: &a [*a]'), `${START} 1: anchor 'a' value contains itself`);
  t.equal(refusal('a: &a\n  <<: *a'), `${START} 2: anchor 'a' value contains itself`);
});

t.test('merge keys', async (t) => {
  const base = 'x: &x {a: 1, b: 2}\ny: &y {b: 3, c: 4}\n';
  const merged = (text: string): unknown => JSON.parse(yamlToJsonText(`${base}z:\n${text}`)).z;
  t.same(merged('  <<: *x'), { a: 1, b: 2 });
  t.same(merged('  <<: *x\n  a: 9'), { a: 9, b: 2 }, 'own keys win');
  t.same(merged('  a: 9\n  <<: *x'), { a: 1, b: 2 }, 'where they stand after the merge');
  t.same(merged('  <<: [*x, *y]'), { a: 1, b: 2, c: 4 }, 'the first of a list wins');
  t.same(merged('  <<: {a: 5}'), { a: 5 });
  t.same(merged('  "<<": 1'), { '<<': 1 }, 'a quoted one is an ordinary key');
  t.same(merged('  <<: &w {<<: *x, d: 1}\n  v: *w'), { a: 1, b: 2, d: 1, v: { a: 1, b: 2, d: 1 } });
  t.match(
    refusal('a: {<<: 1}'),
    /line 1: map merge requires map or sequence of maps as the value$/,
  );
  t.match(refusal('a: {<<: [[]]}'), /map merge requires/);
});

t.test('alias bombs are refused', async (t) => {
  const lines = ['a0: &a0 [lol, lol]'];
  for (let level = 1; level < 40; level++) {
    const alias = `*a${level - 1}`;
    lines.push(`a${level}: &a${level} [${Array(9).fill(alias).join(',')}]`);
  }
  t.match(refusal(lines.join('\n')), /document contains excessive aliasing$/);

  const merges = ['a0: &a0 {k: v}'];
  for (let level = 1; level < 40; level++) {
    merges.push(`a${level}: &a${level} {<<: [*a${level - 1}, *a${level - 1}]}`);
  }
  t.match(refusal(merges.join('\n')), /document contains excessive aliasing$/);

  const text = `a: &a "${'x'.repeat(100_000)}"\nb: [${Array(1000).fill('*a').join(',')}]`;
  t.match(refusal(text), /document contains excessive aliasing$/);

  const many = `a: &a {team: core}\nb: [${Array(5000).fill('*a').join(',')}]`;
  t.equal(JSON.parse(yamlToJsonText(many)).b.length, 5000, 'many small aliases are no bomb');
});

t.test('of a stream of several documents the first one counts', async (t) => {
  t.equal(yamlToJsonText('---\na: 1\n---\n'), '{"a":1}');
  t.equal(yamlToJsonText('---\na: 1\n...\n'), '{"a":1}');
  t.equal(yamlToJsonText('# nothing\n'), 'null');
  t.equal(yamlToJsonText('---\n---\na: 1'), 'null');
  t.equal(yamlToJsonText('a: 1\n---\nb: 2'), '{"a":1}');
  t.equal(yamlToJsonText('a: 1\n---\n[}'), '{"a":1}', 'whatever the others are');
  t.equal(yamlToJsonText('a: 1\n...\n['), '{"a":1}');
  t.match(refusal('a: {b: 1}}\n---\n'), /^yaml: line 1: /);
});

t.test('syntax errors name the line', async (t) => {
  t.match(refusal('a: 1\nb: c: 2'), /^yaml: line 2: /);
  t.match(refusal('a: [1\nb: 2'), /^yaml: line 2: /);
  t.match(refusal('a: 1\n\tb: 2'), /^yaml: line 2: /);
  t.match(refusal('"abc'), /^yaml: line 1: /);
  t.match(refusal('a: "\\q"'), /^yaml: line 1: /);
  t.match(refusal(']'.repeat(300_000)), /yaml: line 1: /, 'a flood of errors ends at the first');
});

t.test(
  'lines of flow collections and quotes may be indented less than what holds them',
  async (t) => {
    const rows = [
      ['a:\n  b: [\n  x,\n  z\n  ]\n', '{"a":{"b":["x","z"]}}'],
      ['a:\n  b: [\nx,\n  z\n]\n', '{"a":{"b":["x","z"]}}'],
      ['a:\n- args: ["x",\n"z"]\n- c: {\nd: e\n}\n', '{"a":[{"args":["x","z"]},{"c":{"d":"e"}}]}'],
      ['a: {\nb: c}\nd: e\n', '{"a":{"b":"c"},"d":"e"}'],
      [
        'a:\n  b: [\n# ]\n"x]",\n\n {q: [\nr]} ]\n  c: d\n',
        '{"a":{"b":["x]",{"q":["r"]}],"c":"d"}}',
      ],
      ['a:\n  b: ["x\nz"]\n', '{"a":{"b":["x z"]}}'],
      ['a:\n  b: "x \\"\n\n z"\n  c: d\n', '{"a":{"b":"x \\"\\nz","c":"d"}}'],
      ["a:\n- 'x''\n [\nz'\n- c: 'd\n\n\ne'\n", '{"a":["x\' [ z",{"c":"d\\n\\ne"}]}'],
    ] as const;
    for (const [text, json] of rows) t.equal(yamlToJsonText(text), json, text);
    t.match(refusal('a:\n  b: [\n---\n]\n'), /^yaml: line \d: /, 'not over the end of a document');
    t.match(refusal('a:\n  b: [\nx\n  c: [\nz]\n'), /^yaml: line \d: /, 'one without an end');
    t.match(refusal('a:\n  b: "x\nc: d\n'), /^yaml: line \d: /, 'a quote without an end');
    const many = Array.from({ length: 1_000 }, (_, at) => ` k${at}: [\nx]\n`);
    t.match(refusal(`a:\n${many.join('')}`), /^yaml: line \d+: /, 'more than are worth the work');
  },
);

/** How levels begin in one line, and in lines of their own. */
const LEVELS = ['- ', '? ', '[', '{', '{a: ', '[a: ', '[? ', '&a - ', '!t ? ', ': '];
const LINES = ['a:', '-', '?', '- a:', '? -', 'a: &b', '- !t', 'a: # b'];

t.test('whatever nests is refused by its depth or its form', async (t) => {
  const refused = (text: string, what: string): void => {
    const found = refusal(text);
    t.match(found, /^yaml: line \d+: |^null is not a valid map key$/, what);
    t.notMatch(found, /call stack/, what);
  };
  for (const one of LEVELS) {
    for (const other of LEVELS) refused(`${one}${other}`.repeat(5_000), `${one}${other}`);
  }
  for (const one of LINES) {
    for (const other of LINES) {
      const lines = Array.from({ length: 501 }, (_, depth) => {
        return `${' '.repeat(depth)}${depth % 2 === 0 ? one : other}\n`;
      });
      refused(lines.join(''), `${one} over ${other}`);
    }
  }
});

t.test('nesting is limited, without a stack overflow', async (t) => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  t.equal(yamlToJsonText(nested(500)), nested(500));
  const message = /yaml: line 1: exceeded max depth of 500$/;
  t.match(refusal(nested(501)), message);
  t.match(refusal(nested(5_000)), message);
  t.match(refusal('{a: '.repeat(5_000) + '}'.repeat(5_000)), message);
  t.match(refusal('- '.repeat(5_000)), message);
  t.match(refusal('? '.repeat(4_000)), message);
  t.match(refusal('- '.repeat(32_000)), message);
  t.match(refusal('- ? '.repeat(4_000)), message);
  const inLines = (level: string, count: number): string =>
    Array.from({ length: count }, (_, depth) => `${' '.repeat(depth)}${level}\n`).join('');
  t.equal(yamlToJsonText(inLines('a:', 500)), `${'{"a":'.repeat(500)}null${'}'.repeat(500)}`);
  t.match(refusal(inLines('a:', 501)), /^yaml: line 501: exceeded max depth of 500$/);
  t.match(refusal(inLines('-', 501)), /^yaml: line 501: exceeded max depth of 500$/);

  const chain = ['a0: &a0 [x]'];
  const merges = ['a0: &a0 {x: y}'];
  for (let level = 1; level < 2000; level++) {
    chain.push(`a${level}: &a${level} [*a${level - 1}]`);
    merges.push(`a${level}: &a${level} {<<: *a${level - 1}}`);
  }
  t.match(refusal(chain.join('\n')), /exceeded max depth of 500$/, 'through aliases');
  t.match(refusal(merges.join('\n')), /exceeded max depth of 500$/, 'through merges');
});

t.test('JSON is YAML', async (t) => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3, stringUnit: 'grapheme' }), (value) => {
      const text = JSON.stringify(value);
      t.same(JSON.parse(yamlToJsonText(text)), JSON.parse(text));
    }),
    { numRuns: 30 },
  );
});
