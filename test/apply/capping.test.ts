/** Entries for updates that are too many: the oldest become one. */
import t from 'tap';
import { capManagers, UPDATE_ENTRIES_MAX } from '../../src/semantics/fields/track-update.ts';
import { scenarios, schema } from '../support/apply-scenario.ts';
import { parseSet, pathsOf } from './field-paths.ts';

/** As many entries, younger and of versions of their own, as leave room for three. */
const YOUNGER = Array.from({ length: UPDATE_ENTRIES_MAX - 3 }, (_, at) => ({
  manager: `younger-${at}`,
  operation: 'Update' as const,
  apiVersion: `w${at}`,
  time: '2030-01-01T01:00:00Z',
  subresource: '',
  fields: parseSet('.z'),
}));

function entryOf(text: string) {
  const [manager = '', apiVersion = '', hour = '', ...paths] = text.split(' ');
  return {
    manager,
    operation: 'Update' as const,
    apiVersion,
    time: `2030-01-01T00:0${hour}:00Z`,
    subresource: '',
    fields: parseSet(paths.join(' ')),
  };
}

/** Entries as `manager version time paths`, the oldest first. */
function capped(entries: readonly string[]): string[] {
  return capManagers([...entries.map(entryOf), ...YOUNGER])
    .filter(({ manager }) => !manager.startsWith('younger'))
    .toSorted((a, b) => (a.time < b.time ? -1 : 1))
    .map(({ manager, apiVersion, time, fields }) =>
      [manager, apiVersion, time.at(15), ...pathsOf(fields)].join(' '),
    );
}

const ROWS: readonly [name: string, before: string[], after: string[]][] = [
  [
    'not too many',
    ['a v1 1 .a', 'b v1 2 .b', 'c v1 3 .c'],
    ['a v1 1 .a', 'b v1 2 .b', 'c v1 3 .c'],
  ],
  [
    'one too many',
    ['a v1 1 .a', 'b v1 2 .b', 'c v1 3 .c', 'd v1 4 .d'],
    ['ancient-changes v1 2 .a .b', 'c v1 3 .c', 'd v1 4 .d'],
  ],
  [
    'one too many beside older ones',
    ['ancient-changes v1 2 .a .b', 'c v1 3 .c', 'd v1 4 .d', 'e v1 5 .e'],
    ['ancient-changes v1 3 .a .b .c', 'd v1 4 .d', 'e v1 5 .e'],
  ],
  [
    'two too many, one of them of another version',
    ['a v1 1 .a', 'b v2 2 .b', 'c v1 3 .c', 'd v1 4 .d', 'e v1 5 .e'],
    ['b v2 2 .b', 'ancient-changes v1 4 .a .c .d', 'e v1 5 .e'],
  ],
  [
    'two too many of three versions beside older ones',
    ['b v2 2 .b', 'ancient-changes v1 4 .a .c .d', 'e v1 5 .e', 'f v3 6 .f', 'g v2 7 .g'],
    ['ancient-changes v1 5 .a .c .d .e', 'f v3 6 .f', 'ancient-changes v2 7 .b .g'],
  ],
  [
    'one too many beside older ones of two versions',
    ['ancient-changes v1 5 .a .c', 'f v3 6 .f', 'ancient-changes v2 7 .b .g', 'h v3 8 .h'],
    ['ancient-changes v1 5 .a .c', 'ancient-changes v2 7 .b .g', 'ancient-changes v3 8 .f .h'],
  ],
  [
    'too many, but all of versions of their own',
    ['ancient-changes v1 5 .a .c', 'f v3 6 .f', 'ancient-changes v2 7 .b .g', 'h v4 8 .h'],
    ['ancient-changes v1 5 .a .c', 'f v3 6 .f', 'ancient-changes v2 7 .b .g', 'h v4 8 .h'],
  ],
];

t.test('what is capped', async (t) => {
  for (const [name, before, after] of ROWS) {
    t.same(capped(before), after, name);
    t.same(capped(after), after, `${name}, once more`);
  }
});

const MAP = schema('message Object { map<string, string> map = 1; }');

/** Each of `count` updaters adds a member of the map, a second after the one before. */
function updaters(count: number): string {
  let map = '';
  const steps = Array.from({ length: count }, (_, at) => {
    map += `m${at + 1}: x, `;
    return `at ${at + 1}\nupdate u${at + 1} {map: {${map}}}`;
  });
  return steps.join('\n');
}

t.test('updaters of one object', async (t) => {
  const last = (from: number, to: number): string =>
    Array.from({ length: to - from + 1 }, (_, at) => from + at)
      .map((number) => `updated u${number} at ${number} .map.m${number}`)
      .join('\n');
  scenarios(t, MAP, {
    'ten have an entry each': `
      ${updaters(10)}
      ${last(2, 10)}
      updated u1 at 1 .map{,.m1}`,
    'of eleven, two become one': `
      ${updaters(11)}
      ${last(3, 11)}
      updated ancient-changes at 2 .map{,.m1,.m2}`,
    'of thirteen, four': `
      ${updaters(13)}
      ${last(5, 13)}
      updated ancient-changes at 4 .map{,.m1,.m2,.m3,.m4}
      order ancient-changes u5 u6 u7 u8 u9 u10 u11 u12 u13`,
    'appliers do not count': `
      apply ann {map: {a: x}}
      apply ben {map: {b: x}}
      ${updaters(10).replaceAll('{map: {', '{map: {a: x, b: x, ')}
      ${last(1, 10)}
      applied ann at 0 .map.a
      applied ben at 0 .map.b`,
    'who comes again after she was put to the old ones has an entry of her own': `
      ${updaters(11)}
      at 20
      update u1 {map: {a: x}}
      updated ancient-changes at 2 .map
      updated u1 at 20 .map.a`,
  });
});
