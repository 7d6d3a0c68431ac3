/** Documents and frames made of stored bytes: prefixes and suffixes around copies. */
import type { KindRuntime } from '../resources/kind-runtime.ts';
import { assert } from '../base/assert.ts';

export const NEWLINE = Buffer.from('\n');
export const COMMA = Buffer.from(',');
export const OPEN_BRACE = Buffer.from('{');
/** Ends a list: the array, the object, and the newline of a compact document. */
export const LIST_SUFFIX = Buffer.from(']}\n');
/** Ends a watch event around an object. */
export const EVENT_SUFFIX = Buffer.from('}\n');

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED';

const VERSION_MEMBER = '"resourceVersion":"';

export interface ListMeta {
  readonly rv: number;
  /** '' on the last page. */
  readonly continueToken: string;
  /** 0 when it is not told. */
  readonly remaining: number;
}

/** The beginning of a `<Kind>List` up to its first item. */
export function listPrefix(kind: KindRuntime, { rv, continueToken, remaining }: ListMeta): Buffer {
  const listKind = `${kind.definition.kind}List`;
  const metadata = {
    resourceVersion: String(rv),
    ...(continueToken === '' ? {} : { continue: continueToken }),
    ...(remaining === 0 ? {} : { remainingItemCount: remaining }),
  };
  return Buffer.from(
    `{"kind":"${listKind}","apiVersion":"${kind.groupVersion}",` +
      `"metadata":${JSON.stringify(metadata)},"items":[`,
  );
}

/** The beginnings of a watch event of each type, up to the stored bytes. */
export function eventPrefixes(kind: KindRuntime): Readonly<Record<EventType, Buffer>> {
  const prefix = (type: EventType): Buffer =>
    Buffer.concat([Buffer.from(`{"type":"${type}","object":`), kind.objectPrefix]);
  return { ADDED: prefix('ADDED'), MODIFIED: prefix('MODIFIED'), DELETED: prefix('DELETED') };
}

/**
 * Stored text with another resourceVersion. Only members that cannot hold a quote stand before
 * it in the canonical order, so its first occurrence is the object's own.
 */
export function withResourceVersion(wire: string, rv: number): string {
  const start = wire.indexOf(VERSION_MEMBER);
  assert(start >= 0, 'stored object without a resourceVersion');
  const valueStart = start + VERSION_MEMBER.length;
  return wire.slice(0, valueStart) + String(rv) + wire.slice(wire.indexOf('"', valueStart));
}
