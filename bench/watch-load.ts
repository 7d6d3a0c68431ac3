/** The watch load: many watches of one namespace, and a stream of updates that all of them get. */
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { HttpConnection } from './http-connection.ts';
import type { WatchJob, WatchResult } from './load-protocol.ts';
import { updateRequest, watchRequest } from './requests.ts';
import { Durations } from './statistics.ts';

const WRITE_CONNECTIONS = 16;
/** Unpaced writes may be this far ahead of the slowest watch. */
const UNDELIVERED_WRITES_MAX = 64;
const DRAIN_MS_MAX = 15_000;
const NEWLINE = 0x0a;
const CLOSING_BRACE = 0x7d;
const readBuffer = Buffer.allocUnsafeSlow(256 * 1024);

/** One open watch: counts events by the end of their lines, without parsing them. */
class CountingWatch {
  events = 0;
  readonly #socket: Socket;
  #head = '';
  #inHead = true;
  #lastByte = 0;

  constructor(
    job: WatchJob,
    onOpen: () => void,
    onEvents: (from: number, to: number) => void,
    onError: (error: Error) => void,
  ) {
    const callback = (byteCount: number, buffer: Uint8Array): boolean => {
      let at = 0;
      if (this.#inHead) {
        this.#head += (buffer as Buffer).toString('latin1', 0, byteCount);
        const headEnd = this.#head.indexOf('\r\n\r\n');
        if (headEnd < 0) return true;
        if (!this.#head.startsWith('HTTP/1.1 200')) onError(new Error(this.#head));
        this.#inHead = false;
        at = byteCount - (this.#head.length - headEnd - 4);
        this.#head = '';
        onOpen();
      }
      const before = this.events;
      this.#count(buffer as Buffer, at, byteCount);
      if (this.events > before) onEvents(before, this.events);
      return true;
    };
    this.#socket = connect({
      port: job.port,
      host: '127.0.0.1',
      noDelay: true,
      onread: { buffer: readBuffer, callback },
    });
    this.#socket.on('connect', () => this.#socket.write(watchRequest(job, job.fromVersion)));
    this.#socket.on('error', onError);
    this.#socket.on('close', () => onError(new Error('a watch was closed by the server')));
  }

  /** An event ends with `}` and a newline; the chunk framing's newlines follow `\r`. */
  #count(buffer: Buffer, from: number, to: number): void {
    for (let at = buffer.indexOf(NEWLINE, from); at >= 0 && at < to;) {
      const before = at === from ? this.#lastByte : buffer[at - 1];
      if (before === CLOSING_BRACE) this.events += 1;
      at = buffer.indexOf(NEWLINE, at + 1);
    }
    if (to > from) this.#lastByte = buffer[to - 1] ?? 0;
  }

  close(): void {
    this.#socket.removeAllListeners('close');
    this.#socket.destroy();
  }
}

interface Write {
  readonly version: number;
  readonly sentAt: number;
  readonly answeredAt: number;
}

class WatchLoad {
  readonly #job: WatchJob;
  readonly #watches: CountingWatch[] = [];
  /** Per watch: when its n-th event came. */
  readonly #arrivals: Float64Array[] = [];
  /** Per event: how many watches have it. */
  readonly #deliveries: Uint32Array;
  readonly #writesMax: number;
  readonly #writes: Write[] = [];
  readonly #idle: (() => void)[] = [];
  #sent = 0;
  #delivered = 0;
  #events = 0;
  #lastEventAt = 0;
  #writing = true;
  #failure: Error | undefined;

  constructor(job: WatchJob) {
    this.#job = job;
    const perSecond = job.writesPerSecond === 0 ? 2_000 : job.writesPerSecond;
    this.#writesMax = Math.ceil(perSecond * job.seconds);
    this.#deliveries = new Uint32Array(this.#writesMax);
  }

  async run(onMeasuring: () => void, onMeasured: () => void): Promise<WatchResult> {
    const onError = (error: Error): void => {
      this.#failure ??= error;
    };
    await this.#open(onError);
    const writers = await this.#openWriters(onError);
    const startedAt = performance.now();
    onMeasuring();
    await this.#write(startedAt);
    const drainEnd = performance.now() + DRAIN_MS_MAX;
    while (this.#delivered < this.#sent && performance.now() < drainEnd) {
      if (this.#failure !== undefined) break;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    onMeasured();
    for (const watch of this.#watches) watch.close();
    for (const writer of writers) writer.close();
    if (this.#failure !== undefined) throw this.#failure;
    return this.#result(startedAt);
  }

  async #open(onError: (error: Error) => void): Promise<void> {
    const { watches } = this.#job;
    const timed = this.#job.writesPerSecond > 0;
    // In groups, so that the server's queue of new connections does not overflow.
    for (let first = 0; first < watches; first += 100) {
      const group = Array.from({ length: Math.min(100, watches - first) }, async (_, offset) => {
        const index = first + offset;
        if (timed) this.#arrivals[index] = new Float64Array(this.#writesMax);
        const onEvents = (from: number, to: number): void => this.#onEvents(index, from, to);
        await new Promise<void>((resolve, reject) => {
          const fail = (error: Error): void => {
            onError(error);
            reject(error);
          };
          this.#watches[index] = new CountingWatch(this.#job, resolve, onEvents, fail);
        });
      });
      await Promise.all(group);
    }
  }

  #onEvents(watch: number, from: number, to: number): void {
    const now = performance.now();
    const arrivals = this.#arrivals[watch];
    for (let event = from; event < to; event += 1) {
      if (arrivals !== undefined) arrivals[event] = now;
      const deliveries = (this.#deliveries[event] ?? 0) + 1;
      this.#deliveries[event] = deliveries;
      if (deliveries === this.#job.watches) this.#delivered += 1;
    }
    this.#events += to - from;
    this.#lastEventAt = now;
    if (this.#job.writesPerSecond === 0) this.#sendWhilePossible();
  }

  async #openWriters(onError: (error: Error) => void): Promise<HttpConnection[]> {
    const writers = Array.from({ length: WRITE_CONNECTIONS }, async () => {
      const request = updateRequest(this.#job);
      let sentAt = 0;
      const onAnswer = (status: number, _bytes: number, body: Buffer | undefined): void => {
        const answeredAt = performance.now();
        const version = /"resourceVersion":"(\d+)"/.exec(body?.toString('latin1') ?? '')?.[1];
        if (status !== 200) onError(new Error(`write answered ${status}: ${body?.toString()}`));
        this.#writes.push({ version: Number(version), sentAt, answeredAt });
        this.#idle.push(send);
        if (this.#job.writesPerSecond === 0) this.#sendWhilePossible();
      };
      const send = (): void => {
        sentAt = performance.now();
        const number = this.#sent;
        this.#sent += 1;
        connection.send(request.with(number % this.#job.objects, number));
      };
      let connection!: HttpConnection;
      await new Promise<void>((resolve) => {
        const options = { port: this.#job.port, keepBody: true, onAnswer, onError };
        connection = new HttpConnection(options, resolve);
      });
      this.#idle.push(send);
      return connection;
    });
    return Promise.all(writers);
  }

  /** Unpaced: writes as long as the watches keep up. */
  #sendWhilePossible(): void {
    while (
      this.#writing &&
      this.#sent < this.#writesMax &&
      this.#sent - this.#delivered < UNDELIVERED_WRITES_MAX
    ) {
      const send = this.#idle.pop();
      if (send === undefined) return;
      send();
    }
  }

  async #write(startedAt: number): Promise<void> {
    const { seconds, writesPerSecond } = this.#job;
    const end = startedAt + seconds * 1_000;
    if (writesPerSecond === 0) this.#sendWhilePossible();
    while (performance.now() < end && this.#failure === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 2));
      if (writesPerSecond === 0) continue;
      const due = Math.min(
        this.#writesMax,
        Math.floor(((performance.now() - startedAt) / 1_000) * writesPerSecond),
      );
      while (this.#sent < due) {
        const send = this.#idle.shift();
        if (send === undefined) break;
        send();
      }
    }
    this.#writing = false;
  }

  #result(startedAt: number): WatchResult {
    const byVersion = this.#writes.sort((a, b) => a.version - b.version);
    const lag = new Durations();
    const sentLag = new Durations();
    for (const arrivals of this.#arrivals) {
      byVersion.forEach(({ sentAt, answeredAt }, event) => {
        const arrivedAt = arrivals[event] ?? 0;
        if (arrivedAt === 0) return;
        // An event may overtake its answer.
        lag.add(Math.max(0, arrivedAt - answeredAt));
        sentLag.add(arrivedAt - sentAt);
      });
    }
    const [lagP50 = 0, lagP99 = 0] = lag.percentiles([0.5, 0.99]);
    const [sentLagP99 = 0] = sentLag.percentiles([0.99]);
    return {
      writes: this.#sent,
      events: this.#events,
      seconds: (this.#lastEventAt - startedAt) / 1_000,
      missing: this.#sent * this.#job.watches - this.#events,
      lagP50,
      lagP99,
      sentLagP99,
    };
  }
}

/** Runs one watch job; rejects when a watch or a writer breaks. */
export async function runWatchLoad(
  job: WatchJob,
  onMeasuring: () => void,
  onMeasured: () => void,
): Promise<WatchResult> {
  return new WatchLoad(job).run(onMeasuring, onMeasured);
}
