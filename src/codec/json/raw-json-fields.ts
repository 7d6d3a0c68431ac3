/** Where a message keeps JSON as text: compiled for `fillRawJson`. */
import type { RawJsonFields } from './raw-json.ts';
import { SCHEMA_MESSAGE, SCHEMA_VARIANTS, STRING_LIST_MAPS } from '../model/schema-model.ts';
import type { FieldSchema, SchemaModel } from '../model/schema-model.ts';
import { isMessageType, jsonFields, messageNamed, reachesField } from '../model/schema-walk.ts';

/** Empty when the message keeps none. Recursive messages have plans that contain themselves. */
export function compileRawJsonFields(model: SchemaModel, rootMessageName: string): RawJsonFields {
  const plans = new Map<string, RawJsonFields>();
  const planOf = (messageName: string): RawJsonFields => {
    const known = plans.get(messageName);
    if (known !== undefined) return known;
    const plan: RawJsonFields = new Map();
    plans.set(messageName, plan);
    for (const field of jsonFields(model, messageNamed(model, messageName))) {
      const { name, container, type } = field;
      // These are written anew from their strings, so their text is not kept.
      if (STRING_LIST_MAPS.has(`${messageName}.${name}`)) continue;
      if (SCHEMA_VARIANTS.has(`${messageName}.${name}`)) {
        plan.set(name, { container, plan: planOf(SCHEMA_MESSAGE) });
      } else if (isKeptAsText(field)) plan.set(name, { container, plan: undefined });
      else if (isMessageType(type) && reachesField(model, type, isKeptAsText)) {
        plan.set(name, { container, plan: planOf(type) });
      }
    }
    return plan;
  };
  return planOf(rootMessageName);
}

function isKeptAsText(field: FieldSchema): boolean {
  return field.type === 'RawExtension' || field.type === 'FieldsV1';
}
