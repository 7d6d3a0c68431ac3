/** The front's side of the watches of one shard, with a shard whose answers a test gives. */
import { CHANNEL_RING_FRAMES_MAX } from '../../src/front/limits.ts';
import { TypeMetrics } from '../../src/front/metrics/request-metrics.ts';
import { WatchFanout } from '../../src/front/watch/watch-fanout.ts';
import type { WatchOptions } from '../../src/front/watch/watch-records.ts';
import type { View } from '../../src/protocol/shard-protocol.ts';
import { FakeExchange } from './fake-exchange.ts';
import { ManualTimers } from './manual-timers.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export function event(type: string, rv: number): Uint8Array {
  const object = { metadata: { resourceVersion: String(rv) } };
  return Buffer.from(`${JSON.stringify({ type, object })}\n`);
}

// oxlint-disable-next-line no-explicit-any -- headers and answers of all verbs
type Loose = any;

interface Ask {
  readonly verb: string;
  readonly header: Loose;
  readonly answer: (error: Error | undefined, header: Loose, body: Uint8Array) => void;
}

/** A fan-out with a shard whose answers the test gives. */
const METRICS = new TypeMetrics({ group: '', version: 'v1', resource: 'pods', kind: 'Pod' })
  .watches;
const NOBODY_WAITS = { metrics: METRICS, onLive: () => undefined };

export class Setup {
  readonly timers = new ManualTimers();
  readonly asks: Ask[] = [];
  readonly told: string[] = [];
  mailboxFull = false;
  readonly fanout: WatchFanout;

  constructor(random = () => 0) {
    const shard = {
      ask: (verb: string, header: Loose, _body: unknown, answer: Ask['answer']) => {
        if (this.mailboxFull) throw new Error('the mailbox is full');
        this.asks.push({ verb, header, answer });
      },
      tell: (verb: string) => void this.told.push(verb),
    };
    this.fanout = new WatchFanout(shard as Loose, this.timers, random);
  }

  open(
    options: Partial<WatchOptions> = {},
    resourceVersion = '100',
    view: View = {},
    client = new FakeExchange(),
  ): FakeExchange {
    const request = { ...view, namespace: '', labelSelector: '', fieldSelector: '' };
    this.fanout.open(
      client.exchange,
      { ...request, resourceVersion, initialEvents: 'true' },
      { timeoutMs: HOUR_MS, isTimeoutAsked: true, bookmarks: true, ...NOBODY_WAITS, ...options },
    );
    return client;
  }

  /** Opened in a view, and live on a channel. */
  liveIn(view: View, page: object): FakeExchange {
    const client = this.open({}, '100', view);
    this.answer('watch', { rv: 100, ...page });
    client.text = '';
    return client;
  }

  /** Opened and live on a channel, with everything up to the version. */
  live(options: Partial<WatchOptions> = {}, rv = 100, channel = 1): FakeExchange {
    const client = this.open(options, String(rv));
    this.answer('watch', { rv, channel });
    client.text = '';
    return client;
  }

  /** Answers the oldest question, which must be of this verb. */
  answer(verb: string, header: Loose, body: Uint8Array = Buffer.from('')): Ask {
    const ask = this.asks.shift();
    if (ask?.verb !== verb) throw new Error(`asked ${ask?.verb}, not ${verb}`);
    if (header instanceof Error) ask.answer(header, undefined, body);
    else ask.answer(undefined, header, body);
    this.fanout.turnEnd();
    return ask;
  }

  bookmark(rv: number): void {
    const body = event('BOOKMARK', rv);
    this.answer('bookmark', { rv, lengths: [body.length] }, body);
  }

  publish(rv: number, channels = [1]): void {
    this.fanout.published({ channels, rv }, event('ADDED', rv));
  }

  verbs(): string[] {
    return this.asks.map(({ verb }) => verb);
  }
}

/** A turn with more frames than a ring holds. */
export function overflow(setup: Setup, fromRv: number): void {
  for (let count = 0; count <= CHANNEL_RING_FRAMES_MAX; count++) setup.publish(fromRv + count);
  setup.fanout.turnEnd();
}
