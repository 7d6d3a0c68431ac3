import t from 'tap';
import { isAtMost } from '../../src/base/text/decimal.ts';

const MAX = 18_446_744_073_709_551_615n;

t.equal(isAtMost('0', MAX), true);
t.equal(isAtMost('18446744073709551615', MAX), true);
t.equal(isAtMost('18446744073709551616', MAX), false);
t.equal(isAtMost('99999999999999999999', MAX), false);
t.equal(isAtMost(`${'0'.repeat(1_000)}7`, MAX), true, 'leading zeros do not count');
t.equal(isAtMost('9'.repeat(60_000), MAX), false);
