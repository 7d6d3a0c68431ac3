/** Definitions as they are stored, and what the controller writes of them. */
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionStatus,
} from '#messages/apiextensions.v1';
import type { ShardObjects } from '../../replicas/shard-objects.ts';
import { shownDefinition } from '../../types/custom/definition-facts.ts';

/** The newest state of a definition; undefined for none. Rejects with what the shard says. */
export async function getDefinition(
  definitions: ShardObjects,
  name: string,
): Promise<CustomResourceDefinition | undefined> {
  const found = await definitions.get({ namespace: '', name });
  return found && shownDefinition(found);
}

/** Writes a status. Rejects with StatusError 409 where others have written meanwhile, and 404. */
export async function sayStatus(
  definitions: ShardObjects,
  definition: CustomResourceDefinition,
  status: CustomResourceDefinitionStatus,
): Promise<void> {
  const { name = '' } = definition.metadata;
  await definitions.update({ namespace: '', name }, { ...definition, status }, 'status');
}
