/** A command in a process group of its own, which is killed and started again as a whole. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

const OUTPUT_LENGTH_MAX = 20_000;
/** As long as somebody may take to end by itself. */
const END_MS_MAX = 5_000;

type Environment = Readonly<Record<string, string>>;

export interface Ended {
  /** -1 where a signal ended it. */
  readonly code: number;
}

export class Program {
  readonly #command: string;
  readonly #environment: Environment;
  #child: ChildProcess;
  #ended: Promise<Ended>;
  #output = '';
  /** Somebody has killed it, and may start it again. */
  wasKilled = false;

  constructor(command: string, environment: Environment) {
    this.#command = command;
    this.#environment = environment;
    [this.#child, this.#ended] = this.#spawn();
  }

  #spawn(): [ChildProcess, Promise<Ended>] {
    const child = spawn('sh', ['-c', this.#command], {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...this.#environment },
    });
    running.add(child);
    const take = (text: string): void => {
      this.#output = (this.#output + text).slice(-OUTPUT_LENGTH_MAX);
    };
    child.stdout?.setEncoding('utf8').on('data', take);
    child.stderr?.setEncoding('utf8').on('data', take);
    const ended = once(child, 'exit').then(([code]) => {
      // What it has left running is of the same group.
      signalGroup(child, 'SIGKILL');
      running.delete(child);
      return { code: (code as number | null) ?? -1 };
    });
    return [child, ended];
  }

  /** The last of what it has said. */
  get output(): string {
    return this.#output;
  }

  /** When the one that runs now has ended. */
  get ended(): Promise<Ended> {
    return this.#ended;
  }

  get hasEnded(): boolean {
    return !running.has(this.#child);
  }

  /** Kills all of it. Resolves when it is gone. */
  async kill(): Promise<void> {
    this.wasKilled = true;
    kill(this.#child, 'SIGKILL');
    await this.#ended;
  }

  start(): void {
    this.wasKilled = false;
    [this.#child, this.#ended] = this.#spawn();
  }

  /** Asks it to end, and kills what does not. */
  async stop(): Promise<void> {
    kill(this.#child, 'SIGTERM');
    const timer = setTimeout(() => kill(this.#child, 'SIGKILL'), END_MS_MAX);
    await this.#ended;
    clearTimeout(timer);
  }
}

const running = new Set<ChildProcess>();

/** Ends all programs at once: this process is about to end. */
export function killAll(): void {
  for (const child of running) signalGroup(child, 'SIGKILL');
}

/** One that has ended gets none: its number may be somebody else's. */
function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  if (running.has(child)) signalGroup(child, signal);
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // None of the group is left.
  }
}
