/** Lists whose items are known by one or more of their members. */
import t from 'tap';
import { scenarios, schema } from '../support/apply-scenario.ts';

const KEYED = schema(`
  message Object {
    repeated Item list = 1 [(list_type) = "map", (list_map_keys) = "name"];
    repeated Pair pairs = 2 [
      (list_type) = "map", (list_map_keys) = "name", (list_map_keys) = "id"
    ];
    repeated Item merged = 3 [(patch_strategy) = "merge", (merge_key) = "name"];
  }
  message Item {
    optional string name = 1;
    optional double value = 2 [(presence) = true];
    repeated string tags = 3;
  }
  message Pair {
    optional string name = 1;
    optional int32 id = 2 [(presence) = true];
    optional string text = 3;
  }
`);

t.test('items of one applier', async (t) => {
  scenarios(t, KEYED, {
    'an item whose key changes is another item': `
      apply ann    {list: [{name: a, value: 1}]}
      apply ann    {list: [{name: b, value: 2}]}
      is           {list: [{name: b, value: 2}]}
      applied ann  .list[name=b]{,.name,.value}`,
    'the configuration gives the order': `
      apply ann    {list: [{name: a}, {name: b}, {name: c}]}
      apply ann    {list: [{name: c}, {name: a, value: 1}, {name: b}]}
      is           {list: [{name: c}, {name: a, value: 1}, {name: b}]}
      applied ann  .list{[name=a]{,.name,.value},[name=b]{,.name},[name=c]{,.name}}`,
    'a member of an item goes when it is no longer mentioned': `
      apply ann    {list: [{name: a, value: 1, tags: [x]}]}
      apply ann    {list: [{name: a, tags: [y]}]}
      is           {list: [{name: a, tags: [y]}]}
      applied ann  .list[name=a]{,.name,.tags}`,
    'two keys make one': `
      apply ann    {pairs: [{name: a, id: 1, text: x}, {name: a, id: 2}]}
      applied ann  .pairs{[id=1,name=a]{,.id,.name,.text},[id=2,name=a]{,.id,.name}}
      apply ann    {pairs: [{name: a, id: 2}]}
      is           {pairs: [{name: a, id: 2}]}
      applied ann  .pairs[id=2,name=a]{,.id,.name}`,
    'a zero is a key like any other': `
      apply ann    {pairs: [{name: a, id: 0}]}
      applied ann  .pairs[id=0,name=a]{,.id,.name}`,
    'a merge key without a list type is a key': `
      apply ann    {merged: [{name: a, value: 1}]}
      apply ben    {merged: [{name: b}]}
      is           {merged: [{name: a, value: 1}, {name: b}]}
      applied ann  .merged[name=a]{,.name,.value}
      applied ben  .merged[name=b]{,.name}`,
    'a text of digits is a text': `
      apply ann    {list: [{name: "1"}]}
      applied ann  .list[name="1"]{,.name}`,
  });
});

t.test('items of several managers', async (t) => {
  scenarios(t, KEYED, {
    'an updater owns the members that it adds': `
      apply ann    {list: [{name: a}]}
      update bot   {list: [{name: a, value: 1}, {name: b, value: 2}]}
      applied ann  .list[name=a]{,.name}
      updated bot  .list{[name=a].value,[name=b]{,.name,.value}}
      apply ann    {list: [{name: a, value: 2}]}
      conflict     updated bot .list[name=a].value`,
    'an item goes with its applier, whatever others have in it that nobody else mentions': `
      apply ann    {list: [{name: a}, {name: b}]}
      update bot   {list: [{name: a, value: 1}, {name: b}]}
      apply ann    {list: [{name: b}]}
      is           {list: [{name: b}]}
      applied ann  .list[name=b]{,.name}`,
    'an item that an updater made stays when an applier leaves it': `
      update bot   {list: [{name: a, value: 1}]}
      apply ann    {list: [{name: a, value: 1, tags: [x]}]}
      applied ann  .list[name=a]{,.name,.value,.tags}
      updated bot  .list{,[name=a]{,.name,.value}}
      apply ann    {list: []}
      is           {list: [{name: a, value: 1}]}
      updated bot  .list{,[name=a]{,.name,.value}}`,
    'an updater that removes an item removes it from all': `
      apply ann    {list: [{name: a}, {name: b}]}
      apply ben    {list: [{name: b, value: 1}]}
      update bot   {list: [{name: a}]}
      applied ann  .list[name=a]{,.name}`,
    'a new order of items changes nothing for an updater': `
      apply ann    {list: [{name: a}, {name: b}]}
      update bot   {list: [{name: b}, {name: a}]}
      applied ann  .list{[name=a]{,.name},[name=b]{,.name}}
      is           {list: [{name: b}, {name: a}]}`,
    'an item that is deleted and made again is the updater’s': `
      apply ann    {list: [{name: a, value: 1}, {name: b}]}
      update bot   {list: [{name: b}]}
      update cat   {list: [{name: b}, {name: a, value: 1}]}
      applied ann  .list[name=b]{,.name}
      updated cat  .list[name=a]{,.name,.value}
      apply ann    {list: [{name: b}]}
      is           {list: [{name: b}, {name: a, value: 1}]}`,
    'an atomic list in an item is one value': `
      apply ann    {list: [{name: a, tags: [x, y]}]}
      apply ben    {list: [{name: a, tags: [x]}]}
      conflict     applied ann .list[name=a].tags
      force ben    {list: [{name: a, tags: [x]}]}
      applied ann  .list[name=a]{,.name}
      applied ben  .list[name=a]{,.name,.tags}
      is           {list: [{name: a, tags: [x]}]}`,
  });
});
