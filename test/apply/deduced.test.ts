/** Values without a schema: maps of fields, lists that are one value. */
import t from 'tap';
import { scenarios, schema } from '../support/apply-scenario.ts';
import { compares, merges, sets } from './field-tables.ts';

const FREE = schema(
  'message Object { optional meta.v1.RawExtension any = 1 [(presence) = true]; }',
);

t.test('managers of values without a schema', async (t) => {
  const nested = (d: number, e: string, value: number) =>
    `{any: {a: 1, b: {c: {d: ${d}, e: ${e}, f: [{name: n, value: ${value}}]}}, g: 5}}`;
  const mine = (a: number) => `{any: {a: ${a}, b: {c: {d: 2, e: [3, 2, 1], f: [{name: n}]}}}}`;
  const contested = (version: string, first: string) => `
      apply ann             {any: {a: 1, b: {c: {d: 2, e: [1, 2, 3], f: [{name: n}]}}}}
      update bot ${version}  ${nested(3, '[1, 2, 3, 4]', 2)}
      apply ann ${first}     ${mine(2)}
      conflict              updated bot .any.b.c{.d,.e,.f}
      force ann ${first}     ${mine(2)}
      is           {any: {a: 2, b: {c: {d: 2, e: [3, 2, 1], f: [{name: n}]}}, g: 5}}
      applied ann ${first}   .any{.a,.b{,.c{,.d,.e,.f}}}
      updated bot ${version} .any.g`;
  scenarios(t, FREE, {
    'a value changes and one comes': `
      apply ann    {any: {number: 1, text: a}}
      apply ann    {any: {number: 2, text: a, flag: false}}
      is           {any: {number: 2, text: a, flag: false}}
      applied ann  .any{.number,.text,.flag}`,
    'an updater adds a value': `
      apply ann    {any: {number: 1, text: a}}
      update bot   {any: {number: 1, text: a, flag: true}}
      apply ann    {any: {number: 2, text: a}}
      is           {any: {number: 2, text: a, flag: true}}
      applied ann  .any{.number,.text}
      updated bot  .any.flag`,
    'an updater changes a value': `
      apply ann    {any: {number: 1, text: a}}
      update bot   {any: {number: 1, text: b, flag: true}}
      apply ann    {any: {number: 2, text: c}}
      conflict     updated bot .any.text
      force ann    {any: {number: 2, text: c}}
      is           {any: {number: 2, text: c, flag: true}}
      applied ann  .any{.number,.text}
      updated bot  .any.flag`,
    'values go': `
      apply ann    {any: {number: 1, text: a, flag: false}}
      apply ann    {any: {text: b}}
      is           {any: {text: b}}
      applied ann  .any.text`,
    'all of it goes': `
      apply ann  {any: {text: a}}
      apply ann  {}
      is         {}
      unowned`,
    'an updater takes the only value': `
      apply ann    {any: {text: a}}
      update bot   {any: {text: b}}
      is           {any: {text: b}}
      updated bot  .any.text`,
    'a list is one value': `
      apply ann    {any: {list: [a, c]}}
      apply ann    {any: {list: [a, d, c, b]}}
      is           {any: {list: [a, d, c, b]}}
      applied ann  .any.list
      update bot   {any: {list: [a, b]}}
      updated bot  .any.list
      force ann    {any: {list: [a, b, c]}}
      is           {any: {list: [a, b, c]}}
      applied ann  .any.list`,
    'maps in maps are fields': contested('', ''),
    'in other versions too': contested('in v2', 'in v3'),
    'names of JavaScript are names': `
      apply ann    {any: {__proto__: {constructor: 1}}}
      apply ben    {any: {__proto__: {constructor: 2}}}
      conflict     applied ann .any.__proto__.constructor
      force ben    {any: {__proto__: {constructor: 2, valueOf: 3}}}
      is           {any: {__proto__: {constructor: 2, valueOf: 3}}}
      applied ann  .any.__proto__
      applied ben  .any.__proto__{,.constructor,.valueOf}`,
  });
});

/** A value below `any`. */
const any = (text: string): string => `{any: ${text}}`;

t.test('what a configuration without a schema owns', async (t) => {
  const rows: [value: string, paths: string][] = [
    ['{key: foo, value: 1}', '.any{.key,.value}'],
    ['{key: foo, value: {a: b}}', '.any{.key,.value{,.a}}'],
    ['{key: foo, value: ~}', '.any{.key,.value}'],
    ['{key: foo, value: true}', '.any{.key,.value}'],
    ['{number: 3.5}', '.any.number'],
    ['{list: [a, b]}', '.any.list'],
    ['{list: []}', '.any.list'],
    ['{list: ~}', '.any.list'],
    ['{list: [{key: a}, {key: b}]}', '.any.list'],
    ['{color: {}}', '.any.color'],
    ['{color: {r: 255, g: 0}}', '.any.color{,.r,.g}'],
    ['[a, b]', '.any'],
    ['text', '.any'],
    ['{}', '.any'],
    ['~', '.any'],
  ];
  sets(
    t,
    FREE,
    rows.map(([value, paths]) => [any(value), paths]),
  );
});

t.test('what merging without a schema gives', async (t) => {
  const rows: [live: string, config: string, merged: string][] = [
    ['{key: foo, value: {}}', '{key: foo, value: 1}', '{key: foo, value: 1}'],
    ['{key: foo, value: 1}', '{key: foo, value: {}}', '{key: foo, value: {}}'],
    ['{key: foo, value: ~}', '{key: foo, value: {}}', '{key: foo, value: {}}'],
    ['{key: foo}', '{value: true}', '{key: foo, value: true}'],
    ['{in: {}}', '{in: ~}', '{in: ~}'],
    ['{in: ~}', '{in: []}', '{in: []}'],
    ['{in: []}', '{in: ~}', '{in: ~}'],
    ['{in: []}', '{in: []}', '{in: []}'],
    ['{number: 1}', '{number: 3.5}', '{number: 3.5}'],
    ['{list: [a, b, c]}', '{list: [a, b]}', '{list: [a, b]}'],
    ['{list: [a]}', '{list: []}', '{list: []}'],
    ['{list: []}', '{list: [a]}', '{list: [a]}'],
    ['{"": [true]}', '{flags: [false]}', '{"": [true], flags: [false]}'],
    ['{list: [{key: a}]}', '{list: [{key: b}]}', '{list: [{key: b}]}'],
    [
      '{a: 1, b: [~], c: {id: 2, list: [x]}}',
      '{a: 2, b: [x], c: {name: y}}',
      '{a: 2, b: [x], c: {id: 2, list: [x], name: y}}',
    ],
  ];
  merges(
    t,
    FREE,
    rows.map(([live, config, merged]) => [any(live), any(config), any(merged)]),
  );
});

t.test('what changes without a schema', async (t) => {
  const rows: [before: string, after: string, changed: string, removed?: string][] = [
    ['{key: foo, value: 1}', '{key: foo, value: 1}', ''],
    ['{value: {}}', '{value: 1}', '.value'],
    ['{value: 1}', '{value: {a: {b: 1}}}', '.value{,.a{,.b}}'],
    ['{value: ~}', '{value: {}}', '.value'],
    ['{key: foo}', '{value: true}', '.value', '.key'],
    ['{key: foo}', '{key: bar, value: true}', '.key .value'],
    ['{}', '{in: {}}', '.in'],
    ['{in: {}}', '{in: []}', '.in'],
    ['{in: ~}', '{in: []}', '.in'],
    ['{in: []}', '{in: []}', ''],
    ['{a: {}}', '{b: {}}', '.b', '.a'],
    ['{a: {b: {c: {}}}}', '{a: {b: {}}}', '', '.a.b.c'],
    ['{a: {b: {c: [true]}}}', '{a: {b: [false]}}', '.a.b', '.a.b.c'],
    ['{a: {}}', '{a: {b: x}}', '.a.b'],
    ['{a: ~}', '{a: {b: {}}}', '.a.b'],
    ['{a: {b: {}}}', '{a: ~}', '', '.a.b'],
    ['{a: {b: {}}}', '{a: [b]}', '.a', '.a.b'],
    ['{a: [b]}', '{a: {b: {}}}', '.a{,.b}'],
    ['{a: {b: {}}}', '{a: b}', '.a', '.a.b'],
    ['{a: b}', '{a: {b: {}}}', '.a{,.b}'],
    ['{a: [b]}', '{a: b}', '.a'],
    ['{a: b}', '{a: [b]}', '.a'],
    ['{a: ~}', '{a: b}', '.a'],
    ['{a: ~}', '{a: [b]}', '.a'],
    ['{number: 1}', '{number: 3.5}', '.number'],
    ['{text: a}', '{flag: true}', '.flag', '.text'],
    ['{list: [a]}', '{list: [a, b]}', '.list'],
    ['{}', '{list: [{key: a}]}', '.list'],
    ['{list: [{key: a, value: 1}]}', '{list: [{value: 1, key: a}]}', ''],
    ['{list: [{key: a, value: 1}]}', '{list: [{key: a, value: 2}]}', '.list'],
    ['{list: [a, a]}', '{list: ~}', '.list'],
  ];
  const below = (paths: string): string => paths.replaceAll(/(^| )\./g, '$1.any.');
  compares(
    t,
    FREE,
    rows.map(([before, after, changed, removed = '']) => [
      any(`{keep: 1, ${before.slice(1)}`),
      any(`{keep: 1, ${after.slice(1)}`),
      below(changed),
      below(removed),
    ]),
  );
});
