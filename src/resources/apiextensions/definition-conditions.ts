/** The conditions of a definition. No function here changes its arguments. */
import type { CustomResourceDefinitionCondition } from '#messages/apiextensions.v1';

/** A condition without its time: `withCondition` sets that. */
export interface NewCondition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

export function isConditionTrue(
  conditions: readonly CustomResourceDefinitionCondition[] = [],
  type: string,
): boolean {
  return conditions.find((condition) => condition.type === type)?.status === 'True';
}

/**
 * The conditions with one that is new or replaces the one of its type, where that stands. Its time
 * changes with its status only. `now` is a time of metadata.
 */
export function withCondition(
  conditions: readonly CustomResourceDefinitionCondition[],
  { type, status, reason, message }: NewCondition,
  now: string,
): CustomResourceDefinitionCondition[] {
  const before = conditions.find((condition) => condition.type === type);
  const since = before?.status === status ? before.lastTransitionTime : undefined;
  const after = { ...before, type, status, lastTransitionTime: since ?? now, reason, message };
  if (before === undefined) return [...conditions, after];
  return conditions.map((condition) => (condition === before ? after : condition));
}

/** Whether the conditions say exactly this already. */
export function saysCondition(
  conditions: readonly CustomResourceDefinitionCondition[] = [],
  { type, status, reason, message }: NewCondition,
): boolean {
  const said = conditions.find((condition) => condition.type === type);
  return said?.status === status && said.reason === reason && said.message === message;
}
