/** Reads expressions (README.md#texts). */
import { ownRelease } from '../../release/release.ts';
import { qualifiedName } from './expression.ts';
import type { Entry, Expression, LoopKind, MessageField, Problem } from './expression.ts';
import { NEW_EXPRESSIONS, type Library } from './library/library.ts';
import { expandMacro } from './macros.ts';
import {
  literalOf,
  literalProblem,
  tokensOf,
  VALUE_STARTS,
  type Token,
  type TokenKind,
} from './tokens.ts';

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

/** Whether the grammar has optional parts, whether or not they may be used. */
const KNOWS_OPTIONALS = ownRelease().has('optionalsInGrammar');

/** Whether problems of macros are told where their argument stands. */
const TELLS_ARGUMENTS = ownRelease().has('problemsAtOperands');

const LITERALS: ReadonlySet<TokenKind> = new Set(['int', 'uint', 'double', 'string', 'bytes']);

class ParseFailure extends Error {
  readonly problem: Problem;

  constructor(at: number | undefined, message: string) {
    super(message);
    this.problem = { at, message };
  }
}

/** The expression that a text is by the macros of a library, or the first problem that it has. */
export function parseExpression(
  text: string,
  library: Library = NEW_EXPRESSIONS,
): Expression | Problem {
  try {
    return new Parser(text, library).whole();
  } catch (error) {
    if (error instanceof ParseFailure) return error.problem;
    throw error;
  }
}

class Parser {
  readonly #library: Library;
  readonly #tokens: readonly Token[];
  #next = 0;
  #nesting = 0;
  readonly #depths = new WeakMap<Expression, number>();

  constructor(text: string, library: Library) {
    this.#library = library;
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
    const { text } = this.#peek();
    return marks.has(text) ? this.#takeIf(text) : undefined;
  }

  #expect(mark: string): Token {
    const taken = this.#takeIf(mark);
    if (taken !== undefined) return taken;
    const { kind, text, at } = this.#peek();
    const problem =
      kind === 'end'
        ? `missing '${mark}' at '${text}'`
        : `mismatched input '${text}' expecting '${mark}'`;
    throw new ParseFailure(at, `Syntax error: ${problem}`);
  }

  /** A name; one that is none by itself may stand between accents where `isField`. */
  #name(isField = false): Token {
    const token = this.#peek();
    this.#next += 1;
    if (token.kind === 'name') return token;
    if (isField && token.kind === 'field') return { ...token, text: token.text.slice(1, -1) };
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
        const name = this.#takesOptional(bracket) ? '_[?_]' : '_[_]';
        const index = this.#expression();
        this.#expect(']');
        of = this.#call(name, bracket.at, [of, index]);
      } else if (brace !== undefined) of = this.#message(of, brace);
      else return of;
    }
  }

  /** Whether a mark says that what follows, behind `before`, may be absent. */
  #takesOptional(before?: Token): boolean {
    const { text, at } = this.#peek();
    if (text !== '?' || !(KNOWS_OPTIONALS || this.#library.has('optionals'))) return false;
    if (this.#library.has('optionals')) return this.#takeIf('?') !== undefined;
    throw new ParseFailure(before?.at ?? at, `unsupported syntax '${before?.text ?? ''}?'`);
  }

  #selectOrCall(of: Expression, dot: Token): Expression {
    if (this.#takesOptional(dot)) {
      const { text, at } = this.#name(true);
      return this.#call('_?._', dot.at, [of, { op: 'literal', at, value: text }]);
    }
    const { text: name } = this.#name(true);
    const open = this.#takeIf('(');
    if (open !== undefined) return this.#macroOrCall(name, open.at, this.#list(')', false), of);
    return this.#made({ op: 'select', at: dot.at, of, field: name, tests: false }, [of]);
  }

  #message(of: Expression, { at }: Token): Expression {
    const type = qualifiedName(of);
    if (type === undefined) {
      throw new ParseFailure(at, "Syntax error: mismatched input '{' expecting <EOF>");
    }
    const fields: MessageField[] = [];
    while (this.#takeIf('}') === undefined) {
      const isOptional = this.#takesOptional();
      const { text: name } = this.#name(true);
      const { at: colon } = this.#expect(':');
      fields.push({ at: colon, name, value: this.#expression(), isOptional });
      if (this.#takeIf(',') !== undefined) continue;
      this.#expect('}');
      break;
    }
    const values = fields.map(({ value }) => value);
    return this.#made({ op: 'message', at, type, fields }, values);
  }

  #list(end: string, mayEndInComma: boolean, optionals?: Set<number>): Expression[] {
    const items: Expression[] = [];
    if (this.#takeIf(end) !== undefined) return items;
    for (;;) {
      if (optionals !== undefined && this.#takesOptional()) optionals.add(items.length);
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
    if (sign !== undefined || LITERALS.has(kind)) return this.#literal(at, sign);
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
        const optionals = new Set<number>();
        const items = this.#list(']', true, optionals);
        return this.#made({ op: 'list', at, items, optionals }, items);
      }
      case '{':
        return this.#map(at);
      default: {
        const what = kind === 'field' ? 'extraneous' : 'mismatched';
        const problem = `${what} input '${text}' expecting ${VALUE_STARTS}`;
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
      const isOptional = this.#takesOptional();
      const key = this.#expression();
      this.#expect(':');
      entries.push({ key, value: this.#expression(), isOptional });
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
    if (value === undefined) throw new ParseFailure(at, literalProblem(kind));
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
        throw new ParseFailure(TELLS_ARGUMENTS ? first?.at : at, 'invalid argument to has() macro');
      }
      return this.#made({ ...first, at, tests: true }, [first]);
    }
    const made = expandMacro({ name, at, args, target }, this.#library);
    if (typeof made === 'object') {
      if (!('op' in made)) throw new ParseFailure(made.at, made.message);
      return this.#made(made, [target, ...args]);
    }
    const isLoop =
      args.length === 2 ? LOOPS.has(name) : args.length === 3 && name === 'map' && third;
    if (!isLoop || first === undefined || second === undefined) {
      const whole = `${qualifiedName(target)}.${name}`;
      if (this.#library.overloadsOf(whole) !== undefined) return this.#call(whole, at, args);
      return this.#call(name, at, args, target);
    }
    if (first.op !== 'name') {
      const isList = name === 'map' || name === 'filter';
      throw isList
        ? new ParseFailure(TELLS_ARGUMENTS ? first.at : at, 'argument is not an identifier')
        : new ParseFailure(first.at, 'argument must be a simple name');
    }
    const kind = name as LoopKind;
    const loop = {
      ...({ op: 'loop', at, kind } as const),
      range: target,
      variable: first.name,
      second: undefined,
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
