/** Reads expressions (README.md#texts). */
import type { Entry, Expression, LoopKind, Problem } from './expression.ts';
import { bytesOf, stringOf, tokensOf, type Token } from './tokens.ts';
import { Bytes, INT_MAX, INT_MIN, Uint, UINT_MAX, type Literal } from './values.ts';

const CHARACTERS_MAX = 100_000;
/** The nesting of expressions in brackets and arguments, as in the reference. */
const NESTING_MAX = 200;
/** The most operators and members in a row, which nest as well. */
const DEPTH_MAX = 1000;

const RESERVED: ReadonlySet<string> = new Set(
  (
    'as break const continue else false for function if import in let loop package namespace ' +
    'null return true var void while'
  ).split(' '),
);
const RELATIONS: ReadonlySet<string> = new Set(['<', '<=', '>=', '>', '==', '!=', 'in']);
const PRODUCTS: ReadonlySet<string> = new Set(['*', '/', '%']);
const SUMS: ReadonlySet<string> = new Set(['+', '-']);
const VALUE_STARTS =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, " +
  'BYTES, IDENTIFIER}';

class ParseFailure extends Error {
  readonly problem: Problem;

  constructor(at: number | undefined, message: string) {
    super(message);
    this.problem = { at, message };
  }
}

/** The expression that a text is, or the first problem that it has. */
export function parseExpression(text: string): Expression | Problem {
  try {
    return new Parser(text).whole();
  } catch (error) {
    if (error instanceof ParseFailure) return error.problem;
    throw error;
  }
}

class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;
  #nesting = 0;
  readonly #depths = new WeakMap<Expression, number>();

  constructor(text: string) {
    const size = Array.from(text).length;
    if (size > CHARACTERS_MAX) {
      const limit = `size: ${size}, limit ${CHARACTERS_MAX}`;
      throw new ParseFailure(undefined, `expression code point size exceeds limit: ${limit}`);
    }
    const tokens = tokensOf(text);
    if (typeof tokens === 'number') {
      const character = String.fromCodePoint(text.codePointAt(tokens) as number);
      throw new ParseFailure(tokens, `Syntax error: token recognition error at: '${character}'`);
    }
    this.#tokens = tokens;
  }

  whole(): Expression {
    const expression = this.#expression();
    const { kind, text, at } = this.#peek();
    if (kind === 'end') return expression;
    const isLast = this.#tokens[this.#next + 1]?.kind === 'end';
    const problem = `${isLast ? 'extraneous' : 'mismatched'} input '${text}' expecting <EOF>`;
    throw new ParseFailure(at, `Syntax error: ${problem}`);
  }

  #peek(): Token {
    return this.#tokens[this.#next] as Token;
  }

  #takeIf(mark: string): Token | undefined {
    const token = this.#peek();
    if (token.kind !== 'mark' || token.text !== mark) return undefined;
    this.#next += 1;
    return token;
  }

  #takeOneOf(marks: ReadonlySet<string>): Token | undefined {
    const token = this.#peek();
    return token.kind === 'mark' && marks.has(token.text) ? this.#takeIf(token.text) : undefined;
  }

  #expect(mark: string): void {
    if (this.#takeIf(mark) !== undefined) return;
    const { kind, text, at } = this.#peek();
    const problem =
      kind === 'end'
        ? `missing '${mark}' at '${text}'`
        : `mismatched input '${text}' expecting '${mark}'`;
    throw new ParseFailure(at, `Syntax error: ${problem}`);
  }

  #name(): Token {
    const token = this.#peek();
    this.#next += 1;
    if (token.kind === 'name') return token;
    const problem =
      token.kind === 'end'
        ? "missing IDENTIFIER at '<EOF>'"
        : `mismatched input '${token.text}' expecting IDENTIFIER`;
    throw new ParseFailure(token.at, `Syntax error: ${problem}`);
  }

  /** Refuses an expression that is too deep for walks over it. */
  #made<T extends Expression>(expression: T, parts: readonly Expression[]): T {
    const deepest = Math.max(0, ...parts.map((part) => this.#depths.get(part) ?? 0));
    if (deepest >= DEPTH_MAX) throw tooDeep(DEPTH_MAX);
    this.#depths.set(expression, deepest + 1);
    return expression;
  }

  #call(name: string, at: number, args: Expression[], target?: Expression): Expression {
    const parts = target === undefined ? args : [target, ...args];
    return this.#made({ op: 'call', name, at, args, target }, parts);
  }

  #expression(): Expression {
    this.#nesting += 1;
    if (this.#nesting >= NESTING_MAX) throw tooDeep(NESTING_MAX);
    const condition = this.#either();
    const question = this.#takeIf('?');
    if (question === undefined) {
      this.#nesting -= 1;
      return condition;
    }
    const yes = this.#either();
    this.#expect(':');
    const no = this.#expression();
    this.#nesting -= 1;
    return this.#call('_?_:_', question.at, [condition, yes, no]);
  }

  #either(): Expression {
    return this.#logical('||', () => this.#logical('&&', () => this.#relation()));
  }

  /** Builds a balanced tree, so that many operands in a row do not nest deeply. */
  #logical(mark: string, operand: () => Expression): Expression {
    const operands = [operand()];
    const places: number[] = [];
    for (let token = this.#takeIf(mark); token !== undefined; token = this.#takeIf(mark)) {
      places.push(token.at);
      operands.push(operand());
    }
    const tree = (first: number, last: number): Expression => {
      if (first > last) return operands[first] as Expression;
      const middle = Math.floor((first + last + 1) / 2);
      const sides = [tree(first, middle - 1), tree(middle + 1, last)];
      return this.#call(`_${mark}_`, places[middle] as number, sides);
    };
    return tree(0, places.length - 1);
  }

  #relation(): Expression {
    return this.#row(RELATIONS, () =>
      this.#row(SUMS, () => this.#row(PRODUCTS, () => this.#unary())),
    );
  }

  #row(marks: ReadonlySet<string>, operand: () => Expression): Expression {
    let left = operand();
    for (let token = this.#takeOneOf(marks); token !== undefined; token = this.#takeOneOf(marks)) {
      const name = token.text === 'in' ? '@in' : `_${token.text}_`;
      left = this.#call(name, token.at, [left, operand()]);
    }
    return left;
  }

  /** An even number of signs is dropped, and the value behind them may be of any type. */
  #unary(): Expression {
    for (const mark of ['!', '-']) {
      const first = this.#peek();
      const isNumber = mark === '-' && this.#isNumber(this.#tokens[this.#next + 1]);
      if (isNumber || this.#takeIf(mark) === undefined) continue;
      let count = 1;
      while (this.#takeIf(mark) !== undefined) count += 1;
      const operand = this.#member();
      return count % 2 === 0 ? operand : this.#call(`${mark}_`, first.at, [operand]);
    }
    return this.#member();
  }

  #isNumber(token: Token | undefined): boolean {
    return token?.kind === 'int' || token?.kind === 'double';
  }

  #member(): Expression {
    let of = this.#primary();
    for (;;) {
      const dot = this.#takeIf('.');
      const bracket = dot === undefined ? this.#takeIf('[') : undefined;
      const brace = (dot ?? bracket) === undefined ? this.#takeIf('{') : undefined;
      if (dot !== undefined) of = this.#selectOrCall(of, dot);
      else if (bracket !== undefined) {
        const index = this.#expression();
        this.#expect(']');
        of = this.#call('_[_]', bracket.at, [of, index]);
      } else if (brace !== undefined) of = this.#message(of, brace);
      else return of;
    }
  }

  #selectOrCall(of: Expression, dot: Token): Expression {
    const { text: name } = this.#name();
    const open = this.#takeIf('(');
    if (open !== undefined) return this.#macroOrCall(name, open.at, this.#list(')', false), of);
    return this.#made({ op: 'select', at: dot.at, of, field: name, tests: false }, [of]);
  }

  /** Rules have no message types to construct, so the fields are not checked. */
  #message(of: Expression, { at }: Token): Expression {
    const type = qualifiedName(of);
    if (type === undefined) {
      throw new ParseFailure(at, "Syntax error: mismatched input '{' expecting <EOF>");
    }
    while (this.#takeIf('}') === undefined) {
      this.#name();
      this.#expect(':');
      this.#expression();
      if (this.#takeIf(',') !== undefined) continue;
      this.#expect('}');
      break;
    }
    return { op: 'message', at, type };
  }

  #list(end: string, mayEndInComma: boolean): Expression[] {
    const items: Expression[] = [];
    if (this.#takeIf(end) !== undefined) return items;
    for (;;) {
      items.push(this.#expression());
      const comma = this.#takeIf(',');
      if (comma === undefined) this.#expect(end);
      if (comma === undefined || (mayEndInComma && this.#takeIf(end) !== undefined)) return items;
    }
  }

  #primary(): Expression {
    const token = this.#peek();
    const { kind, text, at } = token;
    if (kind === 'name') return this.#nameOrCall('', at);
    const sign = this.#isNumber(this.#tokens[this.#next + 1]) ? this.#takeIf('-') : undefined;
    if (sign !== undefined || (kind !== 'mark' && kind !== 'end')) return this.#literal(at, sign);
    this.#next += 1;
    switch (kind === 'mark' ? text : '') {
      case 'true':
      case 'false':
        return { op: 'literal', at, value: text === 'true' };
      case 'null':
        return { op: 'literal', at, value: null };
      case '.':
        return this.#nameOrCall('.', this.#peek().at);
      case '(': {
        const inner = this.#expression();
        this.#expect(')');
        return inner;
      }
      case '[': {
        const items = this.#list(']', true);
        return this.#made({ op: 'list', at, items }, items);
      }
      case '{':
        return this.#map(at);
      default: {
        const problem = `mismatched input '${text}' expecting ${VALUE_STARTS}`;
        throw new ParseFailure(at, `Syntax error: ${problem}`);
      }
    }
  }

  #nameOrCall(dot: string, at: number): Expression {
    const { text: name } = this.#name();
    if (RESERVED.has(name)) throw new ParseFailure(at, `reserved identifier: ${name}`);
    const open = this.#takeIf('(');
    if (open === undefined) return { op: 'name', at, name: dot + name };
    return this.#macroOrCall(dot + name, open.at, this.#list(')', false), undefined);
  }

  #map(at: number): Expression {
    const entries: Entry[] = [];
    while (this.#takeIf('}') === undefined) {
      const key = this.#expression();
      this.#expect(':');
      entries.push({ key, value: this.#expression() });
      if (this.#takeIf(',') !== undefined) continue;
      this.#expect('}');
      break;
    }
    const parts = entries.flatMap(({ key, value }) => [key, value]);
    return this.#made({ op: 'map', at, entries }, parts);
  }

  #literal(at: number, sign: Token | undefined): Expression {
    const { kind, text } = this.#peek();
    this.#next += 1;
    const value = literalOf(kind, sign === undefined ? text : `-${text}`);
    if (value === undefined) throw new ParseFailure(at, `invalid ${kind} literal`);
    return { op: 'literal', at, value };
  }

  #macroOrCall(
    name: string,
    at: number,
    args: Expression[],
    target: Expression | undefined,
  ): Expression {
    const [first, second, third] = args;
    if (target === undefined) {
      if (name !== 'has' || args.length !== 1) return this.#call(name, at, args);
      if (first?.op !== 'select' || first.tests) {
        throw new ParseFailure(at, 'invalid argument to has() macro');
      }
      return this.#made({ ...first, at, tests: true }, [first]);
    }
    const isLoop =
      args.length === 2 ? LOOPS.has(name) : args.length === 3 && name === 'map' && third;
    if (!isLoop || first === undefined || second === undefined) {
      return this.#call(name, at, args, target);
    }
    if (first.op !== 'name') {
      const isList = name === 'map' || name === 'filter';
      throw isList
        ? new ParseFailure(at, 'argument is not an identifier')
        : new ParseFailure(first.at, 'argument must be a simple name');
    }
    const kind = name as LoopKind;
    const loop = {
      op: 'loop',
      at,
      kind,
      range: target,
      variable: first.name,
      filter: kind === 'filter' || third !== undefined ? second : undefined,
      body: kind === 'filter' ? first : (third ?? second),
    } as const;
    return this.#made(loop, [target, ...args]);
  }
}

const LOOPS: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'map', 'filter']);

function tooDeep(limit: number): ParseFailure {
  return new ParseFailure(undefined, `expression recursion limit exceeded: ${limit}`);
}

/** A name, or several with dots; undefined for anything else. */
export function qualifiedName(expression: Expression): string | undefined {
  const parts: string[] = [];
  let at = expression;
  for (; at.op === 'select' && !at.tests; at = at.of) parts.push(at.field);
  return at.op === 'name' ? [at.name, ...parts.reverse()].join('.') : undefined;
}

function literalOf(kind: Token['kind'], text: string): Literal | undefined {
  switch (kind) {
    case 'int': {
      const isNegative = text.startsWith('-');
      const size = BigInt(isNegative ? text.slice(1) : text);
      const value = isNegative ? -size : size;
      return value >= INT_MIN && value <= INT_MAX ? value : undefined;
    }
    case 'uint': {
      const value = BigInt(text.slice(0, -1));
      return value <= UINT_MAX ? new Uint(value) : undefined;
    }
    case 'double': {
      const value = Number(text);
      return Number.isFinite(value) ? value : undefined;
    }
    case 'string':
      return stringOf(text);
    default: {
      const bytes = bytesOf(text);
      return bytes && new Bytes(bytes);
    }
  }
}
