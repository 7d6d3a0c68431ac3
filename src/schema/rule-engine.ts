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
let loading: Promise<void> | undefined;

/**
 * Makes this thread check rules from now on. Each of its shards asks for it, and an import that is
 * repeated has its file looked for again.
 */
export function loadRuleEngine(): Promise<void> {
  return (loading ??= load());
}

async function load(): Promise<void> {
  const { compileRuleValidator } = await import('./cel/validate-rules.ts');
  const { ruleErrors } = await import('./cel/check-rules.ts');
  const { checkRequestExpression, RequestVariables } = await import('./cel/request-expression.ts');
  engine = { compileRuleValidator, ruleErrors, checkRequestExpression, RequestVariables };
}

/** Undefined in threads that ignore rules. */
export function ruleEngine(): RuleEngine | undefined {
  return engine;
}
