/** All operations by what routes call them: `pods/eviction`, `bindings`. */
import {
  reviewLocalSubjectAccess,
  reviewSelfAccess,
  reviewSelfRules,
  reviewSubjectAccess,
} from './access-reviews.ts';
import { assert } from '../../base/assert.ts';
import { bindPod } from './binding.ts';
import { componentStatuses } from './component-statuses.ts';
import { evictPod } from './eviction.ts';
import type { DescribedSubresource, Operation } from '../operation.ts';
import { podLog } from './pod-log.ts';
import { podAttach, podExec, podPortForward } from './pod-sessions.ts';
import { nodeProxy, podProxy, serviceProxy } from './proxy.ts';
import { requestToken } from './token-request.ts';
import { reviewSelf } from './self-review.ts';
import { reviewToken } from './token-review.ts';

export const OPERATIONS: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ['bindings', bindPod],
  ['componentstatuses', componentStatuses],
  ['localsubjectaccessreviews.authorization.cluster.io', reviewLocalSubjectAccess],
  ['nodes/proxy', nodeProxy],
  ['pods/attach', podAttach],
  ['pods/binding', bindPod],
  ['pods/eviction', evictPod],
  ['pods/exec', podExec],
  ['pods/log', podLog],
  ['pods/portforward', podPortForward],
  ['pods/proxy', podProxy],
  ['selfsubjectaccessreviews.authorization.cluster.io', reviewSelfAccess],
  ['selfsubjectreviews.authentication.cluster.io', reviewSelf],
  ['selfsubjectrulesreviews.authorization.cluster.io', reviewSelfRules],
  ['serviceaccounts/token', requestToken],
  ['services/proxy', serviceProxy],
  ['subjectaccessreviews.authorization.cluster.io', reviewSubjectAccess],
  ['tokenreviews.authentication.cluster.io', reviewToken],
]);

/** The operation of a subresource that a kind has. */
export function subresourceOperation(
  name: string,
): Operation & { readonly describedAs: DescribedSubresource } {
  const operation = OPERATIONS.get(name);
  const describedAs = operation?.describedAs;
  assert(operation !== undefined && describedAs !== undefined, `${name} is no such operation`);
  return { ...operation, describedAs };
}
