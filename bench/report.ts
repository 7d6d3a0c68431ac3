/** A benchmark's table on the terminal and its line in a results file. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname, join, resolve } from 'node:path';

export type Cell = string | number;
export type ResultRow = Readonly<Record<string, Cell>>;

function shown(value: Cell): string {
  if (typeof value === 'string') return value;
  if (Number.isInteger(value) || Math.abs(value) >= 1_000) {
    return Math.round(value).toLocaleString('en');
  }
  return value.toPrecision(3);
}

/** Rows with different members: every column that any row has, blank where a row has none. */
export function table(rows: readonly ResultRow[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = rows.map((row) =>
    columns.map((column) => {
      const value = row[column];
      return value === undefined ? '' : shown(value);
    }),
  );
  const widths = columns.map((column, at) =>
    Math.max(column.length, ...cells.map((row) => row[at]?.length ?? 0)),
  );
  const line = (texts: readonly string[]): string =>
    texts
      .map((text, at) => (at === 0 ? text.padEnd(widths[at] ?? 0) : text.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd();
  return [line(columns), line(widths.map((width) => '-'.repeat(width))), ...cells.map(line)].join(
    '\n',
  );
}

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

function gitCommit(): string {
  try {
    const commit = git('rev-parse', 'HEAD').trim();
    const changed = git('status', '--porcelain') !== '';
    return changed ? `${commit}+changes` : commit;
  } catch {
    return 'unknown';
  }
}

/**
 * Where results of this kind are collected: a file in `.benchmarks/` of the checkout, or of the
 * working folder where there is none.
 */
export function resultsFile(name: string): string {
  const folder = join(import.meta.dirname, '../.benchmarks');
  return join(existsSync(folder) ? folder : resolve('.benchmarks'), name);
}

/** Appends one line of JSON: when, what code, where, with which options, and the results. */
export function appendResults(file: string, options: unknown, results: readonly ResultRow[]): void {
  mkdirSync(dirname(file), { recursive: true });
  const line = {
    date: new Date().toISOString(),
    commit: gitCommit(),
    node: process.version,
    cores: cpus().length,
    cpu: cpus()[0]?.model ?? '',
    options,
    results,
  };
  appendFileSync(file, `${JSON.stringify(line)}\n`);
}
