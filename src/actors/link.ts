/**
 * A link joins two actors over a port (port.ts). Each side asks (and gets an answer), tells (and
 * gets none) and handles what the other side asks and tells.
 *
 * Guarantees: messages arrive in the order they were sent, answers and tells included, and are
 * handled in that order without a turn between them. All messages that one side sends in a turn
 * travel as one transferred buffer, unless the turn takes long (src/base/turns/turn-end.ts); bodies
 * that are given have one each. At most `requestsMax` asks or `bytesMax` bytes are outstanding: one
 * more throws `MailboxFullError` and sends nothing. A port to a third actor goes by itself, in
 * order with the messages. When the other side closes the link, asks fail with `LinkClosedError`.
 */
import { MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { packError, unpackError } from './actor-error.ts';
import type { PackedError } from './actor-error.ts';
import { FRAME_KIND, FrameWriter, readFrames, type FrameSink } from './frames.ts';
import type { Port } from './port.ts';
import { assert } from '../base/assert.ts';
import { BATCH_CLOCK } from '../base/time/batch-clock.ts';
import { TURN_END } from '../base/turns/turn-end.ts';

/** A protocol: each verb with the header it is sent with, and (for asks) that of its answer. */
export type Calls<P> = { [V in keyof P]: { request: unknown; reply: unknown } };

/** The handler of an ask answers through it, now or later, exactly once. */
export interface Answer<Reply> {
  reply(header: Reply, ...body: Uint8Array[]): void;
  fail(error: unknown): void;
}

export interface GivingAnswer<Reply> extends Answer<Reply> {
  /** Replies with a long body whose memory nothing is to use here any more: it is not copied. */
  replyGiven(header: Reply, body: Uint8Array): void;
}

export type Handlers<P extends Calls<P>> = {
  [V in keyof P]: (
    header: P[V]['request'],
    body: Uint8Array,
    answer: GivingAnswer<P[V]['reply']>,
  ) => void;
};

/** A body that is given has an ArrayBuffer of its own, which the callee alone has from then on. */
export type Callback<Reply> = (
  error: Error | undefined,
  header: Reply,
  body: Uint8Array,
  isGiven: boolean,
) => void;

export class MailboxFullError extends Error {
  override readonly name = 'MailboxFullError';
}

export class LinkClosedError extends Error {
  override readonly name = 'LinkClosedError';
}

/** A port to a third actor, and its purpose. */
interface GivenPort {
  readonly given: unknown;
  readonly port: Port;
}

/** Adds to the answer of an ask. */
export interface ReplyMark {
  header(header: unknown): unknown;
  error(error: unknown): void;
}

export interface LinkOptions<Out extends Calls<Out>, In extends Calls<In>> {
  /** The other side, as errors name it. */
  readonly peer: string;
  readonly port: Port;
  /** Verbs that this side may ask or tell, in the order both sides agree on. */
  readonly sends: readonly (keyof Out & string)[];
  readonly receives: readonly (keyof In & string)[];
  readonly handlers: Handlers<In>;
  readonly requestsMax?: number;
  readonly bytesMax?: number;
  /** Looks at each ask as it comes; undefined for an answer that is sent as it is. */
  readonly markOf?: (header: unknown) => ReplyMark | undefined;
  /** Called after all messages of a received turn were handled. */
  readonly onTurnEnd?: () => void;
  /** Takes the ports that the other side gives. */
  readonly onPort?: (given: unknown, port: Port) => void;
  /** The other side has closed the link. */
  readonly onClose?: () => void;
}

interface Pending {
  readonly callback: Callback<never>;
  readonly bytes: number;
}

const NO_BODY = new Uint8Array(0);

/** A link of this thread is handling messages: no other is begun in the midst of that. */
let receiving = false;

/** Everything that one side sends in a turn, with the bodies that it gives away; or a port. */
type Turn = Uint8Array | [Uint8Array, ...Uint8Array[]] | GivenPort;

export class Link<Out extends Calls<Out>, In extends Calls<In>> {
  readonly #options: LinkOptions<Out, In>;
  readonly #verbs = new Map<keyof Out, number>();
  readonly #writer = new FrameWriter();
  /**
   * The asks without an answer, by id. No Map: each time that one makes room it leaves its old
   * table behind, and one such table that has become old keeps all that came after it from being
   * freed early.
   */
  readonly #pending: (Pending | undefined)[] = [];
  /** Ids that are free again. */
  readonly #freeIds: number[] = [];
  #pendingCount = 0;
  readonly #requestsMax: number;
  readonly #bytesMax: number;
  #pendingBytes = 0;
  #flushing = false;
  #inTurn = false;
  #closed = false;
  readonly #endLook: () => void;

  constructor(options: LinkOptions<Out, In>) {
    this.#options = options;
    this.#requestsMax = options.requestsMax ?? Number.MAX_SAFE_INTEGER;
    this.#bytesMax = options.bytesMax ?? Number.MAX_SAFE_INTEGER;
    options.sends.forEach((verb, index) => this.#verbs.set(verb, index));
    options.port.on('message', (turn) => this.#take(turn as Turn));
    this.#endLook = TURN_END.lookInLongTurns(() => this.#look());
    options.port.on('close', () => this.#onClose());
  }

  /** Asks outstanding now. */
  get pendingCount(): number {
    return this.#pendingCount;
  }

  /**
   * Sends a request; `callback` runs within the turn that brings the answer, before any later
   * message is handled. Throws `MailboxFullError` when the other side's mailbox is full.
   */
  ask<V extends keyof Out>(
    verb: V,
    header: Out[V]['request'],
    body: Uint8Array | undefined,
    callback: Callback<Out[V]['reply']>,
  ): void {
    const bytes = body?.length ?? 0;
    if (this.#closed) {
      setImmediate(() => this.#refuse(callback as Callback<unknown>));
      return;
    }
    if (this.#pendingCount >= this.#requestsMax || this.#pendingBytes + bytes > this.#bytesMax) {
      throw new MailboxFullError(`the mailbox of ${this.#options.peer} is full`);
    }
    const id = this.#freeIds.pop() ?? this.#pending.length;
    this.#pending[id] = { callback: callback as Callback<never>, bytes };
    this.#pendingCount++;
    this.#pendingBytes += bytes;
    this.#send(FRAME_KIND.ask, id, this.#index(verb), header, body === undefined ? [] : [body]);
  }

  /** `ask` as a promise of the answer's header: for calls where order does not matter. */
  call<V extends keyof Out>(verb: V, header: Out[V]['request']): Promise<Out[V]['reply']> {
    return new Promise((resolve, reject) => {
      this.ask(verb, header, undefined, (error, reply) => {
        if (error === undefined) resolve(reply);
        else reject(error);
      });
    });
  }

  /** Sends a message that has no answer. */
  tell<V extends keyof Out>(verb: V, header: Out[V]['request'], ...body: Uint8Array[]): void {
    this.#send(FRAME_KIND.tell, 0, this.#index(verb), header, body);
  }

  /** Gives the other side a port to a third actor, after the messages that were sent before. */
  givePort(given: unknown, port: Port): void {
    this.flush();
    if (this.#closed) port.close();
    else this.#options.port.postMessage({ given, port } satisfies GivenPort, [port]);
  }

  /** Sends the messages of this turn now; otherwise they go at the turn's end. */
  flush(): void {
    if (this.#writer.length === 0 || this.#closed) return;
    const bytes = this.#writer.take();
    const parts = [bytes, ...this.#writer.takeGiven()];
    this.#options.port.postMessage(
      parts.length === 1 ? bytes : parts,
      parts.map(({ buffer }) => buffer as ArrayBuffer),
    );
  }

  /** Fails all outstanding asks, and all later ones. */
  close(): void {
    this.flush();
    this.#closed = true;
    this.#endLook();
    this.#options.port.close();
    this.#refusePending();
  }

  #index(verb: keyof Out): number {
    const index = this.#verbs.get(verb);
    assert(index !== undefined, `${String(verb)} is not in the protocol of ${this.#options.peer}`);
    return index;
  }

  #send(
    kind: (typeof FRAME_KIND)[keyof typeof FRAME_KIND],
    id: number,
    verb: number,
    header: unknown,
    body: readonly Uint8Array[],
  ): void {
    this.#writer.append(kind, id, verb, header, body);
    this.#flushLater();
  }

  #flushLater(): void {
    if (this.#flushing || this.#inTurn) return;
    this.#flushing = true;
    TURN_END.add(() => {
      this.#flushing = false;
      this.flush();
    });
  }

  /** Answers that are here already: only of a port between threads can they be taken at once. */
  #look(): void {
    const { port } = this.#options;
    if (this.#pendingCount === 0 || receiving || !(port instanceof MessagePort)) return;
    for (;;) {
      const found = receiveMessageOnPort(port);
      if (found === undefined) return;
      this.#take(found.message as Turn);
    }
  }

  #take(turn: Turn): void {
    if (Array.isArray(turn)) this.#receive(turn[0], turn.slice(1));
    else if ('given' in turn) this.#receivePort(turn);
    else this.#receive(turn, []);
  }

  #receive(bytes: Uint8Array, given: readonly Uint8Array[]): void {
    this.#inTurn = true;
    receiving = true;
    const take: FrameSink = (kind, id, verb, header, body, isGiven) => {
      if (kind === FRAME_KIND.ask) this.#handle(verb, header, body, this.#answer(id, header));
      else if (kind === FRAME_KIND.tell) this.#handle(verb, header, body, NO_ANSWER);
      else if (kind === FRAME_KIND.error) this.#settleFailed(id, header);
      else this.#pendingOf(id)(undefined, header, body, isGiven);
    };
    BATCH_CLOCK.during(() => readFrames(bytes, take, given));
    this.#options.onTurnEnd?.();
    this.#inTurn = false;
    receiving = false;
    this.flush();
  }

  #receivePort({ given, port }: GivenPort): void {
    const { onPort, peer } = this.#options;
    assert(onPort !== undefined, `${peer} gives a port that nobody takes`);
    onPort(given, port);
  }

  /** Ends the link, which was closed here or there: outstanding asks are not answered any more. */
  #onClose(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#endLook();
    this.#refusePending();
    this.#options.onClose?.();
  }

  #refusePending(): void {
    const unanswered = this.#pending.splice(0);
    this.#freeIds.length = 0;
    this.#pendingCount = 0;
    this.#pendingBytes = 0;
    for (const one of unanswered) {
      if (one !== undefined) this.#refuse(one.callback as Callback<unknown>);
    }
  }

  #refuse(callback: Callback<unknown>): void {
    const error = new LinkClosedError(`the link to ${this.#options.peer} is closed`);
    callback(error, undefined, NO_BODY, false);
  }

  #handle(verb: number, header: unknown, body: Uint8Array, answer: GivingAnswer<never>): void {
    const name = this.#options.receives[verb];
    assert(name !== undefined, `unknown verb ${verb} from ${this.#options.peer}`);
    const handler = this.#options.handlers[name] as (
      header: unknown,
      body: Uint8Array,
      answer: GivingAnswer<never>,
    ) => void;
    handler(header, body, answer);
  }

  #answer(id: number, asked: unknown): GivingAnswer<never> {
    const mark = this.#options.markOf?.(asked);
    return {
      reply: (header: unknown, ...body: Uint8Array[]) =>
        this.#send(FRAME_KIND.reply, id, 0, mark ? mark.header(header) : header, body),
      replyGiven: (header: unknown, body: Uint8Array) => {
        const marked = mark ? mark.header(header) : header;
        this.#writer.appendGiven(FRAME_KIND.reply, id, 0, marked, body);
        this.#flushLater();
      },
      fail: (error: unknown) => {
        mark?.error(error);
        this.#send(FRAME_KIND.error, id, 0, packError(error), []);
      },
    };
  }

  #settleFailed(id: number, error: unknown): void {
    const callback = this.#pendingOf(id);
    callback(unpackError(error as PackedError, this.#options.peer), undefined, NO_BODY, false);
  }

  /** Takes the callback that waits for an answer, which is outstanding no more. */
  #pendingOf(id: number): Callback<unknown> {
    const pending = this.#pending[id];
    assert(pending !== undefined, `answer ${id} of ${this.#options.peer} was not asked for`);
    this.#pending[id] = undefined;
    this.#freeIds.push(id);
    this.#pendingCount--;
    this.#pendingBytes -= pending.bytes;
    return pending.callback as Callback<unknown>;
  }
}

const NO_ANSWER: GivingAnswer<never> = {
  reply: () => undefined,
  replyGiven: () => undefined,
  fail: (error: unknown) => {
    // Nobody waits for the outcome of a tell: its failure is a bug of the handler.
    throw error;
  },
};
