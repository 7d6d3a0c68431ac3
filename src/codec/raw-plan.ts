/** Where a message keeps JSON as text: compiled for `fillRawJson`. */
import type { RawPlan } from './raw-json.ts';
import type { FieldSchema, SchemaModel } from './schema-model.ts';
import { isMessageType, jsonFields, messageNamed, reachesField } from './schema-walk.ts';

/** Empty when the message keeps none. Recursive messages have plans that contain themselves. */
export function compileRawPlan(model: SchemaModel, rootMessageName: string): RawPlan {
  const plans = new Map<string, RawPlan>();
  const planOf = (messageName: string): RawPlan => {
    const known = plans.get(messageName);
    if (known !== undefined) return known;
    const plan: RawPlan = new Map();
    plans.set(messageName, plan);
    for (const field of jsonFields(model, messageNamed(model, messageName))) {
      const { name, container, type } = field;
      if (isKeptAsText(field)) plan.set(name, { container, plan: undefined });
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
