/**
 * Judges a recorded run: pure, from the records alone. Each rule has a name and a file: writes,
 * reads, watches. What lies where the history is not known is not judged, and counted.
 */
import { checkGets, checkLists } from './check-reads.ts';
import { checkRestores } from './check-restores.ts';
import { checkWatches } from './check-watches.ts';
import { checkAnswers, checkChanges, checkCollectionDeletes, checkQuota } from './check-writes.ts';
import { History } from './history.ts';
import type { Report, Violation } from './history.ts';
import type { HistoryRecord } from './records.ts';

export interface Verdict {
  readonly violations: readonly Violation[];
  /** Changes of all types. */
  readonly changes: number;
  readonly unchecked: number;
}

export function checkHistory(records: readonly HistoryRecord[], windowMs: number): Verdict {
  const violations: Violation[] = [];
  const report: Report = (rule, message, ...involved) =>
    violations.push({ rule, message, involved });
  const history = new History(records, windowMs, report);
  // First what would leave holes in the history, and so break other rules as well.
  checkWatches(history, report);
  checkAnswers(history, report);
  checkChanges(history, report);
  checkCollectionDeletes(history, report);
  checkQuota(history, report);
  checkRestores(history, report);
  checkGets(history, report);
  checkLists(history, report);
  const segments = [...history.types.values()].flatMap((type) => type.segments);
  const changes = segments.reduce((sum, segment) => sum + segment.changes.length, 0);
  return { violations, changes, unchecked: history.unchecked };
}

/** A violation as a reader needs it: the rule, what happened, and the records that show it. */
export function explain({ rule, message, involved }: Violation): string {
  const shown = involved.map((one) => `    ${JSON.stringify(one)?.slice(0, 1_200)}`);
  return [`${rule}: ${message}`, ...shown].join('\n');
}
