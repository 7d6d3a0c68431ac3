/** Each flow is dealt the queues that the reference deals it. */
import fc from 'fast-check';
import t from 'tap';
import { dealHand, flowHash } from '../../src/flow-control/shuffle-sharding.ts';

t.test('hands of flows', async (t) => {
  const rows = [
    ['global-default', 'alice', 128, [55, 62, 126, 125, 105, 1]],
    ['global-default', 'alice', 64, [55, 56, 51, 36, 11, 5, 38, 52]],
    ['service-accounts', 'system:serviceaccount:a:b', 16, [7, 11, 8, 0]],
    ['x', '', 64, [20, 51, 0, 44, 61, 54, 30, 1]],
  ] as const;
  for (const [schema, distinguisher, queues, hand] of rows) {
    const hash = flowHash(schema, distinguisher);
    t.same(dealHand(hash, queues, hand.length), hand, `${schema} ${distinguisher} of ${queues}`);
  }
  t.equal(flowHash('global-default', 'alice'), 17644606172554983095n);
});

t.test('a hand has different queues, all of those that there are', async () => {
  const sizes = fc
    .integer({ min: 1, max: 64 })
    .chain((queues) => fc.tuple(fc.constant(queues), fc.integer({ min: 1, max: queues })));
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), sizes, (hash, [queues, size]) => {
      const hand = dealHand(hash, queues, Math.min(size, 10));
      const isInDeck = hand.every((queue) => queue >= 0 && queue < queues);
      return isInDeck && new Set(hand).size === hand.length;
    }),
  );
});
