/**
 * The facts of a kind that a strategic merge patch needs: which lists merge, by which key, and
 * which maps are replaced (README.md#merge-keys). Compiled from the schema model, a message when a
 * patch first reaches into it.
 */
import type { FieldSchema, SchemaModel } from '../../codec/model/schema-model.ts';
import { isMessageType, jsonFields, messageNamed } from '../../codec/model/schema-walk.ts';
import { quoteText } from '../../codec/json/strict-quote.ts';
import { PatchError } from './patch-error.ts';

/** The plan of a message, or of a value without members of its own: a map, a scalar. */
export interface StrategicPlan {
  /** The kind of the type in errors: `struct`, `map`, `string`. */
  readonly kind: string;
  /** The name of the message in errors: `PodSpec`. */
  readonly name: string;
  readonly fields: ReadonlyMap<string, StrategicField>;
}

export interface StrategicField {
  readonly isList: boolean;
  readonly strategy: 'merge' | 'replace' | undefined;
  /** Empty for lists of scalars. */
  readonly mergeKey: string;
  /** The plan of the value, or of the items of a list. */
  readonly plan: StrategicPlan;
}

const NO_FIELDS: ReadonlyMap<string, StrategicField> = new Map();

const MAP_PLAN: StrategicPlan = { kind: 'map', name: '', fields: NO_FIELDS };

/** Leaf types that are no structs to the reference, with its names for their kinds. */
const SCALAR_KINDS: ReadonlyMap<string, string> = new Map([
  ['string', 'string'],
  ['bool', 'bool'],
  ['int32', 'int32'],
  ['int64', 'int64'],
  ['double', 'float64'],
  ['bytes', 'slice'],
]);

/** Cheap to call: a message is compiled only when a patch reaches it. */
export function compileStrategicPlan(model: SchemaModel, messageName: string): StrategicPlan {
  const plans = new Map<string, StrategicPlan>();
  const planOf = (type: string): StrategicPlan => {
    let plan = plans.get(type);
    if (plan === undefined) {
      plan = isMessageType(type) ? messagePlan(model, type, planOf) : leafPlan(type);
      plans.set(type, plan);
    }
    return plan;
  };
  return planOf(messageName);
}

function messagePlan(
  model: SchemaModel,
  type: string,
  planOf: (type: string) => StrategicPlan,
): StrategicPlan {
  let fields: Map<string, StrategicField> | undefined;
  return {
    kind: 'struct',
    name: type.slice(type.lastIndexOf('.') + 1),
    get fields() {
      fields ??= new Map(
        jsonFields(model, messageNamed(model, type)).map((field) => [
          field.name,
          fieldPlan(field, planOf),
        ]),
      );
      return fields;
    },
  };
}

function leafPlan(type: string): StrategicPlan {
  return { kind: SCALAR_KINDS.get(type) ?? 'struct', name: type, fields: NO_FIELDS };
}

function fieldPlan(field: FieldSchema, planOf: (type: string) => StrategicPlan): StrategicField {
  const isPointer = field.container === 'single' && field.presence === true;
  return {
    // A pointer may stand for a list as well: the reference looks through it, and so merges lists
    // that the decoder refuses afterwards.
    isList: field.container === 'list' || isPointer || field.type === 'bytes',
    strategy: field.patchStrategy?.find((strategy) => strategy !== 'retainKeys'),
    mergeKey: field.mergeKey ?? '',
    get plan() {
      return field.container === 'map' ? MAP_PLAN : planOf(field.type);
    },
  };
}

/**
 * The field of that name, where an object meets an object. Throws PatchError 500 when the type has
 * none.
 */
export function strategicField(plan: StrategicPlan, name: string): StrategicField {
  if (plan.kind !== 'struct') {
    const message = 'merging an object in json but data type is not struct, instead is: ';
    throw new PatchError(500, message + plan.kind);
  }
  const field = plan.fields.get(name) ?? foldedField(plan, name);
  if (field !== undefined) return field;
  const message = `unable to find api field in struct ${plan.name} for the json field `;
  throw new PatchError(500, message + quoteText(name));
}

/** The field where a list meets a list. Throws PatchError 500 also when the field is no list. */
export function strategicListField(plan: StrategicPlan, name: string): StrategicField {
  const field = strategicField(plan, name);
  if (field.isList) return field;
  throw new PatchError(500, `expected slice or array type, but got: ${plan.kind}`);
}

/** Finds a field whose name differs in case, as the reference does; only errors depend on it. */
function foldedField(plan: StrategicPlan, name: string): StrategicField | undefined {
  const folded = name.toLowerCase();
  for (const [known, field] of plan.fields) if (known.toLowerCase() === folded) return field;
  return undefined;
}
