/**
 * Compiles the plans by which messages become protobuf (`transcode-members.ts`) from the schema
 * model.
 */
import { KNOWN_MEMBERS_MIN } from './known-messages.ts';
import { tagOf } from './protobuf-item.ts';
import type { VariantCodecs } from './protobuf-variants.ts';
import type { FieldSchema, MessageSchema, SchemaModel } from '../model/schema-model.ts';
import { isMessageType, jsonFields, messageNamed } from '../model/schema-walk.ts';
import { listWriter, mapWriter } from './transcode-containers.ts';
import type { ItemTranscoder } from './transcode-containers.ts';
import { leafTranscoder } from './transcode-leaf.ts';
import { memberName, writeMessage } from './transcode-members.ts';
import type { FieldPlan, MessagePlan, MessageValue } from './transcode-members.ts';
import { WrittenMessages } from './written-messages.ts';

/**
 * Bounds of the length of texts that become templates of others: shorter ones are read as fast as
 * they are compared.
 */
const TEMPLATE_BYTES = [1_024, 16 * 1024] as const;

/** Compiles messages, each once, on first use. */
export class PlanCompiler {
  readonly #model: SchemaModel;
  readonly #variants: VariantCodecs;
  readonly #plans = new Map<string, MessagePlan>();
  /** Types of the parts of whole objects: they are mostly long. */
  readonly #parts = new Set<string>();
  readonly #roots = new Map<string, MessageValue>();

  constructor(model: SchemaModel, variants: VariantCodecs) {
    this.#model = model;
    this.#variants = variants;
  }

  /** A message that is written by itself. */
  root(name: string): MessageValue {
    let root = this.#roots.get(name);
    if (root === undefined) {
      const { fields } = messageNamed(this.#model, name);
      for (const { type, container } of fields) if (container === 'single') this.#parts.add(type);
      root = messageItem(() => this.#message(name), false).message;
      this.#roots.set(name, root);
    }
    return root;
  }

  /** A message that is in another one. */
  message(name: string): MessageValue {
    return messageItem(() => this.#message(name), false).message;
  }

  #message(name: string): MessagePlan {
    let plan = this.#plans.get(name);
    if (plan === undefined) {
      plan = this.#compile(messageNamed(this.#model, name));
      this.#plans.set(name, plan);
    }
    return plan;
  }

  #compile(message: MessageSchema): MessagePlan {
    const byNumber = message.fields.toSorted((a, b) => a.number - b.number);
    const parts: Buffer[] = [];
    const absentStarts = new Int32Array(byNumber.length + 1);
    const fields = new Map<FieldSchema, FieldPlan>();
    for (const [slot, field] of byNumber.entries()) {
      const item = this.#item(message.name, field);
      fields.set(field, fieldPlan(field, item, slot));
      const part = absentBytes(field, item);
      parts.push(part);
      absentStarts[slot + 1] = (absentStarts[slot] ?? 0) + part.length;
    }
    const members = message.fields.flatMap((field) =>
      this.#namesOf(field).map((name) => ({
        name: memberName(name),
        field: fields.get(field) as FieldPlan,
      })),
    );
    const isInOrder = message.fields.every((field, index) => field === byNumber[index]);
    const nameStarts = Int32Array.from(members, ({ name }) => name.words[0] ?? 0);
    const absent = Buffer.concat(parts);
    const mayBeLong = this.#parts.has(message.name) || members.length >= KNOWN_MEMBERS_MIN;
    const known = mayBeLong ? new WrittenMessages(...TEMPLATE_BYTES) : undefined;
    return { members, nameStarts, isInOrder, absent, absentStarts, known };
  }

  #namesOf(field: FieldSchema): string[] {
    if (field.inline !== true) return [field.name];
    return jsonFields(this.#model, messageNamed(this.#model, field.type)).map(({ name }) => name);
  }

  #item(messageName: string, field: FieldSchema): ItemTranscoder | MessageItem {
    const { type } = field;
    if (isMessageType(type)) return messageItem(() => this.#message(type), field.inline === true);
    const variant = this.#variants.transcoder(messageName, field.name);
    if (variant !== undefined) return variant;
    const { wireType, write, zero } = leafTranscoder(type);
    return { wireType, isLeaf: true, write, zero: () => zero };
  }
}

interface MessageItem extends ItemTranscoder {
  readonly message: MessageValue;
}

/** The bytes of a field that is absent, its tag included. */
function absentBytes(field: FieldSchema, item: ItemTranscoder): Buffer {
  if (field.container !== 'single') return NO_BYTES;
  // The reference tells absent bytes from empty ones, always.
  const isTracked = field.presence === true || field.type === 'bytes';
  if (isTracked && field.inline !== true) return NO_BYTES;
  return Buffer.concat([varint(tagOf(field.number, item.wireType)), item.zero()]);
}

const NO_BYTES = Buffer.alloc(0);

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return Buffer.from([...bytes, rest]);
}

function fieldPlan(
  field: FieldSchema,
  item: ItemTranscoder | MessageItem,
  slot: number,
): FieldPlan {
  const { number, container, type, presence, mustBeSent } = field;
  const isInline = field.inline === true;
  const all = { slot, message: undefined, isInline, dropsEmpty: false, isTraced: false };
  if (container === 'list') {
    return { ...all, tag: 0, write: listWriter(tagOf(number, item.wireType), item) };
  }
  if (container === 'map') return { ...all, tag: 0, write: mapWriter(tagOf(number, 2), item) };
  const isEmptyKept = presence === true || mustBeSent === true;
  const dropsEmpty = type === 'bytes' && !isEmptyKept;
  const message = 'message' in item ? item.message : undefined;
  // Bytes that count as absent when empty cannot be replaced in place: the field may go.
  const isTraced = item.isLeaf && !dropsEmpty;
  const tag = tagOf(number, item.wireType);
  return { ...all, tag, write: item.write, message, dropsEmpty, isTraced };
}

function messageItem(compile: () => MessagePlan, isInline: boolean): MessageItem {
  let compiled: MessagePlan | undefined;
  const plan = (): MessagePlan => (compiled ??= compile());
  const message = { plan, isInline, lengthBytes: 1 };
  return {
    wireType: 2,
    isLeaf: false,
    message,
    write: (target) => writeMessage(target, message),
    zero: () => Buffer.concat([varint(plan().absent.length), plan().absent]),
  };
}
