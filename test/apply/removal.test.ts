/** Objects lose the fields that are taken away. */
import t from 'tap';
import { schema } from '../support/apply-scenario.ts';
import { removals } from './field-tables.ts';

const TYPES = schema(`
  message Object {
    optional string text = 1;
    repeated bool flags = 2 [(list_type) = "set"];
    repeated double numbers = 3 [(list_type) = "set"];
    repeated Item keyed = 4 [
      (list_type) = "map", (list_map_keys) = "key", (list_map_keys) = "id"
    ];
    repeated string atomic = 5;
    map<string, string> atomicMap = 6 [(map_type) = "atomic"];
    repeated Bag bags = 7 [(list_type) = "map", (list_map_keys) = "name"];
    map<string, Bag> shelves = 8;
    optional meta.v1.RawExtension tree = 9 [(presence) = true];
    optional Bag bag = 10 [(presence) = true];
  }
  message Item { optional string key = 1; optional int32 id = 2; }
  message Bag {
    optional string name = 1;
    repeated string items = 2 [(list_type) = "set"];
    map<string, string> labels = 3;
  }
`);

t.test('leaves and items of sets', async (t) => {
  removals(t, TYPES, [
    ['{text: a}', '.text', '{}'],
    ['{text: a}', '', '{text: a}'],
    ['{text: a, flags: [true]}', '.text', '{flags: [true]}'],
    ['{text: a}', '.other .text.below', '{text: a}'],
    ['{flags: [false]}', '.flags[=false]', '{flags: ~}'],
    ['{flags: [false]}', '.flags[=true]', '{flags: [false]}'],
    ['{flags: [true, false]}', '.flags[=true]', '{flags: [false]}'],
    ['{flags: [true, false]}', '.flags', '{}'],
    ['{numbers: [1, 2, 3, 4.5]}', '.numbers{[=1],[=4.5]}', '{numbers: [2, 3]}'],
    ['{numbers: [1, 2]}', '[=1]', '{numbers: [1, 2]}'],
    ['{flags: []}', '.flags[=true]', '{flags: ~}'],
    ['{flags: []}', '.text', '{flags: []}'],
  ]);
});

t.test('items of keyed lists', async (t) => {
  removals(t, TYPES, [
    [
      '{keyed: [{key: a, id: 1}, {key: a, id: 2}, {key: b, id: 1}]}',
      '.keyed[id=1,key=a]',
      '{keyed: [{key: a, id: 2}, {key: b, id: 1}]}',
    ],
    [
      '{bags: [{name: a, items: [b, c]}, {name: d}]}',
      '.bags[name=d]',
      '{bags: [{name: a, items: [b, c]}]}',
    ],
    ['{bags: [{name: a, items: [b, c]}, {name: d}]}', '.bags[name=a]', '{bags: [{name: d}]}'],
    ['{bags: [{name: a, items: [b]}]}', '.bags', '{}'],
    [
      '{bags: [{name: a, items: [b, c]}, {name: d}]}',
      '.bags[name=a].items[=b]',
      '{bags: [{name: a, items: [c]}, {name: d}]}',
    ],
    ['{bags: [{name: a}]}', '.bags[name=x]', '{bags: [{name: a}]}'],
    [
      '{bags: [{name: a, items: [b, c]}]}',
      '.bags[name=a].items[=x]',
      '{bags: [{name: a, items: [b, c]}]}',
    ],
    [
      '{bags: [{name: a, labels: {b: x, c: y}}]}',
      '.bags[name=a].labels.b',
      '{bags: [{name: a, labels: {c: y}}]}',
    ],
    [
      '{bags: [{name: a, labels: {b: x}}]}',
      '.bags[name=a].labels.q',
      '{bags: [{name: a, labels: {b: x}}]}',
    ],
    ['{bags: [{name: a}]}', '[="a"]', '{bags: [{name: a}]}'],
  ]);
});

t.test('members of maps', async (t) => {
  const shelves = '{shelves: {b: {labels: {a: x, c: z}}, d: {items: [e, f]}}}';
  removals(t, TYPES, [
    [shelves, '.shelves', '{}'],
    [shelves, '.shelves.b', '{shelves: {d: {items: [e, f]}}}'],
    [shelves, '.shelves.b.labels.a', '{shelves: {b: {labels: {c: z}}, d: {items: [e, f]}}}'],
    [shelves, '.shelves.d.items[=e]', '{shelves: {b: {labels: {a: x, c: z}}, d: {items: [f]}}}'],
    [shelves, '.shelves.q .shelves.b.q .a', shelves],
    ['{shelves: {b: ~, d: {name: e}}}', '.shelves.b', '{shelves: {d: {name: e}}}'],
    [
      '{shelves: {__proto__: {name: e}, d: {name: e}}}',
      '.shelves.__proto__',
      '{shelves: {d: {name: e}}}',
    ],
    ['{bag: {name: a, items: [b]}}', '.bag.name', '{bag: {items: [b]}}'],
    ['{bag: {name: a}}', '.bag.name', '{bag: ~}'],
    ['{bag: {name: a}}', '.bag', '{}'],
    ['{tree: {a: {b: {c: ~}}}}', '.tree', '{}'],
    ['{tree: {a: {b: {c: ~}}}}', '.tree.a', '{tree: ~}'],
    ['{tree: {a: {b: {c: ~}}}}', '.tree.a.b', '{tree: {a: ~}}'],
    ['{tree: {a: {b: {c: ~}}}}', '.tree.a.b.c', '{tree: {a: {b: ~}}}'],
  ]);
});

t.test('values that are one', async (t) => {
  removals(t, TYPES, [
    ['{text: a, atomic: [a, a]}', '.atomic', '{text: a}'],
    ['{text: a, atomicMap: {a: c, b: d}}', '.atomicMap', '{text: a}'],
  ]);
});
