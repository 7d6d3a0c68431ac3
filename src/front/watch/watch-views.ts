/** The different ways in which the watches of a shard are shown what they ask for. */
import { assert } from '../../base/assert.ts';
import type { View } from '../../protocol/shard-protocol.ts';

/** Views as values: equal ones are the same object. There are as many as the API has. */
export class WatchViews {
  readonly #byKey = new Map<string, View>();

  of({ version = 0, form }: View): View {
    const { encoding = 'json', as = '', metaVersion = '', includeObject = '' } = form ?? {};
    const key = `${version} ${encoding} ${as} ${metaVersion} ${includeObject}`;
    let view = this.#byKey.get(key);
    if (view === undefined) {
      view = form === undefined ? { version } : { version, form };
      this.#byKey.set(key, view);
    }
    return view;
  }
}

/** The parts of a body that holds one for each view, one after the other. */
export function partsByView(
  views: readonly View[],
  lengths: readonly number[],
  body: Uint8Array,
): ReadonlyMap<View, Uint8Array> {
  assert(views.length === lengths.length, `${lengths.length} parts for ${views.length} views`);
  const parts = new Map<View, Uint8Array>();
  let start = 0;
  views.forEach((view, index) => {
    const end = start + (lengths[index] ?? 0);
    parts.set(view, body.subarray(start, end));
    start = end;
  });
  return parts;
}

const NO_COLUMNS = Buffer.from('"columnDefinitions":null');
const NULL_BYTES = 4;

/**
 * Events of a Table watch, the first of which says no columns yet: the same with these. They come
 * before anything that a client has written.
 */
export function withColumns(events: Uint8Array, columns: string): Uint8Array {
  const at = Buffer.from(events.buffer, events.byteOffset, events.length).indexOf(NO_COLUMNS);
  assert(at !== -1, 'an event of a Table says nothing of its columns');
  const end = at + NO_COLUMNS.length;
  const start = events.subarray(0, end - NULL_BYTES);
  return Buffer.concat([start, Buffer.from(columns), events.subarray(end)]);
}
