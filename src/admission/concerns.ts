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

/** What a write is about. */
type Written = Pick<ProposedWrite, 'group' | 'resource'>;

/** Whether a policy or a binding is written. */
export function isOfPolicies({ group, resource }: Written): boolean {
  return (
    group === ownGroup('admissionregistration.cluster.io') &&
    /^(validating|mutating)admissionpolic/.test(resource)
  );
}

/** Whether what says who looks at writes is written: webhooks, policies and their bindings. */
export function isOfAdmission(write: Written): boolean {
  return (
    isOfPolicies(write) ||
    (write.group === ownGroup('admissionregistration.cluster.io') &&
      write.resource.endsWith('webhookconfigurations'))
  );
}

/** Whether it asks who somebody is, or what somebody may do. */
export function isReview({ group }: Written): boolean {
  return (
    group === ownGroup('authentication.cluster.io') ||
    group === ownGroup('authorization.cluster.io')
  );
}
