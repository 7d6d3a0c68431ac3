// Counts that may be given as a share.
import t from 'tap';
import type { FieldError } from '../../src/semantics/errors/field-error.ts';
import {
  checkIntOrPercent,
  checkNotMoreThanWhole,
  intOrPercentNumber,
  type IntOrString,
} from '../../src/semantics/validation/int-or-percent.ts';

const CASES: readonly [value: IntOrString, valid: boolean, whole: boolean, number: number][] = [
  [0, true, true, 0],
  [250, true, true, 250],
  [-1, false, true, -1],
  ['0%', true, true, 0],
  ['25%', true, true, 25],
  ['100%', true, true, 100],
  ['101%', true, false, 101],
  ['25', false, true, 25],
  ['-5%', false, true, 0],
  ['1.5%', false, true, 0],
  ['%', false, true, 0],
  ['', false, true, 0],
  ['many', false, true, 0],
];

t.test('numbers and percentages', async (t) => {
  for (const [value, valid, whole, number] of CASES) {
    const what = JSON.stringify(value);
    const errors: FieldError[] = [];
    checkIntOrPercent(value, 'f', errors);
    t.equal(errors.length === 0, valid, `${what} is ${valid ? '' : 'not '}valid`);
    const shares: FieldError[] = [];
    checkNotMoreThanWhole(value, 'f', shares);
    t.equal(shares.length === 0, whole, `${what} is ${whole ? 'not ' : ''}more than all`);
    t.equal(intOrPercentNumber(value), number, `the number of ${what}`);
  }
});
