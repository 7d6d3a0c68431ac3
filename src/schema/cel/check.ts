/** The types of expressions (README.md#types). */
import { qualifiedName } from './parse.ts';
import type { Expression, Loop, Problem } from './expression.ts';
import { overloadsOf, type Overload } from './signatures.ts';
import {
  isDynOrError,
  printType,
  simple,
  Substitution,
  TypesTooComplex,
  type Type,
} from './types.ts';
import type { Literal } from './values.ts';
import { Bytes, Uint } from './values.ts';

const DYN = simple('dyn');
const ERROR = simple('error');
const BOOL = simple('bool');
const ANY: Type = { kind: 'parameter', name: 'A' };

/** Names that types have as values. */
const TYPE_NAMES: ReadonlyMap<string, Type> = new Map<string, Type>([
  ...(['int', 'uint', 'bool', 'double', 'bytes', 'string'] as const).map((kind): [string, Type] => [
    kind,
    simple(kind),
  ]),
  ['list', { kind: 'list', item: ANY }],
  ['map', { kind: 'map', key: ANY, value: { kind: 'parameter', name: 'B' } }],
  ['null_type', simple('null')],
  ['type', { kind: 'type' }],
  ['google.protobuf.Duration', simple('duration')],
  ['google.protobuf.Timestamp', simple('timestamp')],
]);

/** Whether a name without a variable is that of a type. */
export function isTypeName(name: string): boolean {
  return TYPE_NAMES.has(name);
}

export type Variables = ReadonlyMap<string, Type>;

/**
 * Finds the type of an expression over variables of given types, and its problems; the type counts
 * only when there are none.
 */
export function checkTypes(
  expression: Expression,
  variables: Variables,
): { readonly type: Type; readonly problems: readonly Problem[] } {
  const checker = new Checker();
  try {
    const type = checker.typeOf(expression, variables);
    return { type: checker.substitution.resolve(type), problems: checker.problems };
  } catch (error) {
    if (!(error instanceof TypesTooComplex)) throw error;
    return { type: ERROR, problems: [{ at: expression.at, message: error.message }] };
  }
}

class Checker {
  readonly problems: Problem[] = [];
  readonly substitution = new Substitution();

  typeOf(expression: Expression, variables: Variables): Type {
    switch (expression.op) {
      case 'literal':
        return typeOfLiteral(expression.value);
      case 'name':
        return (
          lookUp(expression.name, variables) ?? this.#undeclared(expression.at, expression.name)
        );
      case 'select':
        return this.#selected(expression, variables);
      case 'call':
        return this.#called(expression, variables);
      case 'list':
        return { kind: 'list', item: this.#joined(expression.items, variables) };
      case 'map': {
        const types = expression.entries.map(({ key, value }) => {
          return [this.typeOf(key, variables), this.typeOf(value, variables)] as const;
        });
        const key = this.#join(types.map(([one]) => one));
        return { kind: 'map', key, value: this.#join(types.map(([, one]) => one)) };
      }
      case 'message':
        return this.#undeclared(expression.at, expression.type);
      case 'loop':
        return this.#looped(expression, variables);
    }
  }

  #report(at: number, message: string): Type {
    this.problems.push({ at, message });
    return ERROR;
  }

  #undeclared(at: number, name: string): Type {
    return this.#report(at, `undeclared reference to '${name}' (in container '')`);
  }

  #selected(expression: Expression & { op: 'select' }, variables: Variables): Type {
    const { at, of, field, tests } = expression;
    const name = qualifiedName({ ...expression, tests: false });
    const declared = name === undefined ? undefined : lookUp(name, variables);
    if (declared !== undefined) {
      if (!tests) return declared;
      this.#report(at, 'expression does not select a field');
      return BOOL;
    }
    const type = this.#fieldType(this.typeOf(of, variables), field, at);
    return tests ? BOOL : type;
  }

  #fieldType(of: Type, field: string, at: number): Type {
    switch (of.kind) {
      case 'map':
        return of.value;
      case 'object':
        return of.field(field) ?? this.#report(at, `undefined field '${field}'`);
      case 'parameter':
        this.substitution.areAssignable([DYN], [of]);
        return DYN;
      default:
        if (isDynOrError(of)) return DYN;
        return this.#report(at, `type '${wireText(of)}' does not support field selection`);
    }
  }

  #called(expression: Expression & { op: 'call' }, variables: Variables): Type {
    const { at, name, target, args } = expression;
    const types = args.map((arg) => this.typeOf(arg, variables));
    if (target !== undefined) types.unshift(this.typeOf(target, variables));
    const plainName = name.startsWith('.') ? name.slice(1) : name;
    const overloads = overloadsOf(plainName);
    if (overloads === undefined) return this.#undeclared(at, name);
    return this.#resolved(at, plainName, overloads, types, target !== undefined);
  }

  /** The result of the overloads that take the types; dyn where several differ in it. */
  #resolved(
    at: number,
    name: string,
    overloads: readonly Overload[],
    types: readonly Type[],
    onTarget: boolean,
  ): Type {
    let result: Type | undefined;
    for (const overload of overloads) {
      if (overload.onTarget !== onTarget) continue;
      const fresh = new Map(
        overload.variables.map((variable) => [variable, this.substitution.fresh()]),
      );
      const wanted = overload.parameters.map((type) => renamed(type, fresh));
      if (!this.substitution.areAssignable(types, wanted)) continue;
      const found = this.substitution.resolve(renamed(overload.result, fresh));
      if (result === undefined) result = found;
      else if (result.kind !== 'dyn' && !this.substitution.areEqual(found, result)) result = DYN;
    }
    return result ?? this.#noOverload(at, name, types, onTarget);
  }

  #noOverload(at: number, name: string, types: readonly Type[], onTarget: boolean): Type {
    const shown = types.map(printType);
    const target = onTarget ? `${shown.shift()}.` : '';
    const applied = `${target}(${shown.join(', ')})`;
    return this.#report(at, `found no matching overload for '${name}' applied to '${applied}'`);
  }

  #joined(items: readonly Expression[], variables: Variables): Type {
    return this.#join(items.map((item) => this.typeOf(item, variables)));
  }

  /** The most general of the types; a type of its own when there are none. */
  #join(types: readonly Type[]): Type {
    const [first, ...others] = types;
    if (first === undefined) return this.substitution.fresh();
    return others.reduce((joined, type) => {
      if (!this.substitution.areAssignable([joined], [type])) return DYN;
      return this.substitution.mostGeneral(joined, type);
    }, first);
  }

  #looped(loop: Loop, variables: Variables): Type {
    const { at, kind, range, variable, filter, body } = loop;
    const itemType = this.#itemType(range, this.typeOf(range, variables));
    const inside = new Map([...variables, [variable, itemType]]);
    const list: Type = { kind: 'list', item: this.substitution.fresh() };
    const filterType = filter && this.typeOf(filter, inside);
    const type = this.typeOf(body, inside);
    const call = (name: string, types: readonly Type[]): Type =>
      this.#resolved(at, name, overloadsOf(name) ?? [], types, false);
    switch (kind) {
      case 'all':
        call('_&&_', [BOOL, type]);
        return BOOL;
      case 'exists':
        call('_||_', [BOOL, type]);
        return BOOL;
      case 'exists_one':
        call('_?_:_', [type, simple('int'), simple('int')]);
        return BOOL;
      default: {
        const step = call('_+_', [list, { kind: 'list', item: type }]);
        if (filterType !== undefined) call('_?_:_', [filterType, step, list]);
        this.substitution.areAssignable([list], [step]);
        return list;
      }
    }
  }

  #itemType(range: Expression, type: Type): Type {
    if (type.kind === 'list') return type.item;
    if (type.kind === 'map') return type.key;
    if (isDynOrError(type) || type.kind === 'parameter') {
      this.substitution.areAssignable([DYN], [type]);
      return DYN;
    }
    const must = '(must be list, map, or dynamic)';
    const shown = printType(type);
    return this.#report(
      range.at,
      `expression of type '${shown}' cannot be range of a comprehension ${must}`,
    );
  }
}

function lookUp(name: string, variables: Variables): Type | undefined {
  const plain = name.startsWith('.') ? name.slice(1) : name;
  const variable = variables.get(plain);
  if (variable !== undefined) return variable;
  const of = TYPE_NAMES.get(plain);
  return of && (of.kind === 'type' ? { kind: 'type', of } : { kind: 'type', of });
}

function renamed(type: Type, names: ReadonlyMap<string, Type>): Type {
  switch (type.kind) {
    case 'parameter':
      return names.get(type.name) ?? type;
    case 'list':
      return { kind: 'list', item: renamed(type.item, names) };
    case 'map':
      return { kind: 'map', key: renamed(type.key, names), value: renamed(type.value, names) };
    case 'type':
      return type.of === undefined ? type : { kind: 'type', of: renamed(type.of, names) };
    default:
      return type;
  }
}

function typeOfLiteral(value: Literal): Type {
  switch (typeof value) {
    case 'boolean':
      return BOOL;
    case 'bigint':
      return simple('int');
    case 'number':
      return simple('double');
    case 'string':
      return simple('string');
    default:
      if (value instanceof Uint) return simple('uint');
      return value instanceof Bytes ? simple('bytes') : simple('null');
  }
}

const WIRE_NAMES: Readonly<Record<string, string>> = {
  int: 'primitive:INT64',
  uint: 'primitive:UINT64',
  bool: 'primitive:BOOL',
  double: 'primitive:DOUBLE',
  string: 'primitive:STRING',
  bytes: 'primitive:BYTES',
  null: 'null:NULL_VALUE',
  timestamp: 'well_known:TIMESTAMP',
  duration: 'well_known:DURATION',
};

/** A type as the reference prints its message, in one place only. */
function wireText(type: Type): string {
  switch (type.kind) {
    case 'list':
      return `list_type:{elem_type:{${wireText(type.item)}}}`;
    case 'map': {
      const value = wireText(type.value);
      return `map_type:{key_type:{${wireText(type.key)}} value_type:{${value}}}`;
    }
    case 'type':
      return type.of === undefined ? 'type:{}' : `type:{${wireText(type.of)}}`;
    case 'object':
      return `message_type:"${type.name}"`;
    case 'parameter':
      return `type_param:"${type.name}"`;
    case 'dyn':
      return 'dyn:{}';
    default:
      return WIRE_NAMES[type.kind] ?? type.kind;
  }
}
