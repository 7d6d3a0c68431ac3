import fc from 'fast-check';
import t from 'tap';
import { compareAsUtf8 } from '../../src/base/text/compare-texts.ts';

t.test('texts are in the order of their bytes', async (t) => {
  const text = fc.string({ unit: 'binary', maxLength: 4 });
  const property = fc.property(text, text, (a, b) => {
    const expected = Buffer.compare(Buffer.from(a), Buffer.from(b));
    return Math.sign(compareAsUtf8(a, b)) === expected;
  });
  t.doesNotThrow(() => fc.assert(property));
});
