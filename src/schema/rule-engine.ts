/**
 * The engine for rules of schemas and expressions of policies, for threads that were told to check
 * rules (cel/README.md).
 */

type RuleEngine = Pick<
  typeof import('./cel/validate-rules.ts') &
    typeof import('./cel/check-rules.ts') &
    typeof import('./cel/request-expression.ts'),
  'compileRuleValidator' | 'ruleErrors' | 'checkRequestExpression' | 'RequestVariables'
>;

let engine: RuleEngine | undefined;

/** Makes this thread check rules from now on. */
export async function loadRuleEngine(): Promise<void> {
  const { compileRuleValidator } = await import('./cel/validate-rules.ts');
  const { ruleErrors } = await import('./cel/check-rules.ts');
  const { checkRequestExpression, RequestVariables } = await import('./cel/request-expression.ts');
  engine = { compileRuleValidator, ruleErrors, checkRequestExpression, RequestVariables };
}

/** Undefined in threads that ignore rules. */
export function ruleEngine(): RuleEngine | undefined {
  return engine;
}
