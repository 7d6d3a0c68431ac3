/** How messages become protobuf (`transcode-members.ts`), compiled from the schema model. */
import { tagOf } from './protobuf-item.ts';
import type { VariantCodecs } from './protobuf-variants.ts';
import type { FieldSchema, MessageSchema, SchemaModel } from './schema-model.ts';
import { isMessageType, jsonFields, messageNamed } from './schema-walk.ts';
import { listWriter, mapWriter } from './transcode-containers.ts';
import type { ItemTranscoder, WriteValue } from './transcode-containers.ts';
import { leafTranscoder } from './transcode-leaf.ts';
import { writeMembers } from './transcode-members.ts';
import type { FieldPlan, MessagePlan } from './transcode-members.ts';
import { OPEN_BRACE } from './transcoding.ts';

/** Compiles messages, each once, on first use. */
export class PlanCompiler {
  readonly #model: SchemaModel;
  readonly #variants: VariantCodecs;
  readonly #plans = new Map<string, MessagePlan>();

  constructor(model: SchemaModel, variants: VariantCodecs) {
    this.#model = model;
    this.#variants = variants;
  }

  message(name: string): MessagePlan {
    let plan = this.#plans.get(name);
    if (plan === undefined) {
      plan = this.#compile(messageNamed(this.#model, name));
      this.#plans.set(name, plan);
    }
    return plan;
  }

  #compile(message: MessageSchema): MessagePlan {
    const byNumber = message.fields.toSorted((a, b) => a.number - b.number);
    const parts: Uint8Array[] = [];
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
        name: Buffer.from(`${JSON.stringify(name)}:`),
        field: fields.get(field) as FieldPlan,
      })),
    );
    const isInOrder = message.fields.every((field, index) => field === byNumber[index]);
    return { members, isInOrder, absent: Buffer.concat(parts), absentStarts };
  }

  #namesOf(field: FieldSchema): string[] {
    if (field.inline !== true) return [field.name];
    return jsonFields(this.#model, messageNamed(this.#model, field.type)).map(({ name }) => name);
  }

  #item(messageName: string, field: FieldSchema): ItemTranscoder {
    const { type } = field;
    if (isMessageType(type)) return messageItem(() => this.message(type), field.inline === true);
    const variant = this.#variants.transcoder(messageName, field.name);
    if (variant !== undefined) return variant;
    const { wireType, write, zero } = leafTranscoder(type);
    return { wireType, write, zero: () => zero };
  }
}

/** What is written of a field that is absent, its tag included. */
function absentBytes(field: FieldSchema, item: ItemTranscoder): Uint8Array {
  if (field.container !== 'single') return NO_BYTES;
  // The reference tells absent bytes from empty ones, always.
  const isTracked = field.presence === true || field.type === 'bytes';
  if (isTracked && field.inline !== true) return NO_BYTES;
  return Buffer.concat([varint(tagOf(field.number, item.wireType)), item.zero()]);
}

const NO_BYTES = new Uint8Array();

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return Uint8Array.from([...bytes, rest]);
}

function fieldPlan(field: FieldSchema, item: ItemTranscoder, slot: number): FieldPlan {
  const { container, type, presence, mustBeSent } = field;
  const isEmptyKept = presence === true || mustBeSent === true;
  return {
    slot,
    write: fieldWriter(field, item),
    isInline: field.inline === true,
    dropsEmpty: type === 'bytes' && container === 'single' && !isEmptyKept,
  };
}

function fieldWriter({ number, container }: FieldSchema, item: ItemTranscoder): WriteValue {
  const tag = tagOf(number, container === 'map' ? 2 : item.wireType);
  if (container === 'list') return listWriter(tag, item);
  if (container === 'map') return mapWriter(tag, item);
  return (target) => {
    target.varint(tag);
    item.write(target);
  };
}

/** A message with its length, after its tag. */
function messageItem(compile: () => MessagePlan, isInline: boolean): ItemTranscoder {
  let compiled: MessagePlan | undefined;
  // How many bytes the last length took: that of the next one will take as many.
  let lengthBytes = 1;
  return {
    wireType: 2,
    write: (target) => {
      compiled ??= compile();
      const start = target.end;
      const reserved = lengthBytes;
      target.end += reserved;
      if (isInline) writeMembers(target, compiled, true);
      else {
        target.expect(OPEN_BRACE);
        writeMembers(target, compiled, false);
        target.at += 1;
      }
      lengthBytes = target.close(start, reserved);
    },
    zero: () => {
      compiled ??= compile();
      return Buffer.concat([varint(compiled.absent.length), compiled.absent]);
    },
  };
}
