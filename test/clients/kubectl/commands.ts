/** Runs the commands of a transcript; none outlives the test. */
import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { PATIENCE_MS } from '../../support/patience.ts';
import { lineMatches, linesOf } from './transcript.ts';

export interface Surroundings {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

export interface CommandResult {
  readonly stdout: string[];
  readonly stderr: string[];
  /** -1: it took too long and was ended. */
  readonly exitCode: number;
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

const running = new Set<Child>();
// Where a signal ends this process, what still runs ends when the server that it talks to is gone.
process.once('exit', () => {
  for (const child of running) endGroup(child);
});

/** In a group of its own, so that what the shell started ends with it. */
function start(command: string, { folder, env }: Surroundings): Child {
  const child = spawn('sh', ['-c', command], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  running.add(child);
  child.once('close', () => running.delete(child));
  child.stdout.setEncoding('utf8');
  child.stderr.setEncoding('utf8');
  return child;
}

function endGroup(child: Child): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  process.kill(-child.pid, 'SIGKILL');
}

/** Runs it to its end. */
export async function runCommand(
  command: string,
  surroundings: Surroundings,
): Promise<CommandResult> {
  const child = start(command, surroundings);
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (text: string) => (output.stdout += text));
  child.stderr.on('data', (text: string) => (output.stderr += text));
  const timer = setTimeout(() => endGroup(child), PATIENCE_MS);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  return { stdout: linesOf(output.stdout), stderr: linesOf(output.stderr), exitCode: code ?? -1 };
}

/** A command that goes on while others run, such as a watch. Its stderr counts as its output. */
export class BackgroundCommand {
  readonly #child: Child;
  #unread: string[] = [];
  #rest = '';
  #wake: () => void = () => undefined;

  constructor(command: string, surroundings: Surroundings) {
    this.#child = start(`exec ${command}`, surroundings);
    this.#child.stdout.on('data', (text: string) => this.#add(text));
    this.#child.stderr.on('data', (text: string) => this.#add(text));
    this.#child.once('close', (code: number | null) => {
      this.#unread.push(`exit ${code ?? -1}`);
      this.#wake();
    });
  }

  #add(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    this.#unread.push(...lines.map((line) => line.trimEnd()));
    this.#wake();
  }

  /**
   * The next lines that it says, as many as there are patterns; fewer where they do not come, and
   * up to the first that is not as its pattern says. Its end is a line `exit 0`.
   */
  async nextLines(patterns: readonly string[]): Promise<string[]> {
    const lines: string[] = [];
    const deadline = Date.now() + PATIENCE_MS;
    for (const pattern of patterns) {
      while (this.#unread.length === 0 && Date.now() < deadline) await this.#news(deadline);
      const line = this.#unread.shift();
      if (line === undefined) break;
      lines.push(line);
      if (!lineMatches(pattern, line)) break;
    }
    return lines;
  }

  async #news(deadline: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      timer = setTimeout(resolve, deadline - Date.now());
    });
    clearTimeout(timer);
  }

  async end(): Promise<void> {
    if (!running.has(this.#child)) return;
    const closed = once(this.#child, 'close');
    endGroup(this.#child);
    await closed;
  }
}
