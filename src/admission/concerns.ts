/** Which writes concern a plugin: taken together where it is one of several. */
import { ownGroup } from '../semantics/dialect/own-names.ts';
import type { PluginEntry } from './plugin.ts';
import type { AdmissionOperation, ProposedWrite } from './proposal.ts';

/** Such writes of the objects of a type themselves; its group is spelled neutrally. */
export function writes(
  group: string,
  plural: string,
  ...operations: readonly AdmissionOperation[]
): PluginEntry['concerns'] {
  return ({ operation, subresource, resource, group: of }) =>
    resource === plural &&
    subresource === '' &&
    operations.includes(operation) &&
    of === ownGroup(group);
}

export const NEW_POD = writes('', 'pods', 'CREATE');
export const NEW_CLAIM = writes('', 'persistentvolumeclaims', 'CREATE');

export function isNamespace({ group, resource }: ProposedWrite): boolean {
  return group === '' && resource === 'namespaces';
}
