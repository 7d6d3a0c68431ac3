/** Walks over the schema model that its compilers share. */
import type { FieldSchema, MessageSchema, SchemaModel } from './schema-model.ts';

/** The message of that full name. Throws an Error when the model has none: that is a bug. */
export function messageNamed(model: SchemaModel, name: string): MessageSchema {
  const message = model.messages[name];
  if (message === undefined) throw new Error(`the schema model has no message ${name}`);
  return message;
}

/** Whether the type of a field is a message; message names are the only ones with a dot. */
export function isMessageType(type: string): boolean {
  return type.includes('.');
}

/** The fields as JSON has them: those of inline messages stand in the place of the message. */
export function jsonFields(model: SchemaModel, message: MessageSchema): FieldSchema[] {
  return message.fields.flatMap((field) =>
    field.inline === true ? jsonFields(model, messageNamed(model, field.type)) : [field],
  );
}

/** Whether `wanted` holds for a field of the message or of any message that it can contain. */
export function reachesField(
  model: SchemaModel,
  messageName: string,
  wanted: (field: FieldSchema) => boolean,
): boolean {
  const seen = new Set([messageName]);
  for (const name of seen) {
    for (const field of messageNamed(model, name).fields) {
      if (wanted(field)) return true;
      if (isMessageType(field.type)) seen.add(field.type);
    }
  }
  return false;
}
