import t from 'tap';
import { listedIn } from '../../../src/front/agents/passed-headers.ts';

t.test('headers of one connection are listed with any blanks, however many', async (t) => {
  const blanks = ' \t'.repeat(250_000);
  for (const [connection, names] of [
    ['', []],
    ['Close', ['close']],
    ['keep-alive,X-A ,\tX-B', ['keep-alive', 'x-a', 'x-b']],
    ['a,,b', ['a', '', 'b']],
    [`a${blanks}b,${blanks}c`, [`a${blanks}b`, 'c']],
  ] as const) {
    t.same(listedIn(connection), names, connection.slice(0, 20));
  }
});
