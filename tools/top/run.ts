/** `npm run top`: what a server does, live in a terminal (README.md). */
import type { WriteStream } from 'node:tty';
import { setTimeout as sleep } from 'node:timers/promises';
import { readMetrics, type Reading } from '../../src/page/metrics.ts';
import { refusalOf, type Api } from '../backup/api.ts';
import { findRunning, TARGET_FLAGS, TARGET_HELP, textOf } from '../backup/target.ts';
import { exitCodeOf, ToolError } from '../backup/tool-error.ts';
import { OptionsError, parseOptions } from '../flags.ts';
import type { Output } from '../output.ts';
import { figuresOf } from './figures.ts';
import { screenText } from './screen.ts';

const FLAGS = {
  every: { value: 'SECONDS' },
  rows: { value: 'N' },
  once: { value: '' },
  json: { value: '' },
  ...TARGET_FLAGS,
};

const HELP = [
  'Usage: npm run top -- [--once] [--json] [--data-dir FOLDER | --kubeconfig FILE]',
  '',
  'Shows what a running server does: requests, watches, flow control, types, threads. Figures are',
  'of the time between two looks.',
  '',
  '  --every SECONDS     between two looks (default 2)',
  '  --rows N            of each table (default: what the terminal has room for; in a pipe, all)',
  '  --once              one look, and end',
  '  --json              a line of JSON for each look: all figures, in seconds and bytes',
  ...TARGET_HELP,
  '',
].join('\n');

const EVERY_SECONDS = 2;
const EVERY_SECONDS_MAX = 3_600;
/** Tables, with the lines between and above them. */
const TABLES = 5;
const OTHER_LINES = 13;
const ROWS_MIN = 3;
/** To the upper left, and nothing below. */
const CLEAR = '\u001B[H\u001B[J';

/** A terminal that is written over at each look. */
export interface Terminal {
  /** Rows of text; it may change. */
  readonly rows: number;
}

/** Undefined where the output is no terminal. */
export function terminalOf(stream: WriteStream): Terminal | undefined {
  return stream.isTTY ? stream : undefined;
}

/** Runs with arguments until it is stopped, or for one look; returns the exit code. */
export async function runTop(
  args: readonly string[],
  output: Output,
  terminal?: Terminal,
): Promise<number> {
  return exitCodeOf(output, async () => {
    const given = parseOptions(FLAGS, args);
    if (given['help'] === true) {
      output.write(HELP);
      return 0;
    }
    const everyMs = numberOf('every', textOf(given, 'every'), EVERY_SECONDS_MAX) * 1_000;
    const rows = numberOf('rows', textOf(given, 'rows'));
    const isJson = given['json'] === true;
    const isLive = terminal !== undefined && given['once'] !== true && !isJson;
    const api = findRunning(given);
    try {
      let before = await look(api);
      do {
        await sleep(everyMs || EVERY_SECONDS * 1_000);
        const now = await look(api);
        const figures = figuresOf(before, now);
        before = now;
        const text = isJson
          ? `${JSON.stringify(figures)}\n`
          : screenText(figures, rows || (isLive ? rowsOf(terminal) : Infinity));
        output.write(isLive ? CLEAR + text : text);
      } while (given['once'] !== true);
      return 0;
    } finally {
      api.close();
    }
  });
}

/** Rows of each table. */
function rowsOf({ rows }: Terminal): number {
  return Math.max(ROWS_MIN, Math.floor((rows - OTHER_LINES) / TABLES));
}

/** 0 for none. */
function numberOf(name: string, value: string, max = Infinity): number {
  if (value === '') return 0;
  const number = Number(value);
  if (/^\d+(\.\d+)?$/.test(value) && number > 0 && number <= max) return number;
  throw new OptionsError(`--${name} is "${value}": give a number above 0`);
}

async function look(api: Api): Promise<Reading> {
  const answer = await api.request('GET', '/metrics');
  if (answer.status !== 200) throw new ToolError(`GET /metrics: ${refusalOf(answer)}`);
  return readMetrics(answer.body.toString(), performance.now());
}
