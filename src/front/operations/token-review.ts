/** TokenReview: whose token it is (README.md#tokens). */
import {
  accountUserName,
  TOKEN_LEEWAY_SECONDS,
  tokenProblem,
} from '../../auth/service-account-tokens.ts';
import type { BoundObject, TokenClaims } from '../../auth/service-account-tokens.ts';
import { RawJson } from '../../codec/raw-json.ts';
import { ownGroup, ownName } from '../../semantics/dialect/own-names.ts';
import { badRequest, isRefusal } from '../../semantics/status.ts';
import type { GroupResource } from '../../semantics/status.ts';
import { readAsked, sendCreated } from './body.ts';
import type { Operation, OperationKind, OperationRequest } from './operation.ts';
import { getStored, PODS, SECRETS, SERVICE_ACCOUNTS } from './shard-requests.ts';
import type { Stored } from './shard-requests.ts';

const TOKEN_REVIEW: OperationKind = {
  group: ownGroup('authentication.cluster.io'),
  version: 'v1',
  kind: 'TokenReview',
  message: 'authentication.v1.TokenReview',
};

const AUTHENTICATED_GROUP = 'system:authenticated';
const POD_NAME = ownName('authentication.cluster.io/pod-name');
const POD_UID = ownName('authentication.cluster.io/pod-uid');
const UNKNOWN_TOKEN = 'invalid bearer token';

interface Spec {
  readonly token?: string;
  readonly audiences?: readonly string[];
}

interface ReviewedUser {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, RawJson>>;
}

interface ReviewStatus {
  readonly authenticated?: boolean;
  readonly user?: ReviewedUser;
  readonly audiences?: readonly string[];
  readonly error?: string;
}

export const reviewToken: Operation = { methods: ['post'], serve: review };

async function review(request: OperationRequest): Promise<void> {
  const { object } = readAsked(request, TOKEN_REVIEW);
  const { token: sent = '', audiences = [] } = (object['spec'] ?? {}) as Spec;
  const token = sent.trim();
  if (token === '') throw badRequest('token is required for TokenReview in authentication');
  const asked = audiences.length === 0 ? request.tokens.apiAudiences : audiences;
  const status =
    (await staticStatus(request, token, asked)) ?? (await accountStatus(request, token, asked));
  sendCreated(request, TOKEN_REVIEW, { ...object, status });
}

/** Of a token from the command line: it is for this server's API. */
async function staticStatus(
  { authenticator, tokens }: OperationRequest,
  token: string,
  asked: readonly string[],
): Promise<ReviewStatus | undefined> {
  const credentials = { token, headers: () => [], headerNames: () => [] };
  const user = (await authenticator.authenticate(credentials))?.user;
  if (user === undefined) return undefined;
  const audiences = tokens.apiAudiences.filter((audience) => asked.includes(audience));
  if (audiences.length === 0) return { error: UNKNOWN_TOKEN };
  const { name, uid, groups } = user;
  return {
    authenticated: true,
    user: { username: name, uid, groups: withAuthenticated(groups) },
    audiences,
  };
}

function withAuthenticated(groups: readonly string[]): readonly string[] {
  return groups.includes(AUTHENTICATED_GROUP) ? groups : [...groups, AUTHENTICATED_GROUP];
}

async function accountStatus(
  request: OperationRequest,
  token: string,
  asked: readonly string[],
): Promise<ReviewStatus> {
  const claims = request.tokens.read(token);
  if (claims === undefined) return { error: UNKNOWN_TOKEN };
  const problem =
    tokenProblem(claims, asked, request.nowMs()) || (await accountProblem(request, claims));
  if (problem !== '') return { error: `[${UNKNOWN_TOKEN}, ${problem}]` };
  const { namespace, serviceaccount, pod } = claims.account;
  return {
    authenticated: true,
    user: {
      username: accountUserName(claims.account),
      uid: serviceaccount.uid,
      groups: [
        'system:serviceaccounts',
        `system:serviceaccounts:${namespace}`,
        AUTHENTICATED_GROUP,
      ],
      ...(pod !== undefined && {
        extra: {
          [POD_NAME]: RawJson.ofValue([pod.name]),
          [POD_UID]: RawJson.ofValue([pod.uid]),
        },
      }),
    },
    audiences: claims.aud.filter((audience) => asked.includes(audience)),
  };
}

/** Why the account, or what the token is bound to, is not there any more; '' when it is. */
async function accountProblem(
  request: OperationRequest,
  { account: claimed }: TokenClaims,
): Promise<string> {
  const { namespace, serviceaccount, pod, secret } = claimed;
  const account = await lookUp(request, SERVICE_ACCOUNTS, namespace, serviceaccount);
  if (account.object === undefined) return account.notFound;
  const { name, uid } = serviceaccount;
  if (account.isGone) return `ServiceAccount ${namespace}/${name} has been deleted`;
  const found = account.object.metadata.uid ?? '';
  if (found !== uid) return `ServiceAccount UID (${found}) does not match claim (${uid})`;
  if (secret !== undefined) return boundProblem(request, SECRETS, 'Secret', namespace, secret);
  if (pod !== undefined) return boundProblem(request, PODS, 'Pod', namespace, pod);
  return '';
}

async function boundProblem(
  request: OperationRequest,
  resource: GroupResource,
  kind: string,
  namespace: string,
  claimed: BoundObject,
): Promise<string> {
  const { object, isGone } = await lookUp(request, resource, namespace, claimed);
  if (object === undefined || isGone) return 'Token has been invalidated';
  const found = object.metadata.uid ?? '';
  return found === claimed.uid
    ? ''
    : `${kind} UID (${found}) does not match claim (${claimed.uid})`;
}

interface Found {
  readonly object: Stored | undefined;
  /** It has been terminating for longer than clocks may differ. */
  readonly isGone: boolean;
  readonly notFound: string;
}

async function lookUp(
  { shards, nowMs }: OperationRequest,
  resource: GroupResource,
  namespace: string,
  { name }: BoundObject,
): Promise<Found> {
  try {
    const object = await getStored(shards, resource, namespace, name);
    const { deletionTimestamp } = object.metadata;
    const goneMs = nowMs() - TOKEN_LEEWAY_SECONDS * 1000;
    const isGone = deletionTimestamp !== undefined && Date.parse(deletionTimestamp) < goneMs;
    return { object, isGone, notFound: '' };
  } catch (error) {
    if (!isRefusal(error, 404)) throw error;
    return { object: undefined, isGone: false, notFound: error.message };
  }
}
