/** Rules have limits of cost in the newest release. */
import '../support/newest-release.ts';
import t from 'tap';
import { ruleErrors } from '../../src/schema/cel/check-rules.ts';
import { Budget } from '../../src/schema/cel/cost/budget.ts';
import { SchemaSizes } from '../../src/schema/cel/cost/schema-sizes.ts';
import { NEW_EXPRESSIONS } from '../../src/schema/cel/library/library.ts';
import { compileRules } from '../../src/schema/cel/rule.ts';
import { schemaValue, ValueSchema } from '../../src/schema/cel/schema-values.ts';
import { compileRuleValidator } from '../../src/schema/cel/validate-rules.ts';
import { StructuralSchema, type SchemaJson } from '../../src/schema/structural-schema.ts';

const TEXT = { type: 'string' };
const SHORT = { ...TEXT, maxLength: 10 };
const INTEGER = { type: 'integer' };
const PROPERTIES = {
  flag: { type: 'boolean' },
  i: INTEGER,
  ios: { 'x-kubernetes-int-or-string': true, maxLength: 10 },
  s: SHORT,
  other: { ...TEXT, maxLength: 40 },
  choice: { ...TEXT, enum: ['a', 'bcd'] },
  long: TEXT,
  bytes: { ...TEXT, format: 'byte', maxLength: 8 },
  time: { ...TEXT, format: 'date-time' },
  list: { type: 'array', maxItems: 6, items: SHORT },
  numbers: { type: 'array', items: INTEGER },
  map: { type: 'object', maxProperties: 7, additionalProperties: SHORT },
  pairs: { type: 'array', maxItems: 4, items: pair(SHORT) },
  anyPairs: { type: 'array', items: pair(TEXT) },
};
const FIELD = 'spec.validation.openAPIV3Schema';
const RULES = 'x-kubernetes-validations';

function pair(key: object): object {
  return { type: 'object', required: ['key'], properties: { key, value: INTEGER } };
}

/** As release 1.37.2 of the reference estimates them. */
const ESTIMATED: readonly (readonly [string, number])[] = [
  ['self.flag || self.i > 1 && has(self.s)', 6],
  ['self.s == self.other', 8],
  ['self.choice + self.choice == self.other', 8],
  ['self.long == self.long', 314_577],
  ['self.s.contains(self.other)', 68],
  ["self.s.matches('^[a-z]+$')", 12],
  ["self.s.replace('a', 'bcd') + self.s.replace('', 'bc') == self.long", 72],
  ["self.s.split(',').all(x, x == self.other)", 251],
  ["self.list.join(',').size() > 3", 29],
  ['self.list.all(x, x == self.other)', 63],
  ["self.list.exists(x, x.startsWith(self.s)) && self.list.exists_one(x, x == 'a')", 97],
  ['self.list.map(x, x + self.s).filter(x, x != self.s).all(x, x == self.other)', 295],
  ["(self.flag ? self.list : ['a', 'b']).all(x, x == self.other)", 49],
  ['self.numbers.sum() == 3', 1_572_866],
  ['self.i in self.numbers', 1_572_867],
  ['self.map.all(k, self.map[k] == self.other && k != self.other)', 115],
  ['self.map.all(k, v, v == k) && self.list.all(i, v, v.size() > i)', 83],
  ["self.map.transformMap(k, v, v != 'a', v + 'x').all(k, k == self.other)", 153],
  ['self.pairs.all(x, self.pairs.exists(y, x.key == y.key))', 219],
  ["self.anyPairs.all(x, x.key == 'a')", 1_572_861],
  ["{'a': [self.s]}['a'].all(x, x == self.other)", 66],
  ["self.ios == 3 || self.ios == 'a'", 6],
  ['bytes(self.s) == self.bytes && string(self.bytes) == self.s', 15],
  ["self.time > timestamp('2024-01-01T00:00:00Z')", 4],
  ['dyn(self.list) == self.list', 6],
  ["sets.equivalent(self.list, ['a']) || sets.contains(self.list, ['b'])", 44],
  ['self.list.sort() == self.list && self.pairs.sortBy(x, x.key)[0].key == self.s', 226],
  ['self.numbers.slice(1, 3) == lists.range(3) && self.list.distinct() == self.list', 118],
  ['url(self.s) == url(self.other)', 40],
  ["ip(self.s) == ip(self.other) && cidr('10.0.0.0/8').containsIP(self.s)", 36],
  ['quantity(self.s).compareTo(quantity(self.other)) == 1', 26],
  ['format.dns1123Label().validate(self.s).hasValue()', 132],
  ["'%s'.format([self.s]) == strings.quote(self.s)", 28],
];

t.test('what a rule costs at most is estimated by its schema', (t) => {
  const node = new ValueSchema(
    new StructuralSchema({ type: 'object', properties: PROPERTIES }),
    false,
  );
  for (const [rule, cost] of ESTIMATED) {
    const [compiled] = compileRules([{ rule }], node, () => NEW_EXPRESSIONS, new SchemaSizes(node));
    t.equal(compiled?.problem, '', rule);
    t.equal(compiled?.cost, cost, rule);
  }
  t.end();
});

const HINT =
  '(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, ' +
  'maps, and strings are declared)';

function told(schema: SchemaJson, isUnchanged = false): string[] {
  const kept = { expressions: new Set<string>(), isUnchanged };
  return ruleErrors(schema, FIELD, kept).map(({ field, message }) => `${field}: ${message}`);
}

function struct(properties: object, ...rules: readonly object[]): SchemaJson {
  return { type: 'object', properties, [RULES]: rules };
}

/** Costs 10,597 on one value. */
const TEN = '[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]';
const SLOW =
  "self.matches('^[a-z]{1,10}(-[a-z]{1,10}){0,90}$') && " +
  `${TEN}.all(x, ${TEN}.all(y, ${TEN}.all(z, x * y * z < 1001)))`;

function slowItems(maxItems?: number): SchemaJson {
  const items = { ...SHORT, [RULES]: [{ rule: SLOW }] };
  return struct({ many: { type: 'array', ...(maxItems !== undefined && { maxItems }), items } });
}

t.test('a rule may not cost more than a bound, times all values that it is for', (t) => {
  const place = `${FIELD}.properties[many].items.${RULES}[0].rule: Forbidden`;
  const tooMuch = (factor: string): string =>
    `${place}: estimated rule cost exceeds budget by factor of ${factor} ${HINT}`;
  const together = (factor: string): string[] => [
    `${place}: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema`,
    `${FIELD}: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of ${factor} ${HINT}`,
  ];
  t.same(told(slowItems(900)), []);
  t.same(told(slowItems(1000)), [tooMuch('1.059700x')]);
  t.same(told(slowItems(2000)), [tooMuch('2.1x')]);
  t.same(told(slowItems(20_000)), [tooMuch('21.2x'), ...together('2.1x')]);
  t.same(told(slowItems()), [tooMuch('more than 100x'), ...together('more than 100x')]);
  t.end();
});

t.test('a schema that stays as it is keeps rules that cost more, up to the bound of all', (t) => {
  t.same(told(slowItems(2000), true), []);
  t.equal(told(slowItems(20_000), true).length, 2);
  t.end();
});

t.test('an expression of a message has a bound too, for one value', (t) => {
  const messageExpression =
    'self.numbers.map(x, self.numbers.map(y, string(x * y))).size() > 1 ? "a" : "b"';
  const [error] = told(struct(PROPERTIES, { rule: 'self.flag', messageExpression }));
  t.equal(
    error,
    `${FIELD}.${RULES}[0].messageExpression: Forbidden: estimated messageExpression cost exceeds budget by factor of more than 100x ${HINT}`,
  );
  t.end();
});

const TEXTS = { type: 'array', items: TEXT };
const SEEN = struct({
  a: TEXT,
  b: TEXT,
  i: INTEGER,
  f: { type: 'boolean' },
  l: TEXTS,
  l2: TEXTS,
  n: { type: 'array', items: INTEGER },
  m: { type: 'object', additionalProperties: TEXT },
  o: struct({ k: TEXT, p: struct({ q: TEXT }) }),
  os: { type: 'array', items: struct({ k: TEXT, v: INTEGER }) },
});
const OBJECT = {
  a: 'hello',
  b: 'hellp',
  i: 2,
  f: true,
  l: ['a', 'b', 'c'],
  l2: ['x'],
  n: [1, 2, 3],
  m: { a: '1', b: '2' },
  o: { k: 'z', p: { q: 'y' } },
  os: [
    { k: 'a', v: 1 },
    { k: 'b', v: 2 },
  ],
};

/** As release 1.37.2 of the reference counts them. */
const COUNTED: readonly (readonly [string, number])[] = [
  ['self.o.p.q == self.a', 7],
  ['has(self.o.p) && self.f', 4],
  ["(self.f ? self.a : self.b) == 'hello'", 4],
  ["[1, self.i] == self.n || {'a': self.a} == self.m", 50],
  ["self.i in [1, 2, 3] && 'a' in self.l && 'a' in self.m", 10],
  ["self.n[self.i] == 3 && self.m[self.l[0]] == '1'", 11],
  ['self.n.all(x, x > 0)', 18],
  ['self.n.exists(x, x > 0)', 12],
  ['self.n.exists_one(x, x == 1)', 12],
  ['self.n.map(x, x > 1, x) == [2, 3]', 36],
  ['self.n.map(x, 1) == [1, 1, 1]', 10],
  ["self.os.filter(x, x.v > 1)[0].k == 'b'", 26],
  ['self.m.all(k, v, v != k)', 15],
  ["self.m.transformMap(k, v, v == '1', v) == {'a': '1'}", 12],
  ["self.os.sortBy(x, x.k)[0].k == 'a'", 56],
  ["self.o.?p.q.orValue('') == 'y' && !self.m.?none.hasValue()", 9],
  ["self.?a.optMap(x, x + 'b').orValue('') == 'hellob'", 10],
  ["(self.l + self.l2)[0] == 'a' && {'x': self.o}['x'].k == 'z'", 44],
  ["self.a.matches('^h') && self.a.contains('ell') && self.a.split('l').size() == 3", 11],
  ["self.n.sum() == 6 && self.l.max() == 'c' && self.n.indexOf(2) == 1", 15],
  ['self.l.sort() == self.l && self.n.slice(0, 1) == [1]', 49],
  ["sets.contains(self.l, ['a']) && int('3') == 3 && type(1) == int", 8],
  ["cidr('1.2.3.4/8').containsIP('1.2.3.4') && ip('1.2.3.4') == ip('1.2.3.4')", 6],
  ['!format.dns1123Label().validate(self.a).hasValue()', 13],
  ["'%s!'.format([self.a]) == 'hello!' && quantity('1') == quantity('1000m')", 17],
];

t.test('what a rule costs is counted when it is evaluated', (t) => {
  const node = new ValueSchema(new StructuralSchema(SEEN), false);
  const self = schemaValue(OBJECT, node);
  for (const [rule, cost] of COUNTED) {
    const [compiled] = compileRules([{ rule }], node, () => NEW_EXPRESSIONS);
    const budget = new Budget();
    compiled?.program?.({ values: [self, null], budget });
    t.equal(budget.cost, cost, rule);
  }
  t.end();
});

t.test('rules of an object end where they cost too much', (t) => {
  const told = (numbers: number, ...rules: readonly object[]): string[] => {
    const schema = new StructuralSchema(struct(PROPERTIES, ...rules));
    const object = { numbers: Array.from({ length: numbers }, () => 1), flag: true };
    const errors = compileRuleValidator(schema)?.(object, '') ?? [];
    return errors.map(({ message }) => message);
  };
  const pairs = { rule: 'self.numbers.all(x, self.numbers.all(y, x == y))' };
  const start = 'Invalid value: "object": ';
  t.same(told(400, pairs), []);
  t.same(told(410, pairs, pairs), [
    `${start}'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: ${pairs.rule}`,
  ]);
  t.same(told(400, ...Array.from({ length: 10 }, () => pairs)), []);
  t.same(told(400, ...Array.from({ length: 12 }, () => pairs)), [
    `${start}validation failed due to running out of cost budget, no further validation rules will be run`,
  ]);
  const messageExpression = `${pairs.rule} ? 'a' : 'b'`;
  t.same(told(410, { rule: '!self.flag', messageExpression }, { rule: 'false' }), [
    `Invalid value: no further validation rules will be run due to call cost exceeds limit for messageExpression: "${messageExpression}"`,
  ]);
  t.end();
});

t.test('what fails whatever the values are is no rule', (t) => {
  const rows: readonly (readonly [string, string])[] = [
    ["bool('x')", "type conversion error from 'string' to 'bool'"],
    ["self.s.find('[') == ''", 'error parsing regexp: missing closing ]: `[`'],
    ["self.flag || int('x') == 1", "type conversion error from 'string' to 'int'"],
  ];
  for (const [rule, problem] of rows) {
    t.match(told(struct(PROPERTIES, { rule })), [`: program instantiation failed: ${problem}`]);
  }
  t.end();
});
