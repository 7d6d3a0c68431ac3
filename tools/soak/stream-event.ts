/** One line of a watch: what it says, and whether it is what the plan allows. */
import type { ApiObject } from './plan.ts';
import type { Scope } from './scope.ts';

export type StreamEvent =
  | ChangeEvent
  /** An object that is not of this run. */
  | { readonly kind: 'foreign'; readonly version: string }
  | { readonly kind: 'bookmark'; readonly version: string }
  | { readonly kind: 'error'; readonly code: number; readonly message: string }
  /** Not an event at all. */
  | { readonly kind: 'broken'; readonly problem: string };

export interface ChangeEvent {
  readonly kind: 'change';
  readonly version: string;
  readonly slot: number;
  /** The index of the slot in the scope; -1 when the event has no place in its sequence. */
  readonly index: number;
  /** The number of the write that made the event. */
  readonly seq: number;
  readonly writer: number;
  /** 0 for DELETED, which carries the marker of an earlier write. */
  readonly writerSeq: number;
  /** Why it is wrong; '' if it is not. */
  readonly problem: string;
}

/** Reads a line without its newline. */
export function readEvent(line: string, scope: Scope): StreamEvent {
  let type: unknown;
  let object: ApiObject | null | undefined;
  try {
    const event = JSON.parse(line) as { type?: unknown; object?: ApiObject | null } | null;
    type = event?.type;
    object = event?.object;
  } catch (error) {
    return { kind: 'broken', problem: `not JSON: ${(error as Error).message}` };
  }
  if (typeof object !== 'object' || object === null) {
    return { kind: 'broken', problem: `${String(type)} without an object` };
  }
  if (type === 'ERROR') {
    const message = `${String(object['reason'])}: ${String(object['message'])}`;
    return { kind: 'error', code: Number(object['code']), message };
  }
  const version = object.metadata?.resourceVersion;
  if (typeof version !== 'string' || version === '') {
    return { kind: 'broken', problem: `${String(type)} without a resourceVersion` };
  }
  if (type === 'BOOKMARK') return { kind: 'bookmark', version };
  if (type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED') {
    return { kind: 'broken', problem: `an event of type ${String(type)}` };
  }
  return readChange(type, object, version, scope);
}

function readChange(
  type: 'ADDED' | 'MODIFIED' | 'DELETED',
  object: ApiObject,
  version: string,
  scope: Scope,
): StreamEvent {
  const marker = scope.plan.markerOf(object);
  if (marker === undefined) return { kind: 'foreign', version };
  const { slot, writer } = marker;
  const isDelete = type === 'DELETED';
  // DELETED shows the last state that was in the scope: the write after that took it out.
  const seq = isDelete ? marker.seq + 1 : marker.seq;
  const index = scope.indexOf(slot);
  const expected = index < 0 ? undefined : scope.eventOf(slot, seq);
  let problem = scope.plan.contentProblem(object, marker);
  if (index < 0) problem ||= 'it is not in what the watch asked for';
  else if (expected === undefined) problem ||= `write ${seq} makes no event here, got ${type}`;
  else if (expected !== type) problem ||= `write ${seq} makes ${expected} here, got ${type}`;
  return {
    kind: 'change',
    version,
    slot,
    index: expected === undefined || isDelete !== (expected === 'DELETED') ? -1 : index,
    seq,
    writer,
    writerSeq: isDelete ? 0 : marker.writerSeq,
    problem,
  };
}
