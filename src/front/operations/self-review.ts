/** SelfSubjectReview: who the caller is, or whom it impersonates. */
import { utcSeconds } from '../../base/time/utc-time.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import { readAsked, sendCreated } from './body.ts';
import type { Operation, OperationKind, OperationRequest } from '../operation.ts';
import { reviewedUser } from './reviewed-user.ts';

const SELF_REVIEW: Omit<OperationKind, 'version'> = {
  group: ownGroup('authentication.cluster.io'),
  kind: 'SelfSubjectReview',
  message: 'authentication.v1.SelfSubjectReview',
};

export const reviewSelf: Operation = { methods: ['post'], serve: review };

/** Nothing of what was sent counts. */
async function review(request: OperationRequest): Promise<void> {
  const { route, user, nowMs } = request;
  const kind = { ...SELF_REVIEW, version: route.version };
  await readAsked(request, kind);
  const metadata = { creationTimestamp: utcSeconds(nowMs()) };
  sendCreated(request, kind, { metadata, status: { userInfo: reviewedUser(user) } });
}
