/** Schema defaults (../README.md#defaults): the values that a write without a field gets. */
import { resourceQuantity } from '../leaves/quantity.ts';
import type { FieldSchema, Members, SchemaModel } from './schema-model.ts';
import { isMessageType, jsonFields, messageNamed, reachesField } from './schema-walk.ts';

/** With `isUpdate` it also fills in messages that a client must send in a create. */
export type ApplyDefaults = (object: object, isUpdate?: boolean) => void;
type ApplyToField = (object: Members, isUpdate: boolean) => void;

/** Compiles one function per message that has defaults anywhere below; the others cost nothing. */
export class DefaultsCompiler {
  readonly #model: SchemaModel;
  readonly #compiled = new Map<string, ApplyDefaults>();

  constructor(model: SchemaModel) {
    this.#model = model;
  }

  message(name: string): ApplyDefaults {
    const known = this.#compiled.get(name);
    if (known !== undefined) return known;
    let steps: ApplyToField[] | undefined;
    const apply: ApplyDefaults = (object, isUpdate = false) => {
      steps ??= this.#steps(name);
      for (const step of steps) step(object as Members, isUpdate);
    };
    this.#compiled.set(name, apply);
    return apply;
  }

  #steps(messageName: string): ApplyToField[] {
    const fields = jsonFields(this.#model, messageNamed(this.#model, messageName));
    return fields.flatMap((field) => {
      const nested = isMessageType(field.type) && reachesField(this.#model, field.type, hasDefault);
      return [
        ...(hasDefault(field) ? [defaultOf(field)] : []),
        ...(nested ? [this.#applyBelow(field)] : []),
      ];
    });
  }

  #applyBelow(field: FieldSchema): ApplyToField {
    const { name } = field;
    const apply = this.message(field.type);
    if (field.container !== 'single') {
      return (object, isUpdate) => {
        const items = object[name];
        if (items === undefined) return;
        for (const item of Object.values(items as object)) apply(item, isUpdate);
      };
    }
    const isEmbedded = field.presence !== true;
    const mustBeSent = field.mustBeSent === true;
    return (object, isUpdate) => {
      if (object[name] === undefined && isEmbedded && (isUpdate || !mustBeSent)) object[name] = {};
      const nested = object[name];
      if (nested !== undefined) apply(nested as object, isUpdate);
    };
  }
}

function hasDefault(field: FieldSchema): boolean {
  return field.default !== undefined || isResourceList(field);
}

/** Nearly all maps of quantities are lists of resources. */
function isResourceList({ type, container, exactAmounts }: FieldSchema): boolean {
  return type === 'Quantity' && container === 'map' && exactAmounts !== true;
}

function defaultOf(field: FieldSchema): ApplyToField {
  return isResourceList(field) ? roundResources(field) : setDefault(field);
}

function roundResources({ name }: FieldSchema): ApplyToField {
  return (object) => {
    const list = object[name] as Record<string, string> | undefined;
    if (list === undefined) return;
    for (const resource of Object.keys(list)) {
      const kept = list[resource] as string;
      const rounded = resourceQuantity(kept);
      if (rounded !== kept) list[resource] = rounded;
    }
  };
}

function setDefault(field: FieldSchema): ApplyToField {
  const { name, default: value } = field;
  if (isMessageType(field.type)) {
    return (object) => {
      object[name] ??= {};
    };
  }
  if (field.presence === true) {
    return (object) => {
      object[name] ??= value;
    };
  }
  // Without tracked presence a zero value counts as absent.
  return (object) => {
    const current = object[name];
    if (current === undefined || current === '' || current === 0 || current === false) {
      object[name] = value;
    }
  };
}
