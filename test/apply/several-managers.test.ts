/** Fields that several managers claim. */
import t from 'tap';
import { scenarios, schema } from '../support/apply-scenario.ts';

const KEYED = schema(`
  message Object {
    repeated Item list = 1 [(list_type) = "map", (list_map_keys) = "name"];
    optional string text = 2;
  }
  message Item { optional string name = 1; optional double value = 2 [(presence) = true]; }
`);

t.test('items of several appliers', async (t) => {
  scenarios(t, KEYED, {
    'each removes only her own': `
      apply ann          {list: [{name: a}, {name: b}]}
      apply ben in v2    {list: [{name: c}]}
      apply ann in v3    {list: [{name: a}]}
      is                 {list: [{name: a}, {name: c}]}
      applied ann in v3  .list[name=a]{,.name}
      applied ben in v2  .list[name=c]{,.name}`,
    'an equal value is shared': `
      apply ann          {list: [{name: a, value: 0}]}
      apply ben in v2    {list: [{name: a, value: 0}]}
      is                 {list: [{name: a, value: 0}]}
      applied ann        .list[name=a]{,.name,.value}
      applied ben in v2  .list[name=a]{,.name,.value}`,
    'another value is a conflict': `
      apply ann        {list: [{name: a, value: 0}]}
      apply ben in v2  {list: [{name: a, value: 1}]}
      conflict         applied ann .list[name=a].value
      is               {list: [{name: a, value: 0}]}
      applied ann      .list[name=a]{,.name,.value}`,
    'what both mention stays until both drop it': `
      apply ann          {list: [{name: a}, {name: b}, {name: c}]}
      apply ben in v2    {list: [{name: c}, {name: d}]}
      apply ann in v3    {list: [{name: a}]}
      is                 {list: [{name: a}, {name: c}, {name: d}]}
      applied ann in v3  .list[name=a]{,.name}
      applied ben in v2  .list{[name=c],[name=d]}{,.name}
      apply ben in v2    {list: [{name: d}]}
      is                 {list: [{name: a}, {name: d}]}`,
    'conflicts with several come all at once': `
      apply ann    {list: [{name: a, value: 1}], text: x}
      update bot   {list: [{name: a, value: 1}, {name: b, value: 1}], text: x}
      apply ben    {list: [{name: a, value: 2}, {name: b, value: 2}], text: y}
      conflict     applied ann .list[name=a].value .text
      conflict     updated bot .list[name=b].value`,
    'force takes the fields that differ and shares the others': `
      apply ann    {list: [{name: a, value: 1}], text: x}
      apply ben    {text: x}
      force cat    {list: [{name: a, value: 2}], text: x}
      is           {list: [{name: a, value: 2}], text: x}
      applied ann  .list[name=a]{,.name} .text
      applied ben  .text
      applied cat  .list[name=a]{,.name,.value} .text`,
    'force takes a shared field from all': `
      apply ann    {text: x}
      apply ben    {text: x}
      force cat    {text: y}
      is           {text: y}
      applied cat  .text`,
    'of two who share a field one changes it by force alone': `
      apply ann    {text: x}
      apply ben    {text: x}
      apply ann    {text: y}
      conflict     applied ben .text
      force ann    {text: y}
      applied ann  .text`,
  });
});

const NESTED = schema(`
  message Object {
    repeated Bag bags = 1 [(list_type) = "map", (list_map_keys) = "name"];
    optional meta.v1.RawExtension tree = 2 [(presence) = true];
  }
  message Bag { optional string name = 1; repeated string items = 2 [(list_type) = "set"]; }
`);

t.test('items in items', async (t) => {
  scenarios(t, NESTED, {
    'each removes only her own': `
      apply ann          {bags: [{name: a}, {name: b, items: [c]}]}
      apply ben in v2    {bags: [{name: b, items: [d]}]}
      apply ann in v3    {bags: [{name: a}]}
      is                 {bags: [{name: a}, {name: b, items: [d]}]}
      applied ann in v3  .bags[name=a]{,.name}
      applied ben in v2  .bags[name=b]{,.name,.items[=d]}`,
    'and what a controller has added stays in an item that stays': `
      apply ann          {bags: [{name: a}, {name: b, items: [c]}]}
      apply ben in v2    {bags: [{name: b, items: [d]}]}
      update bot in v2   {bags: [{name: a}, {name: b, items: [c, d, e]}]}
      apply ann in v3    {bags: [{name: a}]}
      is                 {bags: [{name: a}, {name: b, items: [d, e]}]}
      applied ann in v3  .bags[name=a]{,.name}
      applied ben in v2  .bags[name=b]{,.name,.items[=d]}
      updated bot in v2  .bags[name=b].items[=e]`,
    'but goes with an item that goes': `
      apply ann          {bags: [{name: a}, {name: b, items: [c]}]}
      apply ben in v2    {bags: [{name: a, items: [b]}]}
      update bot in v2   {bags: [{name: a, items: [b]}, {name: b, items: [c, d]}]}
      apply ann in v3    {bags: [{name: a}]}
      is                 {bags: [{name: a, items: [b]}]}
      applied ann in v3  .bags[name=a]{,.name}
      applied ben in v2  .bags[name=a]{,.name,.items[=b]}`,
  });
});

t.test('maps in maps', async (t) => {
  scenarios(t, NESTED, {
    'what is below a member that nobody claims goes with it': `
      apply ann          {tree: {a: {b: ~}, c: {d: ~}}}
      apply ben in v2    {tree: {a: ~, c: {d: ~}}}
      update bot in v3   {tree: {a: {b: {c: ~}}, c: {d: {e: ~}}}}
      update cat in v2   {tree: {a: {b: {c: {d: ~}}}, c: {d: {e: {f: ~}}}}}
      update bot in v3   {tree: {a: {b: {c: {d: {e: ~}}}}, c: {d: {e: {f: {g: ~}}}}}}
      apply ann in v4    {tree: ~}
      is                 {tree: {a: ~, c: {d: {e: {f: {g: ~}}}}}}
      applied ann in v4  .tree
      applied ben in v2  .tree{.a,.c{,.d}}
      updated bot in v3  .tree.c.d.e{,.f.g}
      updated cat in v2  .tree.c.d.e.f`,
    'also when nothing is mentioned': `
      apply ann          {tree: {a: {b: ~}, c: {d: ~}}}
      apply ben in v2    {tree: {a: ~, c: {d: ~}}}
      update bot in v3   {tree: {a: {b: {c: ~}}, c: {d: {e: ~}}}}
      apply ann in v4    {}
      is                 {tree: {a: ~, c: {d: {e: ~}}}}
      applied ben in v2  .tree{.a,.c{,.d}}
      updated bot in v3  .tree.c.d.e`,
  });
});

const EXTRACTED = schema(`
  message Object {
    repeated string list = 1 [(list_type) = "set"];
    map<string, string> map = 2;
  }
`);

/** One who applies what she owns already, and something more. */
t.test('one who reads her fields back and adds to them', async (t) => {
  scenarios(t, EXTRACTED, {
    'owns both': `
      apply ann    {list: [a]}
      apply ann    {list: [a, b]}
      is           {list: [a, b]}
      applied ann  .list{[=a],[=b]}`,
    'loses what she leaves out the next time': `
      apply ann    {list: [a]}
      apply ann    {list: [b]}
      is           {list: [b]}
      applied ann  .list[=b]`,
    'does not bring back what a controller has removed': `
      apply ann    {list: [a]}
      update bot   {list: [b]}
      apply ann    {list: [c]}
      is           {list: [b, c]}
      applied ann  .list[=c]
      updated bot  .list[=b]`,
    'keeps what a controller has let be': `
      apply ann    {list: [a]}
      update bot   {list: [a, b]}
      apply ann    {list: [a, c]}
      is           {list: [a, b, c]}
      applied ann  .list{[=a],[=c]}
      updated bot  .list[=b]`,
    'shares with another': `
      apply ann    {list: [a]}
      apply ben    {list: [a, b]}
      apply ann    {list: [a, c]}
      is           {list: [a, b, c]}
      applied ann  .list{[=a],[=c]}
      applied ben  .list{[=a],[=b]}
      apply ben    {list: [b]}
      is           {list: [a, b, c]}
      applied ann  .list{[=a],[=c]}
      applied ben  .list[=b]`,
    'owns a list that is null, which is none': `
      apply ann    {list: ~}
      is           {}
      applied ann  .list
      apply ben    {list: [a, b]}
      conflict     applied ann .list
      force ben    {list: [a, b]}
      is           {list: [a, b]}
      applied ben  .list{[=a],[=b]}
      apply ann    {list: ~}
      applied ann  .list
      applied ben  .list{[=a],[=b]}
      apply ben    {list: [b]}
      is           {list: [b]}
      applied ann  .list
      applied ben  .list[=b]
      apply ann    {list: [c]}
      is           {list: [b, c]}
      applied ann  .list[=c]
      applied ben  .list[=b]`,
    'owns a map that is null, not what others have put into it': `
      apply ben    {map: {a: c, b: d}}
      apply ann    {map: ~}
      is           {map: {a: c, b: d}}
      applied ann  .map
      applied ben  .map{.a,.b}
      apply ben    {map: {b: d}}
      is           {map: {b: d}}
      applied ann  .map
      applied ben  .map.b
      apply ann    {map: {e: f}}
      apply ben    {map: {b: d}}
      is           {map: {b: d, e: f}}
      applied ann  .map.e
      applied ben  .map.b`,
  });
});
