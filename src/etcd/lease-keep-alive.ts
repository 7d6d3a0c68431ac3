/** Renews one lease on a stream of its own, at another server when one does not answer. */
import type { ClientDuplexStream, ServiceError } from '@grpc/grpc-js';
import { Fifo } from '../base/fifo.ts';
import { REQUIRE_LEADER } from './calls.ts';
import type { Method } from './calls.ts';
import { readError } from './call-errors.ts';
import { EtcdError } from './etcd-error.ts';
import type { Lease, LeaseListener } from './etcd.ts';
import { numberOf } from './from-messages.ts';
import { RETRY_PAUSE_MS } from './limits.ts';
import type { LeaseMessage } from './message-types.ts';
import { writtenInt64 } from './messages.ts';
import type { Connection, Servers } from './servers.ts';

/** Two renewals may be lost before the lease is. */
const RENEWALS_PER_TTL = 3;

const LEASE_NOT_FOUND = 'etcdserver: requested lease not found';

export class LeaseKeepAlive {
  readonly #servers: Servers;
  readonly #method: Method;
  readonly #listener: LeaseListener;
  readonly #id: bigint;
  readonly #periodMs: number;
  #call: ClientDuplexStream<object, LeaseMessage> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(servers: Servers, method: Method, lease: Lease, listener: LeaseListener) {
    this.#servers = servers;
    this.#method = method;
    this.#listener = listener;
    this.#id = lease.id;
    this.#periodMs = (lease.ttlSeconds * 1_000) / RENEWALS_PER_TTL;
    const sinceMs = performance.now() - lease.sentAtMs;
    this.#after(Math.max(0, this.#periodMs - sinceMs), () => void this.#open());
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#call?.cancel();
    this.#call = undefined;
  }

  async #open(): Promise<void> {
    try {
      const connection = await this.#servers.connection(performance.now() + this.#periodMs);
      if (!this.#isClosed) this.#begin(connection);
    } catch (error) {
      if (!(error instanceof EtcdError)) throw error;
      this.#broken(error, 0);
    }
  }

  #begin(connection: Connection): void {
    const { path, request, response } = this.#method;
    const call = connection.client.makeBidiStreamRequest(
      path,
      request.encode,
      response.decode as (bytes: Buffer) => LeaseMessage,
      REQUIRE_LEADER,
    );
    this.#call = call;
    const sentAtMs = new Fifo<number>();
    const send = (): void => {
      sentAtMs.push(performance.now());
      call.write({ ID: writtenInt64(this.#id) });
      this.#after(this.#periodMs, () => {
        this.#servers.silent(connection);
        this.#ended(call, EtcdError.unavailable(`${connection.server} does not renew the lease`));
      });
    };
    call.on('data', ({ TTL }: LeaseMessage) => {
      const sentAt = sentAtMs.shift();
      if (this.#call !== call || sentAt === undefined) return;
      if (TTL === 0) {
        this.#lost(EtcdError.refused(LEASE_NOT_FOUND));
        return;
      }
      this.#after(Math.max(0, this.#periodMs - (performance.now() - sentAt)), send);
      this.#listener.renewed({ id: this.#id, ttlSeconds: numberOf(TTL), sentAtMs: sentAt });
    });
    call.on('error', (error: ServiceError) => {
      if (this.#call === call) this.#servers.failed(connection);
      this.#ended(call, readError(error));
    });
    call.on('end', () => this.#ended(call, EtcdError.unavailable('the renewals have ended')));
    send();
  }

  #ended(call: ClientDuplexStream<object, LeaseMessage>, error: EtcdError): void {
    if (this.#call !== call) return;
    this.#call = undefined;
    call.cancel();
    if (error.sort === 'refused') this.#lost(error);
    else this.#broken(error, RETRY_PAUSE_MS);
  }

  #broken(error: EtcdError, pauseMs: number): void {
    if (this.#isClosed) return;
    this.#after(pauseMs, () => void this.#open());
    this.#listener.broken?.(error);
  }

  #lost(error: EtcdError): void {
    this.close();
    this.#listener.lost(error);
  }

  /** One timer at a time: of the next renewal, or of the answer to the last one. */
  #after(ms: number, then: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(then, ms).unref();
  }
}
