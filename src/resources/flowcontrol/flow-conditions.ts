/** Group, older version and conditions of both kinds of flow control (README.md#flow-control). */
import type {
  FlowSchemaCondition,
  PriorityLevelConfigurationCondition,
} from '#messages/flowcontrol.v1beta2';
import { ownRelease } from '../../release/release.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import { duplicate, required, type FieldError } from '../../semantics/errors/field-error.ts';
import type { ApiObject } from '../kind.ts';

export const FLOW_CONTROL_GROUP = ownGroup('flowcontrol.apiserver.cluster.io');

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
    const text = ownRelease().has('flowControlTexts') ? '' : 'must not be empty';
    if (type === '') errors.push(required(field, text));
  });
}

/** Writes of the status leave all metadata alone but the owners of the status. */
export function keepMetadata(object: ApiObject, stored: ApiObject): void {
  const { managedFields } = object.metadata;
  object.metadata = { ...stored.metadata, managedFields };
}
