/** Results of benchmarks as a report. */
import { cpus } from 'node:os';
import type { Report } from '../tools/report/report.ts';
import type { ResultRow } from './report.ts';

/** A figure for each number, named by what its row measures. */
export function benchReport(of: string, rows: readonly ResultRow[], made: Date): Report {
  return {
    title: `Benchmarks of ${of}`,
    made: made.toISOString(),
    passed: true,
    says: `${rows.length} measurements`,
    facts: { machine: `${cpus().length} cores, ${cpus()[0]?.model ?? ''}`, node: process.version },
    figures: rows.flatMap((row) => {
      const members = Object.entries(row);
      const texts = members.filter(([, value]) => typeof value === 'string');
      const name = texts.map(([, value]) => value).join(' ');
      return members.flatMap(([unit, value]) =>
        typeof value === 'number' ? [{ name, value, unit }] : [],
      );
    }),
    plots: [],
    cases: [],
  };
}
