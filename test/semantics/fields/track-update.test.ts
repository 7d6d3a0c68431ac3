// Who owns what after a write that is no apply.
import t from 'tap';
import type { Comparison } from '../../../src/semantics/fields/compare-fields.ts';
import { pathTexts, setOfPaths, type FieldSet } from '../../../src/semantics/fields/field-set.ts';
import type { ManagedEntry } from '../../../src/semantics/fields/managed-fields.ts';
import {
  capManagers,
  trackUpdate,
  UPDATE_ENTRIES_MAX,
  type CompareIn,
  type Ownable,
  type Writer,
} from '../../../src/semantics/fields/track-update.ts';

/** Reads a set such as `.a.b .c`. */
function set(paths: string): FieldSet {
  const texts = paths.split(' ').filter((path) => path !== '');
  return setOfPaths(
    texts.map((path) =>
      path
        .split('.')
        .slice(1)
        .map((name) => `f:${name}`),
    ),
  );
}

/** Reads an entry such as `ann Update v1 at 3 .a.b .c`, or `ann/status Update …`. */
function parse(text: string): ManagedEntry {
  const [owner = '', operation, apiVersion = '', , time = '', ...paths] = text.split(' ');
  const [manager = '', subresource = ''] = owner.split('/');
  return {
    manager,
    operation: operation as 'Apply' | 'Update',
    apiVersion,
    time,
    subresource,
    fields: set(paths.join(' ')),
  };
}

function show({ manager, operation, apiVersion, time, subresource, fields }: ManagedEntry): string {
  const owner = subresource === '' ? manager : `${manager}/${subresource}`;
  return [owner, operation, apiVersion, 'at', time, ...pathTexts(fields)].join(' ');
}

function changes(changed: string, removed = ''): Comparison {
  return { changed: set(changed), removed: set(removed) };
}

const ANN: Writer = { manager: 'ann', apiVersion: 'v1', subresource: '', time: '9' };

interface Case {
  readonly name: string;
  readonly before: readonly string[];
  readonly changed?: string;
  readonly removed?: string;
  /** How it looks in the second version; that is not served where it is not given. */
  readonly inV2?: Comparison;
  readonly writer?: Partial<Writer>;
  readonly ownable?: Ownable;
  /** 'same' for the very list. */
  readonly after: readonly string[] | 'same';
}

const CASES: readonly Case[] = [
  { name: 'a create', before: [], changed: '.a .b', after: ['ann Update v1 at 9 .a .b'] },
  { name: 'a create of nothing', before: [], after: 'same' },
  {
    name: 'a field is taken from all others, whoever they are',
    before: [
      'bob Update v1 at 1 .a .b',
      'cat Apply v1 at 1 .a .c',
      'ann Apply v1 at 1 .a .d',
      'ann/status Update v1 at 1 .a .e',
    ],
    changed: '.a',
    after: [
      'bob Update v1 at 1 .b',
      'cat Apply v1 at 1 .c',
      'ann Apply v1 at 1 .d',
      'ann/status Update v1 at 1 .e',
      'ann Update v1 at 9 .a',
    ],
  },
  {
    name: 'the entry of the writer grows in its place',
    before: ['ann Update v1 at 1 .a', 'bob Update v1 at 1 .b'],
    changed: '.b .c',
    after: ['ann Update v1 at 9 .a .b .c'],
  },
  {
    name: 'a field that the writer owns already',
    before: ['ann Update v1 at 1 .a', 'bob Update v1 at 1 .b'],
    changed: '.a',
    after: 'same',
  },
  {
    name: 'a field that the writer owns already, with somebody else',
    before: ['ann Update v1 at 1 .a .c', 'bob Update v1 at 1 .a .b'],
    changed: '.a',
    after: ['ann Update v1 at 1 .a .c', 'bob Update v1 at 1 .b'],
  },
  {
    name: 'what is removed nobody owns, and no time changes',
    before: ['ann Update v1 at 1 .a .b', 'bob Apply v1 at 1 .a', 'cat Update v1 at 1 .a .c'],
    removed: '.a',
    after: ['ann Update v1 at 1 .b', 'cat Update v1 at 1 .c'],
  },
  {
    name: 'an entry loses its last field',
    before: ['ann Update v1 at 1 .a'],
    removed: '.a',
    after: [],
  },
  {
    name: 'an empty entry goes with the next write',
    before: ['bob Update v1 at 1', 'ann Update v1 at 1 .a'],
    changed: '.b',
    after: ['ann Update v1 at 9 .a .b'],
  },
  { name: 'no change at all', before: ['bob Update v7 at 1 .a'], after: 'same' },
  {
    name: 'a field that nobody owned is removed',
    before: ['bob Update v1 at 1 .a'],
    removed: '.b',
    after: 'same',
  },
  {
    name: 'what the server keeps for itself has no owner',
    before: ['bob Update v1 at 1 .a'],
    changed:
      '.apiVersion .kind .metadata .metadata.name .metadata.namespace .metadata.uid ' +
      '.metadata.creationTimestamp .metadata.selfLink .metadata.clusterName ' +
      '.metadata.generation .metadata.managedFields .metadata.resourceVersion',
    after: 'same',
  },
  {
    name: 'the rest of metadata has',
    before: [],
    changed:
      '.metadata .metadata.labels .metadata.labels.name .metadata.deletionTimestamp ' +
      '.metadata.generateName .metadata.finalizers',
    after: [
      'ann Update v1 at 9 .metadata.deletionTimestamp .metadata.finalizers ' +
        '.metadata.generateName .metadata.labels .metadata.labels.name',
    ],
  },
  {
    name: 'other versions are compared as they are',
    before: ['bob Update v2 at 1 .x .y', 'ann Update v2 at 1 .x .z'],
    changed: '.a',
    inV2: changes('.x', '.y'),
    after: ['ann Update v2 at 1 .z', 'ann Update v1 at 9 .a'],
  },
  {
    name: 'an entry of a version that is not served goes',
    before: ['bob Update v2 at 1 .x', 'cat Apply v2 at 1 .x', 'dan Apply v1 at 1 .x'],
    changed: '.a',
    after: ['dan Apply v1 at 1 .x', 'ann Update v1 at 9 .a'],
  },
  {
    name: 'through a subresource',
    before: ['ann Update v1 at 1 .a .b'],
    changed: '.b .c',
    writer: { subresource: 'status' },
    after: ['ann Update v1 at 1 .a', 'ann/status Update v1 at 9 .b .c'],
  },
  {
    name: 'fields that the endpoint does not give',
    before: ['bob Update v1 at 1 .status.a .spec.a', 'cat Update v2 at 1 .status.a .spec.a'],
    changed: '.spec.a .status.a',
    inV2: changes('.spec.a', '.status.a'),
    ownable: { except: set('.status') },
    after: [
      'bob Update v1 at 1 .status.a',
      'cat Update v2 at 1 .status.a',
      'ann Update v1 at 9 .spec.a',
    ],
  },
  {
    name: 'fields that alone the endpoint gives',
    before: ['bob Update v1 at 1 .status.a .spec.a'],
    changed: '.spec.a .status.a .status.b',
    removed: '.spec',
    ownable: { only: set('.status') },
    after: ['bob Update v1 at 1 .spec.a', 'ann Update v1 at 9 .status.a .status.b'],
  },
  {
    name: 'only such as the endpoint does not give',
    before: ['bob Update v1 at 1 .status.a'],
    changed: '.status.a',
    ownable: { except: set('.status') },
    after: 'same',
  },
];

for (const { name, before, changed, removed, inV2, writer, ownable = {}, after } of CASES) {
  const entries = before.map(parse);
  const inV1 = changes(changed ?? '', removed);
  const compareIn: CompareIn = (version) => (version === 'v1' ? inV1 : inV2);
  const seen = trackUpdate(entries, { ...ANN, ...writer }, compareIn, ownable);
  if (after === 'same') t.equal(seen, entries, `${name}: the same list`);
  else t.same(seen.map(show), after, name);
}

t.test('each version is compared once, and none where nothing changed', async (t) => {
  const entries = ['a v1', 'b v2', 'c v2', 'd v3', 'e v3'].map((text) => {
    const [manager = '', version = ''] = text.split(' ');
    return parse(`${manager} Update ${version} at 1 .x`);
  });
  const asked: string[] = [];
  const compareIn =
    (comparison: Comparison): CompareIn =>
    (version) => {
      asked.push(version);
      return version === 'v3' ? undefined : comparison;
    };
  trackUpdate(entries, ANN, compareIn(changes('.y')), {});
  t.same(asked.splice(0), ['v1', 'v2', 'v3']);
  t.equal(trackUpdate(entries, ANN, compareIn(changes('')), {}), entries);
  t.same(asked, ['v1']);
});

/** Up to 4 more entries than there may be. */
function filled(...more: readonly string[]): ManagedEntry[] {
  const few = Array.from({ length: UPDATE_ENTRIES_MAX - 3 }, (_, at) =>
    parse(`late${at} Update v9 at ${70 + at} .late${at}`),
  );
  return [...more.map(parse), ...few, parse('zed Apply v1 at 0 .z')];
}

const CAPPED: readonly [name: string, given: readonly string[], kept: readonly string[]][] = [
  [
    'one version, no old changes yet',
    [
      'm1 Update v1 at 01 .a',
      'm2 Update v1 at 02 .b',
      'm3 Update v1 at 03 .c',
      'm4 Update v1 at 04 .d',
    ],
    ['ancient-changes Update v1 at 02 .a .b', 'm3 Update v1 at 03 .c', 'm4 Update v1 at 04 .d'],
  ],
  [
    'one version, old changes already',
    [
      'ancient-changes Update v1 at 02 .a .b',
      'm3 Update v1 at 03 .c',
      'm4 Update v1 at 04 .d',
      'm5 Update v1 at 05 .e',
    ],
    ['ancient-changes Update v1 at 03 .a .b .c', 'm4 Update v1 at 04 .d', 'm5 Update v1 at 05 .e'],
  ],
  [
    'of two versions the one that has several',
    [
      'm1 Update v1 at 01 .a',
      'm2 Update v2 at 02 .b',
      'm3 Update v1 at 03 .c',
      'm4 Update v1 at 04 .d',
      'm5 Update v1 at 05 .e',
    ],
    ['m2 Update v2 at 02 .b', 'ancient-changes Update v1 at 04 .a .c .d', 'm5 Update v1 at 05 .e'],
  ],
  [
    'the oldest of the same time by their names, subresources too',
    [
      'b/status Update v1 at 01 .b',
      'c Update v1 at 01 .c',
      'a Update v1 at 01 .a',
      'd Update v1 at 01 .d',
    ],
    ['ancient-changes Update v1 at 01 .a .b', 'c Update v1 at 01 .c', 'd Update v1 at 01 .d'],
  ],
  [
    'old changes that are younger than others',
    [
      'm1 Update v1 at 01 .a',
      'm2 Update v1 at 02 .b',
      'ancient-changes Update v1 at 05 .e',
      'm6 Update v1 at 06 .f',
      'm7 Update v1 at 07 .g',
    ],
    ['ancient-changes Update v1 at 06 .b .e .f', 'm1 Update v1 at 01 .a', 'm7 Update v1 at 07 .g'],
  ],
];

t.test('too many entries for updates', async (t) => {
  for (const [name, given, kept] of CAPPED) {
    const capped = capManagers(filled(...given));
    t.same(
      capped.map(show).toSorted(),
      filled(...kept)
        .map(show)
        .toSorted(),
      name,
    );
    t.same(capManagers(capped).map(show), capped.map(show), `${name}: once is enough`);
  }
  const different = Array.from({ length: 12 }, (_, at) => parse(`m Update v${at} at 1 .a`));
  t.same(capManagers(different).map(show), different.map(show), 'all of different versions');
  const enough = filled('a Update v1 at 01 .a', 'b Update v1 at 02 .b', 'c Update v1 at 03 .c');
  t.equal(capManagers(enough), enough, 'not too many');
  const written = trackUpdate(enough, ANN, () => changes('.n'), {});
  t.same(
    written
      .map(show)
      .filter((text) => text.includes(' v1 '))
      .toSorted(),
    [
      'ancient-changes Update v1 at 02 .a .b',
      'ann Update v1 at 9 .n',
      'c Update v1 at 03 .c',
      'zed Apply v1 at 0 .z',
    ],
    'after a write',
  );
});
