/**
 * Checks the expressions of policies and of conditions, where this thread has the engine for them
 * (README.md#expressions).
 */
import type {
  RequestResult,
  RequestScope,
  RequestVariables,
} from '../../schema/cel/request-expression.ts';
import { ruleEngine } from '../../schema/rule-engine.ts';
import { ownRelease } from '../../release/release.ts';
import { invalid, type FieldError } from '../../semantics/errors/field-error.ts';

/** The expressions of one policy, or of one webhook. */
export class PolicyExpressions {
  readonly #hasParams: boolean;
  /** Absent where there are none to declare. */
  readonly #variables: RequestVariables | undefined;

  constructor(hasParams: boolean, hasVariables: boolean) {
    const engine = hasVariables ? ruleEngine() : undefined;
    this.#hasParams = hasParams;
    this.#variables = engine && new engine.RequestVariables();
  }

  /** Adds the problem of an expression, which is shown as `shown`. */
  check(
    text: string,
    results: readonly RequestResult[],
    field: string,
    errors: FieldError[],
    shown = text,
  ): void {
    this.#check(text, results, field, errors, { shown });
  }

  /** Checks a condition, which does not see the variables. */
  checkCondition(text: string, field: string, errors: FieldError[]): void {
    this.#check(text, ['bool'], field, errors, { shown: text, isCondition: true });
  }

  /** Checks what makes a patch, and may construct messages for it. */
  checkPatch(
    text: string,
    result: 'Object' | 'list(JSONPatch)',
    field: string,
    errors: FieldError[],
  ): void {
    this.#check(text, [result], field, errors, { shown: text, makesPatch: true });
  }

  /** Checks a message, which does not see what the user may do. */
  checkMessage(text: string, field: string, errors: FieldError[]): void {
    this.#check(text, ['string'], field, errors, { shown: text, isMessage: true });
  }

  /** Checks a variable, which expressions see that are checked after it. */
  declare(name: string, text: string, field: string, errors: FieldError[]): void {
    const type = this.#check(text, ['any'], field, errors, { shown: text });
    if (type !== undefined) this.#variables?.declare(name, type);
  }

  #check(
    text: string,
    results: readonly RequestResult[],
    field: string,
    errors: FieldError[],
    { shown, isCondition = false, isMessage = false, makesPatch = false }: Place,
  ) {
    const scope: RequestScope = {
      hasParams: this.#hasParams,
      hasAuthorizer: !isMessage,
      makesPatch,
    };
    const variables = isCondition ? undefined : this.#variables;
    const checked = ruleEngine()?.checkRequestExpression(text, results, scope, variables);
    if (checked !== undefined && checked.problem !== '') {
      errors.push(invalid(field, shown, toldAs(checked.problem)));
    }
    return checked?.type;
  }
}

interface Place {
  readonly shown: string;
  readonly isCondition?: boolean;
  readonly isMessage?: boolean;
  readonly makesPatch?: boolean;
}

const RESULT = /^(must evaluate to .*) but got /;

/** As the release says it. */
function toldAs(problem: string): string {
  const [, wanted] = RESULT.exec(problem) ?? [];
  if (wanted === undefined || ownRelease().has('gotResults')) return problem;
  return ownRelease().has('actionsOfPolicies') ? wanted : 'cel expression must evaluate to a bool';
}
