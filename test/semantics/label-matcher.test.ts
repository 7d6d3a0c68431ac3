import fc from 'fast-check';
import t from 'tap';
import { labelMatcher } from '../../src/semantics/selectors/label-matcher.ts';
import type {
  LabelOperator,
  LabelRequirement,
} from '../../src/semantics/selectors/label-selector.ts';

const KEYS = 'abcdefghijklmnop'.split('');

/** One requirement and the value that an object has of its key, as the grammar means it. */
function satisfies({ operator, values }: LabelRequirement, value: string | undefined): boolean {
  if (value === undefined) return operator === 'DoesNotExist' || operator === 'NotIn';
  switch (operator) {
    case 'Exists':
      return true;
    case 'DoesNotExist':
      return false;
    case 'In':
      return values.includes(value);
    case 'NotIn':
      return !values.includes(value);
    case 'GreaterThan':
      return /^\d+$/.test(value) && Number(value) > Number(values[0]);
    case 'LessThan':
      return /^\d+$/.test(value) && Number(value) < Number(values[0]);
  }
}

t.test('a compiled selector matches what all its requirements do', async (t) => {
  const value = fc.constantFrom('1', '2', '3', '10', 'x');
  const operator = fc.constantFrom<LabelOperator>(
    'Exists',
    'DoesNotExist',
    'In',
    'NotIn',
    'GreaterThan',
    'LessThan',
  );
  const requirement = fc
    .record({
      key: fc.constantFrom(...KEYS),
      operator,
      values: fc.uniqueArray(value, { minLength: 1, maxLength: 4 }),
      bound: fc.constantFrom('1', '2', '5'),
    })
    .map(({ key, operator, values, bound }): LabelRequirement => {
      if (operator === 'Exists' || operator === 'DoesNotExist')
        return { key, operator, values: [] };
      const isSet = operator === 'In' || operator === 'NotIn';
      return { key, operator, values: isSet ? values : [bound] };
    });
  // Few positive ones, or nothing would ever match.
  const requirements = fc
    .tuple(
      fc.array(requirement, { maxLength: 3 }),
      fc.array(
        requirement.filter((one) => one.operator === 'NotIn' || one.operator === 'DoesNotExist'),
        { maxLength: 14 },
      ),
    )
    .map((parts) => parts.flat());
  const labels = fc.dictionary(fc.constantFrom(...KEYS), value, { maxKeys: 6 });
  let matches = 0;
  fc.assert(
    fc.property(requirements, labels, (requirements, labels) => {
      const expected = requirements.every((one) => satisfies(one, labels[one.key]));
      t.equal(labelMatcher({ requirements })(labels), expected);
      if (expected) matches++;
    }),
    { numRuns: 300 },
  );
  t.ok(matches > 30, `${matches} matched`);
});

t.test('what an object inherits is no label', async (t) => {
  const keys = ['constructor', ...KEYS];
  const requirements = keys.map((key) => ({ key, operator: 'DoesNotExist', values: [] }) as const);
  t.equal(labelMatcher({ requirements })({}), true);
  t.equal(labelMatcher({ requirements })(undefined), true);
  t.equal(labelMatcher({ requirements })({ a: '' }), false);
});

t.test('thousands of requirements cost an object no more than its labels', async (t) => {
  const requirements = Array.from(
    { length: 9_000 },
    (_, index) => ({ key: `z${index}`, operator: 'DoesNotExist', values: [] }) as const,
  );
  const matcher = labelMatcher({ requirements });
  let read = 0;
  const labels = new Proxy(
    { app: 'web', tier: 'front' },
    { get: (target, key, receiver) => (read++, Reflect.get(target, key, receiver) as unknown) },
  );
  t.equal(matcher(labels), true);
  t.equal(read, 2);
});
