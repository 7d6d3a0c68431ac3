/** The report of a soak as a page. */
import type { Plot, Report as PageReport } from '../report/report.ts';
import type { ProgressPoint } from './progress.ts';
import { summary, type Report } from './report.ts';

export function soakPage(report: Report): PageReport {
  const { verdict, totals, lagMs, writeMs, violations, overTime } = report;
  return {
    title: `Soak of ${report.server}`,
    made: report.startedAt,
    passed: verdict === 'PASS',
    says: summary(report).at(-1) ?? verdict,
    facts: {
      server: `${report.server} (${report.serverVersion})`,
      machine: `${report.machine}, Node ${report.node}`,
      summary: summary(report).slice(0, -1).join('\n'),
    },
    figures: [
      { name: 'writes', value: totals['writesPerSecond'] ?? 0, unit: 'per second' },
      { name: 'events', value: totals['eventsPerSecond'] ?? 0, unit: 'per second' },
      { name: 'lag p50', value: lagMs.p50, unit: 'ms' },
      { name: 'lag p99', value: lagMs.p99, unit: 'ms' },
      { name: 'lag max', value: lagMs.max, unit: 'ms' },
      { name: 'write p50', value: writeMs.p50, unit: 'ms' },
      { name: 'write p99', value: writeMs.p99, unit: 'ms' },
      { name: 'memory of the soak', value: report.memoryMiB, unit: 'MiB' },
      ...Object.entries(violations).map(([name, value]) => ({ name, value, unit: '' })),
    ],
    plots: [
      plot('Writes and events', 'per second', overTime, {
        writes: ({ writesPerSecond }) => writesPerSecond,
        events: ({ eventsPerSecond }) => eventsPerSecond,
      }),
      plot('Lag from the answer to a write to its event', 'ms', overTime, {
        p50: ({ lagP50Ms }) => lagP50Ms,
        p99: ({ lagP99Ms }) => lagP99Ms,
      }),
      plot('Open watches', 'watches', overTime, { open: ({ open }) => open }),
      plot('Memory of the soak', 'MiB', overTime, { memory: ({ memoryMiB }) => memoryMiB }),
    ],
    cases: [],
  };
}

function plot(
  title: string,
  unit: string,
  points: readonly ProgressPoint[],
  lines: Readonly<Record<string, (point: ProgressPoint) => number>>,
): Plot {
  return {
    title,
    unit,
    lines: Object.entries(lines).map(([name, valueOf]) => ({
      name,
      points: points.map((point) => [point.second, valueOf(point)] as const),
    })),
  };
}
