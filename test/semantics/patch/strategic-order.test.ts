/** The order of lists after a strategic merge patch, with and without `$setElementOrder`. */
import t from 'tap';
import { demoPlan, outcome, read } from './strategic-notation.ts';

/** Lists in the notation; `order` is undefined when the patch says nothing of it. */
type Row = readonly [server: string, patch: string, order: string | undefined, result: string];

function check(title: string, list: string, rows: readonly Row[]): void {
  t.test(title, async (t) => {
    for (const [server, patch, order, result] of rows) {
      const members = [
        ...(patch === '' ? [] : [`${list}: [${patch}]`]),
        ...(order === undefined ? [] : [`$setElementOrder/${list}: [${order}]`]),
      ];
      const document = read(server === '' ? '{}' : `{${list}: [${server}]}`);
      const expected = result === '' ? {} : read(`{${list}: [${result}]}`);
      const sent = `{${members.join(', ')}}`;
      t.strictSame(outcome(demoPlan, document, read(sent)), expected, `[${server}] with ${sent}`);
    }
  });
}

check('items of the patch are in its order', 'things', [
  ['+a, +b, +c', '+c=z, +a=x, +b=y', undefined, '+c=z, +a=x, +b=y'],
  ['+a, +b, +c', '+c=z, +a=x', undefined, '+b, +c=z, +a=x'],
  ['+a, +b, +c', '+a=x', undefined, '+a=x, +b, +c'],
  ['+a, +b', '+c, +b=y', undefined, '+c, +a, +b=y'],
  ['+a, +b', '+b=y, +c', undefined, '+a, +b=y, +c'],
  ['+a, +b, +a=2', '+c', undefined, '+c, +a, +a=2, +b'],
]);

check('scalars of the patch are in its order', 'numbers', [
  ['1, 2, 3', '3, 1, 2', undefined, '3, 1, 2'],
  ['1, 2, 3', '3, 1', undefined, '2, 3, 1'],
  ['1, 2', '3, 2', undefined, '3, 1, 2'],
]);

check('$setElementOrder says it of keyed items', 'things', [
  ['+a, +b', '', '+b, +a', '+b, +a'],
  ['+a, +c=3, +d=4, +b=2', '', '+d, +b, +c, +a', '+d=4, +b=2, +c=3, +a'],
  ['+a, +b', '+c=x', '+a, +c, +b', '+a, +c=x, +b'],
  ['+a, +b', '+c, +d', '+c, +a, +d, +b', '+c, +a, +d, +b'],
  ['+a, +b, +c', '-b', '+c, +a', '+c, +a'],
  ['+a, +b, +c', '-b, +d=x', '+a, +d, +c', '+a, +d=x, +c'],
  ['+a=x, +b', '-*, +b=y, +a', '+b, +a', '+b=y, +a'],
  ['+a, +b', '+b=y', '+c, +b', '+a, +b=y'],
  ['+a, +c', '+c=3, +a=1', '+c, +b, +a', '+c=3, +a=1'],
  ['', '+b, +a', '+b, +a', '+b, +a'],
  ['', '', '+b, +a', ''],
  ['+a, +b', '', '', '+a, +b'],
]);

check('items that only the server knows keep their place', 'things', [
  ['+a, +c, +d, +b, +s', '', '+d, +b, +c, +a', '+d, +b, +c, +a, +s'],
  ['+s, +a, +b', '', '+b, +a', '+s, +b, +a'],
  ['+a, +b, +s, +c, +d', '', '+b, +a, +d, +c', '+b, +a, +s, +d, +c'],
  ['+a, +b, +u, +s, +t, +c, +d', '', '+b, +a, +d, +c', '+b, +a, +u, +s, +t, +d, +c'],
  ['+a, +s, +b', '+n', '+n, +b, +a', '+n, +s, +b, +a'],
  ['+a, +s', '+n', '+a, +n', '+a, +n, +s'],
]);

check('items of the same name come together', 'things', [
  ['+a, +b=1, +c, +b=2, +d', '', '+b, +a, +d, +c, +b', '+b=1, +b=2, +a, +d, +c'],
]);

check('a list that is not there yet keeps directives of the patch, last', 'things', [
  ['', '-b, +a', '+a', '+a, -b'],
]);

check('$setElementOrder says it of scalars', 'numbers', [
  ['1, 2', '3', '3, 1, 2', '3, 1, 2'],
  ['1, 2', '3, 4', '3, 1, 4, 2', '3, 1, 4, 2'],
  ['1, 3', '', '3, 2, 1', '3, 1'],
  ['1, 2, 9, 3', '', '3, 2, 1', '9, 3, 2, 1'],
  ['1, 2, 9, 3, 4', '', '2, 1, 4, 3', '2, 1, 9, 4, 3'],
  ['1, 2, 3, 2, 4', '', '2, 1, 4, 3, 2', '2, 2, 1, 4, 3'],
]);

check('it orders lists that the patch replaces', 'plainNumbers', [
  ['1, 2', '', '2, 1', '2, 1'],
  ['1, 2', '3, 2', '3, 1, 2', '3, 2'],
]);

t.test('scalars go and come in an order', async (t) => {
  const rows: [server: string, patch: string, result: string][] = [
    ['1, 2, 3', '$setElementOrder/numbers: [1, 2], $deleteFromPrimitiveList/numbers: [3]', '1, 2'],
    [
      '1, 2, 3',
      '$setElementOrder/numbers: [1, 4, 2], $deleteFromPrimitiveList/numbers: [3], numbers: [4]',
      '1, 4, 2',
    ],
    [
      '1, 2, 3, 9',
      '$deleteFromPrimitiveList/numbers: [1], numbers: [4], $setElementOrder/numbers: [4, 3, 2]',
      '4, 3, 2, 9',
    ],
  ];
  for (const [server, patch, result] of rows) {
    const patched = outcome(demoPlan, read(`{numbers: [${server}]}`), read(`{${patch}}`));
    t.strictSame(patched, read(`{numbers: [${result}]}`), patch);
  }
});

t.test('one list loses an item and is ordered, another is only ordered', async (t) => {
  const document = read('{things: [+a, +b, +c], numbers: [1, 2, 3]}');
  const patch = read(
    '{$setElementOrder/things: [+c, +a], things: [-b], $setElementOrder/numbers: [3, 1, 2]}',
  );
  t.strictSame(outcome(demoPlan, document, patch), read('{things: [+c, +a], numbers: [3, 1, 2]}'));
});
