/** Group, older version and conditions of both kinds of flow control (README.md#flow-control). */
import type {
  FlowSchemaCondition,
  PriorityLevelConfigurationCondition,
} from '#messages/flowcontrol.v1beta2';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import { duplicate, required, type FieldError } from '../../semantics/errors/field-error.ts';
import type { ApiObject, KindVersion } from '../kind.ts';

export const FLOW_CONTROL_GROUP = ownGroup('flowcontrol.apiserver.cluster.io');

/**
 * The older version of a kind of this group, which has the same members
 * (src/resources/README.md#versions).
 */
export function betaVersion(kind: string): KindVersion {
  const replacement = `${FLOW_CONTROL_GROUP}/v1beta2 ${kind}`;
  return { version: 'v1beta1', deprecated: { since: '1.23', removedIn: '1.26', replacement } };
}

export type FlowCondition = FlowSchemaCondition | PriorityLevelConfigurationCondition;

/** Adds the problems of the conditions of a status: one of each type. */
export function checkFlowConditions(
  conditions: readonly FlowCondition[],
  errors: FieldError[],
): void {
  const seen = new Set<string>();
  conditions.forEach(({ type = '' }, index) => {
    const field = `status.conditions[${index}].type`;
    if (seen.has(type)) errors.push(duplicate(field, type));
    seen.add(type);
    if (type === '') errors.push(required(field, 'must not be empty'));
  });
}

/** Writes of the status leave all metadata alone but the owners of the status. */
export function keepMetadata(object: ApiObject, stored: ApiObject): void {
  const { managedFields } = object.metadata;
  object.metadata = { ...stored.metadata, managedFields };
}
