/** The members that a document of a message may have: compiled for `strict-check.ts`. */
import type { FieldSchema, SchemaModel } from '../model/schema-model.ts';
import { isMessageType, jsonFields, messageNamed } from '../model/schema-walk.ts';

/**
 * A value whose inside is looked at; undefined stands for all others. Those are scalars, and the
 * types that read their JSON themselves (RawExtension, FieldsV1): nothing in them is unknown.
 */
export type StrictValue = StrictMessage | StrictList | StrictMap | StrictAny | undefined;

export interface StrictMessage {
  readonly kind: 'message';
  readonly open: '{';
  readonly close: '}';
  readonly members: ReadonlyMap<string, StrictMember>;
}

/** Exists only for lists of messages. */
export interface StrictList {
  readonly kind: 'list';
  readonly open: '[';
  readonly close: ']';
  readonly value: StrictValue;
}

/** Exists for every map, since its keys may repeat. */
export interface StrictMap {
  readonly kind: 'map';
  readonly open: '{';
  readonly close: '}';
  readonly value: StrictValue;
}

/** A value that no message describes: all lists and objects in it are looked at. */
export interface StrictAny {
  readonly kind: 'any';
}

export interface StrictMember {
  readonly name: string;
  readonly value: StrictValue;
}

/** Members of every document, which the model does not declare. */
const TYPE_MEMBERS = ['kind', 'apiVersion'];

/** Messages of kinds that stand inside other ones, with `kind` and `apiVersion`. */
function embeddedMessages(model: SchemaModel): ReadonlySet<string> {
  const fields = Object.values(model.messages).flatMap((message) => message.fields);
  const embedding = fields.filter(({ embeddedKind }) => embeddedKind !== undefined);
  return new Set(embedding.map(({ type }) => type));
}

/** Compiles the members of a message. The schemas of recursive messages contain themselves. */
export function compileStrictSchema(model: SchemaModel, rootMessageName: string): StrictMessage {
  const messages = new Map<string, StrictMessage>();
  const embedded = embeddedMessages(model);
  const messageOf = (messageName: string): StrictMessage => {
    const known = messages.get(messageName);
    if (known !== undefined) return known;
    const members = new Map<string, StrictMember>();
    const message: StrictMessage = { kind: 'message', open: '{', close: '}', members };
    messages.set(messageName, message);
    if (messageName === rootMessageName || embedded.has(messageName)) {
      for (const name of TYPE_MEMBERS) members.set(name, { name, value: undefined });
    }
    for (const field of jsonFields(model, messageNamed(model, messageName))) {
      members.set(field.name, { name: field.name, value: valueOf(field) });
    }
    return message;
  };
  const valueOf = ({ container, type }: FieldSchema): StrictValue => {
    const value = isMessageType(type) ? messageOf(type) : undefined;
    if (container === 'map') return { kind: 'map', open: '{', close: '}', value };
    if (container === 'single' || value === undefined) return value;
    return { kind: 'list', open: '[', close: ']', value };
  };
  return messageOf(rootMessageName);
}
