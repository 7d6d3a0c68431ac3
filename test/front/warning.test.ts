// Values of `Warning` headers.
import t from 'tap';
import { warningValues } from '../../src/front/answers/warning.ts';

t.test('a text is quoted, on one line, and said once', async (t) => {
  t.same(warningValues(['a', 'b', 'a']), ['299 - "a"', '299 - "b"']);
  t.same(warningValues(['say "a\\b"']), ['299 - "say \\"a\\\\b\\""']);
  t.same(warningValues(['a\r\nX: b', 'b\u0000', 'c']), ['299 - "c"']);
  t.same(warningValues(['']), []);
});

t.test('more than 4096 characters are cut to 256 each, and then dropped', async (t) => {
  const fits = ['x'.repeat(4000), 'y'.repeat(96)];
  t.same(
    warningValues(fits),
    fits.map((text) => `299 - "${text}"`),
  );
  const many = Array.from({ length: 20 }, (_, at) => `${at} `.padEnd(300, 'z'));
  const values = warningValues(many);
  t.equal(values.length, 16);
  t.equal(values[0], `299 - "${many[0]?.slice(0, 256)}"`);
});
