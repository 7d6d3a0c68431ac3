/**
 * The live side of watches. Watches that ask for the same thing share a channel; a change is
 * matched once per channel and encoded once per event type, then handed to each front with the
 * numbers of all its channels that get it.
 */
import { assert } from '../../base/assert.ts';
import { decodeUtf8 } from '../../codec/text-body.ts';
import type { EventType } from '../../types/served-version.ts';
import { ChannelIndex } from '../table/channel-index.ts';
import { EventQueue } from './event-queue.ts';
import type { Representation } from '../representation/representation.ts';
import { withResourceVersion } from '../log/stored-text-edits.ts';
import type { Selectable, Selection } from '../table/selection.ts';

/** A committed change, as channels match it. */
export interface Change {
  readonly rv: number;
  readonly key: string;
  /** State before, absent for a new object. */
  readonly before: Selectable | undefined;
  /** State after, absent for a deleted object. */
  readonly after: Selectable | undefined;
  /** The wire bytes of the state after; of a deletion, the last state with its version. */
  readonly wire: Uint8Array;
  /** The wire bytes of the state before. Only asked for when it left a selector. */
  readonly previousWire: () => Uint8Array;
}

/** Where events go: the link to the front that holds the sockets. */
export interface Subscriber {
  publish(channels: number[], rv: number, ...frame: Uint8Array[]): void;
  /** An event of these channels cannot be shown: their watches end. */
  end(channels: number[]): void;
}

interface Channel {
  readonly id: number;
  readonly subscriber: Subscriber;
  readonly selection: Selection;
  readonly representation: Representation;
  /** Equal for watches that ask for the same. */
  readonly text: string;
  watches: number;
}

/** A change for the channels that get the same event: by who is told, each of his. */
interface Frame {
  readonly type: EventType;
  readonly representation: Representation;
  readonly told: Map<Subscriber, number[]>;
}

/** The event that one change is for one selection (../README.md#watches). */
export function transition(
  selection: Selection,
  before: Selectable | undefined,
  after: Selectable | undefined,
): EventType | undefined {
  const matched = before !== undefined && selection.matches(before);
  const matches = after !== undefined && selection.matches(after);
  if (matches) return matched ? 'MODIFIED' : 'ADDED';
  return matched ? 'DELETED' : undefined;
}

/**
 * The stored bytes that an event of this change shows, and under which version what they become is
 * kept; 0 for none.
 */
export function eventWire(change: Change, type: EventType): { wire: Uint8Array; rv: number } {
  const { wire, rv, after } = change;
  // Encodings of objects that have gone are not cached.
  if (after === undefined) return { wire, rv: 0 };
  if (type !== 'DELETED') return { wire, rv };
  const text = decodeUtf8(change.previousWire());
  return { wire: Buffer.from(withResourceVersion(text, rv)), rv: 0 };
}

export class WatchHub {
  readonly #channels = new Map<number, Channel>();
  readonly #byText = new Map<Subscriber, Map<string, Channel>>();
  readonly #index: ChannelIndex<Channel>;
  /** Queues of events for representations that need a webhook. */
  readonly #queues = new Map<Representation, EventQueue>();
  #nextId = 1;

  constructor(indexedPositions: readonly number[]) {
    this.#index = new ChannelIndex(indexedPositions);
  }

  get channelCount(): number {
    return this.#channels.size;
  }

  /**
   * Joins the channel of what is selected and how it is shown, made if missing. Events follow from
   * the next change.
   */
  subscribe(subscriber: Subscriber, selection: Selection, representation: Representation): number {
    const text = `${representation.id} ${selection.canonicalText}`;
    let channels = this.#byText.get(subscriber);
    if (channels === undefined) {
      channels = new Map();
      this.#byText.set(subscriber, channels);
    }
    let channel = channels.get(text);
    if (channel === undefined) {
      channel = { id: this.#nextId++, subscriber, selection, representation, text, watches: 0 };
      channels.set(text, channel);
      this.#channels.set(channel.id, channel);
      this.#index.add(selection, channel);
    }
    channel.watches++;
    return channel.id;
  }

  /** Leaves a channel; the last one to leave closes it. */
  unsubscribe(id: number): void {
    const channel = this.#channels.get(id);
    assert(channel !== undefined, `channel ${id} is not open`);
    channel.watches--;
    if (channel.watches > 0) return;
    this.#channels.delete(id);
    this.#byText.get(channel.subscriber)?.delete(channel.text);
    this.#index.remove(channel.selection, channel);
  }

  publish(change: Change): void {
    if (this.#channels.size === 0) return;
    const frames: Frame[] = [];
    this.#index.candidates(change, ({ id, subscriber, selection, representation }) => {
      const type = transition(selection, change.before, change.after);
      if (type === undefined) return;
      // There are few of these: one for each event type and representation.
      let frame = frames.find((one) => one.type === type && one.representation === representation);
      if (frame === undefined) {
        frame = { type, representation, told: new Map() };
        frames.push(frame);
      }
      const channels = frame.told.get(subscriber);
      if (channels === undefined) frame.told.set(subscriber, [id]);
      else channels.push(id);
    });
    for (const frame of frames) {
      const { wire, rv } = eventWire(change, frame.type);
      if (frame.representation.needed === undefined) {
        tell(frame, change.rv, frame.representation.event(frame.type, wire, rv));
      } else {
        this.#publishInTurn(frame, change.rv, Uint8Array.from(wire), rv);
      }
    }
  }

  /** Whether all events up to now have been published in this representation. */
  isCurrent(representation: Representation): boolean {
    return this.#queues.get(representation)?.isEmpty !== false;
  }

  #publishInTurn(frame: Frame, changeRv: number, wire: Uint8Array, rv: number): void {
    const { type, representation, told } = frame;
    let queue = this.#queues.get(representation);
    const publish = (): void => tell(frame, changeRv, representation.event(type, wire, rv));
    const needed = representation.needed?.(rv, () => wire);
    if (needed === undefined && queue?.isEmpty !== false) {
      publish();
      return;
    }
    if (queue === undefined) {
      queue = new EventQueue();
      this.#queues.set(representation, queue);
    }
    const failed = (): void => {
      for (const [subscriber, channels] of told) subscriber.end(channels);
    };
    queue.add({ needed, bytes: wire.length, publish, failed });
  }
}

/** Sends the same bytes to everybody. */
function tell({ told }: Frame, rv: number, event: readonly Uint8Array[]): void {
  for (const [subscriber, channels] of told) subscriber.publish(channels, rv, ...event);
}
