/** Expressions that select devices, or compute attributes of them, may cost only so much. */
import '../support/newest-release.ts';
import t from 'tap';
import { defaultGates } from '../../src/release/feature-gates.ts';
import { ownRelease } from '../../src/release/release.ts';
import { checkClaimSpec } from '../../src/resources/resource/claim-rules.ts';
import { checkDeviceExpression } from '../../src/schema/cel/device-expression.ts';
import type { FieldError } from '../../src/semantics/errors/field-error.ts';

const gates = new Set([...defaultGates(ownRelease()), 'DRADerivedAttributes' as const]);
const SCOPE = { tellsOfSharing: true, hasLists: false };

/** As release 1.37.2 of the reference estimates them. */
const COSTS: readonly (readonly [string, number])[] = [
  ["device.driver == 'a'", 3],
  ['device.driver.contains(device.driver)', 53],
  ["device.attributes['a.com'].model == 'abc'", 5],
  ["device.attributes['a.com'].model == device.attributes['a.com'].other", 15],
  ["device.attributes['a.com']['model'].startsWith('abc')", 5],
  ['device.attributes.all(d, d == device.driver)', 419],
  [
    "device.attributes['a.com'].exists(k, k == 'model' || device.attributes['a.com'][k] == device.driver)",
    644,
  ],
  ["device.capacity['a.com'].memory.compareTo(quantity('1Gi')) >= 0", 7],
  [
    "device.capacity.all(d, device.capacity[d].all(k, device.capacity[d][k].isGreaterThan(quantity('1'))))",
    11_523,
  ],
  ['device.allowMultipleAllocations == true && device.allowMultipleAllocations', 5],
  ["cel.bind(d, device.attributes['a.com'], d.one && d.two == device.driver)", 26],
  ["device.attributes['a.com'].version.isGreaterThan(semver('1.2.3'))", 6],
  ["'a.com' in device.attributes && 'model' in device.attributes['a.com']", 7],
  ["device.attributes['a.com'].?model.orValue('x') == 'x'", 6],
  ["has(device.attributes['a.com'].model) && device.attributes['a.com'].model.matches('^a+$')", 14],
  [
    'device.attributes.all(a, device.attributes.all(b, device.attributes.all(c, a + b == c)))',
    858_307,
  ],
];

t.test('what an expression costs at most is known', async (t) => {
  for (const [text, cost] of COSTS) {
    t.same(checkDeviceExpression(text, 'selector', SCOPE), { problem: '', cost }, text);
  }
});

const LOOP = 'device.attributes.all(a, device.attributes.all(b, device.attributes.all(c, X)))';
const SLOW = LOOP.replace('X', 'device.attributes.all(d, a == d)');
const HALF = LOOP.replace('X', 'a + b == c');

function problems(expressions: readonly string[], selector = 'true'): FieldError[] {
  const errors: FieldError[] = [];
  const names = expressions.map((_, index) => `a.com/x${index}`);
  const derivedAttributes = names.map((name, index) => ({
    name,
    expression: expressions[index] ?? '',
  }));
  const exactly = {
    deviceClassName: 'gpu',
    allocationMode: 'ExactCount',
    count: 1n,
    selectors: [{ cel: { expression: selector } }],
    derivedAttributes,
  };
  const constraints = names.map((matchAttribute) => ({ matchAttribute }));
  const spec = { devices: { requests: [{ name: 'one', exactly }], constraints } };
  checkClaimSpec(spec, 'spec', errors, { gates, groupVersion: 'resource.k8s.io/v1' });
  return errors;
}

t.test('one that may cost too much is refused', async (t) => {
  t.same(problems([], SLOW), [
    {
      field: 'spec.devices.requests[0].exactly.selectors[0].cel.expression',
      reason: 'FieldValueForbidden',
      message: 'Forbidden: too complex, exceeds cost limit',
    },
  ]);
  t.same(
    problems([SLOW]).map(({ field }) => field),
    ['spec.devices.requests[0].exactly.derivedAttributes[0].expression', 'spec.devices'],
  );
});

t.test('all of a claim that compute attributes may cost only so much together', async (t) => {
  t.same(problems([HALF]), []);
  t.same(problems([HALF, HALF]), [
    {
      field: 'spec.devices',
      reason: 'FieldValueForbidden',
      message:
        'Forbidden: too complex, total cost of derived attribute CEL expressions in the claim ' +
        'exceeds cost limit',
    },
  ]);
});

t.test('a value may be named, by a name alone', async (t) => {
  const told = (text: string): string => checkDeviceExpression(text, 'selector', SCOPE).problem;
  t.equal(told("cel.bind(d, device.attributes['a.com'], d.one && d.two == 'x')"), '');
  t.match(told("cel.bind('d', 1, true)"), ':1:10: cel.bind() variable names must be simple identi');
  t.match(told('cel.bind(d, 1, e == d)'), "undeclared reference to 'e'");
  t.match(told('cel.bind(d, 1)'), "undeclared reference to 'cel'");
});
