/** The labels that a body gives an object, in any form. */
import { DecodeError } from '../codec/json/go-errors.ts';
import { unwrapProtobuf } from '../codec/protobuf/protobuf-envelope.ts';
import { fieldsOf, membersOf, textOf } from './message-fields.ts';

type LabelMap = Readonly<Record<string, string>>;

const NO_LABELS: LabelMap = {};
/** The place of the labels in the metadata of a message. */
const LABELS = 11;
const PROTOBUF_START = 0x6b;

/** None for a body that is no object: who serves the request says so. */
export function labelsOf(body: Uint8Array): LabelMap {
  try {
    return body[0] === PROTOBUF_START ? labelsInMessage(body) : labelsInJson(body);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof DecodeError) return NO_LABELS;
    throw error;
  }
}

function labelsInJson(body: Uint8Array): LabelMap {
  const document = JSON.parse(Buffer.from(body).toString()) as {
    readonly metadata?: { readonly labels?: LabelMap | null } | null;
  } | null;
  return document?.metadata?.labels ?? NO_LABELS;
}

function labelsInMessage(body: Uint8Array): LabelMap {
  // Of each kind of object the member 1 is its metadata.
  const metadata = fieldsOf(unwrapProtobuf(body).raw).get(1);
  const labels: Record<string, string> = {};
  for (const [number, bytes] of membersOf(metadata)) {
    if (number !== LABELS) continue;
    const pair = fieldsOf(bytes);
    labels[textOf(pair.get(1))] = textOf(pair.get(2));
  }
  return labels;
}
