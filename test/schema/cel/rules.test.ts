// Rules of schemas: what they say of objects, and what is said of them.
import t from 'tap';
import { ruleErrors } from '../../../src/schema/cel/check-rules.ts';
import { compileRuleValidator } from '../../../src/schema/cel/validate-rules.ts';
import { StructuralSchema, type SchemaJson } from '../../../src/schema/structural-schema.ts';
import { parseUnstructured } from '../../../src/schema/unstructured.ts';
import { OBJECT, OBSERVED, PROPERTIES } from './observed-rules.ts';

const RULES = 'x-kubernetes-validations';
const INTEGER = { type: 'integer' };
const TEXT = { type: 'string' };

const withRules = (schema: SchemaJson, ...rules: string[]): SchemaJson => ({
  ...schema,
  [RULES]: rules.map((rule) => ({ rule })),
});
const struct = (properties: Record<string, SchemaJson>, ...rules: string[]): SchemaJson =>
  withRules({ type: 'object', properties }, ...rules);
const list = (items: SchemaJson, more: SchemaJson = {}): SchemaJson => ({
  type: 'array',
  items,
  ...more,
});
const KEYED = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] };

function errorsOf(schema: SchemaJson, value: unknown, stored?: unknown): string[] {
  const validate = compileRuleValidator(new StructuralSchema(schema));
  return (validate?.(value, '', stored) ?? []).map(({ field, message }) => `${field}: ${message}`);
}

/** As the table of what was observed has it. */
function outcomeOf(rule: string): string {
  const schema = struct(PROPERTIES, rule);
  const [error = ''] = errorsOf(schema, parseUnstructured(OBJECT));
  if (error === '') return 'holds';
  const lines = error.split('\n').filter((line) => !line.startsWith(' | '));
  const [, detail = ''] =
    /^<nil>: Invalid value: map\[string\]interface \{\}\{[^]*?"u":map\[string\]interface \{\}\{"q":1\}\}: ([^]*)$/.exec(
      lines.join('\n'),
    ) ?? [];
  if (detail === `failed rule: ${rule}`) return 'fails';
  const words = ': call arguments did not match a supported operator, function or macro signature';
  return detail
    .replace(/^rule compile error: /, '')
    .replace('compilation failed: ERROR: <input>:', 'refused ')
    .replace(` evaluating rule: ${rule}`, '')
    .replace(`${words} for rule: ${rule}`, '');
}

t.test('rules say what they say on the reference', async (t) => {
  for (const [rule, outcome] of OBSERVED) t.equal(outcomeOf(rule), outcome, rule);
});

t.test('refusals show the text and the place', async (t) => {
  const schema = struct({ a: struct({ b: TEXT }, 'true &&\n self.é') }, 'self.a.c', "'é' + x");
  const named = { rule: 'self', message: 'no bool' };
  const rules = [...(schema[RULES] as object[]), named];
  t.same(
    ruleErrors({ ...schema, [RULES]: rules }, 's').map(({ field, message }) => [field, message]),
    [
      [
        `s.properties[a].${RULES}[0].rule`,
        'Invalid value: apiextensions.ValidationRule{Rule:"true &&\\n self.é", Message:""}: ' +
          "compilation failed: ERROR: <input>:2:7: Syntax error: token recognition error at: 'é'\n" +
          ' |  self.é\n | ......＾',
      ],
      [
        `s.${RULES}[0].rule`,
        'Invalid value: apiextensions.ValidationRule{Rule:"self.a.c", Message:""}: compilation ' +
          "failed: ERROR: <input>:1:7: undefined field 'c'\n | self.a.c\n | ......^",
      ],
      [
        `s.${RULES}[1].rule`,
        `Invalid value: apiextensions.ValidationRule{Rule:"'é' + x", Message:""}: compilation ` +
          "failed: ERROR: <input>:1:7: undeclared reference to 'x' (in container '')\n" +
          " | 'é' + x\n | .．....^",
      ],
      [
        `s.${RULES}[2].rule`,
        'Invalid value: apiextensions.ValidationRule{Rule:"self", Message:"no bool"}: ' +
          'cel expression must evaluate to a bool',
      ],
    ],
  );
});

t.test('rules stand at every level, and their errors at the values', async (t) => {
  const small = withRules(INTEGER, 'self < 9');
  const message = [{ rule: 'self.a == self.b', message: ' a is b ' }];
  const schema = struct({
    map: { type: 'object', additionalProperties: small },
    spec: { ...struct({ a: INTEGER, b: INTEGER }), [RULES]: message },
    list: list(struct({ deep: list(small) }), KEYED),
    null: { ...small, nullable: true },
  });
  t.same(
    errorsOf(schema, {
      map: { 'a.b': 9, c: 1 },
      spec: { a: 1, b: 2 },
      list: [{}, { deep: [1, 10] }],
      null: null,
    }),
    [
      'map[a.b]: Invalid value: 9: failed rule: self < 9',
      'spec: Invalid value: map[string]interface {}{"a":1, "b":2}:  a is b ',
      'list[1].deep[1]: Invalid value: 10: failed rule: self < 9',
    ],
  );
  const named = struct({}, "self.metadata.name == 'x' && self.kind == 'Widget'");
  t.same(errorsOf(named, { kind: 'Widget', metadata: { name: 'x' } }), []);
  t.equal(compileRuleValidator(new StructuralSchema({ type: 'object' })), undefined);
});

t.test('rules compare with what is stored, where it can be found', async (t) => {
  const kept = (of: SchemaJson): SchemaJson => withRules(of, 'self == oldSelf');
  const schema = struct({
    a: kept(INTEGER),
    map: { type: 'object', additionalProperties: kept(INTEGER) },
    keyed: list(struct({ k: TEXT, v: kept(INTEGER) }), KEYED),
    plain: kept(list(INTEGER)),
  });
  const stored = {
    a: 1,
    map: { x: 1, y: 2 },
    keyed: [
      { k: 'p', v: 1 },
      { k: 'q', v: 2 },
    ],
    plain: [1],
  };
  t.same(ruleErrors(schema, 's'), []);
  t.same(errorsOf(schema, stored), [], 'not on create');
  t.same(errorsOf(schema, stored, {}), [], 'not where nothing was');
  t.same(
    errorsOf(
      schema,
      {
        a: 2,
        map: { x: 3, z: 9 },
        keyed: [
          { k: 'q', v: 5 },
          { k: 'n', v: 7 },
        ],
        plain: [2],
      },
      stored,
    ).map((error) => error.split(': ')[0]),
    ['a', 'map[x]', 'keyed[0].v', 'plain'],
  );
  const lost = struct({ plain: list(kept(INTEGER)) });
  t.match(ruleErrors(lost, 's'), [
    {
      field: `s.properties[plain].items.${RULES}[0].rule`,
      message:
        'Invalid value: "self == oldSelf": oldSelf cannot be used on the uncorrelatable portion ' +
        'of the schema within s.properties[plain]',
    },
  ]);
});

t.test('functions of later releases', async (t) => {
  const properties = { l: list(INTEGER), s: TEXT };
  const value = { l: [1, 2, 2], s: 'abc 123 45' };
  for (const rule of [
    'self.l.isSorted() && self.l.sum() == 5 && self.l.min() == 1 && self.l.max() == 2',
    'self.l.indexOf(2) == 1 && self.l.lastIndexOf(2) == 2 && self.l.indexOf(9) == -1',
    "self.s.find('[0-9]+') == '123' && self.s.findAll('[0-9]+') == ['123', '45']",
    "self.s.findAll('[0-9]+', 1) == ['123'] && self.s.find('x') == ''",
    "isIP('10.0.0.1') && isIP('fe80::1') && !isIP('::ffff:1.2.3.4') && !isIP('010.0.0.1')",
  ]) {
    t.same(errorsOf(struct(properties, rule), value), [], rule);
  }
  const [error] = errorsOf(struct(properties, '[1].filter(x, x > 1).max() == 1'), value);
  t.match(error, 'max called on empty list evaluating rule');
});

t.test('rules as public definitions have them', async (t) => {
  const listener = struct({ name: TEXT, port: INTEGER, protocol: TEXT, hostname: TEXT });
  const listeners = list(listener, {
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
  });
  const properties = { listeners, path: struct({ type: TEXT, value: TEXT }), controller: TEXT };
  const rules = [
    'self.listeners.all(l, l.protocol in ["HTTP", "TCP", "UDP"] ? !has(l.tls) : true)',
    'self.listeners.all(l1, self.listeners.exists_one(l2, l1.port == l2.port && l1.protocol == l2.protocol && (has(l1.hostname) && has(l2.hostname) ? l1.hostname == l2.hostname : !has(l1.hostname) && !has(l2.hostname))))',
    "(self.path.type in ['Exact','PathPrefix']) ? self.path.value.startsWith('/') : true",
    '(has(self.path.value) ? 1 : 0) + (has(self.controller) ? 1 : 0) == 2',
    'self.controller == oldSelf.controller',
  ];
  t.match(ruleErrors(struct(properties, ...rules), 's'), [{ message: /undefined field 'tls'/ }]);
  const schema = struct(properties, ...rules.slice(1));
  const http = { name: 'a', port: 80, protocol: 'HTTP', hostname: 'x' };
  const sound = {
    listeners: [http, { ...http, name: 'b', hostname: 'y' }],
    path: { type: 'Exact', value: '/' },
    controller: 'c',
  };
  t.same(errorsOf(schema, sound, sound), []);
  const broken = {
    ...sound,
    listeners: [http, { ...http, name: 'b' }],
    path: { type: 'Exact', value: 'a' },
  };
  t.equal(errorsOf(schema, { ...broken, controller: 'd' }, sound).length, 3);
});

t.test('no rule and no object holds the thread', async (t) => {
  const numbers = Array.from({ length: 1000 }, (_, at) => at);
  const properties = { l: list(INTEGER), s: TEXT, texts: list(TEXT) };
  const exceeded = /actual cost limit exceeded': no further validation rules will be run/;
  for (const [rule, value, answer] of [
    ['self.l.all(a, self.l.all(b, self.l.all(c, a + b + c >= 0)))', { l: numbers }, exceeded],
    ['self.l.exists(a, self.l.exists(b, 1 / 0 == a))', { l: numbers }, exceeded],
    ['self.l.map(a, self.s + self.s).size() == 0', { l: numbers, s: 'x'.repeat(1e5) }, exceeded],
    ["self.s.replace('x', self.s) == ''", { s: 'x'.repeat(1e5) }, exceeded],
    ["self.s.contains('b' + self.s)", { s: 'a'.repeat(7e5) }, exceeded],
    ["self.s.split('').map(c, self.s.split('')).size() > 0", { s: 'a'.repeat(1e4) }, exceeded],
    ["self.s.matches('(a*)*b')", { s: 'a'.repeat(1e4) }, /failed rule/],
    ['double(self.s) > 0.0', { s: `${'1'.repeat(1e6)}!` }, /type conversion error/],
    [`${'1 + true || '.repeat(8_000)}true`, {}, /no matching overload/],
    [`self.s${'.trim()'.repeat(1500)} == ''`, { s: '' }, /recursion limit exceeded: 1000/],
    [`${'('.repeat(300)}true${')'.repeat(300)}`, {}, /recursion limit exceeded: 200/],
    [`${'1 + '.repeat(50_000)}1 > 0`, {}, /size exceeds limit: size: 200005, limit 100000/],
    [`[{1: 1}]${'.map(a, {a: a})'.repeat(60)}.size() > 0`, {}, /too complex/],
  ] as const) {
    t.match(errorsOf(struct(properties, rule), value)[0], answer, rule.slice(0, 60));
  }
  const many = Array.from({ length: 20 }, () => 'self.l.all(a, self.l.all(b, a + b >= 0))');
  const short = numbers.slice(0, 300);
  t.match(errorsOf(struct(properties, ...many), { l: short }), [/running out of cost budget/]);
  for (const [depth, problem] of [
    [900, undefined],
    [3000, /undefined field 'deep'/],
  ] as const) {
    let deep: SchemaJson = INTEGER;
    let value: unknown = 1;
    for (let at = 0; at < depth; at++) [deep, value] = [list(deep), [value]];
    const [error] = errorsOf(
      struct({ deep }, 'self.deep == oldSelf.deep'),
      { deep: value },
      {
        deep: value,
      },
    );
    if (problem === undefined) t.equal(error, undefined);
    else t.match(error, problem);
  }
  const tooMany = Array.from({ length: 5001 }, () => 'true');
  t.match(ruleErrors(struct({}, ...tooMany), 's'), [{ message: 'Too many: 5001: must have' }]);
});
