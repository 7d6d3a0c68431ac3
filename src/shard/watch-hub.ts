/**
 * The live side of watches. Watches that ask for the same thing share a channel; a change is
 * matched once per channel and encoded once per event type, then handed to the front with the
 * numbers of all channels that get it.
 *
 * Channels are found through maps: those of one object by its name, those of one value of an
 * indexed field or of a label by it, those of one namespace by it, so that a change costs nothing
 * to watches that cannot match.
 */
import { assert } from '../base/assert.ts';
import { decodeUtf8 } from '../codec/text-body.ts';
import { EVENT_SUFFIX, withResourceVersion } from './wire.ts';
import type { EventType } from './wire.ts';
import { splitKey } from './selection.ts';
import type { Selectable, Selection } from './selection.ts';

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
}

interface Channel {
  readonly id: number;
  readonly subscriber: Subscriber;
  readonly selection: Selection;
  readonly address: string;
  watches: number;
}

/** What one change is to one selection (API-FACTS 2.2). */
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

/** The wire bytes that an event of this change carries. */
export function eventWire(change: Change, type: EventType): Uint8Array {
  if (type !== 'DELETED' || change.after === undefined) return change.wire;
  const text = decodeUtf8(change.previousWire());
  return Buffer.from(withResourceVersion(text, change.rv));
}

/** No address of a key has a `=` before its first `/`. */
function fieldAddress(position: number, value: string): string {
  return `${position}=${value}`;
}

/** None of a field begins with `=`. */
function labelAddress(key: string, value: string): string {
  return `=${key}=${value}`;
}

function isLabelAddress(address: string): boolean {
  return address.startsWith('=');
}

export class WatchHub {
  readonly #prefixes: Readonly<Record<EventType, Buffer>>;
  readonly #indexedPositions: readonly number[];
  readonly #channels = new Map<number, Channel>();
  /** How many of them are found by a label. */
  #labelChannels = 0;
  readonly #byText = new Map<Subscriber, Map<string, Channel>>();
  /** Channels by the most selective thing they demand; see `#addressOf`. */
  readonly #byAddress = new Map<string, Set<Channel>>();
  #nextId = 1;

  constructor(prefixes: Readonly<Record<EventType, Buffer>>, indexedPositions: readonly number[]) {
    this.#prefixes = prefixes;
    this.#indexedPositions = indexedPositions;
  }

  get channelCount(): number {
    return this.#channels.size;
  }

  /** Joins the channel of this selection, made if missing. Events follow from the next change. */
  subscribe(subscriber: Subscriber, selection: Selection): number {
    let channels = this.#byText.get(subscriber);
    if (channels === undefined) {
      channels = new Map();
      this.#byText.set(subscriber, channels);
    }
    let channel = channels.get(selection.canonicalText);
    if (channel === undefined) {
      const address = this.#addressOf(selection);
      channel = { id: this.#nextId++, subscriber, selection, address, watches: 0 };
      if (isLabelAddress(address)) this.#labelChannels++;
      channels.set(selection.canonicalText, channel);
      this.#channels.set(channel.id, channel);
      const sharing = this.#byAddress.get(address);
      if (sharing === undefined) this.#byAddress.set(address, new Set([channel]));
      else sharing.add(channel);
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
    this.#byText.get(channel.subscriber)?.delete(channel.selection.canonicalText);
    const sharing = this.#byAddress.get(channel.address);
    sharing?.delete(channel);
    if (sharing?.size === 0) this.#byAddress.delete(channel.address);
    if (isLabelAddress(channel.address)) this.#labelChannels--;
  }

  publish(change: Change): void {
    if (this.#channels.size === 0) return;
    const [namespace, name] = splitKey(change.key);
    const frames = new Map<Subscriber, Map<EventType, number[]>>();
    this.#match(this.#byAddress.get(''), change, frames);
    if (namespace !== '') this.#match(this.#byAddress.get(`${namespace}/`), change, frames);
    this.#match(this.#byAddress.get(`*/${name}`), change, frames);
    if (namespace !== '') this.#match(this.#byAddress.get(`${namespace}/${name}`), change, frames);
    for (const position of this.#indexedPositions) this.#matchField(position, change, frames);
    if (this.#labelChannels > 0) this.#matchLabels(change, frames);
    for (const [subscriber, byType] of frames) {
      for (const [type, channels] of byType) {
        const wire = eventWire(change, type);
        subscriber.publish(channels, change.rv, this.#prefixes[type], wire, EVENT_SUFFIX);
      }
    }
  }

  #match(
    channels: Set<Channel> | undefined,
    change: Change,
    frames: Map<Subscriber, Map<EventType, number[]>>,
  ): void {
    if (channels === undefined) return;
    for (const { id, subscriber, selection } of channels) {
      const type = transition(selection, change.before, change.after);
      if (type === undefined) continue;
      let byType = frames.get(subscriber);
      if (byType === undefined) {
        byType = new Map();
        frames.set(subscriber, byType);
      }
      const ids = byType.get(type);
      if (ids === undefined) byType.set(type, [id]);
      else ids.push(id);
    }
  }

  /** An object that takes another value is looked at by the watches of both. */
  #matchField(
    position: number,
    change: Change,
    frames: Map<Subscriber, Map<EventType, number[]>>,
  ): void {
    const before = change.before?.fields[position];
    const after = change.after?.fields[position];
    if (after !== undefined) {
      this.#match(this.#byAddress.get(fieldAddress(position, after)), change, frames);
    }
    if (before === undefined || before === after) return;
    this.#match(this.#byAddress.get(fieldAddress(position, before)), change, frames);
  }

  /** As `#matchField`, for each label of the states before and after. */
  #matchLabels(change: Change, frames: Map<Subscriber, Map<EventType, number[]>>): void {
    const before = change.before?.labels;
    const after = change.after?.labels;
    for (const key in after) {
      this.#match(this.#byAddress.get(labelAddress(key, after[key] ?? '')), change, frames);
    }
    for (const key in before) {
      const value = before[key] ?? '';
      if (after?.[key] === value) continue;
      this.#match(this.#byAddress.get(labelAddress(key, value)), change, frames);
    }
  }

  // Where changes look: '' (all), 'ns/' (a namespace), 'ns/name' or '*/name' (one object), or the
  // value of an indexed field or of a label.
  #addressOf({ namespace, name, fieldValue, label }: Selection): string {
    if (name !== undefined) return `${namespace === '' ? '*' : namespace}/${name}`;
    if (fieldValue !== undefined) return fieldAddress(fieldValue.position, fieldValue.value);
    if (label !== undefined) return labelAddress(label.key, label.value);
    return namespace === '' ? '' : `${namespace}/`;
  }
}
