// Sets of fields: their algebra against plain lists of paths, and their text.
import t from 'tap';
import * as sets from '../../../src/semantics/fields/field-set.ts';
import type { FieldSet } from '../../../src/semantics/fields/field-set.ts';
import { fieldsV1Text } from '../../../src/semantics/fields/field-set-text.ts';
import { compareElements } from '../../../src/semantics/fields/path-element.ts';
import { Random } from '../../support/random.ts';

type Path = readonly string[];

function pathsOf(set: FieldSet, path: Path = []): Path[] {
  const here = set.isMember ? [path] : [];
  const below = set.children.flatMap((child, at) =>
    pathsOf(child, [...path, set.elements[at] as string]),
  );
  return [...here, ...below];
}

/** A path as text that has those of the places above it as its start. */
function textOf(path: Path): string {
  return path.map((element) => `${element}\n`).join('');
}

function textsOf(set: FieldSet): string[] {
  return pathsOf(set).map(textOf).toSorted();
}

/** Checks the invariants of a set, however it was made. */
function isWellFormed(set: FieldSet): boolean {
  const { elements, children } = set;
  return (
    elements.length === children.length &&
    elements.every((element, at) => {
      const child = children[at];
      const last = elements[at - 1];
      if (child === undefined || sets.isEmptySet(child)) return false;
      return isWellFormed(child) && (last === undefined || compareElements(last, element) < 0);
    })
  );
}

const ELEMENTS = ['f:a', 'f:b', 'k:{"n":"x"}', 'k:{"n":"y"}', 'v:1', 'v:"z"', 'i:0'] as const;

function randomPaths(random: Random): Path[] {
  return Array.from({ length: random.below(9) }, () =>
    Array.from({ length: 1 + random.below(3) }, () => random.pick(ELEMENTS)),
  );
}

interface Operation {
  readonly run: (a: FieldSet, b: FieldSet) => FieldSet;
  /** Whether a path, as text, is in the result. */
  readonly has: (path: string, a: readonly string[], b: readonly string[]) => boolean;
}

const isBelow = (path: string, roots: readonly string[]): boolean =>
  roots.some((root) => path.startsWith(root));

const OPERATIONS: Readonly<Record<string, Operation>> = {
  union: { run: sets.union, has: (path, a, b) => a.includes(path) || b.includes(path) },
  intersection: {
    run: sets.intersection,
    has: (path, a, b) => a.includes(path) && b.includes(path),
  },
  difference: { run: sets.difference, has: (path, a, b) => a.includes(path) && !b.includes(path) },
  recursiveDifference: {
    run: sets.recursiveDifference,
    has: (path, a, b) => a.includes(path) && !isBelow(path, b),
  },
  recursiveIntersection: {
    run: sets.recursiveIntersection,
    has: (path, a, b) => a.includes(path) && isBelow(path, b),
  },
};

for (const [name, { run, has }] of Object.entries(OPERATIONS)) {
  t.test(`${name} of random sets`, async (t) => {
    const random = new Random(11);
    for (let round = 0; round < 2_000; round++) {
      const [a, b] = [sets.setOfPaths(randomPaths(random)), sets.setOfPaths(randomPaths(random))];
      const [inA, inB] = [textsOf(a), textsOf(b)];
      const result = run(a, b);
      const all = [...new Set([...inA, ...inB])].toSorted();
      const expected = all.filter((path) => has(path, inA, inB));
      const isSame = JSON.stringify(expected) === JSON.stringify(inA);
      if (
        !isWellFormed(result) ||
        JSON.stringify(textsOf(result)) !== JSON.stringify(expected) ||
        isSame !== (result === a || (sets.isEmptySet(a) && sets.isEmptySet(result)))
      ) {
        t.same({ seen: textsOf(result), isSame: result === a }, { seen: expected, isSame });
      }
    }
    t.pass();
  });
}

t.test('the text of random sets is read as it was written', async (t) => {
  const random = new Random(12);
  for (let round = 0; round < 500; round++) {
    const set = sets.setOfPaths(randomPaths(random));
    const text = fieldsV1Text(set);
    const again = sets.parseFieldsV1(JSON.parse(text));
    if (!sets.equalSets(set, again)) t.same(textsOf(again), textsOf(set), text);
  }
  t.pass();
});

t.test('the text of a set', async (t) => {
  const rows: readonly (readonly [paths: readonly Path[], text: string])[] = [
    [[], '{}'],
    [[['f:data', 'f:k<'], ['f:data']], '{"f:data":{".":{},"f:k\\u003c":{}}}'],
    [
      [
        ['f:spec', 'f:containers', 'k:{"name":"app"}'],
        ['f:spec', 'f:containers', 'k:{"name":"app"}', 'f:image'],
      ],
      '{"f:spec":{"f:containers":{"k:{\\"name\\":\\"app\\"}":{".":{},"f:image":{}}}}}',
    ],
    [
      [
        ['f:set', 'v:"b"'],
        ['f:set', 'v:"a"'],
      ],
      '{"f:set":{"v:\\"a\\"":{},"v:\\"b\\"":{}}}',
    ],
  ];
  for (const [paths, text] of rows) t.equal(fieldsV1Text(sets.setOfPaths(paths)), text);
});

t.test('what is read of FieldsV1', async (t) => {
  for (const [written, text] of [
    ['{}', '{}'],
    ['{".":{}}', '{}'],
    ['{"f:b":{},"f:a":{".":{}}}', '{"f:a":{},"f:b":{}}'],
    ['{"f:a":{"x:other":{}}}', '{"f:a":{}}'],
    ['{"k:{\\"n\\": 1}":{"f:a":{}},"k:{\\"n\\":1.0}":{"f:b":{}}}', undefined],
    ['{"f:__proto__":{"f:constructor":{}}}', '{"f:__proto__":{"f:constructor":{}}}'],
  ] as const) {
    const expected = text ?? '{"k:{\\"n\\":1}":{"f:a":{},"f:b":{}}}';
    t.equal(fieldsV1Text(sets.parseFieldsV1(JSON.parse(written))), expected, written);
  }
  for (const written of ['[]', 'null', '"x"', '{"f:a":1}', '{"f":{}}', '{"k:x":{}}']) {
    t.throws(() => sets.parseFieldsV1(JSON.parse(written)), Error, written);
  }
  const deep: unknown = JSON.parse(`${'{"f:a":'.repeat(10_000)}{}${'}'.repeat(10_000)}`);
  t.throws(() => sets.parseFieldsV1(deep), { message: 'FieldsV1 nests too deep' });
});

t.test('places as errors name them, a place before what is below', async (t) => {
  const set = sets.setOfPaths([
    ['f:a', 'f:b'],
    ['f:a', 'k:{"n":"x"}'],
    ['f:a', 'k:{"n":"x"}', 'f:c'],
    ['f:d'],
  ]);
  t.same(sets.pathTexts(set), ['.d', '.a.b', '.a[n="x"]', '.a[n="x"].c']);
});

t.test('equality, and what is made of nothing', async (t) => {
  const set = sets.setOfPaths([['f:a', 'f:b'], ['f:a']]);
  t.ok(sets.equalSets(set, sets.setOfPaths([['f:a'], ['f:a', 'f:b']])));
  t.notOk(sets.equalSets(set, sets.setOfPaths([['f:a', 'f:b']])));
  t.equal(sets.fieldSet(false, [], []), sets.EMPTY_SET);
  t.equal(sets.fieldSet(true, [], []), sets.LEAF);
  t.equal(sets.withRoot(set, false), set);
});
