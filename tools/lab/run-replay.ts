/** `npm run lab -- replay`: a regression test from real traffic. */
import { writeFileSync } from 'node:fs';
import { OptionsError, type Flag } from '../flags.ts';
import type { Output } from '../output.ts';
import { parseWithFirst, textOf } from '../backup/target.ts';
import { writeReport } from '../report/page.ts';
import { junitText, type JunitCase } from './junit.ts';
import { readAuditLog } from './audit-log.ts';
import { readRecording, type Played } from './recorded.ts';
import { replayReport } from './replay-report.ts';
import { replay, type Outcome } from './replay.ts';

const FLAGS: Readonly<Record<string, Flag>> = {
  server: { value: 'URL' },
  token: { value: 'TOKEN' },
  pace: { value: 'FACTOR' },
  'audit-log': { value: 'FILE' },
  junit: { value: 'FILE' },
  report: { value: 'FILE' },
};

export const REPLAY_HELP = [
  'Of replay:',
  '  --server URL        where it is sent: http://HOST:PORT',
  '  --token TOKEN       of an administrator there',
  '  --audit-log FILE    in the place of a recording: an audit log in JSON lines, as a load',
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
  const log = textOf(given, 'audit-log');
  if ((first === '') === (log === ''))
    throw new OptionsError('give the FILE of a recording, or --audit-log FILE');
  const server = textOf(given, 'server').replace(/\/+$/, '');
  if (!/^https?:\/\//.test(server)) throw new OptionsError('give --server, a URL');
  const token = textOf(given, 'token');
  if (token === '') throw new OptionsError('give --token');
  const pace = paceOf(textOf(given, 'pace'));
  const requests = log === '' ? await readRecording(first) : await audited(log, output);
  const outcomes = await replay(requests, { server, token, pace, holdsWatches: log !== '' });
  const file = first || log;
  const junit = textOf(given, 'junit');
  if (junit !== '') writeFileSync(junit, junitText(file, outcomes.map(caseOf)));
  const report = textOf(given, 'report');
  if (report !== '') writeReport(report, replayReport(file, outcomes, new Date()));
  return tell(outcomes, output);
}

async function audited(log: string, output: Output): Promise<readonly Played[]> {
  const { requests, left } = await readAuditLog(log);
  if (left > 0) {
    output.write(`${left} requests are left out: the log has no body of theirs, or no use of it\n`);
  }
  return requests;
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
