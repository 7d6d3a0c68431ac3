/** Messages, maps and lists in each other. */
import t from 'tap';
import { scenarios, schema } from '../support/apply-scenario.ts';

const NESTED = schema(`
  message Object {
    optional Part part = 1 [(presence) = true];
    repeated Bag bags = 2 [(list_type) = "map", (list_map_keys) = "name"];
    map<string, Bag> shelves = 3;
    map<string, string> labels = 4;
  }
  message Part { optional string name = 1; optional double value = 2 [(presence) = true]; }
  message Bag {
    optional string name = 1;
    repeated string items = 2 [(list_type) = "set"];
    map<string, string> labels = 3;
  }
`);

t.test('containers in containers', async (t) => {
  scenarios(t, NESTED, {
    'a set in an item': `
      apply ann    {bags: [{name: a, items: [b, c]}]}
      apply ann    {bags: [{name: a, items: [a, c]}]}
      is           {bags: [{name: a, items: [a, c]}]}
      applied ann  .bags[name=a]{,.name,.items{[=a],[=c]}}`,
    'a set in an item with another key': `
      apply ann    {bags: [{name: a, items: [b, c]}]}
      apply ann    {bags: [{name: b, items: [a, c]}]}
      is           {bags: [{name: b, items: [a, c]}]}
      applied ann  .bags[name=b]{,.name,.items{[=a],[=c]}}`,
    'a map in an item': `
      apply ann    {bags: [{name: a, labels: {b: x, c: y}}]}
      apply ann    {bags: [{name: a, labels: {a: x, c: z}}]}
      is           {bags: [{name: a, labels: {a: x, c: z}}]}
      applied ann  .bags[name=a]{,.name,.labels{.a,.c}}`,
    'a map in an item with another key': `
      apply ann    {bags: [{name: a, labels: {b: x, c: y}}]}
      apply ann    {bags: [{name: b, labels: {a: x, c: z}}]}
      is           {bags: [{name: b, labels: {a: x, c: z}}]}
      applied ann  .bags[name=b]{,.name,.labels{.a,.c}}`,
    'a set in a member of a map': `
      apply ann    {shelves: {a: {items: [b, c]}}}
      apply ann    {shelves: {a: {items: [a, c]}}}
      is           {shelves: {a: {items: [a, c]}}}
      applied ann  .shelves.a{,.items{[=a],[=c]}}`,
    'a set in another member of a map': `
      apply ann    {shelves: {a: {items: [b, c]}}}
      apply ann    {shelves: {b: {items: [a, c]}}}
      is           {shelves: {b: {items: [a, c]}}}
      applied ann  .shelves.b{,.items{[=a],[=c]}}`,
    'a map in a member of a map': `
      apply ann    {shelves: {a: {labels: {b: x, c: y}}}}
      apply ann    {shelves: {a: {labels: {a: x, c: z}}}}
      is           {shelves: {a: {labels: {a: x, c: z}}}}
      applied ann  .shelves.a{,.labels{.a,.c}}`,
    'a map in another member of a map': `
      apply ann    {shelves: {a: {labels: {b: x, c: y}}}}
      apply ann    {shelves: {b: {labels: {a: x, c: z}}}}
      is           {shelves: {b: {labels: {a: x, c: z}}}}
      applied ann  .shelves.b{,.labels{.a,.c}}`,
    'members of a map are fields of their own': `
      apply ann    {labels: {a: x, b: y}}
      apply ben    {labels: {b: y, c: z}}
      apply ann    {labels: {a: x}}
      is           {labels: {a: x, b: y, c: z}}
      applied ann  .labels.a
      applied ben  .labels{.b,.c}
      apply ben    {labels: {c: z}}
      is           {labels: {a: x, c: z}}`,
    'an updater that creates a map owns the map itself': `
      update bot   {labels: {a: x}}
      updated bot  .labels{,.a}
      update cat   {labels: {a: x, b: y}}
      updated bot  .labels{,.a}
      updated cat  .labels.b`,
  });
});

t.test('names that objects of JavaScript have are names like any other', async (t) => {
  scenarios(t, NESTED, {
    'as members of a map': `
      apply ann    {labels: {__proto__: x, constructor: y, toString: z}}
      apply ben    {labels: {hasOwnProperty: x, __proto__: y}}
      conflict     applied ann .labels.__proto__
      force ben    {labels: {hasOwnProperty: x, __proto__: y}}
      is           {labels: {__proto__: y, constructor: y, toString: z, hasOwnProperty: x}}
      applied ann  .labels{.constructor,.toString}
      applied ben  .labels{.__proto__,.hasOwnProperty}
      apply ben    {labels: {hasOwnProperty: x}}
      is           {labels: {constructor: y, toString: z, hasOwnProperty: x}}`,
    'of an updater': `
      update bot   {labels: {__proto__: x}}
      updated bot  .labels{,.__proto__}
      update cat   {labels: {constructor: x}}
      updated bot  .labels
      updated cat  .labels.constructor`,
    'of messages in a map': `
      apply ann    {shelves: {__proto__: {labels: {a: x}}}}
      apply ann    {shelves: {__proto__: {labels: {constructor: x}}}}
      is           {shelves: {__proto__: {labels: {constructor: x}}}}
      applied ann  .shelves.__proto__{,.labels.constructor}`,
    'and are not found where they are not': `
      apply ann    {bags: [{name: constructor}]}
      apply ben    {bags: [{name: __proto__}]}
      is           {bags: [{name: constructor}, {name: __proto__}]}
      applied ann  .bags[name=constructor]{,.name}
      applied ben  .bags[name="__proto__"]{,.name}`,
  });
});

t.test('a message goes with its last field', async (t) => {
  scenarios(t, NESTED, {
    'when nobody mentions it': `
      apply ann    {part: {name: a, value: 1}}
      apply ann    {}
      is           {}
      unowned`,
    'but is null where it is still mentioned as such': `
      apply ann    {part: {name: a}}
      apply ann    {part: ~}
      is           {part: ~}
      applied ann  .part`,
    'and stays with the fields of others': `
      apply ann    {part: {name: a}}
      update bot   {part: {name: a, value: 1}}
      apply ann    {}
      is           {part: {value: 1}}
      updated bot  .part.value`,
    'or with those of others where it is mentioned empty': `
      apply ann    {part: {name: a}}
      update bot   {part: {name: a, value: 1}}
      apply ann    {part: {}}
      is           {part: {value: 1}}
      applied ann  .part
      updated bot  .part.value`,
    'or as null': `
      apply ann    {part: {name: a}}
      update bot   {part: {name: a, value: 1}}
      apply ann    {part: ~}
      is           {part: {value: 1}}
      applied ann  .part
      updated bot  .part.value`,
    'all of it stays that an updater has taken': `
      apply ann    {part: {name: a}}
      update bot   {part: {name: b, value: 1}}
      apply ann    {part: ~}
      is           {part: {name: b, value: 1}}
      applied ann  .part
      updated bot  .part{.name,.value}`,
    'an empty message is a value of its own': `
      apply ann    {part: {}}
      is           {part: {}}
      applied ann  .part
      update bot   {part: {name: a}}
      applied ann  .part
      updated bot  .part.name`,
    'an updater owns the message that it creates': `
      update bot   {part: {name: a}}
      updated bot  .part{,.name}
      apply ann    {part: {value: 1}}
      apply ann    {}
      is           {part: {name: a}}
      updated bot  .part{,.name}`,
  });
});
