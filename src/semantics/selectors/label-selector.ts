/**
 * Label selectors of list and watch: grammar and canonical text (../README.md#label-selectors).
 */
import { invalid } from '../errors/field-error.ts';
import { badRequest } from '../errors/status.ts';
import { labelValue, qualifiedName } from '../metadata/names.ts';

/** `=` and `==` parse to In, `!=` to NotIn, with one value. */
export type LabelOperator = 'Exists' | 'DoesNotExist' | 'In' | 'NotIn' | 'GreaterThan' | 'LessThan';

export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  /** Sorted and distinct; none for Exists and DoesNotExist, one integer for the comparisons. */
  readonly values: readonly string[];
  /** Set for requirements of `matchExpressions`: shown as a set, also with one value. */
  readonly isSet?: true;
}

/** All requirements must hold; none selects everything. */
export interface ParsedLabelSelector {
  /** In canonical order, without repetitions. */
  readonly requirements: readonly LabelRequirement[];
}

type TokenKind = 'identifier' | 'symbol' | 'end';

interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

const EVERYTHING: ParsedLabelSelector = Object.freeze({ requirements: Object.freeze([]) });
const END: Token = { kind: 'end', text: '' };
const SYMBOLS = '=!(),><';
const WHITE_SPACE = ' \t\r\n';
const OPERATORS: ReadonlyMap<string, LabelOperator> = new Map([
  ['in', 'In'],
  ['notin', 'NotIn'],
  ['=', 'In'],
  ['==', 'In'],
  ['!=', 'NotIn'],
  ['>', 'GreaterThan'],
  ['<', 'LessThan'],
]);
const OPERATORS_TEXT = 'in, notin, =, ==, !=, gt, lt';

const INTEGER = /^[+-]?[0-9]{1,63}$/;
/** Integers of so many characters are compared exactly as numbers. */
const EXACT_NUMBER_LENGTH_MAX = 15;
const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

/**
 * Parses the text of a `labelSelector` query; the empty text selects everything.
 * Throws StatusError 400 for a text outside the grammar and for invalid keys or values.
 */
export function parseLabelSelector(text: string): ParsedLabelSelector {
  if (text === '') return EVERYTHING;
  const requirements = new Parser(text).parse();
  if (requirements.length < 2) return { requirements };
  const byText = new Map(requirements.map((one) => [requirementText(one), one]));
  return { requirements: [...byText.keys()].sort().map((one) => byText.get(one)!) };
}

/**
 * A label that the selector demands with one value: such a selector can be found through an index.
 * The other requirements still have to be matched.
 */
export function requiredLabel(
  selector: ParsedLabelSelector,
): { readonly key: string; readonly value: string } | undefined {
  for (const { key, operator, values } of selector.requirements) {
    const [value] = values;
    if (operator === 'In' && values.length === 1 && value !== undefined) return { key, value };
  }
  return undefined;
}

/** The canonical text: the same for selectors that are written differently but ask the same. */
export function formatLabelSelector(selector: ParsedLabelSelector): string {
  return selector.requirements.map(requirementText).join(',');
}

function requirementText({ key, operator, values, isSet }: LabelRequirement): string {
  const isOne = values.length === 1 && isSet === undefined;
  switch (operator) {
    case 'Exists':
      return key;
    case 'DoesNotExist':
      return `!${key}`;
    case 'In':
      return isOne ? `${key}=${values[0]}` : `${key} in (${values.join(',')})`;
    case 'NotIn':
      return isOne ? `${key}!=${values[0]}` : `${key} notin (${values.join(',')})`;
    case 'GreaterThan':
      return `${key}>${values[0]}`;
    case 'LessThan':
      return `${key}<${values[0]}`;
  }
}

/** Compares as 64-bit integers; false when either text is none. */
export function isLess(left: string, right: string): boolean {
  if (!isInteger(left) || !isInteger(right)) return false;
  const exact = left.length <= EXACT_NUMBER_LENGTH_MAX && right.length <= EXACT_NUMBER_LENGTH_MAX;
  return exact ? Number(left) < Number(right) : integerOf(left) < integerOf(right);
}

function isInteger(text: string): boolean {
  if (!INTEGER.test(text)) return false;
  if (text.length <= EXACT_NUMBER_LENGTH_MAX) return true;
  const value = integerOf(text);
  return value >= INT64_MIN && value <= INT64_MAX;
}

/** BigInt itself takes no plus sign. */
function integerOf(text: string): bigint {
  return BigInt(text.startsWith('+') ? text.slice(1) : text);
}

/** A word up to white space or a symbol; symbols are single, but for `==` and `!=`. */
function scan(text: string): Token[] {
  const tokens: Token[] = [];
  let position = 0;
  while (position < text.length) {
    const start = position++;
    const first = text[start]!;
    if (WHITE_SPACE.includes(first)) continue;
    if (SYMBOLS.includes(first)) {
      if ((first === '=' || first === '!') && text[position] === '=') position++;
      tokens.push({ kind: 'symbol', text: text.slice(start, position) });
      continue;
    }
    while (position < text.length && !isBoundary(text[position]!)) position++;
    tokens.push({ kind: 'identifier', text: text.slice(start, position) });
  }
  return tokens;
}

function isBoundary(character: string): boolean {
  return SYMBOLS.includes(character) || WHITE_SPACE.includes(character);
}

/**
 * Recursive descent over the tokens. The messages, and the few odd texts that are refused (such as
 * two commas before a closing parenthesis), are those of the reference server.
 */
class Parser {
  readonly #tokens: readonly Token[];
  #position = 0;

  constructor(text: string) {
    this.#tokens = scan(text);
  }

  parse(): LabelRequirement[] {
    const requirements: LabelRequirement[] = [];
    if (this.#peek().kind === 'end') return requirements;
    if (!this.#startsRequirement()) {
      throw badRequest(`found '${this.#peek().text}', expected: !, identifier, or 'end of string'`);
    }
    for (;;) {
      requirements.push(this.#requirement());
      const { kind, text } = this.#next();
      if (kind === 'end') return requirements;
      if (text !== ',') throw badRequest(`found '${text}', expected: ',' or 'end of string'`);
      if (!this.#startsRequirement()) {
        throw badRequest(`found '${this.#peek().text}', expected: identifier after ','`);
      }
    }
  }

  #peek(): Token {
    return this.#tokens[this.#position] ?? END;
  }

  #next(): Token {
    return this.#tokens[this.#position++] ?? END;
  }

  #startsRequirement(): boolean {
    const { kind, text } = this.#peek();
    return kind === 'identifier' || text === '!';
  }

  #requirement(): LabelRequirement {
    const negated = this.#peek().text === '!';
    if (negated) this.#next();
    const { kind, text: key } = this.#next();
    if (kind !== 'identifier') throw unparsable(`found '${key}', expected: identifier`);
    const problems = qualifiedName(key);
    if (problems.length > 0) throw unparsable(invalidText('<nil>', key, problems.join('; ')));
    if (negated) return { key, operator: 'DoesNotExist', values: [] };
    const { kind: nextKind, text: nextText } = this.#peek();
    if (nextKind === 'end' || nextText === ',') return { key, operator: 'Exists', values: [] };
    const { text: operatorText } = this.#next();
    const operator = OPERATORS.get(operatorText);
    if (operator === undefined) {
      throw unparsable(`found '${operatorText}', expected: ${OPERATORS_TEXT}`);
    }
    const isSet = operatorText === 'in' || operatorText === 'notin';
    const values = isSet ? this.#valueSet() : [this.#singleValue()];
    checkValues(key, operator, values);
    return { key, operator, values };
  }

  #singleValue(): string {
    const { kind, text } = this.#peek();
    if (kind === 'end' || text === ',') return '';
    this.#next();
    if (kind !== 'identifier') throw unparsable(`found '${text}', expected: identifier`);
    return text;
  }

  /** `(x,y)`: an element may be empty; the empty set holds the empty value. */
  #valueSet(): string[] {
    const { text: opening } = this.#next();
    if (opening !== '(') throw unparsable(`found '${opening}' expected: '('`);
    const { kind, text } = this.#peek();
    const values = new Set<string>();
    if (kind === 'identifier' || text === ',') {
      this.#fillValueSet(values);
    } else if (text === ')') {
      values.add('');
    } else {
      throw unparsable(`found '${text}', expected: ',', ')' or identifier`);
    }
    this.#next();
    return [...values].sort();
  }

  /** Takes all up to the closing parenthesis. */
  #fillValueSet(values: Set<string>): void {
    for (;;) {
      const { kind, text } = this.#next();
      if (kind === 'identifier') {
        values.add(text);
        const after = this.#peek().text;
        if (after === ')') return;
        if (after !== ',') throw unparsable(`found '${after}', expected: ',' or ')'`);
      } else if (text === ',') {
        if (values.size === 0) values.add('');
        const after = this.#peek().text;
        if (after !== ')' && after !== ',') continue;
        values.add('');
        if (after === ')') return;
        this.#next();
      } else {
        throw unparsable(`found '${text}', expected: ',', or identifier`);
      }
    }
  }
}

function checkValues(key: string, operator: LabelOperator, values: readonly string[]): void {
  const errors: string[] = [];
  const compares = operator === 'GreaterThan' || operator === 'LessThan';
  if (compares && !isInteger(values[0]!)) {
    const why = "for 'Gt', 'Lt' operators, the value must be an integer";
    errors.push(invalidText('values[0]', values[0]!, why));
  }
  values.forEach((value, index) => {
    const problems = labelValue(value);
    if (problems.length === 0) return;
    errors.push(invalidText(`values[${index}][${key}]`, value, problems.join('; ')));
  });
  if (errors.length === 0) return;
  throw unparsable(errors.length === 1 ? errors[0]! : `[${errors.join(', ')}]`);
}

function invalidText(field: string, value: string, why: string): string {
  return `${field}: ${invalid(field, value, why).message}`;
}

function unparsable(why: string): Error {
  return badRequest(`unable to parse requirement: ${why}`);
}
