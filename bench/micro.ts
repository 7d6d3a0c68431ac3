/** The flags, loops and results file of the micro-benchmarks. */
import { parseArgs } from 'node:util';
import { appendResults, resultsFile, table } from './report.ts';
import type { ResultRow } from './report.ts';

const RESULTS_FILE = 'micro.jsonl';

export interface MicroOptions {
  readonly seconds: number;
  /** The clock is read once for so many: it costs as much as a short step. */
  readonly stepsAtOnce: number;
  readonly warmUpSeconds: number;
  readonly output: string;
}

/** `--seconds N`, `--small` (checks that everything works), `--output FILE`. */
export function microOptions(): MicroOptions {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '2' },
      small: { type: 'boolean', default: false },
      output: { type: 'string', default: resultsFile(RESULTS_FILE) },
    },
  });
  const seconds = values.small ? 0.001 : Number(values.seconds);
  const stepsAtOnce = values.small ? 1 : 100;
  return { seconds, stepsAtOnce, warmUpSeconds: seconds / 4, output: values.output };
}

function row(scenario: string, count: number, milliseconds: number, cpuMicros: number): ResultRow {
  return {
    scenario,
    'rate/s': Math.round((count * 1_000) / milliseconds),
    'µs each': Math.round((milliseconds * 100_000) / Math.max(1, count)) / 100,
    // All threads of the process count.
    'CPU µs each': Math.round((cpuMicros * 100) / Math.max(1, count)) / 100,
  };
}

/** Calls `step` over and over; each call does `perStep` of what is counted. */
export function measure(
  scenario: string,
  options: MicroOptions,
  step: () => void,
  perStep = 1,
): ResultRow {
  const run = (seconds: number): { steps: number; milliseconds: number; cpuMicros: number } => {
    const startedAt = performance.now();
    const cpu = process.cpuUsage();
    const end = startedAt + seconds * 1_000;
    let steps = 0;
    while (performance.now() < end) {
      for (let at = 0; at < options.stepsAtOnce; at += 1) step();
      steps += options.stepsAtOnce;
    }
    const milliseconds = performance.now() - startedAt;
    const { user, system } = process.cpuUsage(cpu);
    return { steps, milliseconds, cpuMicros: user + system };
  };
  run(options.warmUpSeconds);
  const { steps, milliseconds, cpuMicros } = run(options.seconds);
  return row(scenario, steps * perStep, milliseconds, cpuMicros);
}

/** Keeps `inFlight` operations going; `start` begins one and calls `done` when it has ended. */
export async function measureInFlight(
  scenario: string,
  options: MicroOptions,
  inFlight: number,
  start: (done: () => void) => void,
): Promise<ResultRow> {
  const warmUpEnd = performance.now() + options.warmUpSeconds * 1_000;
  let measuredFrom = 0;
  let cpu = process.cpuUsage();
  let count = 0;
  let running = inFlight;
  return new Promise((resolve) => {
    const finish = (): void => {
      const { user, system } = process.cpuUsage(cpu);
      resolve(row(scenario, count, performance.now() - measuredFrom, user + system));
    };
    const done = (): void => {
      count += 1;
      const now = performance.now();
      if (measuredFrom === 0 && now >= warmUpEnd) {
        measuredFrom = now;
        cpu = process.cpuUsage();
        count = 0;
      }
      if (measuredFrom > 0 && now >= measuredFrom + options.seconds * 1_000) {
        running -= 1;
        if (running === 0) finish();
      } else {
        start(done);
      }
    };
    for (let at = 0; at < inFlight; at += 1) start(done);
  });
}

/** Prints the table and appends the line. */
export function report(name: string, options: MicroOptions, rows: readonly ResultRow[]): void {
  process.stdout.write(`${table(rows)}\n`);
  const { output, ...settings } = options;
  appendResults(output, { benchmark: name, ...settings }, rows);
}
