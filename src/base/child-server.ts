/** Servers that this process starts: ports for them, and what they say. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { Writable } from 'node:stream';
import { GATE, WAITS } from './wait-for-parent.ts';

const READY = /^shardplane ready /m;
const OUTPUT_LENGTH_MAX = 4_096;

const END_WITH_PARENT = encodeURIComponent(`
import { isMainThread } from 'node:worker_threads';
if (isMainThread) {
  process.stdin.resume().on('close', () => process.kill(process.pid, 'SIGTERM'));
  process.stdin.unref();
}`);
/**
 * An option of Node: a server with a pipe for its standard input ends when its parent does, however
 * that ends.
 */
export const ENDS_WITH_PARENT = `--import=data:text/javascript,${END_WITH_PARENT}`;

/** Spawns a server that waits: it loads its program meanwhile. */
export function spawnWaiting(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    env: { ...process.env, [WAITS]: 'yes' },
  });
}

/** Has a server go on that waits. */
export function goOn({ stdio }: ChildProcess): void {
  const gate = stdio[GATE] as Writable;
  // One that has ended reads no more.
  gate.on('error', () => undefined);
  gate.end('\n');
}

/** Two ports that nothing listens on just now: others may take them before the server does. */
export async function twoFreePorts(): Promise<[number, number]> {
  const listeners = [createServer(), createServer()];
  const ports = await Promise.all(
    listeners.map(async (listener) => {
      await once(listener.listen(0, '127.0.0.1'), 'listening');
      return (listener.address() as AddressInfo).port;
    }),
  );
  await Promise.all(listeners.map((listener) => once(listener.close(), 'close')));
  const [port = 0, securePort = 0] = ports;
  return [port, securePort];
}

/** The output of a server that has just been spawned, with pipes. */
export class ServerOutput {
  readonly #isReady: Promise<'ready'>;
  readonly #ended: Promise<unknown>;
  #log = '';

  /** `logLengthMax`: of its standard error as many characters are kept. */
  constructor(child: ChildProcess, logLengthMax: number) {
    const { stdin, stdout, stderr } = child;
    this.#ended = once(child, 'exit');
    let output = '';
    this.#isReady = new Promise((resolve) => {
      stdout?.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-OUTPUT_LENGTH_MAX);
        if (READY.test(output)) resolve('ready');
      });
    });
    stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#log = (this.#log + text).slice(-logLengthMax);
    });
    // A server that has ended reads no more.
    stdin?.on('error', () => undefined);
  }

  get log(): string {
    return this.#log;
  }

  /** Resolves when it serves; rejects with what it says where it has ended, or is too late. */
  async ready(milliseconds: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const isLate = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), milliseconds);
    });
    const first = await Promise.race([this.#isReady, isLate, this.#ended]);
    clearTimeout(timer);
    if (first === 'ready') return;
    const what = first === 'late' ? `is not ready after ${milliseconds} ms` : 'has ended';
    throw new Error(`the server ${what}: ${this.#log.trim()}`);
  }
}
