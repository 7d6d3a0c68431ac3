import t from 'tap';
import { trimEndOf } from '../../src/base/text/trim-end.ts';

t.test('what is cut off an end, however long', async (t) => {
  const many = '/'.repeat(1_000_000);
  for (const [text, trimmed] of [
    ['', ''],
    ['a/b//', 'a/b'],
    ['//', ''],
    ['/a', '/a'],
    [`${many}a`, `${many}a`],
    [`a${many}`, 'a'],
  ] as const) {
    t.equal(trimEndOf(text, '/'), trimmed, text.slice(0, 10));
  }
});
