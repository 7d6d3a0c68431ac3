/** TokenReview: whose token it is (src/front/README.md#tokens). */
import type { TokenReviewSpec } from '#messages/authentication.v1';
import { AuthenticationError } from '../../auth/authenticator.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import { badRequest } from '../../semantics/errors/status.ts';
import { readAsked, sendCreated } from './body.ts';
import type { Operation, OperationKind, OperationRequest } from '../operation.ts';
import { reviewedUser, type ReviewedUser } from './reviewed-user.ts';

const TOKEN_REVIEW: OperationKind = {
  group: ownGroup('authentication.cluster.io'),
  version: 'v1',
  kind: 'TokenReview',
  message: 'authentication.v1.TokenReview',
};

interface ReviewStatus {
  readonly authenticated?: boolean;
  readonly user?: ReviewedUser;
  readonly audiences?: readonly string[];
  readonly error?: string;
}

export const reviewToken: Operation = { methods: ['post'], serve: review };

async function review(request: OperationRequest): Promise<void> {
  const { object } = await readAsked(request, TOKEN_REVIEW);
  const { token: sent = '', audiences = [] } = (object['spec'] ?? {}) as TokenReviewSpec;
  // The token ends at a space, as in a header.
  const [token = ''] = sent.trim().split(' ');
  if (token === '') throw badRequest('token is required for TokenReview in authentication');
  const asked = audiences.length === 0 ? request.tokens.apiAudiences : audiences;
  const status = await statusOf(request, token, asked);
  sendCreated(request, TOKEN_REVIEW, { ...object, status });
}

async function statusOf(
  { authenticator }: OperationRequest,
  token: string,
  asked: readonly string[],
): Promise<ReviewStatus> {
  try {
    const { user, audiences = [] } = await authenticator.authenticateToken(token, asked);
    return { authenticated: true, user: reviewedUser(user), audiences };
  } catch (error) {
    if (!(error instanceof AuthenticationError)) throw error;
    return { error: error.message };
  }
}
