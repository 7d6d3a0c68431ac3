/** One rule of a schema, compiled for the values of its node (README.md#rules). */
import { schemaPath } from '../schema-path.ts';
import { checkTypes, type Variables } from './check.ts';
import { estimatedCost } from './cost/estimate.ts';
import type { SchemaSizes } from './cost/schema-sizes.ts';
import { compileProgram, NoProgram } from './evaluate.ts';
import { mentions, printProblems } from './expression.ts';
import { STORED_EXPRESSIONS, type Library } from './library/library.ts';
import type { Program } from './loops.ts';
import { parseExpression } from './parse.ts';
import { declaredType, type ValueSchema } from './schema-values.ts';
import type { Type } from './types.ts';

export const RULES = 'x-kubernetes-validations';
/** The name in errors for the type of the value that has the rule. */
const SELF_TYPE = 'selfType';

export interface RuleText {
  readonly rule?: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

export interface CompiledRule {
  /** The name of the rule in errors: its message, or its text. */
  readonly title: string;
  /** The error when it does not hold. */
  readonly failure: string;
  /** Makes another error; absent where there is no expression for it, or none that works. */
  readonly message: Program | undefined;
  /** The text of that expression. */
  readonly messageText: string;
  /** Why the expression of the message cannot be evaluated; '' when it can. */
  readonly messageProblem: string;
  readonly reason: string | undefined;
  /** The path of the error from that of the value; '' for that itself. */
  readonly path: string;
  /** Whether the value before may be absent. */
  readonly isOptional: boolean;
  /** Absent for an empty rule. */
  readonly program: Program | undefined;
  /** Why it cannot be evaluated; '' when it can. */
  readonly problem: string;
  /** Whether it compares with the value before. */
  readonly isTransition: boolean;
  /** The most that it and its message can cost on one value; 0 where nobody asked. */
  readonly cost: number;
  readonly messageCost: number;
}

/**
 * The rules of a node, in their order; none where expressions cannot see its values. With `sizes`
 * what they cost is estimated.
 */
export function compileRules(
  rules: readonly RuleText[],
  node: ValueSchema,
  libraryOf: LibraryOf = () => STORED_EXPRESSIONS,
  sizes?: SchemaSizes,
): CompiledRule[] {
  const type = declaredType(node, SELF_TYPE);
  if (type === undefined) return [];
  return rules.map((rule) => compileRule(rule, type, node, { libraryOf, sizes }));
}

/** The library that an expression may use. */
export type LibraryOf = (expression: string) => Library;

interface How {
  readonly libraryOf: LibraryOf;
  readonly sizes: SchemaSizes | undefined;
}

const VARIABLES = ['self', 'oldSelf'] as const;

function compileRule(text: RuleText, type: Type, node: ValueSchema, how: How): CompiledRule {
  const { rule = '', message = '', messageExpression = '', reason, fieldPath = '' } = text;
  const isOptional = text.optionalOldSelf === true;
  const title = (message === '' ? rule : message).trim();
  const failure = message === '' ? `failed rule: ${title}` : message;
  const made: CompiledRule = {
    title,
    failure,
    message: undefined,
    messageText: messageExpression,
    messageProblem: '',
    reason,
    path: pathOf(fieldPath, node),
    isOptional,
    program: undefined,
    problem: '',
    isTransition: false,
    cost: 0,
    messageCost: 0,
  };
  if (rule.trim() === '') return made;
  const old: Type = isOptional ? { kind: 'optional', of: type } : type;
  const variables: Variables = new Map([
    ['self', type],
    ['oldSelf', old],
  ]);
  const own = compiled(rule, variables, how, BOOL);
  if (own.problem !== '' || messageExpression === '') return { ...made, ...own };
  const its = compiled(messageExpression, variables, how, STRING);
  const { program: messageProgram, problem: messageProblem, cost: messageCost } = its;
  return { ...made, ...own, message: messageProgram, messageProblem, messageCost };
}

interface Wanted {
  readonly kind: 'bool' | 'string';
  /** Problems of the grammar and the types begin with it. */
  readonly start: string;
  /** Other problems begin with it that no value can mend. */
  readonly planStart: string;
  readonly otherType: string;
}

const BOOL: Wanted = {
  kind: 'bool',
  start: 'compilation failed: ',
  planStart: 'program instantiation failed: ',
  otherType: 'cel expression must evaluate to a bool',
};
const STRING: Wanted = {
  kind: 'string',
  start: 'messageExpression compilation failed: ',
  planStart: 'messageExpression instantiation failed: ',
  otherType: 'messageExpression must evaluate to a string',
};

function compiled(
  text: string,
  variables: Variables,
  { libraryOf, sizes }: How,
  { kind, start, planStart, otherType }: Wanted,
): Pick<CompiledRule, 'problem' | 'program' | 'isTransition' | 'cost'> {
  const refused = (problem: string) => ({
    problem,
    program: undefined,
    isTransition: false,
    cost: 0,
  });
  const library = libraryOf(text);
  const expression = parseExpression(text, library);
  if (!('op' in expression)) {
    return refused(start + printProblems([expression], text, 'grammar'));
  }
  const checked = checkTypes(expression, variables, library);
  if (checked.problems.length > 0) {
    return refused(start + printProblems(checked.problems, text, 'types'));
  }
  if (checked.type.kind !== kind) return refused(otherType);
  let program: Program;
  try {
    program = compileProgram(expression, VARIABLES);
  } catch (error) {
    if (!(error instanceof NoProgram)) throw error;
    return refused(`${planStart}${error.message}`);
  }
  const cost = sizes === undefined ? 0 : estimatedCost(expression, checked.parts, sizes);
  return { problem: '', program, isTransition: mentions(expression, 'oldSelf'), cost };
}

function pathOf(fieldPath: string, { schema }: ValueSchema): string {
  if (fieldPath === '') return '';
  const found = schemaPath(fieldPath, schema.json);
  return typeof found === 'string' ? '' : found.text;
}
