/** Items that a list may have only once. */
import t from 'tap';
import { scenarios, schema } from '../support/apply-scenario.ts';

const LISTS = schema(`
  message Object {
    repeated Item keyed = 1 [(list_type) = "map", (list_map_keys) = "name"];
    repeated string set = 2 [(list_type) = "set"];
    repeated string atomic = 3;
    optional string text = 4;
  }
  message Item { optional string name = 1; optional string value = 2; }
`);

t.test('an item twice', async (t) => {
  scenarios(t, LISTS, {
    'in a configuration is refused, in a keyed list': `
      apply ann    {keyed: [{name: a, value: x}, {name: a, value: y}]}
      fails        .keyed: duplicate entries for key [name="a"]
      unowned`,
    'and in a set': `
      apply ann    {set: [a, b, a]}
      fails        .set: duplicate entries for key [="a"]`,
    'and three times': `
      apply ann    {set: [a, a, a]}
      fails        errors: |   .set: duplicate entries for key [="a"] |   .set: duplicate entries \
for key [="a"]`,
    'but not in an atomic list': `
      apply ann    {atomic: [a, a]}
      is           {atomic: [a, a]}
      applied ann  .atomic`,
    'in what an updater writes cannot be tracked': `
      apply ann    {keyed: [{name: a}]}
      update bot   {keyed: [{name: a}, {name: a}]}
      fails        .keyed: duplicate entries for key [name="a"]
      applied ann  .keyed[name=a]{,.name}`,
    'in the object refuses what is applied, wherever it is': `
      given        {set: [a, a], text: x}
      own updated bot .text
      apply ann    {text: x}
      fails        .set: duplicate entries for key [="a"]`,
  });
});
