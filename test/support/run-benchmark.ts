/** Runs a benchmark in its tiny size, and checks what it says. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';
import { temporaryFolder } from './server-process.ts';

/** Load is made by processes of the same sources. */
const STRIP_CACHE = new URL('../../tools/strip-cache.mjs', import.meta.url).href;

interface Results {
  readonly date: string;
  readonly node: string;
  readonly results: readonly Record<string, string | number>[];
}

/** Runs one benchmark; gives its exit code, its output and the line that it appended. */
async function runBenchmark(
  name: string,
  args: readonly string[],
): Promise<{ code: number; text: string; line: Results | undefined }> {
  const script = fileURLToPath(new URL(`../../bench/${name}`, import.meta.url));
  const output = join(temporaryFolder(), 'results.jsonl');
  const child = spawn(process.execPath, [script, '--small', '--output', output, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: `--import ${STRIP_CACHE}` },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  }
  const [code] = await once(child, 'close');
  const line = code === 0 ? JSON.parse(readFileSync(output, 'utf8').trim()) : undefined;
  return { code, text, line };
}

/** Runs one with these options; at least so many results must be in its table and its line. */
export async function checkBenchmark(
  t: Test,
  name: string,
  scenarios: number,
  args: readonly string[] = [],
): Promise<void> {
  const { code, text, line } = await runBenchmark(name, args);
  t.equal(code, 0, text);
  t.match(line, { date: /^\d{4}-/, commit: String, node: process.version, cores: Number });
  t.ok((line?.results.length ?? 0) >= scenarios, `${line?.results.length} results`);
  for (const row of line?.results ?? []) {
    t.ok(text.includes(String(row['scenario'])), `${row['scenario']} is in the table`);
    for (const [column, value] of Object.entries(row)) {
      if (typeof value === 'number') t.ok(Number.isFinite(value), `${column} is a number`);
    }
  }
}
