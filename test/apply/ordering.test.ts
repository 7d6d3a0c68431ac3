/** The order of items after an apply: as the configuration has it, the others where they were. */
import t from 'tap';
import { scenarios, schema } from '../support/apply-scenario.ts';
import { merges } from './field-tables.ts';

const LISTS = schema(`
  message Object {
    repeated string set = 1 [(list_type) = "set"];
    repeated bool flags = 2 [(list_type) = "set"];
    repeated double numbers = 3 [(list_type) = "set"];
    repeated Item keyed = 4 [
      (list_type) = "map", (list_map_keys) = "key", (list_map_keys) = "id"
    ];
    repeated string atomic = 5;
  }
  message Item {
    optional string key = 1;
    optional int32 id = 2;
    map<string, string> value = 3;
  }
`);

/** Letters are items: `abc` is `[a, b, c]`. */
function setOf(letters: string): string {
  return `{set: [${letters
    .split('')
    .map((letter) => JSON.stringify(letter))
    .join(', ')}]}`;
}

/** Items of the keyed list: `a1 b2` are `{key: a, id: 1}` and `{key: b, id: 2}`. */
function keyedOf(items: string): string {
  const texts = items.split(' ').map((item) => `{key: ${item.charAt(0)}, id: ${item.slice(1)}}`);
  return `{keyed: [${texts.join(', ')}]}`;
}

t.test('sets', async (t) => {
  const rows: [live: string, config: string, merged: string][] = [
    ['abc', 'ab', 'abc'],
    ['ab', 'abc', 'abc'],
    ['abc', '', 'abc'],
    ['', 'abc', 'abc'],
    ['ab', 'ba', 'ba'],
    ['abc', 'def', 'abcdef'],
    ['abc', 'cdef', 'abcdef'],
    ['abcgf', 'cdef', 'abcgdef'],
    ['abc', 'defxyz', 'abcdefxyz'],
    ['cdef', 'ace', 'acdef'],
    ['abcxyz', 'def', 'abcxyzdef'],
    ['abcxyz', 'defxyz', 'abcdefxyz'],
    ['cagf', 'cfag', 'cfag'],
    ['abcd', 'defa', 'bcdefa'],
    ['cdefghij', '2h3e4kl', 'cdfg2hij3e4kl'],
    ['abcdefghij', '1b2h3e4kl', 'a1bcdfg2hij3e4kl'],
    ['abcde', 'edcba', 'edcba'],
    ['abcde', 'xcy', 'abxcdey'],
    ['abcde', 'ca', 'bcdea'],
    ['ab', 'xaybz', 'xaybz'],
    ['axbycz', 'abc', 'axbycz'],
    ['axbycz', 'cba', 'xyczba'],
  ];
  merges(
    t,
    LISTS,
    rows.map(([live, config, merged]) => [setOf(live), setOf(config), setOf(merged)]),
  );
  merges(t, LISTS, [
    ['{flags: [true]}', '{flags: [false]}', '{flags: [true, false]}'],
    ['{numbers: [1, 2, 3.25]}', '{numbers: [1, 2, 3]}', '{numbers: [1, 2, 3.25, 3]}'],
    ['{set: ~}', '{set: [a]}', '{set: [a]}'],
    ['{set: [a]}', '{set: ~}', '{set: [a]}'],
    ['{}', '{set: []}', '{set: []}'],
  ]);
});

t.test('keyed lists', async (t) => {
  const rows: [live: string, config: string, merged: string][] = [
    ['a1', 'a2', 'a1 a2'],
    ['a1 b1', 'a1 a2', 'a1 b1 a2'],
    ['b2', 'a1 b2 c3', 'a1 b2 c3'],
    ['a1 b2 c3', 'c3 b2', 'a1 c3 b2'],
    ['a1 b2 c3', 'c3 a1', 'b2 c3 a1'],
    ['a1 b2 c3', 'd4', 'a1 b2 c3 d4'],
    ['a1 b2 c3', 'd4 b2', 'a1 d4 b2 c3'],
    ['a1 b2 c3', 'b2 d4', 'a1 b2 c3 d4'],
  ];
  merges(
    t,
    LISTS,
    rows.map(([live, config, merged]) => [keyedOf(live), keyedOf(config), keyedOf(merged)]),
  );
  merges(t, LISTS, [
    [
      '{keyed: [{key: a, id: 1, value: {a: a}}, {key: b, id: 1}]}',
      '{keyed: [{key: b, id: 1, value: {c: c}}, {key: a, id: 1, value: {b: b}}]}',
      '{keyed: [{key: b, id: 1, value: {c: c}}, {key: a, id: 1, value: {a: a, b: b}}]}',
    ],
    ['{keyed: [{key: a, id: 1}]}', '{keyed: []}', '{keyed: [{key: a, id: 1}]}'],
    ['{atomic: [a, a, a]}', '{atomic: ~}', '{atomic: ~}'],
    ['{atomic: [a, b, c]}', '{atomic: []}', '{atomic: []}'],
    ['{atomic: [a, a, a]}', '{atomic: [a, a]}', '{atomic: [a, a]}'],
  ]);
});

t.test('the order that managers see', async (t) => {
  scenarios(t, LISTS, {
    'is that of who last changed something else by it': `
      apply ann    {set: [a, b, c]}
      apply ben    {set: [c, x, a]}
      is           {set: [b, c, x, a]}
      apply ann    {set: [a, b, c, d]}
      is           {set: [x, a, b, c, d]}`,
    'alone is no change, in a set': `
      apply ann    {set: [a, b, c]}
      apply ann    {set: [c, b, a]}
      same
      is           {set: [a, b, c]}`,
    'alone is no change, in a keyed list': `
      apply ann    {keyed: [{key: a, id: 1}, {key: b, id: 1}]}
      apply ann    {keyed: [{key: b, id: 1}, {key: a, id: 1}]}
      same
      apply ben    {keyed: [{key: b, id: 1}, {key: a, id: 1}]}
      is           {keyed: [{key: a, id: 1}, {key: b, id: 1}]}
      apply ann    {keyed: [{key: b, id: 1, value: {x: y}}, {key: a, id: 1}]}
      is           {keyed: [{key: b, id: 1, value: {x: y}}, {key: a, id: 1}]}`,
    'does not change who owns what': `
      apply ann    {set: [a, b]}
      apply ben    {set: [b, a]}
      applied ann  .set{[=a],[=b]}
      applied ben  .set{[=a],[=b]}
      is           {set: [a, b]}`,
  });
});
