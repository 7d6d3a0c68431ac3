/**
 * BOOKMARK events: they tell the client of a watch up to which version it has seen everything, so
 * that it can resume from there (SPEC Watch events; API-FACTS 2.1, 2.4).
 */
import type { Answer } from '../actors/link.ts';
import type { KindRuntime } from '../resources/kind-runtime.ts';
import type { Shard } from './shard.ts';
import { EVENT_SUFFIX } from './wire.ts';

/** Marks the bookmark that ends the state at the beginning of a streaming list. */
export const INITIAL_EVENTS_END = 'cluster.io/initial-events-end';

/** A whole event: the kind's zero object with a version, and with annotations if given. */
export function bookmarkEvent(
  kind: KindRuntime,
  rv: number,
  annotations?: Readonly<Record<string, string>>,
): Uint8Array {
  const metadata = { resourceVersion: String(rv), ...(annotations && { annotations }) };
  const members = Buffer.from(kind.codec.encode({ metadata }));
  return Buffer.concat([
    Buffer.from('{"type":"BOOKMARK","object":'),
    kind.objectPrefix,
    members,
    EVENT_SUFFIX,
  ]);
}

/**
 * Answers with a version and its bookmark. Every change up to it was published on the link before
 * the answer, and every change after it will be published later: commits are applied and published
 * in one go, between messages, and what is not committed yet is above `listVersion`.
 */
export function bookmark(shard: Shard, answer: Answer<{ rv: number }>): void {
  const rv = shard.pipeline.listVersion();
  answer.reply({ rv }, bookmarkEvent(shard.kind, rv));
}
