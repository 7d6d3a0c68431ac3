/** The resourceVersion of reads (../README.md#resource-versions). */
import { isAtMost } from '../../base/text/decimal.ts';
import { quoteText } from '../../codec/json/strict-quote.ts';
import { badRequest, tooLargeResourceVersion } from '../../semantics/errors/status.ts';
import type { StatusError } from '../../semantics/errors/status.ts';
import { newestView } from './read-view.ts';
import type { ReadView } from './read-view.ts';
import type { Shard } from '../state/shard.ts';

const DIGITS = /^[0-9]+$/;
const UINT64_MAX = 0xffff_ffff_ffff_ffffn;

/** The number in a resourceVersion parameter; '' is 0. Throws StatusError 400. */
export function parseResourceVersion(text: string): number {
  if (text === '') return 0;
  if (!DIGITS.test(text)) throw unparsable(text, 'invalid syntax');
  // Every update comes here: texts of usual length are not compared as big numbers.
  if (text.length > 15 && !isAtMost(text, UINT64_MAX)) throw unparsable(text, 'value out of range');
  return Number(text);
}

function unparsable(text: string, why: string): StatusError {
  const value = quoteText(text);
  const cause = `strconv.ParseUint: parsing ${value}: ${why}`;
  return badRequest(`resourceVersion: Invalid value: ${value}: ${cause}`);
}

/** Throws StatusError 504 for a version that was never issued, and StatusError 400 for none. */
export function checkIssued(shard: Shard, asked: string): void {
  const current = shard.clock.current();
  // The text may be beyond what a number holds exactly.
  if (parseResourceVersion(asked) > current) throw tooLargeResourceVersion(BigInt(asked), current);
}

/**
 * Calls `then` with the newest state once that is at least as new as the version asked for: at
 * once, or after the commit that is under way. Throws as `checkIssued`.
 */
export function whenNotOlderThan(
  shard: Shard,
  asked: string,
  then: (newest: ReadView) => void,
): void {
  checkIssued(shard, asked);
  const newest = newestView(shard);
  if (parseResourceVersion(asked) <= newest.rv) then(newest);
  else shard.pipeline.afterCommit(() => whenNotOlderThan(shard, asked, then));
}
