/**
 * Field selectors of list and watch: grammar, matching, canonical text
 * (../README.md#field-selectors).
 */
import { quoteText } from '../../codec/json/strict-quote.ts';
import { badRequest } from '../errors/status.ts';

export interface FieldTerm {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/** All terms must hold; none selects everything. */
export interface FieldSelector {
  /** In canonical order, without repetitions. */
  readonly terms: readonly FieldTerm[];
}

/** The fields that every type offers. */
export const METADATA_FIELDS = ['metadata.name', 'metadata.namespace'] as const;

const EVERYTHING: FieldSelector = Object.freeze({ terms: Object.freeze([]) });

/**
 * Parses the text of a `fieldSelector` query; the empty text selects everything.
 * Throws StatusError 400 for a term without operator and for a bad escape. Whether the fields
 * exist is asked by `checkFieldSelector`.
 */
export function parseFieldSelector(text: string): FieldSelector {
  if (text === '') return EVERYTHING;
  const byText = new Map<string, FieldTerm>();
  for (const part of splitTerms(text)) {
    if (part === '') continue;
    const term = parseTerm(part);
    if (term === undefined) {
      throw badRequest(`invalid selector: '${text}'; can't understand '${part}'`);
    }
    // An empty term selects everything.
    if (term.field !== '' || term.value !== '') byText.set(termText(term), term);
  }
  return { terms: [...byText.keys()].sort().map((one) => byText.get(one)!) };
}

/** Tells whether every term holds; `getField` returns '' for a field that is not set. */
export type FieldMatcher = (getField: (name: string) => string) => boolean;

/** The tests of all terms on one field. */
interface FieldTest {
  readonly field: string;
  readonly equal: Set<string>;
  readonly unequal: Set<string>;
}

/** Compiled for many objects: each field is looked at once, however many terms name it. */
export function fieldMatcher(selector: FieldSelector): FieldMatcher {
  const byField = new Map<string, FieldTest>();
  for (const { field, operator, value } of selector.terms) {
    let test = byField.get(field);
    if (test === undefined) {
      test = { field, equal: new Set(), unequal: new Set() };
      byField.set(field, test);
    }
    (operator === '=' ? test.equal : test.unequal).add(value);
  }
  const tests = [...byField.values()];
  return (getField) => tests.every((test) => accepts(test, getField(test.field)));
}

function accepts({ equal, unequal }: FieldTest, value: string): boolean {
  // A field never equals two different values.
  if (equal.size > 0 && (equal.size > 1 || !equal.has(value))) return false;
  return !unequal.has(value);
}

/** The canonical text: the same for selectors that are written differently but ask the same. */
export function formatFieldSelector(selector: FieldSelector): string {
  return selector.terms.map(termText).join(',');
}

/**
 * The value that the selector demands of the field, if it demands equality: such a selector can be
 * found, or answered, through an index. The other terms still have to be matched.
 */
export function requiredValue(selector: FieldSelector, field: string): string | undefined {
  for (const term of selector.terms) {
    if (term.field === field && term.operator === '=') return term.value;
  }
  return undefined;
}

/**
 * Throws StatusError 400 for the first term on a field that the type does not offer.
 * `allowedFields` includes the metadata fields; `unsupportedText` makes the message, which
 * differs between types: `unknownFieldText`, `unsupportedLabelText`, or a type's own.
 */
export function checkFieldSelector(
  selector: FieldSelector,
  allowedFields: { has(field: string): boolean },
  unsupportedText: (field: string) => string = unknownFieldText,
): void {
  for (const { field } of selector.terms) {
    if (!allowedFields.has(field)) throw badRequest(unsupportedText(field));
  }
}

/** The message of types that offer the two metadata fields only. */
export function unknownFieldText(field: string): string {
  const known = METADATA_FIELDS.map(quoteText).join(', ');
  return `${quoteText(field)} is not a known field selector: only ${known}`;
}

/** The message of types with selectable fields of their own, and of custom resources. */
export function unsupportedLabelText(field: string): string {
  return `field label not supported: ${field}`;
}

/** Cuts at commas that no backslash precedes. */
function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let position = 0; position < text.length; position++) {
    if (text[position] === '\\') {
      position++;
    } else if (text[position] === ',') {
      terms.push(text.slice(start, position));
      start = position + 1;
    }
  }
  terms.push(text.slice(start));
  return terms;
}

/** Cuts at the first operator; undefined if there is none. */
function parseTerm(text: string): FieldTerm | undefined {
  const equals = text.indexOf('=');
  if (equals === -1) return undefined;
  const negated = equals > 0 && text[equals - 1] === '!';
  const field = text.slice(0, negated ? equals - 1 : equals);
  const doubled = !negated && text[equals + 1] === '=';
  const value = unescapeValue(text.slice(doubled ? equals + 2 : equals + 1));
  return { field, operator: negated ? '!=' : '=', value };
}

function unescapeValue(text: string): string {
  let value = '';
  for (let position = 0; position < text.length; position++) {
    const character = text[position]!;
    if (character === '\\') {
      const escaped = text[++position];
      if (escaped !== '\\' && escaped !== ',' && escaped !== '=') {
        const [whole = ''] = text.slice(position);
        throw badRequest(`invalid field selector: invalid escape sequence: \\${whole}`);
      }
      value += escaped;
    } else if (character === '=') {
      // The reference server prints the number of the character here, not the character.
      const code = character.charCodeAt(0);
      throw badRequest(`invalid field selector: unescaped character in value: ${code}`);
    } else {
      value += character;
    }
  }
  return value;
}

function termText({ field, operator, value }: FieldTerm): string {
  return `${field}${operator}${value.replace(/[\\,=]/g, '\\$&')}`;
}
