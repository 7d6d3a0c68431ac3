import fc from 'fast-check';
import t from 'tap';
import {
  formatLabelSelector,
  parseLabelSelector,
} from '../../src/semantics/selectors/label-selector.ts';
import { labelMatcher } from '../../src/semantics/selectors/label-matcher.ts';
import { StatusError } from '../../src/semantics/errors/status.ts';

function labels(members: Record<string, string>): Record<string, string> {
  return Object.assign(Object.create(null), members) as Record<string, string>;
}

function matches(text: string, members?: Record<string, string>): boolean {
  const matcher = labelMatcher(parseLabelSelector(text));
  return matcher(members === undefined ? undefined : labels(members));
}

function refusal(text: string): string {
  try {
    parseLabelSelector(text);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return `${error.code} ${error.status.reason} ${error.message}`;
  }
  return 'accepted';
}

t.test('each operator on a present and an absent label', async (t) => {
  const cases: [selector: string, a1: boolean, a2: boolean, none: boolean][] = [
    ['', true, true, true],
    ['a', true, true, false],
    ['!a', false, false, true],
    ['a=1', true, false, false],
    ['a==1', true, false, false],
    ['a!=1', false, true, true],
    ['a in (1,3)', true, false, false],
    ['a notin (1,3)', false, true, true],
    ['a>1', false, true, false],
    ['a<2', true, false, false],
    ['a=', false, false, false],
    ['a!=', true, true, true],
    ['a,a!=1', false, true, false],
  ];
  for (const [selector, a1, a2, none] of cases) {
    t.equal(matches(selector, { a: '1' }), a1, `'${selector}' on a=1`);
    t.equal(matches(selector, { a: '2' }), a2, `'${selector}' on a=2`);
    t.equal(matches(selector, { b: '1' }), none, `'${selector}' on b=1`);
    t.equal(matches(selector), none, `'${selector}' without labels`);
  }
});

t.test('empty values, white space and keywords in odd places', async (t) => {
  t.equal(matches('a in (,x)', { a: '' }), true);
  t.equal(matches('a in ()', { a: '' }), true);
  t.equal(matches('a in (x,,y)', { a: '' }), true);
  t.equal(matches('a=,b', { a: '', b: 'x' }), true);
  t.equal(matches(' a\tin\n( x , y ) , ! b ', { a: 'y' }), true);
  t.equal(matches('in in (in,notin)', { in: 'notin' }), true);
  t.equal(matches('example.com/a.b_c-d=E.f', { 'example.com/a.b_c-d': 'E.f' }), true);
  t.equal(matches('  ', {}), true);
});

t.test('integers are compared exactly over the whole 64-bit range', async (t) => {
  t.equal(matches('a>9007199254740992', { a: '9007199254740993' }), true);
  t.equal(matches('a>9007199254740993', { a: '9007199254740993' }), false);
  t.equal(matches('a<9223372036854775807', { a: '9223372036854775806' }), true);
  t.equal(matches('a<9223372036854775807', { a: '-5' }), true);
  t.equal(matches('a>5', { a: '9223372036854775808' }), false, 'over 64 bits is no integer');
  t.equal(matches('a<5', { a: '' }), false);
  t.equal(matches('a<5', { a: '1.5' }), false);
  t.equal(matches('a>09', { a: '10' }), true);
});

t.test('what a plain object inherits is no label', async (t) => {
  t.equal(labelMatcher(parseLabelSelector('constructor'))({}), false);
  t.equal(labelMatcher(parseLabelSelector('!toString'))({}), true);
});

t.test('refusals carry the texts of the reference', async (t) => {
  const start = '400 BadRequest ';
  const requirement = `${start}unable to parse requirement: `;
  const cases: [selector: string, message: string][] = [
    ['a b', `${requirement}found 'b', expected: in, notin, =, ==, !=, gt, lt`],
    ['a!', `${requirement}found '!', expected: in, notin, =, ==, !=, gt, lt`],
    ['a,', `${start}found '', expected: identifier after ','`],
    ['a,,b', `${start}found ',', expected: identifier after ','`],
    [',a', `${start}found ',', expected: !, identifier, or 'end of string'`],
    ['=a', `${start}found '=', expected: !, identifier, or 'end of string'`],
    ['a=b c', `${start}found 'c', expected: ',' or 'end of string'`],
    ['!a=b', `${start}found '=', expected: ',' or 'end of string'`],
    ['!', `${requirement}found '', expected: identifier`],
    ['!!a', `${requirement}found '!', expected: identifier`],
    ['a==(', `${requirement}found '(', expected: identifier`],
    ['a===b', `${requirement}found '=', expected: identifier`],
    ['a in b', `${requirement}found 'b' expected: '('`],
    ['a in', `${requirement}found '' expected: '('`],
    ['a in (', `${requirement}found '', expected: ',', ')' or identifier`],
    ['a in (b', `${requirement}found '', expected: ',' or ')'`],
    ['a in (b c)', `${requirement}found 'c', expected: ',' or ')'`],
    ['a in (b,', `${requirement}found '', expected: ',', or identifier`],
    ['a in (b,,)', `${requirement}found ')', expected: ',', or identifier`],
  ];
  for (const [selector, message] of cases) t.equal(refusal(selector), message, selector);
});

t.test('invalid keys and values are refused with the rule they break', async (t) => {
  t.match(
    refusal('-a=b'),
    /^400 BadRequest unable to parse requirement: <nil>: Invalid value: "-a": name part must consist/,
  );
  t.match(refusal('a/b/c'), /<nil>: Invalid value: "a\/b\/c": a qualified name must/);
  t.match(
    refusal('a=-b'),
    /^400 .*unable to parse requirement: values\[0\]\[a\]: Invalid value: "-b": a valid label/,
  );
  t.match(refusal('a in (x,é)'), /: values\[1\]\[a\]: Invalid value: "é": a valid label must/);
  t.match(refusal(`a=${'x'.repeat(64)}`), /must be no more than 63 characters$/);
  t.equal(
    refusal('a>x'),
    '400 BadRequest unable to parse requirement: values[0]: Invalid value: "x": ' +
      "for 'Gt', 'Lt' operators, the value must be an integer",
  );
  t.match(
    refusal('a>-5x-'),
    /requirement: \[values\[0\]: Invalid value: .*, values\[0\]\[a\]: Invalid value: .*\]$/,
  );
  t.match(refusal('a\0b'), /^400 .*<nil>: Invalid value/);
});

t.test('selectors that ask the same have one canonical text', async (t) => {
  const canonical = (text: string) => formatLabelSelector(parseLabelSelector(text));
  t.equal(canonical(''), '');
  t.equal(canonical('b , a==1,b'), 'a=1,b');
  t.equal(canonical('a in (1)'), canonical('a=1'));
  t.equal(canonical('a notin (1)'), canonical('a!=1'));
  t.equal(canonical('a in (y,x,y)'), 'a in (x,y)');
  t.equal(canonical('c>1,c<5,!d,a notin (y,x)'), '!d,a notin (x,y),c<5,c>1');
  t.not(canonical('a=1'), canonical('a!=1'));
});

t.test('the canonical text parses back to the same selector', async () => {
  const word = fc.constantFrom('a', 'b', 'in', 'notin', 'x/y', '7');
  const value = fc.constantFrom('', '1', '22', 'in', 'v');
  const requirement = fc.oneof(
    word,
    word.map((key) => `!${key}`),
    fc
      .tuple(word, fc.constantFrom('=', '==', '!='), value)
      .map(([key, operator, one]) => `${key} ${operator} ${one}`),
    fc
      .tuple(word, fc.constantFrom('in', 'notin'), fc.array(value, { minLength: 1, maxLength: 3 }))
      .filter(([, , values]) => !values.join(',').includes(',,') && values.at(-1) !== '')
      .map(([key, operator, values]) => `${key} ${operator} (${values.join(',')})`),
    fc.tuple(word, fc.constantFrom('<', '>')).map(([key, operator]) => `${key}${operator}5`),
  );
  fc.assert(
    fc.property(
      fc.array(requirement, { maxLength: 4 }),
      fc.dictionary(word, value),
      (requirements, members) => {
        const selector = parseLabelSelector(requirements.join(','));
        const again = parseLabelSelector(formatLabelSelector(selector));
        t.same(again, selector);
        t.equal(labelMatcher(again)(members), labelMatcher(selector)(members));
        const all = requirements.every((one) => labelMatcher(parseLabelSelector(one))(members));
        t.equal(labelMatcher(selector)(members), all, 'requirements are ANDed');
      },
    ),
    { numRuns: 60 },
  );
});
