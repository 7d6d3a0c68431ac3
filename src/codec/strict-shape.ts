/** What a document of a message may hold: compiled for `strict-check.ts`. */
import type { FieldSchema, SchemaModel } from './schema-model.ts';
import { isMessageType, jsonFields, messageNamed } from './schema-walk.ts';

/**
 * A value whose inside is looked at; undefined stands for all others. Those are scalars, and the
 * types that read their JSON themselves (RawExtension, FieldsV1): nothing in them is unknown.
 */
export type Shape = MessageShape | ListShape | MapShape | undefined;

export interface MessageShape {
  readonly kind: 'message';
  readonly open: '{';
  readonly close: '}';
  readonly members: ReadonlyMap<string, MemberShape>;
}

/** There only for lists of values with a shape. */
export interface ListShape {
  readonly kind: 'list';
  readonly open: '[';
  readonly close: ']';
  readonly value: Shape;
}

/** There for every map: its keys may repeat. */
export interface MapShape {
  readonly kind: 'map';
  readonly open: '{';
  readonly close: '}';
  readonly value: Shape;
}

export interface MemberShape {
  readonly name: string;
  readonly value: Shape;
}

/** Members of every document, which the model does not declare. */
const TYPE_MEMBERS = ['kind', 'apiVersion'];

/** Messages of kinds that stand inside other ones, with `kind` and `apiVersion`. */
function embeddedMessages(model: SchemaModel): ReadonlySet<string> {
  const fields = Object.values(model.messages).flatMap((message) => message.fields);
  const embedding = fields.filter(({ embeddedKind }) => embeddedKind !== undefined);
  return new Set(embedding.map(({ type }) => type));
}

/** The shape of a document. Those of recursive messages contain themselves. */
export function compileShape(model: SchemaModel, rootMessageName: string): MessageShape {
  const shapes = new Map<string, MessageShape>();
  const embedded = embeddedMessages(model);
  const shapeOf = (messageName: string): MessageShape => {
    const known = shapes.get(messageName);
    if (known !== undefined) return known;
    const members = new Map<string, MemberShape>();
    const shape: MessageShape = { kind: 'message', open: '{', close: '}', members };
    shapes.set(messageName, shape);
    if (messageName === rootMessageName || embedded.has(messageName)) {
      for (const name of TYPE_MEMBERS) members.set(name, { name, value: undefined });
    }
    for (const field of jsonFields(model, messageNamed(model, messageName))) {
      members.set(field.name, { name: field.name, value: valueOf(field) });
    }
    return shape;
  };
  const valueOf = ({ container, type }: FieldSchema): Shape => {
    const value = isMessageType(type) ? shapeOf(type) : undefined;
    if (container === 'map') return { kind: 'map', open: '{', close: '}', value };
    if (container === 'single' || value === undefined) return value;
    return { kind: 'list', open: '[', close: ']', value };
  };
  return shapeOf(rootMessageName);
}
