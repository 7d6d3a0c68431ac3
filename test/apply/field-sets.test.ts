/** Sets of fields: of a configuration, of a difference, and as text. */
import t from 'tap';
import {
  equalSets,
  parseFieldsV1,
  pathTexts,
  setOfPaths,
} from '../../src/semantics/fields/field-set.ts';
import { fieldsV1Text } from '../../src/semantics/fields/field-set-text.ts';
import {
  canonicalElement,
  compareElements,
  elementText,
} from '../../src/semantics/fields/path-element.ts';
import { withNamedFields } from '../../src/semantics/fields/typed-document.ts';
import { schema } from '../support/apply-scenario.ts';
import { expandPaths, parseSet, pathsOf } from './field-paths.ts';
import { compares, sets } from './field-tables.ts';

const TYPES = schema(`
  message Object {
    optional double number = 1 [(presence) = true];
    optional string text = 2;
    optional bool flag = 3 [(presence) = true];
    repeated string set = 4 [(list_type) = "set"];
    repeated bool flags = 5 [(list_type) = "set"];
    repeated double numbers = 6 [(list_type) = "set"];
    optional Color color = 7 [(presence) = true];
    map<string, double> waves = 8 [(map_type) = "atomic"];
    repeated Item args = 9 [(list_type) = "atomic"];
    repeated Item keyed = 10 [
      (list_type) = "map", (list_map_keys) = "key", (list_map_keys) = "id"
    ];
    repeated string atomic = 11;
    map<string, Item> map = 12;
    map<string, string> labels = 13;
    optional Item item = 14 [(presence) = true];
  }
  message Color {
    option (struct_type) = "atomic";
    optional int32 red = 1;
    optional int32 green = 2;
  }
  message Item {
    optional string key = 1;
    optional int32 id = 2;
    map<string, string> value = 3;
    optional Item item = 4 [(presence) = true];
  }
`);

t.test('of a configuration', async (t) => {
  sets(t, TYPES, [
    ['{}', ''],
    ['{number: 1}', '.number'],
    ['{number: 0}', '.number'],
    ['{number: ~}', '.number'],
    ['{text: ""}', '.text'],
    ['{flag: false}', '.flag'],
    ['{set: [a, b, c]}', '.set{[=a],[=b],[=c]}'],
    ['{set: []}', ''],
    ['{set: ~}', '.set'],
    ['{flags: [true, false]}', '.flags{[=true],[=false]}'],
    ['{numbers: [1, 2, 3, 3.5]}', '.numbers{[=1],[=2],[=3],[=3.5]}'],
    ['{color: {}}', '.color'],
    ['{color: ~}', '.color'],
    ['{color: {red: 255, green: 0}}', '.color'],
    ['{waves: {}}', '.waves'],
    ['{waves: ~}', '.waves'],
    ['{waves: {ir: 255}}', '.waves'],
    ['{args: []}', '.args'],
    ['{args: ~}', '.args'],
    ['{args: [{key: a}, {key: c}]}', '.args'],
    ['{keyed: []}', ''],
    ['{keyed: [{key: a, id: 1, value: {a: a}}]}', '.keyed[id=1,key=a]{,.key,.id,.value.a}'],
    [
      '{keyed: [{key: a, id: 1}, {key: a, id: 2}, {key: b, id: 1}]}',
      '.keyed{[id=1,key=a],[id=2,key=a],[id=1,key=b]}{,.id,.key}',
    ],
    ['{keyed: [{key: a, id: 1, value: {}}]}', '.keyed[id=1,key=a]{,.key,.id,.value}'],
    ['{atomic: [a, a, a]}', '.atomic'],
    ['{map: {}}', '.map'],
    ['{map: {a: {}, b: {key: x}, c: ~}}', '.map{.a,.b{,.key},.c}'],
    ['{labels: {a: x, b: ""}}', '.labels{.a,.b}'],
    ['{labels: {a: ~}}', '.labels.a'],
    ['{item: {}}', '.item'],
    ['{item: {item: {item: {key: a}}}}', '.item.item.item.key'],
    ['{labels: {__proto__: x}}', '.labels.__proto__'],
  ]);
});

t.test('of a difference', async (t) => {
  const item = '.keyed[id=1,key=a]';
  compares(t, TYPES, [
    ['{number: 1}', '{number: 1}', ''],
    ['{number: 1}', '{number: 3.5}', '.number'],
    ['{number: 0}', '{}', '', '.number'],
    ['{text: a}', '{flag: true}', '.flag', '.text'],
    ['{set: [a, b]}', '{set: [a, b, c]}', '.set[=c]'],
    ['{set: [a, b]}', '{set: [b, a]}', ''],
    ['{flags: [true]}', '{flags: [false]}', '.flags[=false]', '.flags[=true]'],
    ['{numbers: [1, 2, 3.5]}', '{numbers: [1, 2, 3]}', '.numbers[=3]', '.numbers[=3.5]'],
    ['{}', '{set: [a]}', '.set{,[=a]}'],
    ['{}', `{keyed: [{key: a, id: 1, value: {a: a}}]}`, `.keyed ${item}{,.key,.id,.value{,.a}}`],
    [
      '{keyed: [{key: a, id: 1, value: {a: a}}]}',
      '{keyed: [{key: a, id: 1, value: {a: b}}]}',
      `${item}.value.a`,
    ],
    [
      '{keyed: [{key: a, id: 1, value: {a: a}}]}',
      '{keyed: [{key: a, id: 2, value: {a: a}}]}',
      '.keyed[id=2,key=a]{,.key,.id,.value{,.a}}',
      `${item}{,.key,.id,.value{,.a}}`,
    ],
    [
      '{keyed: [{key: a, id: 1}, {key: b, id: 1}]}',
      '{keyed: [{key: a, id: 1}, {key: a, id: 2}]}',
      '.keyed[id=2,key=a]{,.key,.id}',
      '.keyed[id=1,key=b]{,.key,.id}',
    ],
    ['{atomic: [a, a, a]}', '{atomic: [a, a]}', '.atomic'],
    ['{atomic: [a, b]}', '{atomic: [b, a]}', '.atomic'],
    ['{color: {red: 1}}', '{color: {red: 2}}', '.color'],
    ['{}', '{color: {red: 1}}', '.color'],
    ['{waves: {a: 1}}', '{waves: {b: 1}}', '.waves'],
    ['{}', '{item: {}}', '.item'],
    ['{item: {}}', '{item: {}}', ''],
    ['{item: {}}', '{item: {key: a}}', '.item.key'],
    ['{}', '{item: {item: {key: a}}}', '.item{,.item{,.key}}'],
    ['{}', '{map: {a: {key: x}, b: {}}}', '.map{,.a{,.key},.b}'],
    ['{map: {a: {key: x}}}', '{map: {b: {key: x}}}', '.map.b{,.key}', '.map.a{,.key}'],
    ['{labels: {a: x}}', '{labels: {b: x}}', '.labels.b', '.labels.a'],
    [
      '{labels: {__proto__: x}}',
      '{labels: {constructor: x}}',
      '.labels.constructor',
      '.labels.__proto__',
    ],
  ]);
});

t.test('with the names on the way', async (t) => {
  const rows: [paths: string, named: string][] = [
    ['.item.item.key', '.item{,.item{,.key}}'],
    ['.labels.a', '.labels{,.a}'],
    ['.map.a.key', '.map{,.a.key}'],
    ['.keyed[id=1,key=a].value.a', '.keyed{,[id=1,key=a].value{,.a}}'],
    ['.set[=a]', '.set{,[=a]}'],
    ['.text', '.text'],
    ['', ''],
  ];
  for (const [paths, named] of rows) {
    const seen = withNamedFields(TYPES.typeOf('v1'), parseSet(paths));
    t.same(pathsOf(seen), expandPaths(named), paths);
  }
});

t.test('as text', async (t) => {
  const texts = [
    '{}',
    '{"f:aaa":{},"f:aab":{},"k:{\\"name\\":\\"first\\"}":{},"k:{\\"name\\":\\"second\\"}":{},' +
      '"k:{\\"port\\":443,\\"protocol\\":\\"tcp\\"}":{},"k:{\\"port\\":443,\\"protocol\\":' +
      '\\"udp\\"}":{},"v:1":{},"v:2":{},"v:\\"aa\\"":{},"v:\\"ab\\"":{},"v:true":{},"i:1":{},' +
      '"i:2":{}}',
    '{"f:a":{".":{},"f:b":{"k:{\\"name\\":\\"c\\"}":{".":{},"f:name":{}}}},"f:d":{"v:3":{}}}',
    '{"f:a":{"i:1":{"i:3":{"v:true":{}}}},"v:3":{"k:{\\"name\\":\\"x\\"}":{}},"i:4":{"f:a":{}}}',
    '{"v:3":{"f:a":{}},"v:3.1415":{"f:b":{}},"v:false":{"f:c":{}}}',
    '{"f:__proto__":{"f:constructor":{}}}',
  ];
  for (const text of texts) t.equal(fieldsV1Text(parseFieldsV1(JSON.parse(text))), text);
  const rows: [text: string, written: string][] = [
    ['{"f:a":{},"r:b":{}}', '{"f:a":{}}'],
    ['{"f:b":{},"f:a":{}}', '{"f:a":{},"f:b":{}}'],
    ['{"f:b":{"f:d":{},"f:c":{},".":{}}}', '{"f:b":{".":{},"f:c":{},"f:d":{}}}'],
    ['{"k:{\\"b\\":1,\\"a\\":2}":{}}', '{"k:{\\"a\\":2,\\"b\\":1}":{}}'],
    ['{".":{},"f:a":{}}', '{"f:a":{}}'],
  ];
  for (const [text, written] of rows) {
    t.equal(fieldsV1Text(parseFieldsV1(JSON.parse(text))), written, text);
  }
  const set = parseSet('.b.c .a[=x] .a .b.c[0] [=1] .k[port=1,protocol=TCP]');
  t.ok(equalSets(set, parseFieldsV1(JSON.parse(fieldsV1Text(set)))), 'there and back');
});

t.test('path elements', async (t) => {
  const kept = ['i:0', 'i:1234', 'f:', 'f:spec', 'f:more-complicated', 'k:{"name":"c"}'];
  kept.push('k:{"port":"8080","protocol":"TCP"}', 'k:{"none":null}', 'k:{"list":["1","2"]}');
  kept.push('k:{"json":{"A":1,"B":null,"C":"D","E":{"F":"G"}}}');
  kept.push('v:null', 'v:"some"', 'v:1234', 'v:{"some":"json"}');
  for (const text of kept) t.equal(canonicalElement(text), text);
  t.equal(canonicalElement('r:Hello'), undefined, 'of an unknown sort');
  const bad = ['', 'no-colon', 'i:not a number', 'i:1.23', 'i:', 'v:invalid json', 'v:'];
  bad.push('k:invalid json', 'k:{"name":invalid}');
  for (const text of bad) t.throws(() => canonicalElement(text), text);
});

t.test('the order of path elements', async (t) => {
  const inOrder = ['f:', 'f:anteater', 'f:zebra', 'k:{"horse":1}', 'k:{"horse":2}'];
  inOrder.push('k:{"ibex":1}', 'k:{"jay":1}', 'k:{"kite":1}', 'k:{"kite":1,"kite-2":1}');
  inOrder.push('v:1', 'v:2', 'v:10', 'v:"a"', 'v:"b"', 'v:false', 'v:true');
  inOrder.push('i:1', 'i:2', 'i:10');
  t.same(inOrder.toReversed().sort(compareElements), inOrder);
});

t.test('paths as errors have them', async (t) => {
  const rows: [path: string[], text: string][] = [
    [['f:foo', 'i:1'], '.foo[1]'],
    [['f:foo', 'f:bar', 'i:1', 'f:baz'], '.foo.bar[1].baz'],
    [['f:foo', 'k:{"a":"b","c":1,"d":1.5,"e":true}'], '.foo[a="b",c=1,d=1.5,e=true]'],
    [['f:foo', 'v:"b"', 'v:5', 'v:false', 'v:3.14159'], '.foo[="b"][=5][=false][=3.14159]'],
  ];
  for (const [path, text] of rows) {
    t.equal(path.map(elementText).join(''), text);
    t.same(pathTexts(setOfPaths([path])), [text]);
  }
});
