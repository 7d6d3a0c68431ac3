/** What rules cost at most in a release that knows less of what expressions make themselves. */
import t from 'tap';
import { chooseRelease } from '../../src/release/release.ts';

chooseRelease(32);
const { SchemaSizes } = await import('../../src/schema/cel/cost/schema-sizes.ts');
const { compileRules } = await import('../../src/schema/cel/rule.ts');
const { ValueSchema } = await import('../../src/schema/cel/schema-values.ts');
const { StructuralSchema } = await import('../../src/schema/structural-schema.ts');

const SHORT = { type: 'string', maxLength: 10 };
const PROPERTIES = {
  flag: { type: 'boolean' },
  s: SHORT,
  other: { type: 'string', maxLength: 40 },
  long: { type: 'string' },
  list: { type: 'array', maxItems: 6, items: SHORT },
  map: { type: 'object', maxProperties: 7, additionalProperties: SHORT },
};

/** As release 1.32 of the reference estimates them. */
const ESTIMATED: readonly (readonly [string, number])[] = [
  ['self.s == self.other', 8],
  ["{'a': [self.s]}['a'].all(x, x == self.other)", 44],
  ["{'a': self.s, 'b': self.other}.all(k, k == self.long)", 47],
  ['([self.s] + [self.other]).all(x, x == self.long)', 38],
  ['self.list.map(x, [x]).all(y, y.all(z, z == self.long))', 182],
  ["self.list.exists(x, x == 'a') == self.list.all(x, x == 'a')", 73],
  ["self.list.map(x, {'s': x}).all(y, y.s == self.long)", 338],
  ["self.map.transformMap(k, v, v != 'a', v + 'x').all(k, k == self.other)", 118],
  ["ip(self.s) == ip(self.other) && cidr('10.0.0.0/8').containsIP(self.s)", 36],
  ['quantity(self.s).compareTo(quantity(self.other)) == 1', 26],
  ["'%s'.format([self.s]) == strings.quote(self.s)", 28],
];

t.test('lists and maps that an expression makes have parts of any size', async (t) => {
  const schema = new StructuralSchema({ type: 'object', properties: PROPERTIES });
  const node = new ValueSchema(schema, false);
  for (const [rule, cost] of ESTIMATED) {
    const [compiled] = compileRules([{ rule }], node, undefined, new SchemaSizes(node));
    t.same([compiled?.problem, compiled?.cost], ['', cost], rule);
  }
});

t.test('what nothing bounds costs more than there can be', async (t) => {
  const schema = new StructuralSchema({ type: 'object', properties: PROPERTIES });
  const node = new ValueSchema(schema, false);
  const rule = 'dyn(self.list).all(x, x == self.long)';
  const [compiled] = compileRules([{ rule }], node, undefined, new SchemaSizes(node));
  t.equal(compiled?.cost, 2 ** 64);
});
