/** The report of a replay. */
import type { Report } from '../report/report.ts';
import { ratePlot, quantilePlot, type Sample } from '../report/samples.ts';
import type { Outcome } from './replay.ts';

const MS = 1_000;

export function replayReport(file: string, outcomes: readonly Outcome[], made: Date): Report {
  const different = outcomes.filter(({ differences }) => differences.length > 0);
  const samples: readonly Sample[] = outcomes
    .filter(({ played }) => played.request.verb !== 'watch')
    .map(({ startMs, ms }) => ({ second: (startMs + ms) / MS, value: ms }));
  const seconds = samples.reduce((most, { second }) => Math.max(most, second), 0);
  return {
    title: `Replay of ${file}`,
    made: made.toISOString(),
    passed: different.length === 0,
    says: `${outcomes.length} requests, ${different.length} with differences`,
    facts: {},
    figures: [
      { name: 'requests', value: outcomes.length, unit: '' },
      { name: 'with differences', value: different.length, unit: '' },
      { name: 'time', value: seconds, unit: 's' },
    ],
    plots: [
      ratePlot('Requests that were answered', samples),
      quantilePlot('Time to the answer', 'ms', samples),
    ],
    cases: outcomes.map(({ played: { n, request }, ms, differences }) => ({
      name: `${n} ${request.method} ${request.url}`,
      outcome: differences.length === 0 ? 'passed' : 'failed',
      seconds: ms / MS,
      says: differences.join('\n'),
    })),
  };
}
