import t from 'tap';
import { compileStrictCheck } from '../../src/codec/json/strict-check.ts';
import { duplicateKeys } from '../../src/codec/yaml/strict-yaml.ts';
import { readYamlText, yamlToJsonText } from '../../src/codec/yaml/yaml-body.ts';
import { AS_WRITTEN, composeYaml, YamlError } from '../../src/codec/yaml/yaml-document.ts';
import { model } from './proto-model.ts';

function yamlStrictProblems(text: string): readonly string[] {
  const { root, lineOf } = composeYaml(text, { ...AS_WRITTEN, keepSourceTokens: true });
  return root === null ? [] : duplicateKeys(root, lineOf);
}

const YAML = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: a
  name: web
  other: x
spec:
  first: v
  twice: v
  twice: w
  paused: true
  paused: false
  template:
    spec:
      containers:
      - name: web
        image: web:1
        inside: v
        imagePullPolicy: Always
        imagePullPolicy: Never
`;

t.test('problems of a deployment: repeated keys by line, unknown ones by name', async (t) => {
  t.same(yamlStrictProblems(YAML), [
    'line 5: key "name" already set in map',
    'line 10: key "twice" already set in map',
    'line 12: key "paused" already set in map',
    'line 20: key "imagePullPolicy" already set in map',
  ]);
  t.same(compileStrictCheck(model, 'apps.v1.Deployment')(yamlToJsonText(YAML)), [
    'unknown field "metadata.other"',
    'unknown field "spec.first"',
    'unknown field "spec.template.spec.containers[0].inside"',
    'unknown field "spec.twice"',
  ]);
});

t.test('which keys repeat, and where', async (t) => {
  const cases: [yaml: string, lines: [line: number, key: string][]][] = [
    ['', []],
    ['~', []],
    ['- a: 1\n- a: 2', []],
    [
      'a: 1\na: 2\na: 3',
      [
        [2, '"a"'],
        [3, '"a"'],
      ],
    ],
    ['a: 1\na:\nb: 2', [[2, '"a"']]],
    ['a: 1\na:\n  # none\n\n  b: 2', [[5, '"a"']]],
    ['a: 1\na: |\n  text', [[2, '"a"']]],
    ['a: 1\na:\n  - 1', [[3, '"a"']]],
    ['a: 1\na: &x\n  b: 2', [[2, '"a"']]],
    ['a: 1\na: !!map\n  b: 2', [[2, '"a"']]],
    ['a: 1\n? a', [[2, '"a"']]],
    [
      '{a: 1,\n "a": 2,\n \'a\': 3}',
      [
        [2, '"a"'],
        [3, '"a"'],
      ],
    ],
    ['{a, a}', [[1, '"a"']]],
    [
      'a: 1\na: {b: 1, b: 2}',
      [
        [2, '"b"'],
        [2, '"a"'],
      ],
    ],
    ['- [{a: 1}, {a: 1,\n a: 2}]', [[2, '"a"']]],
    [
      '1: a\n"1": b\n1: c\n0x1: d',
      [
        [3, '1'],
        [4, '1'],
      ],
    ],
    ['true: 1\nTrue: 2\n"true": 3', [[2, 'true']]],
    ['1.5: 1\n1.50: 2', [[2, '1.5']]],
    ['"a\\"\\n\\u2028": 1\n"a\\"\\n\\u2028": 1', [[2, '"a\\"\\n\\u2028"']]],
    ['__proto__: 1\n__proto__: 2', [[2, '"__proto__"']]],
    ['&k a: 1\n*k : 2', [[2, '"a"']]],
    ['a: &x {b: 1,\n b: 2}\nc: *x\nd: [*x]', [[2, '"b"']]],
  ];
  for (const [yaml, lines] of cases) {
    const expected = lines.map(([line, key]) => `line ${line}: key ${key} already set in map`);
    t.same(yamlStrictProblems(yaml), expected, yaml);
  }
});

t.test('merged keys count as written ones', async (t) => {
  const base = 'x: &x {a: 1}\ny: &y {a: 2, b: 3}\nz:\n';
  const lines = (text: string) => yamlStrictProblems(`${base}${text}`);
  const repeats = (line: number, key: string) => `line ${line}: key "${key}" already set in map`;
  t.same(lines('  <<: *x\n  c: 1'), []);
  t.same(lines('  <<: *x\n  a: 1'), [repeats(5, 'a')], 'the own one comes later');
  t.same(lines('  a: 1\n  <<: *x'), [repeats(1, 'a')], 'the merged one comes later');
  t.same(lines('  <<: [*x, *y]'), [repeats(1, 'a')], 'the last of a list comes first');
  t.same(lines('  b: 1\n  <<: {<<: *y}'), [repeats(2, 'b')], 'merges merge');
  t.same(lines('  <<: *x\n  "<<": 1'), [], 'a quoted one is an ordinary key');
});

t.test('a text is read once for its JSON and its problems', async (t) => {
  const text = 'a: &x {b: 1, b: 2}\nc: *x\n';
  const json = '{"a":{"b":2},"c":{"b":2}}';
  const problems = ['line 1: key "b" already set in map'];
  t.same(readYamlText(text, true), { json, problems });
  t.same(readYamlText(text, false), { json, problems: [] }, 'problems where they are asked for');
});

t.test('text that is no YAML document is refused as it is elsewhere', async (t) => {
  t.throws(() => yamlStrictProblems('a: ['), YamlError);
  t.same(yamlStrictProblems('a: 1\n---\nb: 1\nb: 2'), [], 'a second document is ignored');
});

t.test('the work on hostile documents is bounded', async (t) => {
  t.equal(yamlStrictProblems('a: 1\n'.repeat(5000)).length, 100);
  t.same(yamlStrictProblems('a: &a [*a]\nb: &b {<<: *b}'), []);
  const merges = ['a0: &a0 {k: v}'];
  const chain = ['a0: &a0 {k: v}'];
  for (let level = 1; level < 2000; level++) {
    merges.push(`a${level}: &a${level} {<<: [*a${level - 1}, *a${level - 1}]}`);
    chain.push(`a${level}: &a${level} {<<: *a${level - 1}}`);
  }
  t.same(yamlStrictProblems(merges.join('\n')), ['line 1: key "k" already set in map']);
  t.same(yamlStrictProblems(chain.join('\n')), []);
});
