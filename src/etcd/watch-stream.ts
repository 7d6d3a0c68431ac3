/** One stream that carries watches, from its opening to its end. */
import { status as codes } from '@grpc/grpc-js';
import type { ClientDuplexStream, ServiceError } from '@grpc/grpc-js';
import { Fifo } from '../base/fifo.ts';
import { REQUIRE_LEADER } from './calls.ts';
import type { Method } from './calls.ts';
import { numberOf, revisionOf } from './from-messages.ts';
import { WATCH_ANSWER_MS_MAX, WATCH_SILENCE_MS } from './limits.ts';
import type { WatchAnswer } from './message-types.ts';
import type { Connection } from './servers.ts';
import { watchMessage } from './to-messages.ts';
import type { WatchState } from './watch-state.ts';

interface WatchStreamOwner {
  /** Called once, and not when the owner ends the stream. */
  ended(error: ServiceError): void;
  /** Nothing comes from the server; `ended` is next. */
  silent(): void;
}

/** An answer for all watches of the stream. */
const ALL_WATCHES = -1;

interface Carried {
  readonly state: WatchState;
  readonly beginAt: number;
  isCreated: boolean;
}

export class WatchStream {
  readonly connection: Connection;
  readonly #owner: WatchStreamOwner;
  readonly #call: ClientDuplexStream<object, WatchAnswer>;
  readonly #carried = new Map<number, Carried>();
  /** The ids of watches that etcd has not answered yet, which it does in their order. */
  readonly #creating = new Fifo<number>();
  #lastId = 0;
  /** The newest revision of the server that it has told. */
  #revision = 0;
  #heardAtMs = performance.now();
  #askedAtMs: number | undefined;
  #wasHeard = false;
  #isEnded = false;
  readonly #timer: NodeJS.Timeout;

  constructor(connection: Connection, method: Method, owner: WatchStreamOwner) {
    this.connection = connection;
    this.#owner = owner;
    this.#call = connection.client.makeBidiStreamRequest(
      method.path,
      method.request.encode,
      method.response.decode as (bytes: Buffer) => WatchAnswer,
      REQUIRE_LEADER,
    );
    this.#call.on('data', (answer: WatchAnswer) => this.#answered(answer));
    this.#call.on('error', (error: ServiceError) => this.#end(error));
    this.#call.on('end', () => this.#end(unavailable('the stream of watches has ended')));
    this.#timer = setInterval(() => this.#checkSilence(), WATCH_SILENCE_MS / 2).unref();
  }

  get wasHeard(): boolean {
    return this.#wasHeard;
  }

  create(state: WatchState): void {
    const id = (this.#lastId += 1);
    const beginAt = state.beginAt();
    this.#carried.set(id, { state, beginAt, isCreated: false });
    this.#creating.push(id);
    this.#call.write(watchMessage(state.watch, id, beginAt));
  }

  cancel(state: WatchState): void {
    for (const [id, carried] of this.#carried) {
      if (carried.state !== state) continue;
      this.#carried.delete(id);
      this.#cancel(id);
    }
  }

  requestProgress(): void {
    this.#call.write({ progressRequest: {} });
  }

  /** Ends the stream without a word to the owner. */
  end(): void {
    this.#isEnded = true;
    clearInterval(this.#timer);
    this.#call.cancel();
  }

  #end(error: ServiceError): void {
    if (this.#isEnded) return;
    this.end();
    this.#owner.ended(error);
  }

  #answered(answer: WatchAnswer): void {
    if (this.#isEnded) return;
    this.#heardAtMs = performance.now();
    this.#askedAtMs = undefined;
    this.#wasHeard = true;
    this.#revision = Math.max(this.#revision, revisionOf(answer));
    if (answer.created) this.#created(answer);
    else if (answer.watchId === ALL_WATCHES) this.#progressed(revisionOf(answer));
    else this.#answeredOne(numberOf(answer.watchId), answer);
  }

  #cancel(watchId: number): void {
    this.#call.write({ cancelRequest: { watchId } });
  }

  #created(answer: WatchAnswer): void {
    const id = this.#creating.shift();
    const carried = id === undefined ? undefined : this.#carried.get(id);
    if (id === undefined || carried === undefined) return;
    if (answer.canceled) {
      this.#cancelled(id, carried, answer);
      return;
    }
    carried.isCreated = true;
    carried.state.created(answer, this.connection.server);
  }

  #answeredOne(id: number, answer: WatchAnswer): void {
    const carried = this.#carried.get(id);
    if (carried === undefined) return;
    if (answer.canceled) this.#cancelled(id, carried, answer);
    else carried.state.answered(answer);
  }

  #cancelled(id: number, { state }: Carried, answer: WatchAnswer): void {
    this.#carried.delete(id);
    // Etcd counts one that it has cancelled among those that are behind until it is asked for that.
    if (!answer.created) this.#cancel(id);
    if (state.cancelled(answer)) this.create(state);
  }

  /** Those that are not created yet are behind: their events wait for that. */
  #progressed(revision: number): void {
    for (const { state, isCreated } of this.#carried.values()) {
      if (isCreated && !state.isClosed) state.progressed(revision);
    }
  }

  #checkSilence(): void {
    const now = performance.now();
    if (this.#askedAtMs !== undefined && now - this.#askedAtMs > WATCH_ANSWER_MS_MAX) {
      this.#owner.silent();
      this.#end(unavailable(`${this.connection.server} is silent`));
      return;
    }
    if (now - this.#heardAtMs < WATCH_SILENCE_MS || this.#askedAtMs !== undefined) return;
    this.requestProgress();
    if (this.#mustAnswer()) this.#askedAtMs = now;
  }

  /** A server does not tell how far watches are while one of them begins in the future. */
  #mustAnswer(): boolean {
    return [...this.#carried.values()].every(
      ({ beginAt, isCreated }) => !isCreated || beginAt <= this.#revision,
    );
  }
}

function unavailable(details: string): ServiceError {
  const error = new Error(details) as ServiceError;
  return Object.assign(error, { code: codes.UNAVAILABLE, details });
}
