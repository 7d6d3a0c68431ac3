/** Which writes concern a plugin: taken together where it is one of several. */
import { ownGroup } from '../semantics/dialect/own-names.ts';
import type { AdmissionOperation, ProposedWrite } from './proposal.ts';

/** Such writes of the objects of a type themselves; its group is spelled neutrally. */
export function writes(
  group: string,
  plural: string,
  ...operations: readonly AdmissionOperation[]
): (write: ProposedWrite) => boolean {
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

/** Whether it is about what says who looks at writes: webhooks, policies and their bindings. */
export function isOfAdmission({
  group,
  resource,
}: Pick<ProposedWrite, 'group' | 'resource'>): boolean {
  return (
    group === ownGroup('admissionregistration.cluster.io') &&
    /^(?:validating|mutating)(?:webhookconfigurations|admissionpolic)/.test(resource)
  );
}

/** Whether it asks who somebody is, or what somebody may do. */
export function isReview({ group }: Pick<ProposedWrite, 'group'>): boolean {
  return (
    group === ownGroup('authentication.cluster.io') ||
    group === ownGroup('authorization.cluster.io')
  );
}
