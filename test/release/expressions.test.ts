/** Rules and their expressions as the newest release has them. */
import '../support/newest-release.ts';
import t from 'tap';
import { expressionParts } from '../../src/release/expression-parts.ts';
import { releaseOf } from '../../src/release/release.ts';
import { ruleErrors } from '../../src/schema/cel/check-rules.ts';
import { Library } from '../../src/schema/cel/library/library.ts';
import { parseExpression } from '../../src/schema/cel/parse.ts';
import { compileRuleValidator } from '../../src/schema/cel/validate-rules.ts';
import type { FieldError } from '../../src/semantics/errors/field-error.ts';
import { StructuralSchema, type SchemaJson } from '../../src/schema/structural-schema.ts';
import { compileValueValidator } from '../../src/schema/validate.ts';

const TEXT = { type: 'string', maxLength: 20 };
const PROPERTIES = {
  i: { type: 'integer' },
  n: { type: 'number' },
  s: TEXT,
  missing: TEXT,
  l: { type: 'array', maxItems: 5, items: { type: 'integer' } },
  texts: { type: 'array', maxItems: 5, items: TEXT },
  m: { type: 'object', maxProperties: 5, additionalProperties: TEXT },
  o: { type: 'object', properties: { k: TEXT, v: { type: 'integer' } } },
  ios: { 'x-kubernetes-int-or-string': true },
};
const OBJECT = {
  i: 7,
  n: 1.5,
  s: 'hello World',
  l: [3, 1, 2, 3],
  texts: ['b', 'a'],
  m: { a: '1', b: '2' },
  o: { k: 'a' },
  ios: 5,
};
const FIELD = 'spec.validation.openAPIV3Schema';

function ruled(...rules: readonly object[]): SchemaJson {
  return { type: 'object', properties: PROPERTIES, 'x-kubernetes-validations': rules };
}

/** Gives the verdict of a rule about an object: `holds`, or its problems. */
function told(rule: object, object: object = OBJECT, stored?: object): string {
  const schema = ruled(rule);
  const refused = ruleErrors(schema, FIELD);
  const of = refused.length > 0 ? refused : valueErrors(schema, object, stored);
  return of.length === 0 ? 'holds' : of.map(({ field, message }) => `${field}: ${message}`).join();
}

function valueErrors(schema: SchemaJson, object: object, stored?: object) {
  return compileRuleValidator(new StructuralSchema(schema))?.(object, '', stored) ?? [];
}

/** All of them were seen to hold on release 1.37.2 of the reference. */
const HOLD = [
  'self.i < 1.5 || self.n > 1 && self.n >= 1u && dyn(self.i) == 7.0 && self.ios == 5.0',
  "dyn(1) != '1' && dyn([1]) == dyn([1.0])",
  "'%d and %s'.format([self.i, self.s]) == '7 and hello World'",
  "'%f'.format([1234.5]) == '1,234.500000'",
  "'%x %X %o %b'.format([255, 255, 8, 5]) == 'ff FF 10 101' && '100%%'.format([]) == '100%'",
  `'%s'.format([[1, 'a', 1.5, true, null]]) == '[1, "a", 1.500000, true, null]'`,
  `'%s'.format([{'b': 1, 'a': 'x'}]) == '{"a":"x", "b":1}'`,
  `self.texts.join('-') == 'b-a' && strings.quote('a"b') == '"a\\\\"b"'`,
  'sets.contains(self.l, [1, 2]) && sets.equivalent([1, 1, 2, 3], self.l) && !sets.intersects(self.l, [9])',
  "ip('::1').isLoopback() && ip('::1').family() == 6 && string(ip('2001:db8::0:1')) == '2001:db8::1'",
  "ip('8.8.8.8').isGlobalUnicast() && !ip.isCanonical('2001:db8::0:1') && !isIP('01.2.3.4')",
  "cidr('192.168.0.0/24').containsIP('192.168.0.9') && cidr('192.168.0.1/24').masked() == cidr('192.168.0.0/24')",
  "cidr('192.168.0.0/16').containsCIDR('192.168.1.0/24') && !isCIDR('10.0.0.0/33')",
  "quantity('1Gi') == quantity('1024Mi') && quantity('1500m').asApproximateFloat() == 1.5",
  "quantity('50k').add(20) == quantity('50020') && quantity('200M').isGreaterThan(quantity('100M'))",
  "!quantity('50m').isInteger() && sign(quantity('-1')) == -1 && !isQuantity('10 Gi')",
  "semver('1.2.3-alpha').compareTo(semver('1.2.3')) == -1 && semver('v1.2', true) == semver('1.2.0')",
  "url('https://[::1]:80/a%20b?x=1&x=3').getHostname() == '::1' && url('/a?x=1&x=3').getQuery() == {'x': ['1', '3']}",
  "format.dns1123Label().validate('My').hasValue() && !format.named('nope').hasValue()",
  'format.dns1123Label().validate(self.s) != null && null != self.o && optional.none() != null',
  "matches(self.s, 'l+o') && !matches(self.s, '^l')",
  'self.l.all(i, v, i < v + 10) && self.l.transformList(i, v, i > 0, v) == [1, 2, 3]',
  "self.m.transformMap(k, v, k == 'a', v) == {'a': '1'} && self.m.transformMapEntry(k, v, {v: k}) == {'1': 'a', '2': 'b'}",
  "self.?missing.orValue('x') == 'x' && self.?o.v.orValue(9) == 9 && !self.?o.?v.hasValue()",
  'self.?i.optMap(v, v + 1) == optional.of(8) && self.l[?9].or(optional.of(1)).value() == 1',
  "[?self.?missing, 'a'] == ['a'] && {?'a': self.?missing, 'b': 'c'} == {'b': 'c'}",
  'self.l.sort() == [1, 2, 3, 3] && self.l.sortBy(x, -x) == [3, 3, 2, 1] && self.l.distinct() == [3, 1, 2]',
  'self.l.slice(1, 3) == [1, 2] && lists.range(3) == [0, 1, 2] && self.l.reverse() == [3, 2, 1, 3]',
];

t.test('the library of the release', (t) => {
  for (const rule of HOLD) t.equal(told({ rule }), 'holds', rule);
  t.end();
});

t.test('new expressions may use what the release before knows, stored ones all', (t) => {
  const includes = { rule: 'self.l.includes(3)' };
  t.match(told(includes), 'undeclared reference');
  t.same(
    ruleErrors(ruled(includes), FIELD, {
      expressions: new Set([includes.rule]),
      isUnchanged: false,
    }),
    [],
  );
  t.same(valueErrors(ruled(includes), OBJECT), []);
  const twentyEight = releaseOf(28);
  t.equal(expressionParts(twentyEight, 'new').has('optionals'), false);
  t.equal(expressionParts(twentyEight, 'stored').has('optionals'), true);
  t.equal(expressionParts(releaseOf(29), 'new').has('optionals'), true);
  t.end();
});

t.test('optional parts are refused where they may not be used yet', (t) => {
  const before = new Library(expressionParts(releaseOf(28), 'new'));
  const refused = (text: string): unknown => {
    const found = parseExpression(text, before);
    return 'op' in found ? found.op : [found.at, found.message];
  };
  t.same(refused('a.b.?c'), [3, "unsupported syntax '.?'"]);
  t.same(refused('a[?b]'), [1, "unsupported syntax '[?'"]);
  t.same(refused('[1, ?b]'), [4, "unsupported syntax '?'"]);
  t.same(refused('a ? [b] : {}'), 'call');
  const has = (minor: number): boolean =>
    new Library(expressionParts(releaseOf(minor), 'new')).overloadsOf('first') !== undefined;
  t.same([29, 32, 33].map(has), [false, false, true]);
  t.end();
});

t.test('what an update leaves as it was is told beside the errors', (t) => {
  const validate = compileRuleValidator(new StructuralSchema(ruled({ rule: 'self.i > 9' })));
  const kept: FieldError[] = [];
  t.same(validate?.(OBJECT, '', structuredClone(OBJECT), kept), []);
  t.same(
    kept.map(({ field, message }) => `${field}: ${message}`),
    ['<nil>: Invalid value: failed rule: self.i > 9'],
  );
  t.equal(validate?.({ ...OBJECT, i: 8 }, '', OBJECT, kept).length, 1);
  t.equal(kept.length, 1);
  t.end();
});

t.test('problems are told where the operand stands', (t) => {
  const rows: readonly (readonly [string, string])[] = [
    ['true && self.s', "1:13: expected type 'bool' but found 'string'"],
    ['self.l.exists(x, x)', "1:18: expected type 'bool' but found 'int'"],
    [
      'self.l.filter(x, x) == []',
      "1:14: found no matching overload for '_\\?_:_' applied to '\\(int, list\\(int\\), list\\(int\\)\\)'",
    ],
    [
      'self.m.transformMapEntry(k, v, v) == {}',
      "1:25: found no matching overload for 'cel.@mapInsert' applied to '\\(map\\(dyn, dyn\\), string\\)'",
    ],
    ['self.l.all(x, x.y)', "1:16: type 'int' does not support field selection"],
    ['self.l.map(1, x) == []', '1:12: argument is not an identifier'],
    ['has(self.l[0])', '1:11: invalid argument to has\\(\\) macro'],
    ['`self`.s == ""', "1:1: Syntax error: extraneous input '`self`' expecting"],
    ["duration(1) == duration('1s')", "1:9: found no matching overload for 'duration'"],
  ];
  for (const [rule, problem] of rows)
    t.match(told({ rule }), new RegExp(`<input>:${problem}`), rule);
  t.equal(told({ rule: "self.m.`a` == '1' && has(self.`s`)" }), 'holds');
  t.end();
});

t.test('literals are checked with types', (t) => {
  const rows: readonly (readonly [string, string])[] = [
    ["[1, 'a'] == []", "1:5: expected type 'int' but found 'string'"],
    ["{'a': 1, 'b': 'c'} == {}", "1:15: expected type 'int' but found 'string'"],
    ["timestamp('x') > timestamp('y')", '1:11: invalid timestamp argument'],
    ["duration('x') > duration('1s')", '1:10: invalid duration argument'],
    ["self.s.matches('[')", '1:16: invalid matches argument'],
  ];
  for (const [rule, problem] of rows) t.match(told({ rule }), `<input>:${problem}`);
  t.end();
});

t.test('how a broken rule is told', (t) => {
  const rule = 'self.i > 9';
  const rows: readonly (readonly [object, string])[] = [
    [{ rule }, '<nil>: Invalid value: failed rule: self.i > 9'],
    [{ rule, message: 'too small ' }, '<nil>: Invalid value: too small'],
    [
      { rule, message: 'too small', messageExpression: "'not ' + self.s" },
      '<nil>: Invalid value: not hello World',
    ],
    [
      { rule, message: 'too small', messageExpression: "self.m['z']" },
      '<nil>: Invalid value: too small',
    ],
    [{ rule, messageExpression: "'two\\nlines'" }, '<nil>: Invalid value: failed rule: self.i > 9'],
    [{ rule, reason: 'FieldValueForbidden' }, '<nil>: Forbidden: failed rule: self.i > 9'],
    [{ rule, reason: 'FieldValueRequired' }, '<nil>: Required value: failed rule: self.i > 9'],
    [{ rule, fieldPath: '.o.k' }, 'o.k: Invalid value: failed rule: self.i > 9'],
    [{ rule, fieldPath: ".m['a']" }, 'm[a]: Invalid value: failed rule: self.i > 9'],
  ];
  for (const [one, expected] of rows) t.equal(told(one), expected);
  t.end();
});

t.test('oldSelf may be absent', (t) => {
  const rule = '!oldSelf.hasValue() || oldSelf.value().i < self.i';
  const optional = { rule, optionalOldSelf: true };
  t.equal(told(optional), 'holds');
  t.equal(told(optional, OBJECT, { ...OBJECT, i: 6 }), 'holds');
  t.match(told(optional, { ...OBJECT, s: 'x' }, OBJECT), 'failed rule');
  t.match(told({ rule: 'self.i > 1', optionalOldSelf: true }), 'may not be set if oldSelf');
  t.end();
});

t.test('what an update leaves as it was is not held against it', (t) => {
  const schema = {
    type: 'object',
    properties: { a: { ...TEXT, 'x-kubernetes-validations': [{ rule: "self == 'x'" }] }, b: TEXT },
  };
  t.equal(valueErrors(schema, { a: 'y' }).length, 1);
  t.equal(valueErrors(schema, { a: 'y', b: '1' }, { a: 'y' }).length, 0);
  t.equal(valueErrors(schema, { a: 'z' }, { a: 'y' }).length, 1);
  t.end();
});

t.test('values are told by what is wrong with them', (t) => {
  const schema = new StructuralSchema({
    type: 'object',
    properties: {
      a: { type: 'string', maxLength: 2 },
      b: { type: 'array', maxItems: 1, items: TEXT },
      c: { type: 'integer' },
    },
  });
  const errors = compileValueValidator(schema)({ a: 'abc', b: ['1', '2'], c: 'x' }, '');
  t.same(
    errors.map(({ reason, field, message }) => `${reason} ${field}: ${message}`),
    [
      'FieldValueTooLong a: Too long: may not be more than 2 bytes',
      'FieldValueTooMany b: Too many: 2: must have at most 1 item',
      'FieldValueTypeInvalid c: Invalid value: "string": c in body must be of type integer: "string"',
    ],
  );
  t.end();
});
