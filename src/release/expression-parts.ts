/** The parts of the library of expressions that a release has. */
import { EXPRESSION_PARTS } from './data/expression-parts.ts';
import { isIn } from './life.ts';
import type { Release } from './release.ts';

export type ExpressionPart = keyof typeof EXPRESSION_PARTS;

/** The parts that new expressions, or those that are stored, may use. */
export function expressionParts(
  { minor }: Release,
  of: 'new' | 'stored',
): ReadonlySet<ExpressionPart> {
  const names = Object.keys(EXPRESSION_PARTS) as readonly ExpressionPart[];
  const known = of === 'new' ? minor - 1 : minor;
  return new Set(names.filter((name) => isIn(EXPRESSION_PARTS[name], known)));
}
