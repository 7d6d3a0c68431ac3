/** Managers who write in different versions, in which fields have different names. */
import t from 'tap';
import type { Members } from '../../src/codec/model/schema-model.ts';
import { scenarios, schema } from '../support/apply-scenario.ts';
import type { Convert } from '../support/apply-scenario.ts';

const RENAMED = schema(`
  message Object { optional Part part = 1 [(presence) = true]; }
  message Part {
    optional string name = 1;
    optional string text_@ = 2;
    optional Inner inner_@ = 3 [(presence) = true];
  }
  message Inner { optional string name = 1; }
`);

/** Makes scenarios that hold whichever versions the three are. */
function anyVersions(v: string, w: string, x: string): Record<string, string> {
  const inVersion = (version: string): string => (version === 'v1' ? '' : ` in ${version}`);
  const rows = {
    'a value goes with its only owner': `
      apply ann${inVersion(v)}    {part: {name: a, text_${v}: a}}
      apply ann${inVersion(w)}    {part: {name: a}}
      update cat${inVersion(x)}   {part: {name: a}}
      is                          {part: {name: a}}
      applied ann${inVersion(w)}  .part.name`,
    'a value stays that another applies': `
      apply ann${inVersion(v)}    {part: {name: a, text_${v}: a}}
      apply ben${inVersion(w)}    {part: {text_${w}: a}}
      apply ann${inVersion(x)}    {part: {name: a}}
      is                          {part: {name: a, text_${x}: a}}
      applied ann${inVersion(x)}  .part.name
      applied ben${inVersion(w)}  .part.text_${w}`,
    'a value stays that an updater has written': `
      update bot${inVersion(v)}   {part: {name: a, text_${v}: a}}
      apply ann${inVersion(w)}    {part: {name: a, text_${w}: a}}
      apply ann${inVersion(x)}    {part: {name: a}}
      is                          {part: {name: a, text_${x}: a}}
      applied ann${inVersion(x)}  .part.name
      updated bot${inVersion(v)}  .part{,.name,.text_${v}}`,
    'an updater takes a value': `
      apply ann${inVersion(v)}    {part: {name: a, text_${v}: a}}
      update bot${inVersion(w)}   {part: {name: a, text_${w}: b}}
      is                          {part: {name: a, text_${w}: b}}
      applied ann${inVersion(v)}  .part.name
      updated bot${inVersion(w)}  .part.text_${w}
      apply ann${inVersion(x)}    {part: {name: a, text_${x}: c}}
      conflict                    updated bot .part.text_${w}
      force ann${inVersion(x)}    {part: {name: a, text_${x}: c}}
      is                          {part: {name: a, text_${x}: c}}
      applied ann${inVersion(x)}  .part{.name,.text_${x}}`,
    'a message goes with its only owner': `
      apply ann${inVersion(v)}    {part: {name: a, inner_${v}: {name: b}}}
      apply ann${inVersion(w)}    {part: {name: a}}
      is                          {part: {name: a}}
      applied ann${inVersion(w)}  .part.name`,
    'a message stays that another applies': `
      apply ann${inVersion(v)}    {part: {name: a, inner_${v}: {name: b}}}
      apply ben${inVersion(w)}    {part: {inner_${w}: {name: b}}}
      apply ann${inVersion(x)}    {part: {name: a}}
      is                          {part: {name: a, inner_${x}: {name: b}}}
      applied ann${inVersion(x)}  .part.name
      applied ben${inVersion(w)}  .part.inner_${w}.name`,
    'a value in another version is a conflict': `
      apply ann${inVersion(v)}    {part: {text_${v}: a}}
      apply ben${inVersion(w)}    {part: {text_${w}: b}}
      conflict                    applied ann .part.text_${v}
      is                          {part: {text_${v}: a}}`,
  };
  return Object.fromEntries(
    Object.entries(rows).map(([name, row]) => [`${name} (${v}, ${w}, ${x})`, row]),
  );
}

t.test('fields of other names', async (t) => {
  const versions = ['v1', 'v2', 'v3'];
  for (const v of versions) {
    for (const w of versions) {
      for (const x of versions) scenarios(t, RENAMED, anyVersions(v, w, x));
    }
  }
});

/** In v2, the names below `tree` are what they are in v1, twice, and so on. */
const repeatNames: Convert = (document, _from, to) => repeat(document, Number(to.slice(1)), true);

function repeat(node: Members, times: number, isRoot: boolean): Members {
  const entries = Object.entries(node).map(([name, value]): [string, unknown] => [
    isRoot ? name : name.charAt(0).repeat(times),
    typeof value === 'object' && value !== null ? repeat(value as Members, times, false) : value,
  ]);
  return Object.fromEntries(entries);
}

const TREE = schema(
  'message Object { optional meta.v1.RawExtension tree = 1 [(presence) = true]; }',
  {
    convert: repeatNames,
  },
);

t.test('members of a map with other names', async (t) => {
  scenarios(t, TREE, {
    'go and stay as they do in one version': `
      apply ann in v1    {tree: {a: {b: ~}, c: {d: ~}}}
      apply ben in v2    {tree: {aa: ~, cc: {dd: ~}}}
      update bot in v3   {tree: {aaa: {bbb: {ccc: {ddd: ~}}}, ccc: {ddd: {eee: {fff: ~}}}}}
      apply ann in v4    {tree: ~}
      is                 {tree: {aaaa: ~, cccc: {dddd: {eeee: {ffff: ~}}}}}
      applied ann in v4  .tree
      applied ben in v2  .tree{.aa,.cc{,.dd}}
      updated bot in v3  .tree.ccc.ddd.eee{,.fff}`,
    'an applier removes what she made, though a controller has changed it': `
      apply ann in v3    {tree: {aaa: {bbb: ~}}}
      update bot         {tree: {a: {b: {c: ~}}}}
      apply ann in v2    {tree: {aa: {bb: ~}, cc: {dd: ~}}}
      apply ann in v3    {tree: {aaa: ~, ccc: ~}}
      is                 {tree: {aaa: ~, ccc: ~}}
      applied ann in v3  .tree{.aaa,.ccc}`,
    'an applier does not remove what an updater made': `
      update bot         {tree: {a: {b: {c: ~}}}}
      apply ann in v2    {tree: {aa: {bb: ~}, cc: {dd: ~}}}
      apply ann in v3    {tree: {aaa: ~, ccc: ~}}
      is                 {tree: {aaa: {bbb: {ccc: ~}}, ccc: ~}}
      applied ann in v3  .tree{.aaa,.ccc}
      updated bot        .tree{,.a{,.b{,.c}}}`,
  });
});

/** Cannot be done without the field that v1 is made from. */
const needsBar: Convert = (document, from, to) => {
  if (from === to) return document;
  const { foo, bar, ...rest } = document;
  if (to === 'v1' && bar === undefined) throw new Error('bar is missing');
  return to === 'v1' ? { ...rest, foo: bar } : { ...rest, bar: foo };
};

const NEEDED = schema(
  `message Object {
    optional string foo = 1; optional string bar = 2; optional string common = 3;
  }`,
  { convert: needsBar },
);

const LEAVES = schema(`
  message Object {
    optional string one = 1; optional string two = 2; optional string three = 3;
    repeated string list = 4 [(list_type) = "set"];
  }
`);

t.test('versions that cannot be had', async (t) => {
  scenarios(t, NEEDED, {
    'a field that a conversion needs is not taken away on the way': `
      apply ann in v2    {bar: a}
      apply ben          {common: b}
      apply ann in v2    {bar: b}
      is                 {bar: b, common: b}
      applied ann in v2  .bar
      applied ben        .common`,
  });
  scenarios(t, LEAVES, {
    'an entry goes with its version': `
      update ann         {one: a}
      update ben in v2   {one: a, two: a}
      serve v2 v3
      update cat in v3   {one: a, two: a, three: a}
      updated ben in v2  .two
      updated cat in v3  .three`,
    'an entry of an applier too': `
      apply ann          {one: a}
      apply ben in v2    {two: a}
      serve v2 v3
      apply cat in v3    {one: b}
      is                 {one: b, two: a}
      applied ben in v2  .two
      applied cat in v3  .one`,
    'what was applied in a version that is gone is not removed': `
      apply ann          {list: [a, b, c, d]}
      serve v2
      apply ann in v2    {list: [a]}
      is                 {list: [a, b, c, d]}
      applied ann in v2  .list[=a]`,
    'the same updater in two versions has two entries': `
      update bot         {one: a}
      update bot in v2   {one: a, two: b}
      updated bot        .one
      updated bot in v2  .two
      update bot in v2   {one: b, two: b}
      updated bot in v2  .one .two`,
    'the same applier in two versions has one': `
      apply ann          {one: a}
      apply ann in v2    {one: a, two: b}
      applied ann in v2  .one .two`,
  });
});
