/** The expressions of one issuer, made once. Who has none does without this file. */
import {
  claimResult,
  claimsValue,
  compileClaimExpression,
  resultTexts,
  type ClaimExpression,
} from '../../../schema/cel/access/claim-expression.ts';
import { Failure, type Value } from '../../../schema/cel/values.ts';
import type { User } from '../../../semantics/user.ts';
import { AuthenticationError } from '../../authenticator.ts';
import type { JsonMembers } from '../json-web-token.ts';
import type { JwtDocument } from './jwt-form.ts';
import type { Compile } from './mapping-errors.ts';

const NO_TEXTS = 'expression must return a string or a list of strings';

/** The types of values that expressions about claims give. */
export interface ClaimResults {
  text(part: 'username' | 'uid'): string | undefined;
  groups(): readonly string[] | undefined;
  extra(): Record<string, readonly string[]>;
  /** Throws AuthenticationError where a rule does not hold. */
  checkClaims(): void;
}

interface Rule {
  readonly program: ClaimExpression;
  readonly message: string;
}

export const compileClaim: Compile = (expression, purpose) => {
  if (purpose === 'mapping') return compileClaimExpression(expression, 'claims', 'any');
  return compileClaimExpression(expression, purpose === 'userRule' ? 'user' : 'claims', 'bool');
};

export class ClaimPrograms {
  readonly username: ClaimExpression | undefined;
  readonly uid: ClaimExpression | undefined;
  readonly groups: ClaimExpression | undefined;
  readonly extra: readonly { readonly key: string; readonly program: ClaimExpression }[];
  readonly claimRules: readonly Rule[];
  readonly #userRules: readonly Rule[];

  constructor({ claimMappings, claimValidationRules, userValidationRules }: JwtDocument) {
    const { username, uid, groups, extra } = claimMappings ?? {};
    this.username = mapping(username?.expression);
    this.uid = mapping(uid?.expression);
    this.groups = mapping(groups?.expression);
    this.extra = (extra ?? []).flatMap((one) => {
      const program = mapping(one?.valueExpression);
      return program === undefined ? [] : { key: one?.key ?? '', program };
    });
    this.claimRules = rulesOf(claimValidationRules ?? [], 'claims');
    this.#userRules = rulesOf(userValidationRules ?? [], 'user');
  }

  of(claims: JsonMembers): ClaimResults {
    return new Results(this, claimsValue(claims));
  }

  /** Throws AuthenticationError where a rule does not hold. */
  checkUser({ name, uid, groups, extra = {} }: User): void {
    if (this.#userRules.length === 0) return;
    const user = claimsValue({ username: name, uid, groups, extra });
    checkRules(this.#userRules, user, 'user info validation rule');
  }
}

class Results implements ClaimResults {
  readonly #programs: ClaimPrograms;
  readonly #claims: Value;

  constructor(programs: ClaimPrograms, claims: Value) {
    this.#programs = programs;
    this.#claims = claims;
  }

  text(part: 'username' | 'uid'): string | undefined {
    const program = this.#programs[part];
    if (program === undefined) return undefined;
    const what = `error evaluating ${part} claim expression`;
    const value = this.#value(program, what);
    if (typeof value === 'string') return value;
    throw problem(`${what}: ${part} claim expression must return a string`);
  }

  groups(): readonly string[] | undefined {
    const { groups } = this.#programs;
    if (groups === undefined) return undefined;
    const what = 'error evaluating group claim expression';
    const texts = resultTexts(this.#value(groups, what));
    if (texts === undefined) throw problem(`${what}: ${NO_TEXTS}`);
    return texts;
  }

  extra(): Record<string, readonly string[]> {
    const values = this.#programs.extra.map(({ key, program }) => {
      const value = claimResult(program, this.#claims);
      if (value instanceof Failure) throw new AuthenticationError(value.message);
      return { key, value, text: program.text };
    });
    const all = values.map(({ key, value, text }) => {
      const texts = resultTexts(value);
      if (texts !== undefined) return [key, texts] as const;
      throw problem(`error evaluating extra claim expression: ${text}: ${NO_TEXTS}`);
    });
    return Object.fromEntries(all.filter(([, texts]) => texts.length > 0));
  }

  checkClaims(): void {
    const { claimRules } = this.#programs;
    checkRules(claimRules, this.#claims, 'claim validation expression');
  }

  #value(program: ClaimExpression, what: string): Value {
    const value = claimResult(program, this.#claims);
    if (value instanceof Failure) throw problem(`${what}: ${value.message}`);
    return value;
  }
}

function mapping(expression: string | undefined): ClaimExpression | undefined {
  return expression ? compileClaimExpression(expression, 'claims', 'any') : undefined;
}

function rulesOf(
  rules: readonly ({ readonly expression?: string; readonly message?: string } | null)[],
  variable: 'claims' | 'user',
): readonly Rule[] {
  return rules.flatMap((rule) => {
    const { expression = '', message = '' } = rule ?? {};
    if (expression === '') return [];
    return { program: compileClaimExpression(expression, variable, 'bool'), message };
  });
}

/** All are evaluated before any is looked at. */
function checkRules(rules: readonly Rule[], variable: Value, what: string): void {
  const start = `error evaluating ${what}`;
  const values = rules.map(({ program }) => claimResult(program, variable));
  for (const value of values) {
    if (value instanceof Failure) throw problem(`${start}: ${value.message}`);
  }
  rules.forEach(({ program, message }, at) => {
    if (values[at] === true) return;
    throw problem(`${start}: validation expression '${program.text}' failed: ${message}`);
  });
}

function problem(what: string): AuthenticationError {
  return new AuthenticationError(`oidc: ${what}`);
}
