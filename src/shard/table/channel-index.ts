/**
 * The channels of a hub by the most selective thing that they demand: one object, one value of an
 * indexed field or of a label, one namespace, or nothing. A change looks only at those that can
 * match; where nobody demands a thing of a kind, not even its text is put together.
 */
import { splitKey } from './selection.ts';
import type { Selectable, Selection } from './selection.ts';

type Places<Channel> = Map<string, Set<Channel>>;

/** The values of a change by which channels are looked up. */
interface ChangedObject {
  readonly key: string;
  readonly before: Selectable | undefined;
  readonly after: Selectable | undefined;
}

export class ChannelIndex<Channel> {
  readonly #indexedPositions: readonly number[];
  readonly #ofAll: Places<Channel> = new Map();
  readonly #byNamespace: Places<Channel> = new Map();
  /** One name in all namespaces, or of a type without namespaces. */
  readonly #byName: Places<Channel> = new Map();
  readonly #byKey: Places<Channel> = new Map();
  readonly #byField: Places<Channel> = new Map();
  readonly #byLabel: Places<Channel> = new Map();

  /** `indexedPositions` are those of the fields by which channels may be found. */
  constructor(indexedPositions: readonly number[]) {
    this.#indexedPositions = indexedPositions;
  }

  add(selection: Selection, channel: Channel): void {
    const [places, place] = this.#placeOf(selection);
    const sharing = places.get(place);
    if (sharing === undefined) places.set(place, new Set([channel]));
    else sharing.add(channel);
  }

  remove(selection: Selection, channel: Channel): void {
    const [places, place] = this.#placeOf(selection);
    const sharing = places.get(place);
    sharing?.delete(channel);
    if (sharing?.size === 0) places.delete(place);
  }

  /** Calls `visit` once with each channel that the change may concern. */
  candidates(change: ChangedObject, visit: (channel: Channel) => void): void {
    this.#visit(this.#ofAll, '', visit);
    this.#visit(this.#byKey, change.key, visit);
    if (this.#byNamespace.size > 0 || this.#byName.size > 0) {
      const [namespace, name] = splitKey(change.key);
      this.#visit(this.#byNamespace, namespace, visit);
      this.#visit(this.#byName, name, visit);
    }
    if (this.#byField.size > 0) this.#byFields(change, visit);
    if (this.#byLabel.size > 0) this.#byLabels(change, visit);
  }

  #placeOf({ namespace, name, fieldValue, label }: Selection): [Places<Channel>, string] {
    if (name !== undefined && namespace !== '') return [this.#byKey, `${namespace}/${name}`];
    if (name !== undefined) return [this.#byName, name];
    if (fieldValue !== undefined) {
      return [this.#byField, fieldPlace(fieldValue.position, fieldValue.value)];
    }
    if (label !== undefined) return [this.#byLabel, labelPlace(label.key, label.value)];
    return namespace === '' ? [this.#ofAll, ''] : [this.#byNamespace, namespace];
  }

  #visit(places: Places<Channel>, place: string, visit: (channel: Channel) => void): void {
    if (places.size === 0) return;
    const channels = places.get(place);
    if (channels === undefined) return;
    for (const channel of channels) visit(channel);
  }

  /** An object that takes another value is looked at by the channels of both. */
  #byFields({ before, after }: ChangedObject, visit: (channel: Channel) => void): void {
    for (const position of this.#indexedPositions) {
      const value = after?.fields[position];
      const old = before?.fields[position];
      if (value !== undefined) this.#visit(this.#byField, fieldPlace(position, value), visit);
      if (old === undefined || old === value) continue;
      this.#visit(this.#byField, fieldPlace(position, old), visit);
    }
  }

  /** Looks up the channels of each label of the states before and after. */
  #byLabels({ before, after }: ChangedObject, visit: (channel: Channel) => void): void {
    const labels = after?.labels;
    const old = before?.labels;
    for (const key in labels) {
      this.#visit(this.#byLabel, labelPlace(key, labels[key] ?? ''), visit);
    }
    for (const key in old) {
      const value = old[key] ?? '';
      if (labels?.[key] !== value) this.#visit(this.#byLabel, labelPlace(key, value), visit);
    }
  }
}

function fieldPlace(position: number, value: string): string {
  return `${position}=${value}`;
}

function labelPlace(key: string, value: string): string {
  return `${key}=${value}`;
}
