/** Which patterns are regular expressions, and what it may take to know. */
import fc from 'fast-check';
import { RE2JS } from 're2js';
import t from 'tap';
import { patternProblem, withCompileBudget } from '../../src/schema/pattern.ts';
import { isPlainPattern } from '../../src/schema/plain-pattern.ts';

t.test('problems in the words of the reference', async (t) => {
  const rows = [
    ['*', 'missing argument to repetition operator: `*`'],
    ['a**', 'invalid nested repetition operator: `**`'],
    ['(', 'missing closing ): `(`'],
    ['a{2,1}', 'invalid repeat count: `{2,1}`'],
    ['[z-a]', 'invalid character class range: `z-a`'],
    ['\\8', 'invalid escape sequence: `\\8`'],
    ['a{1001}', 'invalid repeat count: `{1001}`'],
    ['(?:[ab]{100}){100}', 'invalid repeat count: `{100}`'],
    ['b{999}'.repeat(30), 'expression too large'],
  ] as const;
  for (const [pattern, problem] of rows) {
    t.equal(patternProblem(pattern), `error parsing regexp: ${problem}`, pattern.slice(0, 20));
  }
});

t.test('what is plain needs no compiler', async (t) => {
  const plain = [
    '',
    '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
    '^(?:[^/@:]+?|\\d{1,3}|\\[[\\w.-]{2,}\\])$',
    "^$|^ä.*/[A-Za-z0-9\\/\\-._~%!$&'()*+,;=:]+$",
  ];
  for (const pattern of plain) t.ok(isPlainPattern(pattern), pattern);
  const others = ['(?i)a', '(?P<n>a)', '[[:alpha:]]', '\\pL', '\\Qa', 'a{1000}', '(a{2}){2}', ']'];
  for (const pattern of others) t.notOk(isPlainPattern(pattern), pattern);
});

t.test('what is called plain compiles', async (t) => {
  const part = fc.constantFrom(
    'a',
    'Z',
    '9',
    '-',
    '^',
    '$',
    '.',
    '|',
    '*',
    '+',
    '?',
    '(',
    ')',
    '(?:',
    '[',
    ']',
    '{',
    '}',
    '{2}',
    '{1,3}',
    '{3,1}',
    ',',
    '\\d',
    '\\S',
    '\\.',
    '\\]',
    '\\b',
    '\\',
    '[^',
    'a-z',
    'z-a',
    '[a-z',
    '[-',
    '/',
    '\u00e4',
    '\u{1f600}',
    '\ud800',
    ':',
  );
  let plain = 0;
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const pattern = parts.join('');
      if (!isPlainPattern(pattern)) return;
      plain += 1;
      RE2JS.compile(pattern);
    }),
    { seed: 7, numRuns: 3000 },
  );
  t.ok(plain > 100, `${plain} were plain`);
});

t.test('what is compiled is bounded where it is asked for', async (t) => {
  const odd = (index: number): string => `(?i)a${index}`;
  const problems = (size: number, from: number): unknown[] =>
    withCompileBudget(size, () => [odd(from), odd(from + 1)].map(patternProblem));
  t.same(problems(1000, 10), [undefined, undefined]);
  const tooLarge = 'error parsing regexp: expression too large';
  t.same(problems(100, 20), [undefined, tooLarge]);
  t.same(problems(0, 20), [undefined, tooLarge], 'what is known costs nothing');
  t.same([odd(21), odd(30)].map(patternProblem), [undefined, undefined], 'and nowhere else');
});
