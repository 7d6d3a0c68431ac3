/** Messages, maps and lists that are one value. */
import t from 'tap';
import { scenarios, schema } from '../support/apply-scenario.ts';

const ATOMIC = schema(`
  message Object {
    optional Point point = 1 [(presence) = true];
    map<string, string> map = 2 [(map_type) = "atomic"];
    repeated string list = 3;
    repeated Item items = 4 [(list_type) = "atomic"];
    repeated Item replaced = 5 [
      (patch_strategy) = "merge", (merge_key) = "name", (list_type) = "atomic"
    ];
    repeated Item open = 6 [(list_type) = "map", (list_map_keys) = "name"];
    optional Open loose = 7 [(presence) = true];
  }
  message Point {
    option (struct_type) = "atomic";
    optional string x = 1;
    optional string y = 2;
    optional Open inner = 3 [(presence) = true];
  }
  message Open { optional string x = 1; optional string y = 2; }
  message Item { optional string name = 1; optional Point point = 2 [(presence) = true]; }
`);

t.test('one value, whatever is in it', async (t) => {
  const contested = (one: string, two: string, path: string) => `
      apply ann    ${one}
      applied ann  ${path}
      apply ben    ${two}
      conflict     applied ann ${path}
      force ben    ${two}
      is           ${two}
      applied ben  ${path}`;
  scenarios(t, ATOMIC, {
    'a message': contested('{point: {x: a}}', '{point: {y: b}}', '.point'),
    'a message in a message': contested(
      '{point: {inner: {x: a}}}',
      '{point: {inner: {y: a}}}',
      '.point',
    ),
    'a map': contested('{map: {a: x}}', '{map: {b: y}}', '.map'),
    'a list': contested('{list: [a, b]}', '{list: [b]}', '.list'),
    'a list of messages': contested(
      '{items: [{name: a}]}',
      '{items: [{name: a}, {name: b}]}',
      '.items',
    ),
    'a list that patches merge': contested(
      '{replaced: [{name: a}]}',
      '{replaced: [{name: b}]}',
      '.replaced',
    ),
    'the order of a list is part of it': contested('{list: [a, b]}', '{list: [b, a]}', '.list'),
    'an empty list': contested('{list: []}', '{list: [a]}', '.list'),
    'in an item of a list': `
      apply ann    {open: [{name: a, point: {x: a}}]}
      apply ben    {open: [{name: a, point: {y: b}}]}
      conflict     applied ann .open[name=a].point
      force ben    {open: [{name: a, point: {y: b}}]}
      is           {open: [{name: a, point: {y: b}}]}
      applied ann  .open[name=a]{,.name}
      applied ben  .open[name=a]{,.name,.point}`,
  });
});

t.test('one value in the hands of its owners', async (t) => {
  scenarios(t, ATOMIC, {
    'is what its owner says': `
      apply ann    {point: {x: a, y: b}, map: {a: x}}
      apply ann    {point: {y: c}, map: {b: y}}
      is           {point: {y: c}, map: {b: y}}
      applied ann  .point .map`,
    'goes as one': `
      apply ann    {point: {x: a}, map: {a: x}, list: [a]}
      apply ann    {map: {a: x}}
      is           {map: {a: x}}
      applied ann  .map`,
    'is shared while it is equal': `
      apply ann    {map: {a: x, b: y}}
      apply ben    {map: {b: y, a: x}}
      apply ann    {}
      is           {map: {a: x, b: y}}
      applied ben  .map`,
    'is the updater’s who changes a part': `
      apply ann    {map: {a: x}, list: [a], point: {x: a}}
      update bot   {map: {a: x, b: y}, list: [a, b], point: {x: b}}
      updated bot  .map .list .point`,
    'is the updater’s who creates it': `
      update bot   {map: {a: x}, items: [{name: a}], point: {x: a}}
      updated bot  .map .items .point`,
    'is nobody’s when an updater removes it': `
      apply ann    {map: {a: x}, list: [a]}
      update bot   {list: [a]}
      applied ann  .list`,
    'may be emptied': `
      apply ann    {map: {a: x}}
      apply ben    {map: {}}
      conflict     applied ann .map`,
    'while those that are not atomic are merged': `
      apply ann    {loose: {x: a}}
      apply ben    {loose: {y: b}}
      is           {loose: {x: a, y: b}}
      applied ann  .loose.x
      applied ben  .loose.y`,
    'has items that need no key and may repeat': `
      apply ann    {list: [a, a, a], items: [{}, {name: a}, {name: a}]}
      applied ann  .list .items
      update bot   {list: [a, a], items: [{}, {name: a}, {name: a}]}
      applied ann  .items
      updated bot  .list`,
  });
});
