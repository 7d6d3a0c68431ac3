/** Passes writes on to the shard of the type on the server that owns all types. */
import { Link, LinkClosedError, MailboxFullError } from '../actors/link.ts';
import type { GivingAnswer } from '../actors/link.ts';
import type { Port } from '../actors/port.ts';
import { SeriesSet } from '../observability/metrics/thread-metrics.ts';
import { portPair } from '../actors/ports.ts';
import { SHARD_EVENTS, SHARD_VERBS } from '../protocol/shard-protocol.ts';
import type { ShardCalls, ShardEvents } from '../protocol/shard-protocol.ts';
import { serviceUnavailable, tooManyRequests } from '../semantics/errors/status.ts';
import { MAILBOX_BYTES_MAX, MAILBOX_REQUESTS_MAX } from '../limits.ts';

type Handler<V extends keyof ShardCalls> = (
  request: ShardCalls[V]['request'],
  body: Uint8Array,
  answer: GivingAnswer<ShardCalls[V]['reply']>,
) => void;

export class OwnersShard {
  readonly #connect: (port: Port) => void;
  readonly #resource: string;
  readonly #series = new SeriesSet();
  #link: Link<ShardCalls, ShardEvents> | undefined;

  /** `connect` joins a port to the shard of the owner, or closes it; `resource` is for metrics. */
  constructor(resource: string, connect: (port: Port) => void) {
    this.#resource = resource;
    this.#connect = connect;
  }

  /** A wrapper for verbs that write. */
  unlessOwn(isOwn: () => boolean) {
    return <V extends keyof ShardCalls>(verb: V, handle: Handler<V>): Handler<V> =>
      (request, body, answer) => {
        if (isOwn()) handle(request, body, answer);
        else this.#pass(verb, request, body, answer);
      };
  }

  close(): void {
    this.#link?.close();
    this.#series.release();
  }

  #pass<V extends keyof ShardCalls>(
    verb: V,
    request: ShardCalls[V]['request'],
    body: Uint8Array,
    answer: GivingAnswer<ShardCalls[V]['reply']>,
  ): void {
    this.#series.cell('shardplane_passed_writes_total', { resource: this.#resource }).add(1);
    try {
      this.#owners().ask(verb, request, body, (error, header, reply) => {
        if (error instanceof LinkClosedError) answer.fail(serviceUnavailable(NO_ANSWER));
        else if (error !== undefined) answer.fail(error);
        else answer.reply(header, reply);
      });
    } catch (error) {
      if (!(error instanceof MailboxFullError)) throw error;
      answer.fail(tooManyRequests());
    }
  }

  #owners(): Link<ShardCalls, ShardEvents> {
    if (this.#link !== undefined) return this.#link;
    const [port, its] = portPair();
    const link: Link<ShardCalls, ShardEvents> = new Link<ShardCalls, ShardEvents>({
      peer: 'the owner of the types',
      port,
      sends: SHARD_VERBS,
      receives: SHARD_EVENTS,
      handlers: { started: ignored, published: ignored, ended: ignored, counted: ignored },
      requestsMax: MAILBOX_REQUESTS_MAX,
      bytesMax: MAILBOX_BYTES_MAX,
      onClose: () => {
        if (this.#link === link) this.#link = undefined;
      },
    });
    this.#link = link;
    this.#connect(its);
    return link;
  }
}

const NO_ANSWER =
  'the server that owns the types does not answer: whether the write was made is not known';

function ignored(): void {
  // It watches nothing there.
}
