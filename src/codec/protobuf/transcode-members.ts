/**
 * The members of a message from canonical JSON to protobuf: each value is written as it is met.
 * Absent fields are written by runs, as they are always the same bytes. Where the order of numbers
 * is not that of declaration, fields are put in order at the end of their message.
 */
import { tagOf } from './protobuf-item.ts';
import type { WriteValue } from './transcode-containers.ts';
import { writeTraced } from './transcode-leaf.ts';
import {
  CLOSE_BRACE,
  COMMA,
  NOT_CANONICAL,
  NULL_LENGTH,
  NULL_START,
  OPEN_BRACE,
  QUOTE,
  Transcoding,
  varintBytes,
} from './transcoding.ts';
import type { WrittenMessages } from './written-messages.ts';

export interface FieldPlan {
  /** Its place among the fields of the message by number. */
  readonly slot: number;
  /** The tag before a single value; 0 for a list or a map, which write their own tags. */
  readonly tag: number;
  readonly write: WriteValue;
  /** Whether it is a single value that another one can replace where it lies. */
  readonly isTraced: boolean;
  /** Set for a single message: it is written without `write`, since messages may nest very deep. */
  readonly message: MessageValue | undefined;
  /** A message whose members stand among those of the message that holds it. */
  readonly isInline: boolean;
  /** Whether empty bytes of the field count as absent. */
  readonly dropsEmpty: boolean;
}

/** A value that is a message. */
export interface MessageValue {
  readonly plan: () => MessagePlan;
  readonly isInline: boolean;
  /** Bytes that the length of the last such message took: as many are reserved for the next. */
  lengthBytes: number;
}

/** Names are compared in words of this many bytes; the shortest name, `"a":`, has as many. */
const WORD_BYTES = 4;

/** UTF-8 of a name with its quotes and its colon. */
export interface MemberName {
  readonly length: number;
  /** The words of the name; the last one overlaps the one before, so that it ends with the name. */
  readonly words: Int32Array;
}

/** The name as text has it: `memberName('kind')` is of `"kind":`. */
export function memberName(name: string): MemberName {
  const bytes = Buffer.from(`${JSON.stringify(name)}:`);
  const { length } = bytes;
  const words = new Int32Array(Math.ceil(length / WORD_BYTES));
  for (let index = 0; index < words.length; index += 1) {
    words[index] = bytes.readInt32LE(Math.min(WORD_BYTES * index, length - WORD_BYTES));
  }
  return { length, words };
}

/** A member as JSON has it. */
interface MemberPlan {
  readonly name: MemberName;
  /** For a member of an inline message, the field of that message. */
  readonly field: FieldPlan;
}

export interface MessagePlan {
  /** In the order of JSON. */
  readonly members: readonly MemberPlan[];
  /** The first word of each name. */
  readonly nameStarts: Int32Array;
  /** Whether that is the order of numbers too. */
  readonly isInOrder: boolean;
  /** The bytes of the fields when they are absent, by number. */
  readonly absent: Buffer;
  /** Where in `absent` the field of each slot begins; one more for the end. */
  readonly absentStarts: Int32Array;
  /** Set for messages that may be long. */
  readonly known: WrittenMessages | undefined;
}

/**
 * A reusable target; undefined while it is in use, since a value may hold JSON that is transcoded
 * too.
 */
let free: Transcoding | undefined;
const TAG_BYTES_MAX = 5;

/**
 * The bare message of JSON that begins with its first member; with a number, as a field of another
 * message, after tag and length. The bytes are valid until the next call; they are undefined for
 * text that is not as the encoder writes it.
 */
export function transcode(
  message: MessageValue,
  members: Uint8Array,
  number?: number,
): Uint8Array | undefined {
  const target = free ?? new Transcoding();
  free = undefined;
  try {
    target.begin(members, TAG_BYTES_MAX);
    writeMessage(target, message);
    if (target.at !== target.limit) return undefined;
    const start =
      number === undefined
        ? TAG_BYTES_MAX + message.lengthBytes
        : writeTagBefore(target, TAG_BYTES_MAX, tagOf(number, 2));
    return target.out.subarray(start, target.end);
  } catch (error) {
    if (error === NOT_CANONICAL) return undefined;
    throw error;
  } finally {
    target.finish();
    free = target;
  }
}

/** Returns where the tag begins. */
function writeTagBefore(target: Transcoding, at: number, tag: number): number {
  const { end } = target;
  target.end = at - varintBytes(tag);
  const start = target.end;
  target.varint(tag);
  target.end = end;
  return start;
}

/**
 * Writes a message with its length. Of an inline message, whose members stand among others, it
 * reads those before the first foreign one. Each level takes one frame of the stack, as messages
 * may nest very deep.
 */
export function writeMessage(target: Transcoding, value: MessageValue): void {
  const plan = value.plan();
  const { source, at: textStart } = target;
  const known = nextKnown(target, value, plan);
  if (known?.write(target) === true) return;
  const start = target.end;
  if (known !== undefined) target.beginTrace(start);
  else target.trace?.open(start);
  const { trace } = target;
  target.depth += 1;
  const { isDeep } = target;
  // A message that nests so deep lies in the output differently, and is no template for others.
  if (isDeep) trace?.giveUp();
  const reserved = target.reserve(value.lengthBytes);
  const firstSegment = target.segmentsEnd;
  let isSorted = true;
  let next = 0;
  let slotsDone = 0;
  // The text as a whole has lost its first brace.
  if (!value.isInline && target.at > 0) target.expect(OPEN_BRACE);
  while (source[target.at] !== CLOSE_BRACE) {
    if (source[target.at] === COMMA) target.at += 1;
    const found = findMember(target, plan, next);
    if (found < 0) {
      if (value.isInline) break;
      target.skipName();
      target.skipValue();
      continue;
    }
    next = found + 1;
    const { name, field } = plan.members[found] as MemberPlan;
    if (!field.isInline && skipsAbsent(target, name.length, field)) continue;
    target.room(plan.absent.length);
    if (field.slot >= slotsDone) {
      writeAbsent(target, plan, slotsDone, field.slot);
      slotsDone = field.slot + 1;
    } else if (plan.isInOrder) throw NOT_CANONICAL;
    else isSorted = false;
    const fieldStart = target.end;
    if (field.tag !== 0) target.varint(field.tag);
    if (field.message !== undefined) writeMessage(target, field.message);
    else if (trace !== undefined && field.isTraced) writeTraced(target, trace, field.write);
    else field.write(target);
    if (!plan.isInOrder) target.addSegment(field.slot, fieldStart);
  }
  if (isSorted) {
    target.room(plan.absent.length);
    writeAbsent(target, plan, slotsDone, plan.absentStarts.length - 1);
  } else if (!isDeep) sortFields(target, plan, start + reserved, firstSegment);
  target.segmentsEnd = firstSegment;
  if (!value.isInline) target.expect(CLOSE_BRACE);
  const taken = target.closeReserved(start, reserved);
  if (!isDeep) value.lengthBytes = taken;
  target.depth -= 1;
  if (trace === undefined) return;
  trace.close(target.end - start - taken);
  if (known === undefined) return;
  target.trace = undefined;
  known.add(target, textStart, start, trace);
}

/**
 * The templates to try for the next message; undefined where it is traced as a part of another one.
 */
function nextKnown(
  { trace, at, limit, isDeep }: Transcoding,
  { isInline }: MessageValue,
  { known }: MessagePlan,
): WrittenMessages | undefined {
  // The text as a whole has no brace, as that of messages in it has.
  if (trace !== undefined || isInline || at === 0 || isDeep) return undefined;
  return known?.next(limit - at);
}

/** Steps over the name, and over a value that stands for none. */
function skipsAbsent(target: Transcoding, nameLength: number, { dropsEmpty }: FieldPlan): boolean {
  const { source } = target;
  target.at += nameLength;
  const { at } = target;
  if (source[at] === NULL_START) target.at += NULL_LENGTH;
  else if (dropsEmpty && source[at] === QUOTE && source[at + 1] === QUOTE) target.at += 2;
  else return false;
  return true;
}

/** Writes the bytes of absent fields, from one slot to before another. */
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

/** The index of the member whose name is next, -1 for none. It is `next` or soon after. */
function findMember(
  target: Transcoding,
  { members, nameStarts }: MessagePlan,
  next: number,
): number {
  if (target.at + WORD_BYTES > target.limit) return -1;
  const start = target.view.getInt32(target.at, true);
  for (let index = next; index < nameStarts.length; index += 1) {
    if (nameStarts[index] === start && isNext(target, members[index] as MemberPlan)) return index;
  }
  for (let index = 0; index < next; index += 1) {
    if (nameStarts[index] === start && isNext(target, members[index] as MemberPlan)) return index;
  }
  return -1;
}

/** Whether the whole name is next, given that its first word is. */
function isNext({ view, at, limit }: Transcoding, { name }: MemberPlan): boolean {
  const { words, length } = name;
  if (at + length > limit) return false;
  const last = length - WORD_BYTES;
  for (let index = 1; index < words.length; index += 1) {
    const offset = Math.min(WORD_BYTES * index, last);
    if (view.getInt32(at + offset, true) !== words[index]) return false;
  }
  return true;
}

/** Puts the fields since `start` in the order of their slots, with the bytes of absent ones. */
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
    segments[index] = target.end;
    target.bytes(written, from, to);
  }
  target.trace?.move(start, (at) => {
    for (let index = firstSegment; index < target.segmentsEnd; index += 3) {
      const from = segments[index + 1] as number;
      const past = segments[index + 2] as number;
      if (at >= from && at < past) return (segments[index] as number) - from;
    }
    return 0;
  });
  writeAbsent(target, plan, slotsDone, plan.absentStarts.length - 1);
}
