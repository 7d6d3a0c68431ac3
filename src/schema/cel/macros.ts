/** The macros that releases added to those of loops (README.md#library). */
import type { Expression, LoopKind, Problem } from './expression.ts';
import type { Library } from './library/library.ts';

/** A call as it is written. */
interface Written {
  readonly name: string;
  readonly at: number;
  readonly args: readonly Expression[];
  readonly target: Expression;
}

/** The variable of what `sortBy` sorts; no text can name it. */
const SORTED = '@sorted';
const TWO_VARIABLES: ReadonlySet<string> = new Set([
  'all',
  'exists',
  'exists_one',
  'existsOne',
  'transformList',
  'transformMap',
  'transformMapEntry',
]);
const MAY_FILTER: ReadonlySet<string> = new Set([
  'transformList',
  'transformMap',
  'transformMapEntry',
]);

/** Expands a macro, or tells why it cannot; undefined for a call that is none. */
export function expandMacro(written: Written, library: Library): Expression | Problem | undefined {
  const { name, args } = written;
  if (name === 'optMap' || name === 'optFlatMap') {
    return args.length === 2 && library.has('optionals') ? optional(written) : undefined;
  }
  if (name === 'bind') return args.length === 3 && library.bindsValues ? bound(written) : undefined;
  if (name === 'sortBy') {
    return args.length === 2 && library.has('lists') ? sorted(written) : undefined;
  }
  if (!TWO_VARIABLES.has(name) || !library.has('twoVariables')) return undefined;
  if (name === 'existsOne' && args.length === 2) {
    return loop({ ...written, name: 'exists_one' }, [args[0] as Expression], args[1] as Expression);
  }
  const most = MAY_FILTER.has(name) ? 4 : 3;
  if (args.length < 3 || args.length > most) return undefined;
  const [first, second, third, fourth] = args as [Expression, Expression, Expression, Expression?];
  const kind = name === 'existsOne' ? 'exists_one' : name;
  const filter = fourth === undefined ? undefined : third;
  return loop({ ...written, name: kind }, [first, second], fourth ?? third, filter);
}

function loop(
  { name, at, target }: Written,
  variables: readonly Expression[],
  body: Expression,
  filter?: Expression,
): Expression | Problem {
  const names: string[] = [];
  for (const variable of variables) {
    if (variable.op !== 'name') return problem(variable, 'argument must be a simple name');
    if (names.includes(variable.name)) {
      return problem(variable, `duplicate variable name: ${variable.name}`);
    }
    names.push(variable.name);
  }
  const [variable = '', second] = names;
  const kind = name as LoopKind;
  return { op: 'loop', at, kind, range: target, variable, second, filter, body };
}

function problem({ at }: Expression, message: string): Problem {
  return { at, message };
}

/** `x.optMap(v, f(v))`: what is there is computed with, and what is absent stays so. */
function optional({ name, at, args, target }: Written): Expression | Problem {
  const [variable, body] = args as [Expression, Expression];
  if (variable.op !== 'name') {
    return problem(variable, `${name}() variable name must be a simple identifier`);
  }
  const call = (called: string, parts: Expression[], of?: Expression): Expression => {
    return { op: 'call', at, name: called, args: parts, target: of };
  };
  const value = call('value', [], target);
  const made: Expression = { op: 'let', at, variable: variable.name, value, body };
  const found = name === 'optMap' ? call('optional.of', [made]) : made;
  return call('_?_:_', [call('hasValue', [], target), found, call('optional.none', [])]);
}

/** `cel.bind(v, value, f(v))`. */
function bound({ at, args, target }: Written): Expression | Problem | undefined {
  if (target.op !== 'name' || target.name !== 'cel') return undefined;
  const [variable, value, body] = args as [Expression, Expression, Expression];
  if (variable.op === 'name') return { op: 'let', at, variable: variable.name, value, body };
  return problem(variable, 'cel.bind() variable names must be simple identifiers');
}

function sorted({ at, args, target }: Written): Expression | Problem {
  const [variable, key] = args as [Expression, Expression];
  if (variable.op !== 'name') return problem(variable, 'argument is not an identifier');
  const list: Expression = { op: 'name', at, name: SORTED };
  const keys = loop({ name: 'map', at, args, target: list }, [variable], key);
  if (!('op' in keys)) return keys;
  const body: Expression = {
    op: 'call',
    at,
    name: '@sortByAssociatedKeys',
    args: [keys],
    target: list,
  };
  return { op: 'let', at, variable: SORTED, value: target, body };
}
