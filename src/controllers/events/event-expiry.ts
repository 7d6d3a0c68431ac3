/**
 * Removes events that were not written for longer than `--event-ttl`: the reference's store does it
 * by a lease, and watchers see DELETED.
 */
import { SERVER_TIMERS } from '../../base/time/server-clock.ts';
import { Link, LinkClosedError } from '../../actors/link.ts';
import { EXPIRY_INTERVAL_MS } from '../../limits.ts';
import { EXPIRY_VERBS } from '../../protocol/upkeep-protocol.ts';
import type { ExpiryCalls, NoEvents } from '../../protocol/upkeep-protocol.ts';
import { runController, shardPorts } from '../run-controller.ts';
import type { Ports } from '../run-controller.ts';

type ShardLink = Link<ExpiryCalls, NoEvents>;

export interface EventExpiryOptions {
  readonly eventTtlMs: number;
  readonly nowMs: () => number;
  readonly logError: (text: string) => void;
}

export class EventExpiry {
  readonly #ports: Ports;
  readonly #options: EventExpiryOptions;

  /** Ports: `control`, and one for each shard whose objects expire. */
  constructor(ports: Ports, options: EventExpiryOptions) {
    this.#ports = ports;
    this.#options = options;
  }

  /** Works until it is told to stop. */
  async run(): Promise<void> {
    const shards = shardPorts(this.#ports).map(
      ([peer, port]): ShardLink =>
        new Link({ peer, port, sends: EXPIRY_VERBS, receives: [], handlers: {} }),
    );
    let stopLooks = (): void => undefined;
    await runController(this.#ports, {
      begin: () => {
        stopLooks = SERVER_TIMERS.every(EXPIRY_INTERVAL_MS, () => {
          for (const shard of shards) void this.#expire(shard);
        });
      },
      stop: () => stopLooks(),
    });
    for (const shard of shards) shard.close();
  }

  async #expire(shard: ShardLink): Promise<void> {
    // A walk that takes longer than the interval is not asked for twice.
    if (shard.pendingCount > 0) return;
    const { eventTtlMs, nowMs, logError } = this.#options;
    try {
      await shard.call('expire', { writtenUntilMs: nowMs() - eventTtlMs });
    } catch (error) {
      // The server stops, and the next start goes on.
      if (error instanceof LinkClosedError) return;
      logError(`removing expired events: ${(error as Error).message}`);
    }
  }
}
