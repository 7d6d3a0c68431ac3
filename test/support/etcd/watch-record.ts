/** A watch whose listener writes down what it hears. */
import type { EtcdError } from '../../../src/etcd/etcd-error.ts';
import type { EtcdClient, RunningWatch, Watch, WatchEvent } from '../../../src/etcd/etcd.ts';
import { until } from '../owned-objects.ts';

export class WatchRecord {
  /** One for each call of the listener. */
  readonly calls: { readonly revision: number; readonly events: readonly WatchEvent[] }[] = [];
  readonly progress: number[] = [];
  readonly broken: EtcdError[] = [];
  runs = 0;
  /** Where it ran last. */
  server = '';
  ended: EtcdError | undefined;
  readonly running: RunningWatch;

  constructor(client: EtcdClient, watch: Watch) {
    this.running = client.watch(watch, {
      events: (events, revision) => this.calls.push({ revision, events }),
      progress: (revision) => this.progress.push(revision),
      broken: (error) => this.broken.push(error),
      running: (server) => {
        this.runs += 1;
        this.server = server;
      },
      ended: (error) => (this.ended = error),
    });
  }

  get events(): readonly WatchEvent[] {
    return this.calls.flatMap(({ events }) => events);
  }

  /** Such as `3 put a=1`, with ` (0)` for what it replaced. */
  get lines(): readonly string[] {
    return this.events.map(({ type, kv, prevKv }) => {
      const value = type === 'put' ? `=${textOf(kv.value)}` : '';
      const before = prevKv === undefined ? '' : ` (${textOf(prevKv.value)})`;
      return `${kv.modRevision} ${type} ${textOf(kv.key)}${value}${before}`;
    });
  }

  async untilRunning(runs = 1): Promise<this> {
    await until(async () => this.runs >= runs);
    return this;
  }

  async untilEvents(count: number): Promise<void> {
    await until(async () => this.events.length >= count);
  }

  async untilEnded(): Promise<EtcdError> {
    await until(async () => this.ended !== undefined);
    return this.ended as EtcdError;
  }

  /** Asks until the watch is so far, or has ended. */
  async untilProgress(revision: number): Promise<void> {
    await until(async () => {
      this.running.requestProgress();
      return this.ended !== undefined || (this.progress.at(-1) ?? 0) >= revision;
    });
  }
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString();
}
