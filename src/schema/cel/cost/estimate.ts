/** Estimates what an expression costs at most, before any value is there (README.md#estimates). */
import { ownRelease } from '../../../release/release.ts';
import type { Expression, Loop } from '../expression.ts';
import type { Overload } from '../signatures.ts';
import type { Type } from '../types.ts';
import { Bytes, type Literal } from '../values.ts';
import { estimateCall, type CallEstimate, type Part } from './call-estimates.ts';
import { exactly, MOST, plus, times, union, UNKNOWN, type Range } from './ranges.ts';
import type { Sizes, ValuePath } from './schema-sizes.ts';
import { LIST_COST, MAP_COST, MESSAGE_COST, SELECT_COST } from './unit-costs.ts';

const KNOWS_ENTRIES = ownRelease().has('estimatedEntries');
const SIZES_LOOPS = ownRelease().has('sizesOfLoops');
const SIZES_SCALARS = ownRelease().has('sizesOfScalars');

/** The findings of the check of types about an expression. */
export interface CheckedParts {
  partType(part: Expression): Type;
  /** Gives all overloads that fit the arguments of a call. */
  overloadsOf(call: Expression): readonly Overload[];
}

/** The most that an expression can cost on values of such sizes. */
export function estimatedCost(expression: Expression, parts: CheckedParts, sizes: Sizes): number {
  return new Estimator(parts, sizes).cost(expression);
}

/** The sizes of the keys and values of a map, or of places and items of a list. */
interface EntrySizes {
  readonly of: 'list' | 'map';
  readonly key: Range;
  readonly value: Range;
}

/** A variable that the expression itself makes. */
interface Local {
  readonly path: ValuePath | undefined;
  readonly size: Range | undefined;
  readonly entries: EntrySizes | undefined;
}

class Estimator {
  readonly #parts: CheckedParts;
  readonly #sizes: Sizes;
  readonly #paths = new Map<Expression, ValuePath>();
  readonly #found = new Map<Expression, Range>();
  readonly #entries = new Map<Expression, EntrySizes>();
  readonly #locals = new Map<string, Local[]>();

  constructor(parts: CheckedParts, sizes: Sizes) {
    this.#parts = parts;
    this.#sizes = sizes;
  }

  cost(expression: Expression): number {
    switch (expression.op) {
      case 'literal':
        return 0;
      case 'name':
        this.#paths.set(
          expression,
          this.#local(expression.name)?.path ?? [plainName(expression.name)],
        );
        return SELECT_COST;
      case 'select':
        return this.#selected(expression);
      case 'call':
        return this.#called(expression);
      case 'list':
        return this.#listed(expression);
      case 'map':
        return this.#mapped(expression);
      case 'message':
        return expression.fields.reduce(
          (sum, { value }) => plus(sum, this.cost(value)),
          MESSAGE_COST,
        );
      case 'let':
        return this.#bound(expression);
      case 'loop':
        return this.#looped(expression);
    }
  }

  #selected(expression: Expression & { op: 'select' }): number {
    const { of, field, tests } = expression;
    const whole = this.cost(of);
    if (tests) return whole;
    this.#paths.set(expression, [...(this.#pathOf(of) ?? []), field]);
    const { kind } = this.#parts.partType(of);
    return kind === 'map' || kind === 'object' ? plus(whole, SELECT_COST) : whole;
  }

  #listed(expression: Expression & { op: 'list' }): number {
    let cost = LIST_COST;
    let size: Range = { min: expression.items.length === 0 ? 0 : MOST, max: 0 };
    for (const item of expression.items) {
      cost = plus(cost, this.cost(item));
      size = union(size, this.#sizeOf(item) ?? UNKNOWN);
    }
    this.#entries.set(expression, { of: 'list', key: exactly(1), value: size });
    return cost;
  }

  #mapped(expression: Expression & { op: 'map' }): number {
    const none: Range = { min: expression.entries.length === 0 ? 0 : MOST, max: 0 };
    let [cost, keys, values] = [MAP_COST, none, none];
    for (const { key, value } of expression.entries) {
      cost = plus(cost, plus(this.cost(key), this.cost(value)));
      keys = union(keys, this.#sizeOf(key) ?? UNKNOWN);
      values = union(values, this.#sizeOf(value) ?? UNKNOWN);
    }
    this.#entries.set(expression, { of: 'map', key: keys, value: values });
    return cost;
  }

  /** As if a list without items were made for the variable. */
  #bound(expression: Expression & { op: 'let' }): number {
    const { variable, value, body } = expression;
    const its = plus(LIST_COST, this.cost(value));
    if (!KNOWS_ENTRIES) {
      if (SIZES_LOOPS) this.#found.set(expression, exactly(0));
      return plus(its, this.cost(body));
    }
    const local = {
      path: this.#pathOf(value),
      size: this.#sizeOf(value),
      entries: this.#entriesOf(value),
    };
    const cost = this.#with([[variable, local]], () => plus(its, this.cost(body)));
    this.#copySizes(expression, body);
    return cost;
  }

  #copySizes(to: Expression, from: Expression): void {
    const size = this.#sizeOf(from);
    if (size !== undefined) this.#found.set(to, size);
    const entries = this.#entriesOf(from);
    if (entries !== undefined) this.#entries.set(to, entries);
  }

  #with<T>(locals: readonly (readonly [string, Local])[], run: () => T): T {
    for (const [name, local] of locals) {
      const known = this.#locals.get(name);
      if (known === undefined) this.#locals.set(name, [local]);
      else known.push(local);
    }
    const result = run();
    for (const [name] of locals) this.#locals.get(name)?.pop();
    return result;
  }

  #local(name: string): Local | undefined {
    return this.#locals.get(plainName(name))?.at(-1);
  }

  #pathOf(expression: Expression): ValuePath | undefined {
    const local = expression.op === 'name' ? this.#local(expression.name) : undefined;
    return local === undefined ? this.#paths.get(expression) : local.path;
  }

  #entriesOf(expression: Expression): EntrySizes | undefined {
    if (!KNOWS_ENTRIES) return undefined;
    const known = this.#entries.get(expression);
    if (known !== undefined || expression.op !== 'name') return known;
    return this.#local(expression.name)?.entries;
  }

  #sizeOf(expression: Expression): Range | undefined {
    const known = this.#found.get(expression) ?? sizeOfText(expression);
    if (known !== undefined) return known;
    const path = this.#pathOf(expression);
    const most = path === undefined ? undefined : this.#sizes.mostAt(path);
    if (most !== undefined) {
      const size = { min: 0, max: most };
      this.#found.set(expression, size);
      return size;
    }
    if (SIZES_SCALARS && isScalar(this.#parts.partType(expression))) return exactly(1);
    return expression.op === 'name' ? this.#local(expression.name)?.size : undefined;
  }

  #part(expression: Expression): Part {
    const path = this.#pathOf(expression);
    const type = this.#parts.partType(expression);
    const items = type.kind === 'list' ? this.#sizeOfItems(path) : undefined;
    const literal = expression.op === 'literal' ? expression.value : undefined;
    const size = this.#sizeOf(expression);
    return { type, literal, isSized: size !== undefined, size: size ?? UNKNOWN, items };
  }

  #sizeOfItems(path: ValuePath | undefined): Range {
    const most = path === undefined ? undefined : this.#sizes.mostAt([...path, '@items']);
    return most === undefined ? UNKNOWN : { min: 0, max: most };
  }

  #called(expression: Expression & { op: 'call' }): number {
    const { target, args } = expression;
    const name = plainName(expression.name);
    const [first, second, third] = args as [Expression, Expression, Expression];
    if (name === 'dyn' && KNOWS_ENTRIES) {
      const cost = plus(1, this.cost(first));
      this.#copySizes(expression, first);
      return cost;
    }
    const costs: number[] = [];
    const parts = args.map((arg) => {
      costs.push(this.cost(arg));
      return this.#part(arg);
    });
    const whole = target === undefined ? 0 : this.cost(target);
    const on = target && this.#part(target);
    if (name === '_?_:_') {
      const entries = unionOfEntries(this.#entriesOf(second), this.#entriesOf(third));
      if (entries !== undefined) this.#entries.set(expression, entries);
      this.#found.set(expression, union((parts[1] as Part).size, (parts[2] as Part).size));
      const [condition = 0, yes = 0, no = 0] = costs;
      return plus(condition, Math.max(yes, no));
    }
    const all = plus(costs.reduce(plus, 0), whole);
    if (name === '_&&_' || name === '_||_') return all;
    // An optional member is asked for by no function.
    if (name === '_?._') return plus(all, 1);
    const overloads = this.#parts.overloadsOf(expression);
    let most: CallEstimate = { cost: 0, size: undefined };
    for (const overload of overloads) {
      const estimate = this.#estimated(expression, name, overload, on, parts);
      const size =
        most.size && estimate.size ? union(most.size, estimate.size) : (most.size ?? estimate.size);
      most = { cost: Math.max(most.cost, estimate.cost), size };
    }
    const size = most.size ?? (KNOWS_ENTRIES ? this.#sizeOf(expression) : undefined);
    if (size !== undefined) this.#found.set(expression, size);
    return plus(all, most.cost);
  }

  #estimated(
    expression: Expression & { op: 'call' },
    name: string,
    overload: Overload,
    on: Part | undefined,
    parts: readonly Part[],
  ): CallEstimate {
    const of = overload.parameters[0]?.kind;
    const [first, second] = expression.args as [Expression, Expression];
    if (name === '_+_' && (of === 'list' || of === 'string' || of === 'bytes')) {
      const entries = unionOfEntries(this.#entriesOf(first), this.#entriesOf(second));
      if (entries !== undefined) this.#entries.set(expression, entries);
    }
    const estimate = estimateCall(name, overload, on, parts);
    if (name !== '_[_]' || (of !== 'list' && of !== 'map')) return estimate;
    const path = [...(this.#pathOf(first) ?? []), of === 'list' ? '@items' : '@values'];
    this.#paths.set(expression, path);
    return { ...estimate, size: this.#entriesOf(first)?.value };
  }

  #looped(loop: Loop): number {
    const { kind, range, variable, second, filter, body } = loop;
    const before = this.cost(range);
    const entries = this.#entriesOf(range);
    const path = this.#pathOf(range) ?? [];
    const type = this.#parts.partType(range);
    const isList = entries === undefined ? type.kind === 'list' : entries.of === 'list';
    const key = (name: string): Local => ({
      path: [...path, name],
      size: entries?.key,
      entries: undefined,
    });
    const value = (name: string): Local => ({ ...key(name), size: entries?.value });
    const single = isList ? value('@items') : key('@keys');
    const its: (readonly [string, Local])[] = [[variable, single]];
    if (second !== undefined && KNOWS_ENTRIES) {
      its[0] = [variable, key(isList ? '@indices' : '@keys')];
      its.push([second, value(isList ? '@items' : '@values')]);
    }
    const { made, each, bodySize } = this.#with(its, () => {
      const condition = filter === undefined ? 0 : this.cost(filter);
      const result = this.cost(body);
      return {
        ...loopCosts(kind, condition, result, filter !== undefined),
        bodySize: this.#sizeOf(body) ?? UNKNOWN,
      };
    });
    const count = this.#sizeOf(range) ?? UNKNOWN;
    if (!KNOWS_ENTRIES) {
      if (SIZES_LOOPS) this.#found.set(loop, count);
    } else if (kind === 'all' || kind === 'exists' || kind === 'exists_one') {
      this.#found.set(loop, exactly(1));
    } else {
      this.#found.set(loop, count);
      if (kind === 'map' || kind === 'filter' || kind === 'transformList') {
        // The list that it begins with has no items.
        const size = union(exactly(0), bodySize);
        this.#entries.set(loop, { of: 'list', key: exactly(1), value: size });
      }
    }
    return plus(plus(before, made), times(count.max, each));
  }
}

/** Gives the costs of a loop, once and for each item: those of the operators behind the macro. */
function loopCosts(
  kind: Loop['kind'],
  condition: number,
  body: number,
  isFiltered: boolean,
): { made: number; each: number } {
  const step = (cost: number): number => (isFiltered ? plus(condition, cost) : cost);
  switch (kind) {
    case 'all':
      return { made: 1, each: plus(body, 3) };
    case 'exists':
      return { made: 1, each: plus(body, 4) };
    case 'exists_one':
      return { made: 2, each: plus(body, 2) };
    case 'transformMap':
      return { made: MAP_COST + 1, each: step(plus(body, 3)) };
    case 'transformMapEntry':
      return { made: MAP_COST + 1, each: step(plus(body, 2)) };
    default:
      return { made: LIST_COST + 1, each: step(plus(body, LIST_COST + 2)) };
  }
}

function plainName(name: string): string {
  return name.startsWith('.') ? name.slice(1) : name;
}

function unionOfEntries(
  one: EntrySizes | undefined,
  other: EntrySizes | undefined,
): EntrySizes | undefined {
  if (one === undefined || other === undefined) return undefined;
  return { of: one.of, key: union(one.key, other.key), value: union(one.value, other.value) };
}

/** The size of what is written out. */
function sizeOfText(expression: Expression): Range | undefined {
  switch (expression.op) {
    case 'literal':
      return exactly(sizeOfLiteral(expression.value));
    case 'list':
      return exactly(expression.items.length);
    case 'map':
      return exactly(expression.entries.length);
    default:
      return undefined;
  }
}

function sizeOfLiteral(value: Literal): number {
  if (typeof value === 'string') return Array.from(value).length;
  return value instanceof Bytes ? value.data.length : 1;
}

/** Whether all values of a type have one size. */
function isScalar(type: Type): boolean {
  switch (type.kind) {
    case 'bool':
    case 'double':
    case 'duration':
    case 'int':
    case 'timestamp':
    case 'uint':
      return true;
    case 'optional':
      return KNOWS_ENTRIES && isScalar(type.of);
    default:
      return false;
  }
}
