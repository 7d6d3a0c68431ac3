/**
 * BOOKMARK events: they tell the client of a watch up to which version it has seen everything, so
 * that it can resume from there (SPEC Watch events; API-FACTS 2.1, 2.4).
 */
import type { Answer } from '../actors/link.ts';
import type { ServedVersion } from '../resources/served-version.ts';
import type { Shard } from './shard.ts';
import { EVENT_SUFFIX } from './wire.ts';

/** Marks the bookmark that ends the state at the beginning of a streaming list. */
export const INITIAL_EVENTS_END = 'cluster.io/initial-events-end';

/** A whole event: the kind's zero object with a version, and with annotations if given. */
export function bookmarkEvent(
  version: ServedVersion,
  rv: number,
  annotations?: Readonly<Record<string, string>>,
): Uint8Array {
  const metadata = { resourceVersion: String(rv), ...(annotations && { annotations }) };
  const members = Buffer.from(version.codec.encode({ metadata }));
  return Buffer.concat([
    Buffer.from('{"type":"BOOKMARK","object":'),
    version.objectPrefix,
    members,
    EVENT_SUFFIX,
  ]);
}

/**
 * Answers with a version and its bookmarks. Every change up to it was published on the link before
 * the answer, and every change after it will be published later: commits are applied and published
 * in one go, between messages, and what is not committed yet is above `listVersion`.
 */
export function bookmark(shard: Shard, answer: Answer<{ rv: number; lengths: number[] }>): void {
  const rv = shard.pipeline.listVersion();
  const events = shard.kind.versions.map((version) => bookmarkEvent(version, rv));
  answer.reply({ rv, lengths: events.map(({ length }) => length) }, ...events);
}
