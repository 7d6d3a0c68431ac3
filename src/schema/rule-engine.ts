/** Rules of schemas: they are looked at by threads that were told so (cel/README.md). */

type RuleEngine = Pick<
  typeof import('./cel/validate-rules.ts') & typeof import('./cel/check-rules.ts'),
  'compileRuleValidator' | 'ruleErrors'
>;

let engine: RuleEngine | undefined;

/** Has this thread look at rules from now on. */
export async function loadRuleEngine(): Promise<void> {
  const { compileRuleValidator } = await import('./cel/validate-rules.ts');
  const { ruleErrors } = await import('./cel/check-rules.ts');
  engine = { compileRuleValidator, ruleErrors };
}

/** Undefined where rules say nothing. */
export function ruleEngine(): RuleEngine | undefined {
  return engine;
}
