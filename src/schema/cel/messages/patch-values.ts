/** Messages that expressions of mutating policies construct, as values. */
import { areEqual, Failure, typeName, type CallableValue, type Value } from '../values.ts';

/** A message of given fields: `Object.spec{replicas: 1}`, or an operation of a JSON patch. */
export class MessageValue implements CallableValue {
  readonly typeName: string;
  readonly fields: ReadonlyMap<string, Value>;

  constructor(type: string, fields: ReadonlyMap<string, Value>) {
    this.typeName = type;
    this.fields = fields;
  }

  equals(other: Value): boolean {
    if (!(other instanceof MessageValue) || other.typeName !== this.typeName) return false;
    if (other.fields.size !== this.fields.size) return false;
    for (const [name, value] of this.fields) {
      const its = other.fields.get(name);
      if (its === undefined || areEqual(value, its) !== true) return false;
    }
    return true;
  }

  /** Messages have no functions. */
  call(): undefined {
    return undefined;
  }
}

const GO_TYPES: Readonly<Record<string, string>> = {
  bool: 'bool',
  double: 'float64',
  int: 'int64',
  null_type: 'structpb.NullValue',
  uint: 'uint64',
};

/** Constructs a message; a failure where a field cannot have its value. */
export function messageValue(type: string, fields: ReadonlyMap<string, Value>): Value {
  if (type === 'JSONPatch') {
    for (const name of ['op', 'path', 'from']) {
      const value = fields.get(name);
      if (value === undefined || typeof value === 'string') continue;
      const named = typeName(value);
      const shown = GO_TYPES[named] ?? named;
      return new Failure(`unexpected type ${shown} for JSONPatchType '${name}' field`);
    }
  }
  return new MessageValue(type, fields);
}
