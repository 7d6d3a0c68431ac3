/**
 * BOOKMARK events: they tell the client of a watch up to which version it has seen everything, so
 * that it can resume from there (../README.md#watches).
 */
import type { Answer } from '../../actors/link.ts';
import { ownName } from '../../semantics/dialect/own-names.ts';
import type { Shard } from '../state/shard.ts';
import type { View } from '../../protocol/shard-protocol.ts';

const NOTHING = Buffer.alloc(0);

/** Marks the bookmark that ends the state at the beginning of a streaming list. */
export const INITIAL_EVENTS_END = ownName('cluster.io/initial-events-end');

/**
 * Answers with a version and a bookmark for it in each view. Every change up to it was published
 * on the link before the answer, and every change after it will be published later: commits are
 * applied and published in one go, between messages, and what is not committed yet is above
 * `listVersion`. A view whose events wait for a webhook gets nothing.
 */
export function bookmark(
  shard: Shard,
  { views }: { readonly views: readonly View[] },
  answer: Answer<{ rv: number; lengths: number[] }>,
): void {
  const rv = shard.pipeline.listVersion();
  const events = views.map((view) => {
    const representation = shard.representations.of(view);
    if (!shard.hub.isCurrent(representation)) return NOTHING;
    return Buffer.concat(representation.bookmark(rv));
  });
  answer.reply({ rv, lengths: events.map(({ length }) => length) }, ...events);
}
