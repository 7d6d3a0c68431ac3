/** Reads members of messages in protobuf whose schema is not at hand. */
import { readerOf } from '../codec/protobuf/protobuf-item.ts';

export const NO_BYTES: Uint8Array = new Uint8Array(0);

const LENGTH_DELIMITED = 2;

/** The members of a message that have a length, in their order; the others are passed over. */
export function* membersOf(message = NO_BYTES): Generator<readonly [number, Uint8Array]> {
  const reader = readerOf(message);
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    const wire = tag & 7;
    if (wire === LENGTH_DELIMITED) yield [tag >>> 3, reader.bytes()];
    else reader.skipType(wire);
  }
}

/** The first of each. */
export function fieldsOf(message = NO_BYTES): Map<number, Uint8Array> {
  const fields = new Map<number, Uint8Array>();
  for (const [number, bytes] of membersOf(message)) {
    if (!fields.has(number)) fields.set(number, bytes);
  }
  return fields;
}

export function textOf(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? '' : Buffer.from(bytes).toString();
}
