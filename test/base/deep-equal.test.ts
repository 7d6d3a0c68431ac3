import fc from 'fast-check';
import t from 'tap';
import { deepEqual } from '../../src/base/deep-equal.ts';

const bare = (members: object): object => Object.assign(Object.create(null) as object, members);

const CASES: readonly (readonly [string, unknown, unknown, boolean])[] = [
  ['the same text', 'a', 'a', true],
  ['a number and its text', 1, '1', false],
  ['a number and the same bigint', 5, 5n, true],
  ['a number and another bigint', 5, 6n, false],
  ['zero and false', 0, false, false],
  ['an absent and an undefined member', {}, { a: undefined }, true],
  ['an absent and a null member', {}, { a: null }, false],
  ['an absent and an empty list', {}, { a: [] }, true],
  ['an absent and an empty object', {}, { a: {} }, false],
  ['an absent and an empty map', {}, { a: Object.create(null) }, true],
  ['objects with and without prototype', { a: 1 }, bare({ a: 1 }), true],
  ['members in another order', { a: 1, b: 2 }, { b: 2, a: 1 }, true],
  ['lists in another order', [1, 2], [2, 1], false],
  ['a list and its beginning', [1, 2], [1], false],
  ['a list and an object', [], {}, false],
  ['an own member and an inherited one', {}, { toString: 'x' }, false],
];

for (const [name, a, b, expected] of CASES) {
  t.equal(deepEqual(a, b), expected, name);
  t.equal(deepEqual(b, a), expected, `${name}, the other way round`);
}

t.test('where lists may be empty, that is not the same as none', async (t) => {
  const empty = { a: [{ b: [] }] };
  t.equal(deepEqual(empty, { a: [{}] }, true), false);
  t.equal(deepEqual({ a: [{}] }, empty, true), false);
  t.equal(deepEqual(empty, structuredClone(empty), true), true);
  t.equal(deepEqual({}, { a: undefined }, true), true);
  t.equal(deepEqual({}, { a: Object.create(null) }, true), false);
});

t.test('values nest as deep as they like', async (t) => {
  const nested = (leaf: unknown): unknown => {
    let value = leaf;
    for (let level = 0; level < 200_000; level += 1) value = level % 2 === 0 ? [value] : { value };
    return value;
  };
  t.equal(deepEqual(nested(1), nested(1)), true);
  t.equal(deepEqual(nested(1), nested(2)), false);
});

t.test('a copy equals its original, and a change is seen', async (t) => {
  fc.assert(
    fc.property(fc.object(), (value) => deepEqual(structuredClone(value), value)),
    { numRuns: 100 },
  );
  fc.assert(
    fc.property(fc.object(), (value) => !deepEqual({ value, more: 1 }, { value, more: 2 })),
    { numRuns: 100 },
  );
  t.pass('for 100 random objects each');
});
