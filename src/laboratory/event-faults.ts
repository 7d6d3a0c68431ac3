/** What becomes of the events of a watch that goes wrong: pure, but for the timers it is given. */
import type { Timers } from '../base/time/timers.ts';
import type { WatchFault } from './fault-rule.ts';
import { withType, type WatchEvent } from './watch-event.ts';

/** Where the events of a watch go that are let through. */
export type SendEvents = (events: readonly WatchEvent[]) => void;

export interface EventFault {
  take(events: readonly WatchEvent[]): void;
  /** Sends what is held. */
  release(): void;
  /** Nothing is sent any more. */
  end(): void;
}

export interface EventFaultTools {
  readonly send: SendEvents;
  readonly timers: Timers;
  readonly ms: number;
}

/** The faults that change events; those of the whole watch are none. */
export function eventFault(fault: WatchFault, tools: EventFaultTools): EventFault | undefined {
  switch (fault) {
    case 'hold':
      return new Holding(tools);
    case 'late':
      return new Late(tools);
    case 'coalesce':
      return new Coalescing(tools);
    case 'noBookmarks':
      return new WithoutBookmarks(tools);
    case 'slow':
      return new Slow(tools);
    default:
      return undefined;
  }
}

/** Nothing goes through until it is let go. */
class Holding implements EventFault {
  readonly #send: SendEvents;
  #held: WatchEvent[] = [];

  constructor({ send }: EventFaultTools) {
    this.#send = send;
  }

  take(events: readonly WatchEvent[]): void {
    for (const event of events) this.#held.push(event);
  }

  release(): void {
    const events = this.#held;
    this.#held = [];
    this.#send(events);
  }

  end(): void {
    this.#held = [];
  }
}

/** Each event comes with the next one. */
class Late implements EventFault {
  readonly #send: SendEvents;
  #last: WatchEvent | undefined;

  constructor({ send }: EventFaultTools) {
    this.#send = send;
  }

  take(events: readonly WatchEvent[]): void {
    const all = this.#last === undefined ? events : [this.#last, ...events];
    this.#last = all.at(-1);
    this.#send(all.slice(0, -1));
  }

  release(): void {
    const last = this.#last;
    this.#last = undefined;
    if (last !== undefined) this.#send([last]);
  }

  end(): void {
    this.#last = undefined;
  }
}

class WithoutBookmarks implements EventFault {
  readonly #send: SendEvents;

  constructor({ send }: EventFaultTools) {
    this.#send = send;
  }

  take(events: readonly WatchEvent[]): void {
    // Without the end of the state a watch that begins with it would never be complete.
    this.#send(events.filter(({ type, endsState }) => type !== 'BOOKMARK' || endsState));
  }

  release(): void {
    // It holds nothing.
  }

  end(): void {
    // It holds nothing.
  }
}

/** One event at a time. */
class Slow implements EventFault {
  readonly #tools: EventFaultTools;
  #waiting: WatchEvent[] = [];
  #cancel: (() => void) | undefined;

  constructor(tools: EventFaultTools) {
    this.#tools = tools;
  }

  take(events: readonly WatchEvent[]): void {
    for (const event of events) this.#waiting.push(event);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#waiting.length === 0 || this.#cancel !== undefined) return;
    const { timers, ms, send } = this.#tools;
    this.#cancel = timers.after(ms, () => {
      this.#cancel = undefined;
      send(this.#waiting.splice(0, 1));
      this.#schedule();
    });
  }

  release(): void {
    const events = this.#waiting;
    this.end();
    this.#tools.send(events);
  }

  end(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#waiting = [];
  }
}

/**
 * Events of one object become one where they come within a time, as a list would show what has
 * become of it: added and changed is added, deleted and added is changed, added and deleted is
 * nothing.
 */
class Coalescing implements EventFault {
  readonly #tools: EventFaultTools;
  /** By key, in the order of the last event; with the type of the first. */
  #waiting = new Map<string, { readonly first: string; readonly event: WatchEvent }>();
  #cancel: (() => void) | undefined;

  constructor(tools: EventFaultTools) {
    this.#tools = tools;
  }

  take(events: readonly WatchEvent[]): void {
    for (const event of events) {
      if (event.key === '') this.#passInOrder(event);
      else this.#join(event);
    }
    if (this.#waiting.size === 0 || this.#cancel !== undefined) return;
    this.#cancel = this.#tools.timers.after(this.#tools.ms, () => {
      this.#cancel = undefined;
      this.release();
    });
  }

  /** A bookmark tells that all before it was sent. */
  #passInOrder(event: WatchEvent): void {
    if (event.type === 'BOOKMARK' && !event.endsState) return;
    this.release();
    this.#tools.send([event]);
  }

  #join(event: WatchEvent): void {
    const first = this.#waiting.get(event.key)?.first ?? event.type;
    this.#waiting.delete(event.key);
    this.#waiting.set(event.key, { first, event });
  }

  release(): void {
    const all = [...this.#waiting.values()];
    this.end();
    const events = all.flatMap(({ first, event }) => coalesced(first, event));
    if (events.length > 0) this.#tools.send(events);
  }

  end(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#waiting = new Map();
  }
}

/** The one event that stands for all of an object, of which `first` is the type of the first. */
function coalesced(first: string, event: WatchEvent): readonly WatchEvent[] {
  const { type } = event;
  if (first === 'ADDED') {
    if (type === 'DELETED') return [];
    return [withType(event, 'ADDED')];
  }
  return [type === 'ADDED' ? withType(event, 'MODIFIED') : event];
}
