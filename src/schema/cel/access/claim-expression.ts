/**
 * Expressions about the claims of tokens, and about the users that tokens are of
 * (../README.md#expressions-about-claims).
 */
import { ownRelease } from '../../../release/release.ts';
import {
  checkedProgram,
  namedResult,
  refusedProgram,
  resultOf,
  type CheckedProgram,
} from '../checked-program.ts';
import { unescapedName } from '../escaped-names.ts';
import { selects } from '../expression.ts';
import { JsonMap, jsonList } from '../json-values.ts';
import { STORED_EXPRESSIONS } from '../library/library.ts';
import { checkKnownExpression } from '../request-expression.ts';
import { simple, type Type } from '../types.ts';
import { ListValue, type Value } from '../values.ts';

const STRING = simple('string');
const STRINGS: Type = { kind: 'list', item: STRING };
const USER_FIELDS: Readonly<Record<string, Type>> = {
  username: STRING,
  uid: STRING,
  groups: STRINGS,
  extra: { kind: 'map', key: STRING, value: STRINGS },
};

/** The one variable that an expression sees. */
const VARIABLES = {
  claims: { kind: 'map', key: STRING, value: simple('dyn') },
  user: {
    kind: 'object',
    name: 'kubernetes.UserInfo',
    field: (name) => (Object.hasOwn(USER_FIELDS, name) ? USER_FIELDS[name] : undefined),
  },
} as const satisfies Record<string, Type>;

export interface ClaimExpression extends CheckedProgram {
  /** Whether it selects the claims `email` and `email_verified`, by their names. */
  readonly uses: { readonly email: boolean; readonly verified: boolean };
}

export function compileClaimExpression(
  text: string,
  variable: keyof typeof VARIABLES,
  result: 'any' | 'bool',
): ClaimExpression {
  const variables = new Map<string, Type>([[variable, VARIABLES[variable]]]);
  const checked = checkKnownExpression(text, variables, STORED_EXPRESSIONS);
  const { problem, type, expression } = checked;
  const isOther = problem === '' && result === 'bool' && type.kind !== 'bool';
  const made = isOther
    ? refusedProgram(text, 'must evaluate to bool')
    : checkedProgram(text, checked, [variable]);
  const selected = (claim: string): boolean =>
    made.problem === '' && expression !== undefined && selects(expression, 'claims', claim);
  return { ...made, uses: { email: selected('email'), verified: selected('email_verified') } };
}

/** Its value; a Failure with the words of the reference. */
export function claimResult(expression: ClaimExpression, value: Value): Value {
  return namedResult(expression, resultOf(expression, [value]));
}

/** A text, or a list of them without the empty ones; undefined for anything else but null. */
export function resultTexts(value: Value): readonly string[] | undefined {
  if (value === null || value === '') return [];
  if (typeof value === 'string') return [value];
  if (!(value instanceof ListValue)) return undefined;
  const texts = value.items.filter((item) => typeof item === 'string');
  if (texts.length < value.items.length) return undefined;
  return texts.filter((text) => text !== '');
}

const UNESCAPES = ownRelease().has('escapedClaims');

/** The members at the top may always be asked for by their escaped names. */
export function claimsValue(claims: object): Value {
  return new ClaimMap(claims, true);
}

/** As the reference reads the claims: all numbers are doubles. */
function claimValue(json: unknown): Value {
  if (typeof json !== 'object') return json as string | number | boolean;
  if (json === null) return null;
  return Array.isArray(json) ? jsonList(json, claimValue) : new ClaimMap(json, UNESCAPES);
}

class ClaimMap extends JsonMap {
  readonly #unescapes: boolean;

  constructor(object: object, unescapes: boolean) {
    super(object, claimValue);
    this.#unescapes = unescapes;
  }

  override find(key: Value): Value | undefined {
    if (!this.#unescapes || typeof key !== 'string') return super.find(key);
    return super.find(unescapedName(key) ?? key);
  }
}
