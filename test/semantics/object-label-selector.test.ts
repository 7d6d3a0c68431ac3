// Selectors inside objects.
import t from 'tap';
import type { LabelSelector } from '#messages/meta.v1';
import { labelMatcher } from '../../src/semantics/selectors/label-matcher.ts';
import {
  labelSelectorText,
  toLabelSelector,
} from '../../src/semantics/selectors/object-label-selector.ts';

const expression = (key: string, operator: string, ...values: string[]): LabelSelector => ({
  matchExpressions: [{ key, operator, values }],
});

t.test('what a selector matches, and how it is written', async (t) => {
  const cases: readonly [LabelSelector, text: string, Record<string, string>, boolean][] = [
    [{}, '', {}, true],
    [{ matchLabels: { a: '1' } }, 'a=1', { a: '1', b: '2' }, true],
    [{ matchLabels: { a: '1' } }, 'a=1', { a: '2' }, false],
    [{ matchLabels: { a: '' } }, 'a=', { a: '' }, true],
    [expression('a', 'In', '1'), 'a in (1)', { a: '1' }, true],
    [expression('a', 'In', '2', '1', '2'), 'a in (1,2)', { a: '2' }, true],
    [expression('a', 'NotIn', '1'), 'a notin (1)', {}, true],
    [expression('a', 'Exists'), 'a', {}, false],
    [expression('a', 'DoesNotExist'), '!a', {}, true],
    [
      { matchLabels: { a: '1' }, ...expression('a', 'NotIn', '1') },
      'a=1,a notin (1)',
      { a: '1' },
      false,
    ],
  ];
  for (const [selector, text, labels, matches] of cases) {
    t.equal(labelSelectorText(selector), text, text);
    const parsed = toLabelSelector(selector);
    t.equal(parsed !== undefined && labelMatcher(parsed)(labels), matches, `${text}: match`);
  }
});

t.test('what is no selector', async (t) => {
  const invalid: readonly LabelSelector[] = [
    { matchLabels: { '-a': '1' } },
    { matchLabels: { a: 'no spaces' } },
    expression('', 'Exists'),
    expression('a', 'In'),
    expression('a', 'NotIn'),
    expression('a', 'Exists', '1'),
    expression('a', 'DoesNotExist', '1'),
    expression('a', 'In', 'no spaces'),
    expression('a', 'Gt', '1'),
    expression('a', ''),
  ];
  for (const selector of invalid) {
    t.equal(toLabelSelector(selector), undefined, JSON.stringify(selector));
    t.equal(labelSelectorText(selector), '');
  }
  t.equal(labelSelectorText(undefined), '');
});
