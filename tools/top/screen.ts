/** Figures as text, for a terminal or a pipe. */
import { bytes, duration, shortNumber } from '../../src/page/format.ts';
import type { Figures } from './figures.ts';

type Row = readonly string[];

const GAP = '  ';

/** A line about the whole, then tables of at most so many rows each. */
export function screenText(figures: Figures, rowsMax: number): string {
  const { process, requests, watches, levels, types, threads } = figures;
  const perSecond = requests.reduce((sum, one) => sum + one.perSecond, 0);
  const summary = [
    `${shortNumber(perSecond)} requests/s`,
    `${shortNumber(watches.eventsPerSecond)} events/s`,
    `${process.cores.toFixed(2)} cores`,
    bytes(process.residentBytes),
    `${process.connections} connections, ${process.connectionsWaiting} of them waiting`,
  ].join(', ');
  const tables = [
    table(
      ['REQUESTS', '/s', 'refused/s', 'p50', 'p99'],
      requests.map((one) => [
        `${one.verb} ${one.resource}`,
        shortNumber(one.perSecond),
        shown(one.refusedPerSecond, shortNumber),
        shown(one.p50, duration),
        shown(one.p99, duration),
      ]),
      rowsMax,
    ),
    table(
      ['WATCHES', 'live', 'catching up', 'slow', 'behind', 'lag'],
      watches.types.map((one) => [
        one.resource,
        String(one.live),
        shown(one.catchingUp, String),
        shown(one.slow, String),
        shown(one.eventsBehind, shortNumber),
        duration(one.lag),
      ]),
      rowsMax,
    ),
    table(
      ['LEVELS', 'running', 'waiting', 'seats', 'refused/s'],
      levels.map((one) => [
        one.level,
        String(one.executing),
        shown(one.waiting, String),
        shown(one.seats, String),
        shown(one.refusedPerSecond, shortNumber),
      ]),
      rowsMax,
    ),
    table(
      ['TYPES', 'objects', 'size'],
      types.map((one) => [one.resource, shortNumber(one.objects), shown(one.bytes, bytes)]),
      rowsMax,
    ),
    table(
      ['THREADS', 'busy', 'heap'],
      threads.map((one) => [one.thread, `${Math.round(one.busy * 100)} %`, bytes(one.heapBytes)]),
      rowsMax,
    ),
  ];
  return `${[summary, ...tables.filter((text) => text !== '')].join('\n\n')}\n`;
}

function shown(value: number | undefined, write: (value: number) => string): string {
  return value === undefined || value === 0 ? '' : write(value);
}

/** The first column to the left, the others to the right; '' where there are no rows. */
function table(head: Row, rows: readonly Row[], rowsMax: number): string {
  if (rows.length === 0) return '';
  const shownRows = [head, ...rows.slice(0, rowsMax)];
  const widths = head.map((_, at) => Math.max(...shownRows.map((row) => row[at]?.length ?? 0)));
  const lines = shownRows.map((row) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join(GAP)
      .trimEnd(),
  );
  const left = rows.length - rowsMax;
  return [...lines, ...(left > 0 ? [`and ${left} more`] : [])].join('\n');
}
