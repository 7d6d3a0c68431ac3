/** Updates at a steady pace, each with its version and the times of its sending and answer. */
import { sharedNow } from './clock.ts';
import { HttpConnection } from './http-connection.ts';
import type { PacedWritesJob, PacedWritesResult } from './load-protocol.ts';
import { updateRequest } from './requests.ts';

const TICK_MS = 1;

interface Write {
  readonly version: number;
  readonly sentAt: number;
  readonly answeredAt: number;
}

class PacedWrites {
  readonly #job: PacedWritesJob;
  readonly #writes: Write[] = [];
  readonly #idle: (() => void)[] = [];
  #sent = 0;
  #failure: Error | undefined;

  constructor(job: PacedWritesJob) {
    this.#job = job;
  }

  /** Resolves when all writes are answered; rejects when one is refused. */
  async run(): Promise<PacedWritesResult> {
    const { connections, seconds, writesPerSecond } = this.#job;
    const writers = await Promise.all(Array.from({ length: connections }, () => this.#connect()));
    const count = Math.ceil(seconds * writesPerSecond);
    const startedAt = performance.now();
    while (this.#writes.length < count && this.#failure === undefined) {
      const passed = (performance.now() - startedAt) / 1_000;
      const due = Math.min(count, Math.floor(passed * writesPerSecond));
      while (this.#sent < due) {
        const send = this.#idle.shift();
        if (send === undefined) break;
        send();
      }
      await new Promise((resolve) => setTimeout(resolve, TICK_MS));
    }
    for (const writer of writers) writer.close();
    if (this.#failure !== undefined) throw this.#failure;
    const writes = this.#writes.sort((a, b) => a.version - b.version);
    return {
      sentAt: Float64Array.from(writes, ({ sentAt }) => sentAt),
      answeredAt: Float64Array.from(writes, ({ answeredAt }) => answeredAt),
    };
  }

  async #connect(): Promise<HttpConnection> {
    const request = updateRequest(this.#job);
    const onError = (error: Error): void => {
      this.#failure ??= error;
    };
    let sentAt = 0;
    const onAnswer = (status: number, _bytes: number, body: Buffer | undefined): void => {
      const answeredAt = sharedNow();
      const version = /"resourceVersion":"(\d+)"/.exec(body?.toString('latin1') ?? '')?.[1];
      if (status !== 200) onError(new Error(`write answered ${status}: ${body?.toString()}`));
      this.#writes.push({ version: Number(version), sentAt, answeredAt });
      this.#idle.push(send);
    };
    const send = (): void => {
      sentAt = sharedNow();
      const number = this.#sent;
      this.#sent += 1;
      connection.send(request.with(number % this.#job.objects, this.#job.seed + number));
    };
    const options = { endpoint: this.#job, keepBody: true, onAnswer, onError };
    let connection!: HttpConnection;
    await new Promise<void>((resolve, reject) => {
      const failed = (error: Error): void => {
        onError(error);
        reject(error);
      };
      connection = new HttpConnection({ ...options, onError: failed }, resolve);
    });
    this.#idle.push(send);
    return connection;
  }
}

/** Runs one job; rejects when a connection breaks or a write is refused. */
export async function runPacedWrites(job: PacedWritesJob): Promise<PacedWritesResult> {
  return new PacedWrites(job).run();
}
