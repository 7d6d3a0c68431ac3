/** The benchmark's side of a load process: runs jobs there and measures both processes. */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { LoadCalls, LoadMessage, LoadVerb } from './load-protocol.ts';
import { cpuMilliseconds } from './process-usage.ts';

export interface Measured<Result> {
  readonly result: Result;
  /** Processor time in the measured window. */
  readonly serverCpuMs: number;
  readonly clientCpuMs: number;
}

interface Waiting {
  readonly onMessage: (message: LoadMessage) => void;
  readonly reject: (error: Error) => void;
}

export class LoadClient {
  readonly #child: ChildProcess;
  readonly #serverPids: readonly number[];
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 1;

  constructor(serverPids: readonly number[]) {
    this.#serverPids = serverPids;
    const script = fileURLToPath(new URL('load-process.ts', import.meta.url));
    // Arrays of numbers go as their bytes.
    this.#child = fork(script, { serialization: 'advanced' });
    this.#child.on('message', (message: LoadMessage) => {
      this.#waiting.get(message.id)?.onMessage(message);
    });
    this.#child.on('exit', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the load process ended'));
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Does one job; several may run at a time. Rejects when it fails. */
  async run<V extends LoadVerb>(
    verb: V,
    job: LoadCalls[V]['job'],
  ): Promise<LoadCalls[V]['result']> {
    return (await this.measure(verb, job)).result;
  }

  /** Runs a job that says when its measured time begins and ends. */
  async measure<V extends LoadVerb>(
    verb: V,
    job: LoadCalls[V]['job'],
  ): Promise<Measured<LoadCalls[V]['result']>> {
    const id = this.#nextId++;
    let serverCpuMs = 0;
    let clientCpuMs = 0;
    const addCpu = (sign: 1 | -1): void => {
      serverCpuMs += sign * cpuMilliseconds(this.#serverPids);
      clientCpuMs += sign * cpuMilliseconds([this.pid]);
    };
    try {
      return await new Promise((resolve, reject) => {
        const onMessage = (message: LoadMessage): void => {
          if (message.kind === 'measuring') addCpu(-1);
          else if (message.kind === 'measured') addCpu(1);
          else if (message.kind === 'failed') reject(new Error(message.message));
          else {
            const result = message.result as LoadCalls[V]['result'];
            resolve({ result, serverCpuMs, clientCpuMs });
          }
        };
        this.#waiting.set(id, { onMessage, reject });
        this.#child.send({ id, verb, job });
      });
    } finally {
      this.#waiting.delete(id);
    }
  }

  /** Ends the load process. */
  stop(): void {
    if (this.#child.connected) this.#child.disconnect();
    this.#child.kill('SIGKILL');
  }
}
