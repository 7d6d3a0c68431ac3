/** JSON text of what nests far: the same as `JSON.stringify`, and in time that grows with it. */
import t from 'tap';
import { jsonText } from '../../src/codec/json/json-text.ts';

const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

function nested(depth: number, leaf: unknown): unknown {
  let value = leaf;
  for (let level = 0; level < depth; level += 1)
    value = level % 2 === 0 ? [0, value] : { a: value };
  return value;
}

const LEAVES: readonly unknown[] = [
  1,
  null,
  '"\\\u0000\ud800',
  {},
  [],
  { a: undefined, b: [undefined, null], '': { c: -0 } },
  JSON.parse('{"__proto__":{"a":1},"1":2,"0":[]}'),
  [rawJSON('123456789012345678901234567890'), 1e21, NaN],
];

t.test('it is what JSON.stringify says, at any depth', async (t) => {
  for (const depth of [0, 98, 99, 100, 101, 1_000]) {
    for (const leaf of LEAVES) {
      const value = nested(depth, leaf);
      t.equal(jsonText(value), JSON.stringify(value));
    }
  }
  t.equal(jsonText(undefined), 'null', 'as inside of a list');
});

t.test('many objects in very many others take the time of many objects', async (t) => {
  const many = Array.from({ length: 200_000 }, () => ({ a: 1 }));
  const text = jsonText(nested(10_000, many));
  t.equal(text.length, JSON.stringify(many).length + 5_000 * ('[0,]'.length + '{"a":}'.length));
});
