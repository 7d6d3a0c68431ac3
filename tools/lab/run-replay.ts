/** `npm run lab -- replay`: a regression test from real traffic. */
import { writeFileSync } from 'node:fs';
import { OptionsError, type Flag } from '../flags.ts';
import type { Output } from '../output.ts';
import { parseWithFirst, textOf } from '../backup/target.ts';
import { writeReport } from '../report/page.ts';
import { junitText, type JunitCase } from './junit.ts';
import { readRecording } from './recorded.ts';
import { replayReport } from './replay-report.ts';
import { replay, type Outcome } from './replay.ts';

const FLAGS: Readonly<Record<string, Flag>> = {
  server: { value: 'URL' },
  token: { value: 'TOKEN' },
  pace: { value: 'FACTOR' },
  junit: { value: 'FILE' },
  report: { value: 'FILE' },
};

export const REPLAY_HELP = [
  'Of replay:',
  '  --server URL        where it is sent: http://HOST:PORT',
  '  --token TOKEN       of an administrator there',
  '  --pace FACTOR       so many times as fast as it was recorded; without it as fast as it goes',
  '  --junit FILE        write a report for CI',
  '  --report FILE       write a page with plots, or JSON where its name does not end in .html',
  'The exit code is 1 where answers differ. Versions, uids, generated names and times may.',
];

/** Rejects with OptionsError and ToolError; returns the exit code. */
export async function runReplay(args: readonly string[], output: Output): Promise<number> {
  const { first, given } = parseWithFirst(FLAGS, args);
  if (given['help'] === true) {
    output.write(`${['Usage: npm run lab -- replay FILE', '', ...REPLAY_HELP, ''].join('\n')}`);
    return 0;
  }
  if (first === '') throw new OptionsError('give the FILE of a recording');
  const server = textOf(given, 'server').replace(/\/+$/, '');
  if (!/^https?:\/\//.test(server)) throw new OptionsError('give --server, a URL');
  const token = textOf(given, 'token');
  if (token === '') throw new OptionsError('give --token');
  const pace = paceOf(textOf(given, 'pace'));
  const requests = await readRecording(first);
  const outcomes = await replay(requests, { server, token, pace });
  const junit = textOf(given, 'junit');
  if (junit !== '') writeFileSync(junit, junitText(first, outcomes.map(caseOf)));
  const report = textOf(given, 'report');
  if (report !== '') writeReport(report, replayReport(first, outcomes, new Date()));
  return tell(outcomes, output);
}

function caseOf({ played: { n, request }, ms, differences }: Outcome): JunitCase {
  return { name: `${n} ${request.method} ${request.url}`, ms, failures: differences };
}

function paceOf(text: string): number {
  if (text === '') return Infinity;
  const pace = Number(text);
  if (Number.isFinite(pace) && pace > 0) return pace;
  throw new OptionsError(`--pace is "${text}": give a number above 0`);
}

function tell(outcomes: readonly Outcome[], output: Output): number {
  const different = outcomes.filter(({ differences }) => differences.length > 0);
  for (const { played, differences } of different) {
    const { method, url } = played.request;
    output.write(`${played.n}: ${method} ${url}\n`);
    for (const line of differences) output.write(`  ${line}\n`);
  }
  output.write(`${outcomes.length} requests, ${different.length} with differences\n`);
  return different.length === 0 ? 0 : 1;
}
