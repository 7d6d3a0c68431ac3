/**
 * The members of a message from canonical JSON to protobuf: each value is written as it is met.
 * Absent fields are written by runs, as they are always the same bytes. Where the order of numbers
 * is not that of declaration, fields are put in order at the end of their message.
 */
import { tagOf } from './protobuf-item.ts';
import type { WriteValue } from './transcode-containers.ts';
import {
  CLOSE_BRACE,
  COMMA,
  NOT_CANONICAL,
  NULL_LENGTH,
  NULL_START,
  QUOTE,
  Transcoding,
  varintBytes,
} from './transcoding.ts';

export interface FieldPlan {
  /** Its place among the fields of the message by number. */
  readonly slot: number;
  /** All of the field, with its tag or tags. */
  readonly write: WriteValue;
  /** A message whose members stand among those of the message that holds it. */
  readonly isInline: boolean;
  /** Bytes that do not tell whether they are empty or absent. */
  readonly dropsEmpty: boolean;
}

/** A member as JSON has it. */
interface MemberPlan {
  /** UTF-8 of the name with its quotes and its colon. */
  readonly name: Uint8Array;
  /** Of a member of an inline message, the field of that message. */
  readonly field: FieldPlan;
}

export interface MessagePlan {
  /** In the order of JSON. */
  readonly members: readonly MemberPlan[];
  /** Whether that is the order of numbers too. */
  readonly isInOrder: boolean;
  /** What is written of the fields when they are absent, by number. */
  readonly absent: Uint8Array;
  /** Where in `absent` the field of each slot begins; one more for the end. */
  readonly absentStarts: Int32Array;
}

/** Taken while it is in use: a value may hold JSON that is a message of its own. */
let free: Transcoding | undefined;
const HEAD_BYTES_MAX = 10;

/**
 * The bare message of JSON that begins with its first member; with a number, as a field of another
 * message, after tag and length. The bytes are valid until the next call; they are undefined for
 * text that is not as the encoder writes it.
 */
export function transcode(
  plan: MessagePlan,
  members: Uint8Array,
  number?: number,
): Uint8Array | undefined {
  const target = free ?? new Transcoding();
  free = undefined;
  try {
    target.begin(members, HEAD_BYTES_MAX);
    writeMembers(target, plan, false);
    if (target.at + 1 !== target.limit) return undefined;
    const start = number === undefined ? HEAD_BYTES_MAX : writeHead(target, number);
    return target.out.subarray(start, target.end);
  } catch (error) {
    if (error === NOT_CANONICAL) return undefined;
    throw error;
  } finally {
    target.finish();
    free = target;
  }
}

/** Writes tag and length right before the message. Returns where. */
function writeHead(target: Transcoding, number: number): number {
  const { end } = target;
  const tag = tagOf(number, 2);
  const length = end - HEAD_BYTES_MAX;
  const start = HEAD_BYTES_MAX - varintBytes(tag) - varintBytes(length);
  target.end = start;
  target.varint(tag);
  target.varint(length);
  target.end = end;
  return start;
}

/**
 * Writes the fields of a message, and stops at the brace that ends it; of an inline message, at the
 * first member that is none of its own.
 */
export function writeMembers(target: Transcoding, plan: MessagePlan, isInline: boolean): void {
  const { source } = target;
  const { members, isInOrder, absent } = plan;
  const start = target.end;
  const firstSegment = target.segmentsEnd;
  let isSorted = true;
  let next = 0;
  let slotsDone = 0;
  for (;;) {
    const byte = source[target.at];
    if (byte === CLOSE_BRACE) break;
    if (byte === COMMA) target.at += 1;
    const found = findMember(source, target.at, members, next);
    if (found < 0) {
      if (isInline) break;
      target.skipName();
      target.skipValue();
      continue;
    }
    next = found + 1;
    const { name, field } = members[found] as MemberPlan;
    if (!field.isInline) {
      const valueAt = target.at + name.length;
      target.at = valueAt;
      if (source[valueAt] === NULL_START) {
        target.at += NULL_LENGTH;
        continue;
      }
      if (field.dropsEmpty && source[valueAt] === QUOTE && source[valueAt + 1] === QUOTE) {
        target.at += 2;
        continue;
      }
    }
    const { slot } = field;
    target.room(absent.length);
    if (slot < slotsDone) {
      if (isInOrder) throw NOT_CANONICAL;
      isSorted = false;
    } else {
      writeAbsent(target, plan, slotsDone, slot);
      slotsDone = slot + 1;
    }
    const fieldStart = target.end;
    field.write(target);
    if (!isInOrder) target.addSegment(slot, fieldStart);
  }
  if (isSorted) {
    target.room(absent.length);
    writeAbsent(target, plan, slotsDone, plan.absentStarts.length - 1);
  } else sortFields(target, plan, start, firstSegment);
  target.segmentsEnd = firstSegment;
}

/** What the fields from one slot to before another are when they are absent. */
function writeAbsent(
  target: Transcoding,
  { absent, absentStarts }: MessagePlan,
  from: number,
  to: number,
): void {
  if (from === to) return;
  const bytesFrom = absentStarts[from] as number;
  const bytesTo = absentStarts[to] as number;
  if (bytesFrom !== bytesTo) target.bytes(absent, bytesFrom, bytesTo);
}

/** The index of the member whose name stands at `at`, -1 for none. It is `next` or soon after. */
function findMember(
  source: Uint8Array,
  at: number,
  members: readonly MemberPlan[],
  next: number,
): number {
  for (let index = next; index < members.length; index += 1) {
    if (startsWith(source, at, (members[index] as MemberPlan).name)) return index;
  }
  for (let index = 0; index < next; index += 1) {
    if (startsWith(source, at, (members[index] as MemberPlan).name)) return index;
  }
  return -1;
}

function startsWith(source: Uint8Array, at: number, name: Uint8Array): boolean {
  // From behind the quote, with which all names begin.
  for (let index = 1; index < name.length; index += 1) {
    if (source[at + index] !== name[index]) return false;
  }
  return source[at] === QUOTE;
}

/** Puts the fields since `start` in the order of their slots, with what the absent ones are. */
function sortFields(
  target: Transcoding,
  plan: MessagePlan,
  start: number,
  firstSegment: number,
): void {
  const segments = target.sortSegments(firstSegment);
  const written = target.takeBack(start);
  target.room(plan.absent.length + written.length);
  let slotsDone = 0;
  for (let index = firstSegment; index < target.segmentsEnd; index += 3) {
    const slot = segments[index] as number;
    if (slot < slotsDone) throw NOT_CANONICAL;
    writeAbsent(target, plan, slotsDone, slot);
    slotsDone = slot + 1;
    const from = (segments[index + 1] as number) - start;
    const to = (segments[index + 2] as number) - start;
    target.bytes(written, from, to);
  }
  writeAbsent(target, plan, slotsDone, plan.absentStarts.length - 1);
}
