/** Reports a finished run: a verdict, and a document for programs. */
import { arch, cpus, platform } from 'node:os';
import type { Counters } from './counters.ts';
import type { Findings, Violation, ViolationKind } from './findings.ts';
import type { Histogram } from './histogram.ts';
import type { SoakOptions } from './options.ts';
import type { ProgressPoint } from './progress.ts';

/** All times in milliseconds. */
interface Times {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

export interface Outcome {
  readonly runId: string;
  readonly server: string;
  readonly serverVersion: string;
  readonly startedAt: Date;
  /** The time in which it wrote. */
  readonly writingSeconds: number;
  readonly totalSeconds: number;
  readonly writes: number;
  readonly interrupted: boolean;
  /** Why the run could not go on; '' when it did. */
  readonly failure: string;
  /** Namespaces that could not be deleted. */
  readonly leftNamespaces: readonly string[];
  readonly points: readonly ProgressPoint[];
}

export interface Report {
  readonly verdict: 'PASS' | 'FAIL';
  /** Why it failed; '' when it did not. */
  readonly reason: string;
  readonly runId: string;
  readonly server: string;
  readonly serverVersion: string;
  readonly node: string;
  readonly machine: string;
  readonly startedAt: string;
  readonly options: Omit<SoakOptions, 'token'>;
  readonly interrupted: boolean;
  readonly writingSeconds: number;
  readonly totalSeconds: number;
  readonly violations: Readonly<Record<ViolationKind, number>>;
  readonly firstViolations: readonly Violation[];
  readonly totals: Readonly<Record<string, number>>;
  readonly lagMs: Times;
  readonly writeMs: Times;
  readonly errors: Counters['namedErrors'];
  readonly memoryMiB: number;
  readonly leftNamespaces: readonly string[];
  readonly overTime: readonly ProgressPoint[];
}

/** Puts everything together. The token is not in it. */
export function makeReport(
  options: SoakOptions,
  outcome: Outcome,
  counters: Counters,
  findings: Findings,
): Report {
  const reason = reasonOf(outcome, counters, findings);
  const { token: _token, ...shownOptions } = options;
  return {
    verdict: reason === '' ? 'PASS' : 'FAIL',
    reason,
    runId: outcome.runId,
    server: outcome.server,
    serverVersion: outcome.serverVersion,
    node: process.version,
    machine: `${platform()} ${arch()}, ${cpus().length} cores`,
    startedAt: outcome.startedAt.toISOString(),
    options: shownOptions,
    interrupted: outcome.interrupted,
    writingSeconds: round(outcome.writingSeconds),
    totalSeconds: round(outcome.totalSeconds),
    violations: findings.counts,
    firstViolations: findings.first,
    totals: {
      writes: outcome.writes,
      events: counters.events,
      writesPerSecond: round(outcome.writes / Math.max(0.001, outcome.writingSeconds)),
      eventsPerSecond: round(counters.events / Math.max(0.001, outcome.writingSeconds)),
      watches: counters.openMax,
      lists: counters.lists,
      bookmarks: counters.bookmarks,
      foreignEvents: counters.foreign,
      reconnects: counters.reconnects,
      endedByServer: counters.endedByServer,
      gone: counters.gone,
      stalls: counters.stalls,
      retriedWrites: counters.retriedWrites,
      errors: counters.errors,
    },
    lagMs: timesOf(counters.lag),
    writeMs: timesOf(counters.writeTime),
    errors: counters.namedErrors,
    memoryMiB: Math.round(process.memoryUsage.rss() / 1_048_576),
    leftNamespaces: outcome.leftNamespaces,
    overTime: outcome.points,
  };
}

/** The last lines of a run. */
export function summary(report: Report): string[] {
  const { totals, lagMs, writeMs, firstViolations, errors } = report;
  const seen = new Set<ViolationKind>();
  const examples = firstViolations.filter(({ kind }) => !seen.has(kind) && seen.add(kind));
  return [
    `${totals['writes']} writes (${totals['writesPerSecond']}/s), ` +
      `${totals['events']} events (${totals['eventsPerSecond']}/s) checked on ` +
      `${totals['watches']} watches in ${report.writingSeconds} s`,
    `lag ms p50 ${lagMs.p50}  p99 ${lagMs.p99}  p99.9 ${lagMs.p999}  max ${lagMs.max}; ` +
      `write ms p50 ${writeMs.p50}  p99 ${writeMs.p99}`,
    ...examples.map(({ kind, watch, detail }) => `first ${kind}: ${watch}: ${detail}`),
    ...errors.slice(0, 3).map(({ count, message }) => `${count} times: ${message}`),
    ...(report.leftNamespaces.length === 0
      ? []
      : [`left in place: namespaces ${report.leftNamespaces.join(', ')}`]),
    report.verdict === 'PASS' ? 'PASS' : `FAIL: ${report.reason}`,
  ];
}

function reasonOf(outcome: Outcome, counters: Counters, findings: Findings): string {
  const found = Object.entries(findings.counts).filter(([, count]) => count > 0);
  const parts = found.map(([kind, count]) => `${count} ${kind}`);
  if (outcome.failure !== '') parts.unshift(outcome.failure);
  else if (counters.events === 0) parts.push('nothing was checked: no event came');
  return parts.join(', ');
}

function timesOf(histogram: Histogram): Times {
  return {
    count: histogram.count,
    p50: round(histogram.percentile(0.5)),
    p99: round(histogram.percentile(0.99)),
    p999: round(histogram.percentile(0.999)),
    max: round(histogram.max),
  };
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
