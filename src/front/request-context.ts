/**
 * One request on its way through the stages (stages/stages.ts): what it is, who asks, and how it is
 * answered. A stage reads what those before it have found out.
 */
import type { User } from '../semantics/user.ts';
import type { Exchange } from './exchange.ts';
import type { Arrival } from './http.ts';
import type { RequestAttributes } from './request-attributes.ts';
import { heldArrival } from './transport/held-arrival.ts';

export class RequestContext {
  readonly exchange: Exchange;
  readonly attributes: RequestAttributes;
  /** Who asks, once authenticated; whom they act as, once that is allowed. */
  user: User = NOBODY;
  /** Who acts as somebody else. */
  impersonator: User | undefined = undefined;
  #arrival: Arrival;
  #isHeld = false;

  constructor(exchange: Exchange, attributes: RequestAttributes, arrival: Arrival) {
    this.exchange = exchange;
    this.attributes = attributes;
    this.#arrival = arrival;
  }

  /** What the library has of it: for this turn, or for as long as it is held. */
  get arrival(): Arrival {
    return this.#arrival;
  }

  /** Keeps what the library would let go at the end of the turn. */
  hold(): void {
    if (this.#isHeld) return;
    this.#isHeld = true;
    this.#arrival = heldArrival(this.#arrival, () => this.exchange.closeAfterwards());
  }
}

/** Nobody has been authenticated yet. */
const NOBODY: User = Object.freeze({ name: '', uid: '', groups: [] });
