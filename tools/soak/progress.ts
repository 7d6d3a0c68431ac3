/** The lines that the user sees while the soak runs. */
import { performance } from 'node:perf_hooks';
import type { Counters } from './counters.ts';
import type { Findings } from './findings.ts';

export interface Output {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

/** More are thinned out, so that a run may be long. */
const POINTS_MAX = 2_000;
const MIB = 1_048_576;

/** How it was at a second of the run; rates since the point before. */
export interface ProgressPoint {
  readonly second: number;
  readonly open: number;
  readonly eventsPerSecond: number;
  readonly writesPerSecond: number;
  readonly lagP50Ms: number;
  readonly lagP99Ms: number;
  /** Of the soak itself. */
  readonly memoryMiB: number;
}

/** A line each time on a file or pipe; on a terminal the same lines over again. */
export class Progress {
  readonly #output: Output;
  readonly #counters: Counters;
  readonly #findings: Findings;
  readonly #writes: () => number;
  readonly #startedAt = performance.now();
  #at = this.#startedAt;
  #events = 0;
  #written = 0;
  #load = performance.eventLoopUtilization();
  #shownLines = 0;
  #points: ProgressPoint[] = [];
  /** One of so many is kept. */
  #stride = 1;
  #shows = 0;

  /** `writes`: how many have been answered. */
  constructor(output: Output, counters: Counters, findings: Findings, writes: () => number) {
    this.#output = output;
    this.#counters = counters;
    this.#findings = findings;
    this.#writes = writes;
  }

  /** All that was shown, in order. */
  get points(): readonly ProgressPoint[] {
    return this.#points;
  }

  /** A line that stays. */
  say(line: string): void {
    this.#output.write(`${line}\n`);
    this.#shownLines = 0;
  }

  /** Shows what happened since the last time. */
  show(phase: string): void {
    const now = performance.now();
    const seconds = Math.max(0.001, (now - this.#at) / 1_000);
    const { events, recentLag } = this.#counters;
    const writes = this.#writes();
    const load = performance.eventLoopUtilization();
    const busy = performance.eventLoopUtilization(load, this.#load).utilization;
    const point: ProgressPoint = {
      second: (now - this.#startedAt) / 1_000,
      open: this.#counters.open,
      eventsPerSecond: Math.round((events - this.#events) / seconds),
      writesPerSecond: Math.round((writes - this.#written) / seconds),
      lagP50Ms: recentLag.percentile(0.5),
      lagP99Ms: recentLag.percentile(0.99),
      memoryMiB: Math.round(process.memoryUsage.rss() / MIB),
    };
    this.#keep(point);
    const rates = [
      `${clock(point.second)} ${phase.padEnd(7)}`,
      `open ${point.open}`,
      `events/s ${point.eventsPerSecond}`,
      `writes/s ${point.writesPerSecond}`,
      `lag ms p50 ${shortMs(point.lagP50Ms)} p99 ${shortMs(point.lagP99Ms)}`,
      `busy ${Math.round(busy * 100)}%`,
    ];
    this.#at = now;
    this.#events = events;
    this.#written = writes;
    this.#load = load;
    recentLag.clear();
    this.#put([rates.join('  '), this.#troubles()]);
  }

  #keep(point: ProgressPoint): void {
    if (this.#shows++ % this.#stride !== 0) return;
    this.#points.push(point);
    if (this.#points.length <= POINTS_MAX) return;
    this.#points = this.#points.filter((_, at) => at % 2 === 0);
    this.#stride *= 2;
  }

  #troubles(): string {
    const { reconnects, gone, errors } = this.#counters;
    const count = (kind: Parameters<Findings['count']>[0]): number => this.#findings.count(kind);
    const other = count('wrongContent') + count('staleList') + count('lostWrite');
    return [
      `gaps ${count('gap')}`,
      `duplicates ${count('duplicate')}`,
      `disorder ${count('disorder')}`,
      `wrong ${other}`,
      `reconnects ${reconnects}`,
      `410s ${gone}`,
      `errors ${errors}`,
    ].join('  ');
  }

  #put(lines: readonly string[]): void {
    if (this.#output.isTTY !== true) {
      this.#output.write(`${lines.join('  ')}\n`);
      return;
    }
    const back = this.#shownLines === 0 ? '' : `\u001B[${this.#shownLines}A\u001B[J`;
    this.#output.write(`${back}${lines.join('\n')}\n`);
    this.#shownLines = lines.length;
  }
}

function clock(seconds: number): string {
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  return `${two(seconds / 3_600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}`;
}

function shortMs(milliseconds: number): string {
  return milliseconds < 10 ? milliseconds.toFixed(1) : String(Math.round(milliseconds));
}
