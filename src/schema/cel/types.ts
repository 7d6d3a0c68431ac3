/** Types of expressions, and how they are told apart. */
import { ownRelease } from '../../release/release.ts';

export type SimpleKind =
  | 'bool'
  | 'bytes'
  | 'double'
  | 'duration'
  | 'dyn'
  | 'error'
  | 'int'
  | 'null'
  | 'string'
  | 'timestamp'
  | 'uint';

export interface SimpleType {
  readonly kind: SimpleKind;
}

export interface ListType {
  readonly kind: 'list';
  readonly item: Type;
}

export interface MapType {
  readonly kind: 'map';
  readonly key: Type;
  readonly value: Type;
}

/** A struct of the schema; its name is where it stands. */
export interface ObjectType {
  readonly kind: 'object';
  readonly name: string;
  /** The type of a field by its escaped name. */
  field(name: string): Type | undefined;
}

/** The type of types; `of` is absent for any. */
export interface TypeType {
  readonly kind: 'type';
  readonly of?: Type;
}

/** The type of values that may be absent. */
export interface OptionalType {
  readonly kind: 'optional';
  readonly of: Type;
}

/** A type that inference has still to find. */
export interface TypeParameter {
  readonly kind: 'parameter';
  readonly name: string;
}

export type Type =
  SimpleType | ListType | MapType | ObjectType | TypeType | OptionalType | TypeParameter;

const SIMPLE: Readonly<Record<SimpleKind, SimpleType>> = {
  bool: { kind: 'bool' },
  bytes: { kind: 'bytes' },
  double: { kind: 'double' },
  duration: { kind: 'duration' },
  dyn: { kind: 'dyn' },
  error: { kind: 'error' },
  int: { kind: 'int' },
  null: { kind: 'null' },
  string: { kind: 'string' },
  timestamp: { kind: 'timestamp' },
  uint: { kind: 'uint' },
};

export function simple(kind: SimpleKind): SimpleType {
  return SIMPLE[kind];
}

export function isSimple(kind: string): kind is SimpleKind {
  return Object.hasOwn(SIMPLE, kind);
}

/** The kinds of types whose values may be null. */
const NULLABLE: ReadonlySet<Type['kind']> = new Set([
  'object',
  'duration',
  'timestamp',
  'optional',
]);
const NULL_ON_EITHER_SIDE = ownRelease().has('nullOnEitherSide');

const ACCESS_TYPES = [
  'Authorizer',
  'PathCheck',
  'GroupCheck',
  'ResourceCheck',
  'Decision',
] as const;
type AccessType = (typeof ACCESS_TYPES)[number];

/** A type of values that have functions alone. */
export function accessType(name: AccessType): ObjectType {
  return {
    kind: 'object',
    name: `kubernetes.authorization.${name}`,
    field: () => undefined,
  };
}

export function isAccessType(name: string): name is AccessType {
  return ACCESS_TYPES.some((known) => known === name);
}

const LIBRARY_TYPES: Readonly<Record<string, string>> = {
  URL: 'kubernetes.URL',
  Quantity: 'kubernetes.Quantity',
  NamedFormat: 'kubernetes.NamedFormat',
  Semver: 'kubernetes.Semver',
  IP: 'net.IP',
  CIDR: 'net.CIDR',
};

/** The type that a library calls so; undefined for other names. */
export function libraryType(name: string): ObjectType | undefined {
  if (!Object.hasOwn(LIBRARY_TYPES, name)) return undefined;
  return { kind: 'object', name: LIBRARY_TYPES[name] as string, field: () => undefined };
}

/** A type as errors show it. */
export function printType(type: Type): string {
  switch (type.kind) {
    case 'list':
      return `list(${printType(type.item)})`;
    case 'map':
      return `map(${printType(type.key)}, ${printType(type.value)})`;
    case 'object':
      return type.name;
    case 'optional':
      return `optional_type(${printType(type.of)})`;
    case 'type':
      return type.of === undefined ? 'type' : `type(${printType(type.of)})`;
    case 'parameter':
      return `type_param:"${type.name}"`;
    case 'error':
      return '!error!';
    default:
      return type.kind;
  }
}

/** Types that refer to themselves in many ways take long to compare: they are refused. */
const STEPS_MAX = 200_000;

export class TypesTooComplex extends Error {
  override readonly name = 'TypesTooComplex';
}

/** The types that type parameters stand for, as far as they are known. */
export class Substitution {
  readonly #bound = new Map<string, Type>();
  readonly #undo: [name: string, before: Type | undefined][] = [];
  #made = 0;
  #stepsLeft = STEPS_MAX;

  fresh(): TypeParameter {
    return { kind: 'parameter', name: `_var${this.#made++}` };
  }

  /** Whether each type of one list can stand for the type beside it; binds parameters for that. */
  areAssignable(given: readonly Type[], wanted: readonly Type[]): boolean {
    const mark = this.#undo.length;
    const isSound =
      given.length === wanted.length &&
      given.every((type, at) => this.#isAssignable(type, wanted[at] as Type));
    if (isSound) return true;
    for (const [name, before] of this.#undo.splice(mark).reverse()) {
      if (before === undefined) this.#bound.delete(name);
      else this.#bound.set(name, before);
    }
    return false;
  }

  /** The type with all that is bound in the place of its parameters. */
  resolve(type: Type): Type {
    this.#step();
    switch (type.kind) {
      case 'parameter': {
        const bound = this.#bound.get(type.name);
        return bound === undefined ? type : this.resolve(bound);
      }
      case 'list':
        return { kind: 'list', item: this.resolve(type.item) };
      case 'map':
        return { kind: 'map', key: this.resolve(type.key), value: this.resolve(type.value) };
      case 'optional':
        return { kind: 'optional', of: this.resolve(type.of) };
      case 'type':
        return type.of === undefined ? type : { kind: 'type', of: this.resolve(type.of) };
      default:
        return type;
    }
  }

  /** The more general of two types that agree. */
  mostGeneral(one: Type, other: Type): Type {
    return this.#isAsGeneral(one, other) ? one : other;
  }

  areEqual(one: Type, other: Type): boolean {
    this.#step();
    if (one === other) return true;
    switch (one.kind) {
      case 'list':
        return other.kind === 'list' && this.areEqual(one.item, other.item);
      case 'map':
        return (
          other.kind === 'map' &&
          this.areEqual(one.key, other.key) &&
          this.areEqual(one.value, other.value)
        );
      case 'optional':
        return other.kind === 'optional' && this.areEqual(one.of, other.of);
      case 'object':
      case 'parameter':
        return other.kind === one.kind && other.name === one.name;
      case 'type':
        if (other.kind !== 'type') return false;
        if (one.of === undefined || other.of === undefined) return one.of === other.of;
        return this.areEqual(one.of, other.of);
      default:
        return one.kind === other.kind;
    }
  }

  #step(): void {
    this.#stepsLeft -= 1;
    if (this.#stepsLeft < 0)
      throw new TypesTooComplex('the types of the expression are too complex');
  }

  #bind(name: string, type: Type): void {
    this.#undo.push([name, this.#bound.get(name)]);
    this.#bound.set(name, type);
  }

  #isAssignable(given: Type, wanted: Type): boolean {
    if (this.areEqual(given, wanted)) return true;
    if (wanted.kind === 'parameter') {
      const bound = this.#bound.get(wanted.name);
      if (bound !== undefined) {
        if (!this.#isAssignable(given, bound)) return false;
        this.#bind(wanted.name, this.mostGeneral(given, bound));
        return true;
      }
      if (!this.#isIn(wanted.name, given)) {
        this.#bind(wanted.name, given);
        return true;
      }
    }
    if (given.kind === 'parameter') {
      const bound = this.#bound.get(given.name);
      if (bound !== undefined) {
        if (!this.#isAssignable(bound, wanted)) return false;
        this.#bind(given.name, this.mostGeneral(bound, wanted));
        return true;
      }
      if (!this.#isIn(given.name, wanted)) {
        this.#bind(given.name, wanted);
        return true;
      }
    }
    if (isDynOrError(given) || isDynOrError(wanted)) return true;
    return this.#areAlike(given, wanted);
  }

  #areAlike(given: Type, wanted: Type): boolean {
    if (wanted.kind === 'null' && NULL_ON_EITHER_SIDE) return NULLABLE.has(given.kind);
    switch (given.kind) {
      case 'null':
        return NULLABLE.has(wanted.kind);
      case 'list':
        return wanted.kind === 'list' && this.#isAssignable(given.item, wanted.item);
      case 'map':
        return (
          wanted.kind === 'map' &&
          this.#isAssignable(given.key, wanted.key) &&
          this.#isAssignable(given.value, wanted.value)
        );
      case 'optional':
        return wanted.kind === 'optional' && this.#isAssignable(given.of, wanted.of);
      case 'type':
        return wanted.kind === 'type';
      default:
        return false;
    }
  }

  #isAsGeneral(one: Type, other: Type): boolean {
    this.#step();
    if (one.kind === 'dyn' || one.kind === 'parameter') return true;
    if (other.kind === 'dyn' || other.kind === 'parameter') return false;
    if (one.kind === 'list')
      return other.kind === 'list' && this.#isAsGeneral(one.item, other.item);
    if (one.kind === 'map') {
      return (
        other.kind === 'map' &&
        this.#isAsGeneral(one.key, other.key) &&
        this.#isAsGeneral(one.value, other.value)
      );
    }
    if (one.kind === 'type') return other.kind === 'type';
    if (one.kind === 'optional') {
      return other.kind === 'optional' && this.#isAsGeneral(one.of, other.of);
    }
    return this.areEqual(one, other);
  }

  #isIn(name: string, type: Type): boolean {
    this.#step();
    switch (type.kind) {
      case 'parameter': {
        if (type.name === name) return true;
        const bound = this.#bound.get(type.name);
        return bound !== undefined && this.#isIn(name, bound);
      }
      case 'list':
        return this.#isIn(name, type.item);
      case 'map':
        return this.#isIn(name, type.key) || this.#isIn(name, type.value);
      case 'optional':
        return this.#isIn(name, type.of);
      default:
        return false;
    }
  }
}

/** A type with others in the place of its parameters. */
export function renamed(type: Type, names: ReadonlyMap<string, Type>): Type {
  switch (type.kind) {
    case 'parameter':
      return names.get(type.name) ?? type;
    case 'list':
      return { kind: 'list', item: renamed(type.item, names) };
    case 'map':
      return { kind: 'map', key: renamed(type.key, names), value: renamed(type.value, names) };
    case 'optional':
      return { kind: 'optional', of: renamed(type.of, names) };
    case 'type':
      return type.of === undefined ? type : { kind: 'type', of: renamed(type.of, names) };
    default:
      return type;
  }
}

/** A type of which nothing is left to be found: what stayed open may be anything. */
export function closed(type: Type): Type {
  switch (type.kind) {
    case 'parameter':
      return SIMPLE.dyn;
    case 'list':
      return { kind: 'list', item: closed(type.item) };
    case 'map':
      return { kind: 'map', key: closed(type.key), value: closed(type.value) };
    case 'optional':
      return { kind: 'optional', of: closed(type.of) };
    default:
      return type;
  }
}

export function isDynOrError(type: Type): boolean {
  return type.kind === 'dyn' || type.kind === 'error';
}
