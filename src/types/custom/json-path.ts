/**
 * JSON paths, by which columns of custom types find their values: `.spec.x`, `.a['b\.c']`,
 * `.list[0]`, `.list[?(@.type=="Ready")].status`. An absent value is no result.
 */
import { RawJson } from '../../codec/json/raw-json.ts';
import { isInt64 } from '../../semantics/patch/go-value-text.ts';
import { parseJsonPath, PathNumber, type PathList, type Slice } from './json-path-parser.ts';

/** The number of values that may still be looked at; paths that share a budget end together. */
export interface PathBudget {
  left: number;
}

/**
 * Returns the values that a path finds, in order; none where it does not fit the value, such as an
 * index beyond a list, or when the budget is used up. Numbers that the path itself has are
 * `PathNumber`.
 */
export type JsonPath = (value: unknown, budget: PathBudget) => readonly unknown[];

/**
 * Undefined where the path cannot be understood, which definitions are not refused for. The first
 * part of a path counts, but its other parts must fit the value too.
 */
export function compileJsonPath(path: string): JsonPath | undefined {
  const lists = parseJsonPath(path)?.map(compileList);
  if (lists === undefined) return undefined;
  return (value, budget) => {
    const run: Run = { failed: false, budget };
    const [first = NONE] = lists.map((list) => list([value], run));
    return run.failed ? NONE : first;
  };
}

const NONE: readonly unknown[] = Object.freeze([]);

interface Run {
  /** Set where the path does not fit; values that are returned then may count all the same. */
  failed: boolean;
  readonly budget: PathBudget;
}

type Values = readonly unknown[];
type Step = (values: Values, run: Run) => Values;

function compileList(nodes: PathList): Step {
  const steps = nodes.map(compileNode);
  return (values, run) => {
    let current = values;
    for (const step of steps) {
      current = step(current, run);
      run.budget.left -= current.length + 1;
      if (run.budget.left < 0) run.failed = true;
      if (run.failed) break;
    }
    return current;
  };
}

function compileNode(node: PathList[number]): Step {
  switch (node.type) {
    case 'text':
      return () => [node.text];
    case 'literal':
      return (values) => values.map(() => node.value);
    case 'identifier':
      return fail;
    case 'field':
      return fieldStep(node.name);
    case 'wildcard':
      return (values, run) => values.flatMap((value) => childrenOf(value, run));
    case 'recursive':
      return recursiveStep;
    case 'slice':
      return sliceStep(node.slice);
    case 'union': {
      const lists = node.lists.map(compileList);
      return (values, run) => {
        const results = lists.flatMap((list) => (run.failed ? [] : list(values, run)));
        return run.failed ? values : results;
      };
    }
    case 'exists':
      return filterStep(existsIn(compileList(node.left)));
    case 'compare':
      return filterStep(comparison(compileList(node.left), node.operator, compileList(node.right)));
  }
}

function fail(values: Values, run: Run): Values {
  run.failed = true;
  return values;
}

function fieldStep(name: string): Step {
  return (values) => {
    const found: unknown[] = [];
    for (const value of values) {
      const members = membersOf(value);
      if (members === undefined || !Object.hasOwn(members, name)) continue;
      if (members[name] !== undefined) found.push(members[name]);
    }
    return found;
  };
}

type Members = Readonly<Record<string, unknown>>;

function membersOf(value: unknown): Members | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  if (value instanceof PathNumber) return undefined;
  return value instanceof RawJson ? membersOf(JSON.parse(value.text)) : (value as Members);
}

/** Items, the values of members, and of a text its bytes. */
function childrenOf(value: unknown, run: Run): Values {
  if (Array.isArray(value)) return value;
  if (typeof value === 'string') {
    if (value.length > run.budget.left) return fail(NONE, run);
    return Array.from(Buffer.from(value), (byte) => new PathNumber(byte, 'byte'));
  }
  const members = membersOf(value);
  return members ? Object.values(members).filter((child) => child !== undefined) : NONE;
}

/** All objects, lists and texts that are not empty, each before its members. */
function recursiveStep(values: Values, run: Run): Values {
  const found: unknown[] = [];
  const pending = values.toReversed();
  while (pending.length > 0 && !run.failed) {
    const value = pending.pop();
    const children = typeof value === 'string' ? NONE : childrenOf(value, run);
    if (children.length > 0 || (typeof value === 'string' && value !== '')) found.push(value);
    for (let at = children.length - 1; at >= 0; at -= 1) pending.push(children[at]);
    run.budget.left -= children.length + 1;
    if (run.budget.left < 0) run.failed = true;
  }
  return found;
}

function sliceStep(slice: Slice): Step {
  return (values, run) => {
    const found: unknown[] = [];
    for (const value of values) {
      if (value === null) continue;
      const range = Array.isArray(value) ? rangeOf(slice, value.length) : undefined;
      if (range === undefined) return fail(values, run);
      const [start, end] = range;
      // Nothing asked of one list is nothing of those after it.
      if (start === end) return found;
      const step = slice.step ?? 1;
      for (let at = start; at < end; at += step) found.push((value as Values)[at]);
    }
    return found;
  };
}

/** Undefined where the slice does not fit a list of that length. */
function rangeOf({ start: first = 0, end, isIndex, step = 1 }: Slice, length: number) {
  const start = first < 0 ? first + length : first;
  let last = isIndex ? first + 1 : (end ?? length);
  if (last < 0 || (last === 0 && isIndex)) last += length;
  if (start === last) return [start, last] as const;
  const fits = start >= 0 && start < length && last >= 0 && last <= length && start < last;
  return fits && step > 0 ? ([start, last] as const) : undefined;
}

type Condition = (item: unknown, run: Run) => boolean;

function filterStep(holds: Condition): Step {
  return (values, run) => {
    const found: unknown[] = [];
    for (const value of values) {
      if (!Array.isArray(value)) return fail(values, run);
      for (const item of value as Values) {
        const isFound = holds(item, run);
        if (run.failed) return values;
        if (isFound) found.push(item);
      }
    }
    return found;
  };
}

/** A path that does not fit finds the values that it has come to. */
function existsIn(left: Step): Condition {
  return (item, run) => {
    const found = left([item], run);
    run.failed = run.budget.left < 0;
    return found.length > 0;
  };
}

function comparison(left: Step, operator: string, right: Step): Condition {
  return (item, run) => {
    const one = onlyOne(left([item], run), run);
    if (one === undefined) return false;
    const other = onlyOne(right([item], run), run);
    if (other === undefined) return false;
    const result = compare(one, operator, other);
    if (result === undefined) run.failed = true;
    return result === true;
  };
}

/** Undefined for nothing; of several, none can be compared. */
function onlyOne(values: Values, run: Run): Scalar | undefined {
  if (values.length > 1) run.failed = true;
  return run.failed || values.length === 0 ? undefined : scalarOf(values[0]);
}

interface Scalar {
  readonly type: 'string' | 'boolean' | 'float' | 'int' | 'byte' | 'none';
  readonly value: unknown;
}

function scalarOf(value: unknown): Scalar {
  if (value instanceof PathNumber) return value;
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return { type: typeof value as 'string' | 'boolean', value };
    case 'number':
      return { type: isInt64(value) ? 'int' : 'float', value };
    case 'bigint':
      return { type: 'int', value };
    default:
      return { type: 'none', value };
  }
}

/** Undefined for values that cannot be compared. */
function compare(one: Scalar, operator: string, other: Scalar): boolean | undefined {
  const areIntegers = isInteger(one) && isInteger(other);
  if (one.type === 'none' || (one.type !== other.type && !areIntegers)) return undefined;
  if (operator === '==' || operator === '!=') {
    // oxlint-disable-next-line eqeqeq -- an integer may be a bigint
    return (one.value == other.value) === (operator === '==');
  }
  const order = one.type === 'boolean' ? undefined : orderOf(one.value, other.value);
  switch (order === undefined ? '' : operator) {
    case '<':
      return order === -1;
    case '<=':
      return order !== 1;
    case '>':
      return order === 1;
    case '>=':
      return order !== -1;
    default:
      return undefined;
  }
}

function isInteger({ type }: Scalar): boolean {
  return type === 'int' || type === 'byte';
}

/** -1, 0 or 1; texts by their bytes. */
function orderOf(one: unknown, other: unknown): number {
  if (typeof one === 'string' && typeof other === 'string') {
    return Buffer.compare(Buffer.from(one), Buffer.from(other));
  }
  const [a, b] = [one as number | bigint, other as number | bigint];
  if (a < b) return -1;
  return a > b ? 1 : 0;
}
