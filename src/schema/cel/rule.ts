/** One rule of a schema, compiled for the values of its node (README.md#rules). */
import { checkTypes } from './check.ts';
import { compileProgram, type Program } from './evaluate.ts';
import { printProblems, type Expression } from './expression.ts';
import { parseExpression } from './parse.ts';
import { declaredType, type ValueSchema } from './schema-values.ts';
import type { Type } from './types.ts';

export const RULES = 'x-kubernetes-validations';
/** The name in errors for the type of the value that has the rule. */
const SELF_TYPE = 'selfType';

export interface RuleText {
  readonly rule?: string;
  readonly message?: string;
}

export interface CompiledRule {
  /** The name of the rule in errors: its message, or its text. */
  readonly title: string;
  /** The error when it does not hold. */
  readonly failure: string;
  /** Absent for an empty rule. */
  readonly program: Program | undefined;
  /** Why it cannot be evaluated; '' when it can. */
  readonly problem: string;
  /** Whether it compares with the value before. */
  readonly isTransition: boolean;
}

/** The rules of a node, in their order; none where expressions cannot see its values. */
export function compileRules(rules: readonly RuleText[], node: ValueSchema): CompiledRule[] {
  const type = declaredType(node, SELF_TYPE);
  return type === undefined ? [] : rules.map((rule) => compileRule(rule, type));
}

const VARIABLES = ['self', 'oldSelf'] as const;

function compileRule({ rule = '', message = '' }: RuleText, type: Type): CompiledRule {
  const title = (message === '' ? rule : message).trim();
  const failure = message === '' ? `failed rule: ${title}` : message;
  const made = { title, failure, program: undefined, problem: '', isTransition: false };
  if (rule.trim() === '') return made;
  const expression = parseExpression(rule);
  if (!('op' in expression)) {
    return {
      ...made,
      problem: `compilation failed: ${printProblems([expression], rule, 'grammar')}`,
    };
  }
  const checked = checkTypes(expression, new Map(VARIABLES.map((name) => [name, type])));
  if (checked.problems.length > 0) {
    return {
      ...made,
      problem: `compilation failed: ${printProblems(checked.problems, rule, 'types')}`,
    };
  }
  if (checked.type.kind !== 'bool') {
    return { ...made, problem: 'cel expression must evaluate to a bool' };
  }
  return {
    ...made,
    program: compileProgram(expression, VARIABLES),
    isTransition: asksForOldSelf(expression),
  };
}

function asksForOldSelf(expression: Expression): boolean {
  switch (expression.op) {
    case 'name':
      return expression.name === 'oldSelf' || expression.name === '.oldSelf';
    case 'select':
      return asksForOldSelf(expression.of);
    case 'call':
      return (
        (expression.target !== undefined && asksForOldSelf(expression.target)) ||
        expression.args.some(asksForOldSelf)
      );
    case 'list':
      return expression.items.some(asksForOldSelf);
    case 'map':
      return expression.entries.some(
        ({ key, value }) => asksForOldSelf(key) || asksForOldSelf(value),
      );
    case 'loop': {
      const { range, filter, body } = expression;
      return [range, filter, body].some((part) => part !== undefined && asksForOldSelf(part));
    }
    default:
      return false;
  }
}
