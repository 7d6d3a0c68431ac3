/**
 * Expressions about the claims of tokens, and about the users that tokens are of
 * (../README.md#expressions-about-claims).
 */
import { ownRelease } from '../../../release/release.ts';
import { Budget, OutOfBudget } from '../cost/budget.ts';
import { unescapedName } from '../escaped-names.ts';
import { compileProgram, NoProgram } from '../evaluate.ts';
import { selects } from '../expression.ts';
import { JsonMap, jsonList } from '../json-values.ts';
import { STORED_EXPRESSIONS } from '../library/library.ts';
import type { Program } from '../loops.ts';
import { checkKnownExpression } from '../request-expression.ts';
import { simple, type Type } from '../types.ts';
import { Failure, ListValue, type Value } from '../values.ts';

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

export interface ClaimExpression {
  readonly text: string;
  /** Why it is refused; '' for one that can be evaluated. */
  readonly problem: string;
  readonly program: Program | undefined;
  /** Whether it selects the claims `email` and `email_verified`, by their names. */
  readonly uses: { readonly email: boolean; readonly verified: boolean };
}

export function compileClaimExpression(
  text: string,
  variable: keyof typeof VARIABLES,
  result: 'any' | 'bool',
): ClaimExpression {
  const variables = new Map<string, Type>([[variable, VARIABLES[variable]]]);
  const { problem, type, expression } = checkKnownExpression(text, variables, STORED_EXPRESSIONS);
  const refused = (why: string): ClaimExpression => {
    return { text, problem: why, program: undefined, uses: { email: false, verified: false } };
  };
  if (problem !== '' || expression === undefined) return refused(problem);
  if (result === 'bool' && type.kind !== 'bool') return refused('must evaluate to bool');
  const uses = {
    email: selects(expression, 'claims', 'email'),
    verified: selects(expression, 'claims', 'email_verified'),
  };
  try {
    return { text, problem: '', program: compileProgram(expression, [variable]), uses };
  } catch (error) {
    if (!(error instanceof NoProgram)) throw error;
    return refused(`program instantiation failed: ${error.message}`);
  }
}

/** Its value; a Failure with the words of the reference. */
export function claimResult({ program, text }: ClaimExpression, value: Value): Value {
  const failed = (why: string): Failure => {
    return new Failure(`expression '${text}' resulted in error: ${why}`);
  };
  if (program === undefined) return failed('the expression cannot be evaluated');
  try {
    const result = program({ values: [value], budget: new Budget() });
    return result instanceof Failure ? failed(result.message) : result;
  } catch (error) {
    if (!(error instanceof OutOfBudget)) throw error;
    return failed(error.message);
  }
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
