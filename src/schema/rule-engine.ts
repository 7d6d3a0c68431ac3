/** The engine for rules of schemas, for threads that were told to check rules (cel/README.md). */

type RuleEngine = Pick<
  typeof import('./cel/validate-rules.ts') & typeof import('./cel/check-rules.ts'),
  'compileRuleValidator' | 'ruleErrors'
>;

let engine: RuleEngine | undefined;

/** Makes this thread check rules from now on. */
export async function loadRuleEngine(): Promise<void> {
  const { compileRuleValidator } = await import('./cel/validate-rules.ts');
  const { ruleErrors } = await import('./cel/check-rules.ts');
  engine = { compileRuleValidator, ruleErrors };
}

/** Undefined in threads that ignore rules. */
export function ruleEngine(): RuleEngine | undefined {
  return engine;
}
