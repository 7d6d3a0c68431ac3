/** The types of expressions (README.md#types). */
import { ownRelease } from '../../release/release.ts';
import type { CheckedParts } from './cost/estimate.ts';
import { qualifiedName } from './expression.ts';
import type { Expression, Loop, MessageExpression, Problem } from './expression.ts';
import { LiteralChecks, typeOfLiteral } from './library/check-literals.ts';
import { NEW_EXPRESSIONS, type Library } from './library/library.ts';
import { wireText } from './messages/wire-text.ts';
import { typeOfName, type Overload } from './signatures.ts';
import {
  closed,
  isDynOrError,
  printType,
  renamed,
  simple,
  Substitution,
  TypesTooComplex,
  type Type,
} from './types.ts';

const DYN = simple('dyn');
const ERROR = simple('error');
const BOOL = simple('bool');

export type Variables = ReadonlyMap<string, Type>;

/**
 * Finds the type of an expression over variables of given types, and its problems; the type counts
 * only when there are none.
 */
export function checkTypes(
  expression: Expression,
  variables: Variables,
  library: Library = NEW_EXPRESSIONS,
): CheckedTypes {
  const checker = new Checker(library);
  try {
    const type = checker.typeOf(expression, variables);
    const { problems, substitution, literals } = checker;
    const typeOf = (part: Expression): Type => checker.partType(part);
    return {
      type: closed(substitution.resolve(type)),
      problems: problems.length > 0 ? problems : literals.problems(substitution, typeOf),
      parts: checker,
    };
  } catch (error) {
    if (!(error instanceof TypesTooComplex)) throw error;
    const problems = [{ at: expression.at, message: error.message }];
    return { type: ERROR, problems, parts: checker };
  }
}

export interface CheckedTypes {
  readonly type: Type;
  readonly problems: readonly Problem[];
  /** Counts only when there are no problems. */
  readonly parts: CheckedParts;
}

class Checker implements CheckedParts {
  readonly problems: Problem[] = [];
  /** Their problems count where all types are right. */
  readonly literals = new LiteralChecks();
  readonly substitution = new Substitution();
  readonly #library: Library;
  readonly #types = new Map<Expression, Type>();
  readonly #overloads = new Map<Expression, readonly Overload[]>();
  /** How many calls around it take literals of several types. */
  #mixing = 0;

  constructor(library: Library) {
    this.#library = library;
  }

  /** The type of a part of the expression, as far as it is known. */
  partType(part: Expression): Type {
    const type = this.#types.get(part);
    return type === undefined ? DYN : this.substitution.resolve(type);
  }

  overloadsOf(call: Expression): readonly Overload[] {
    return this.#overloads.get(call) ?? [];
  }

  typeOf(expression: Expression, variables: Variables): Type {
    const type = this.#findType(expression, variables);
    this.#types.set(expression, type);
    return type;
  }

  #findType(expression: Expression, variables: Variables): Type {
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
        return { kind: 'list', item: this.#itemsJoined(expression, variables) };
      case 'map': {
        const types = expression.entries.map(({ key, value, isOptional }) => {
          const type = this.typeOf(value, variables);
          const its = isOptional ? this.#unwrapped(type, value.at) : type;
          return [this.typeOf(key, variables), its] as const;
        });
        const { entries } = expression;
        const alike = (part: 'key' | 'value', of: 0 | 1) =>
          entries.map((entry, at) => [entry[part], types[at]?.[of] ?? DYN] as const);
        this.#noteAlike(alike('key', 0));
        this.#noteAlike(alike('value', 1));
        const key = this.#join(types.map(([one]) => one));
        return { kind: 'map', key, value: this.#join(types.map(([, one]) => one)) };
      }
      case 'message':
        return this.#message(expression, variables);
      case 'loop':
        return this.#looped(expression, variables);
      case 'let': {
        const { variable, value, body } = expression;
        const type = this.typeOf(value, variables);
        return this.typeOf(body, new Map([...variables, [variable, type]]));
      }
    }
  }

  /** The type of what an item or entry adds where it is there. */
  #unwrapped(type: Type, at: number): Type {
    const resolved = this.substitution.resolve(type);
    if (resolved.kind === 'optional') return resolved.of;
    if (isDynOrError(resolved)) return DYN;
    const wanted = printType({ kind: 'optional', of: resolved });
    return this.#report(at, `expected type '${wanted}' but found '${printType(resolved)}'`);
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
    const whole = this.substitution.resolve(this.typeOf(of, variables));
    const type = this.#fieldType(whole, field, at);
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
      case 'optional': {
        const type = this.#fieldType(this.substitution.resolve(of.of), field, at);
        return { kind: 'optional', of: type };
      }
      default:
        if (isDynOrError(of)) return DYN;
        return this.#report(at, `type '${shownWhole(of)}' does not support field selection`);
    }
  }

  #message({ at, type: name, fields }: MessageExpression, variables: Variables): Type {
    const message = this.#library.messageType(name);
    if (message === undefined) return this.#undeclared(at, name);
    for (const { at: colon, name: field, value, isOptional } of fields) {
      const its = this.typeOf(value, variables);
      const given = isOptional ? this.#unwrapped(its, value.at) : its;
      const wanted = this.#fieldType(message, field, colon);
      if (this.substitution.areAssignable([given], [wanted])) continue;
      const [should, is] = [wanted, this.substitution.resolve(given)].map(printType);
      const problem = `expected type of field '${field}' is '${should}'`;
      this.#report(colon, `${problem} but provided type is '${is}'`);
    }
    return message;
  }

  #called(expression: Expression & { op: 'call' }, variables: Variables): Type {
    const { at, name, target, args } = expression;
    if (name === '_?._') return this.#optionalField(expression, variables);
    const isMixing = name === 'format' && target !== undefined;
    if (isMixing) this.#mixing += 1;
    const types = args.map((arg) => this.typeOf(arg, variables));
    if (isMixing) this.#mixing -= 1;
    if (this.#library.has('checkedLiterals')) this.literals.noteCall(expression);
    if (target !== undefined) types.unshift(this.typeOf(target, variables));
    const plainName = name.startsWith('.') ? name.slice(1) : name;
    if (TELLS_OPERANDS && (plainName === '_&&_' || plainName === '_||_')) {
      return this.#checkBools(args, types);
    }
    const overloads = this.#library.overloadsOf(plainName);
    if (overloads === undefined) return this.#undeclared(at, name);
    const fitting: Overload[] = [];
    this.#overloads.set(expression, fitting);
    return this.#resolved(at, plainName, overloads, types, target !== undefined, fitting);
  }

  #checkBools(operands: readonly Expression[], types: readonly Type[]): Type {
    let result: Type = BOOL;
    for (const [index, type] of types.entries()) {
      if (this.substitution.areAssignable([type], [BOOL])) continue;
      const shown = printType(this.substitution.resolve(type));
      const at = operands[index]?.at ?? 0;
      result = this.#report(at, `expected type 'bool' but found '${shown}'`);
    }
    return result;
  }

  #optionalField({ at, args }: Expression & { op: 'call' }, variables: Variables): Type {
    const [of, field] = args as [Expression, Expression & { op: 'literal' }];
    const type = this.substitution.resolve(this.typeOf(of, variables));
    const whole = type.kind === 'optional' ? this.substitution.resolve(type.of) : type;
    return { kind: 'optional', of: this.#fieldType(whole, field.value as string, at) };
  }

  /**
   * The result of the overloads that take the types, which are put into `fitting`; dyn where
   * several differ in it.
   */
  #resolved(
    at: number,
    name: string,
    overloads: readonly Overload[],
    types: readonly Type[],
    onTarget: boolean,
    fitting: Overload[] = [],
  ): Type {
    let result: Type | undefined;
    for (const overload of overloads) {
      if (overload.onTarget !== onTarget) continue;
      const fresh = new Map(
        overload.variables.map((variable) => [variable, this.substitution.fresh()]),
      );
      const wanted = overload.parameters.map((type) => renamed(type, fresh));
      if (!this.substitution.areAssignable(types, wanted)) continue;
      fitting.push(overload);
      const found = this.substitution.resolve(renamed(overload.result, fresh));
      if (result === undefined) result = found;
      else if (result.kind !== 'dyn' && !this.substitution.areEqual(found, result)) result = DYN;
    }
    return result ?? this.#noOverload(at, name, types, onTarget);
  }

  #noOverload(at: number, name: string, types: readonly Type[], onTarget: boolean): Type {
    const shown = types.map((type) =>
      printType(TELLS_OPERANDS ? closed(this.substitution.resolve(type)) : type),
    );
    const target = onTarget ? `${shown.shift()}.` : '';
    const applied = `${target}(${shown.join(', ')})`;
    return this.#report(at, `found no matching overload for '${name}' applied to '${applied}'`);
  }

  #itemsJoined({ items, optionals }: Expression & { op: 'list' }, variables: Variables): Type {
    const types = items.map((item, at) => {
      const type = this.typeOf(item, variables);
      return optionals.has(at) ? this.#unwrapped(type, item.at) : type;
    });
    // Only the first other one of a list is told.
    this.#noteAlike(
      items.map((item, at) => [item, types[at] ?? DYN] as const),
      1,
    );
    return this.#join(types);
  }

  #noteAlike(parts: readonly (readonly [Expression, Type])[], mostProblems = Infinity): void {
    if (EQUAL_TYPES && this.#mixing === 0) this.literals.noteAlike(parts, mostProblems);
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
    const { at, kind, filter, body } = loop;
    const inside = new Map([...variables, ...this.#loopVariables(loop, variables)]);
    const list: Type = { kind: 'list', item: this.substitution.fresh() };
    const filterType = filter && this.typeOf(filter, inside);
    const type = this.typeOf(body, inside);
    const call = (name: string, types: readonly Type[]): Type =>
      this.#resolved(at, name, this.#library.overloadsOf(name) ?? [], types, false);
    switch (kind) {
      case 'all':
      case 'exists':
        if (TELLS_OPERANDS) this.#checkBools([body], [type]);
        else call(kind === 'all' ? '_&&_' : '_||_', [BOOL, type]);
        return BOOL;
      case 'exists_one':
        call('_?_:_', [type, simple('int'), simple('int')]);
        return BOOL;
      case 'transformMap':
      case 'transformMapEntry': {
        const key = inside.get(loop.variable) ?? DYN;
        const map =
          kind === 'transformMapEntry'
            ? this.#mapOf(type, at)
            : ({ kind: 'map', key, value: type } as const);
        if (filterType !== undefined) call('_?_:_', [filterType, map, map]);
        return map;
      }
      default: {
        const step = call('_+_', [list, { kind: 'list', item: type }]);
        if (filterType !== undefined) call('_?_:_', [filterType, step, list]);
        this.substitution.areAssignable([list], [step]);
        return list;
      }
    }
  }

  #mapOf(type: Type, at: number): Type {
    const map: Type = {
      kind: 'map',
      key: this.substitution.fresh(),
      value: this.substitution.fresh(),
    };
    if (this.substitution.areAssignable([type], [map])) return this.substitution.resolve(map);
    const shown = `(map(dyn, dyn), ${printType(this.substitution.resolve(type))})`;
    return this.#report(
      at,
      `found no matching overload for 'cel.@mapInsert' applied to '${shown}'`,
    );
  }

  /** The first of two variables is that of places or keys. */
  #loopVariables({ range, variable, second }: Loop, variables: Variables): [string, Type][] {
    const type = this.substitution.resolve(this.typeOf(range, variables));
    const itemType = this.#itemType(range, type);
    if (second === undefined) return [[variable, itemType]];
    if (type.kind === 'list')
      return [
        [variable, simple('int')],
        [second, itemType],
      ];
    return [
      [variable, itemType],
      [second, type.kind === 'map' ? type.value : DYN],
    ];
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

/** Whether problems are told of the operands that have them. */
const TELLS_OPERANDS = ownRelease().has('problemsAtOperands');
const EQUAL_TYPES = ownRelease().has('equalTypesInLiterals');

const shownWhole = TELLS_OPERANDS ? printType : wireText;

function lookUp(name: string, variables: Variables): Type | undefined {
  const plain = name.startsWith('.') ? name.slice(1) : name;
  const variable = variables.get(plain);
  if (variable !== undefined) return variable;
  const of = typeOfName(plain);
  return of && { kind: 'type', of };
}
