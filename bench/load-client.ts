/** The benchmark's side of the load process: runs jobs there and measures both processes. */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type {
  ClosedLoopJob,
  ClosedLoopResult,
  LoadMessage,
  WatchJob,
  WatchResult,
} from './load-protocol.ts';
import { cpuMilliseconds } from './process-usage.ts';

export interface Measured<Result> {
  readonly result: Result;
  /** Processor time in the measured window. */
  readonly serverCpuMs: number;
  readonly clientCpuMs: number;
}

export class LoadClient {
  readonly #child: ChildProcess;
  readonly #serverPid: number;

  constructor(serverPid: number) {
    this.#serverPid = serverPid;
    this.#child = fork(fileURLToPath(new URL('load-process.ts', import.meta.url)));
  }

  async closedLoop(job: Omit<ClosedLoopJob, 'job'>): Promise<Measured<ClosedLoopResult>> {
    return this.#run<ClosedLoopResult>({ job: 'closedLoop', ...job });
  }

  async watch(job: Omit<WatchJob, 'job'>): Promise<Measured<WatchResult>> {
    return this.#run<WatchResult>({ job: 'watch', ...job });
  }

  /** Ends the load process. */
  stop(): void {
    if (this.#child.connected) this.#child.disconnect();
    this.#child.kill('SIGKILL');
  }

  async #run<Result>(job: ClosedLoopJob | WatchJob): Promise<Measured<Result>> {
    const child = this.#child;
    const clientPid = child.pid ?? 0;
    let serverCpuMs = 0;
    let clientCpuMs = 0;
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void): void => {
        child.off('message', onMessage);
        child.off('exit', onExit);
        settle();
      };
      const onExit = (): void => finish(() => reject(new Error('the load process ended')));
      const onMessage = (message: LoadMessage): void => {
        if (message.kind === 'measuring') {
          serverCpuMs -= cpuMilliseconds(this.#serverPid);
          clientCpuMs -= cpuMilliseconds(clientPid);
        } else if (message.kind === 'measured') {
          serverCpuMs += cpuMilliseconds(this.#serverPid);
          clientCpuMs += cpuMilliseconds(clientPid);
        } else if (message.kind === 'failed') {
          finish(() => reject(new Error(message.message)));
        } else {
          const result = message.result as Result;
          finish(() => resolve({ result, serverCpuMs, clientCpuMs }));
        }
      };
      child.on('message', onMessage);
      child.on('exit', onExit);
      child.send(job);
    });
  }
}
