/** TokenRequest: a token of a service account (src/front/README.md#tokens). */
import type {
  AccountClaims,
  BoundObject,
} from '../../auth/authentication/service-accounts/account-tokens.ts';
import type { ServiceAccountTokens, TokenOptions } from '../../auth/service-account-tokens.ts';
import { utcSeconds } from '../../base/time/utc-time.ts';
import type { ApiObject } from '../../resources/kind.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import { invalidObject } from '../../semantics/errors/field-error.ts';
import type { FieldError } from '../../semantics/errors/field-error.ts';
import { badRequest, conflict } from '../../semantics/errors/status.ts';
import { checkTokenSeconds, POD_TOKEN_SECONDS } from '../../semantics/options/token-seconds.ts';
import { readAsked, sendCreated } from './body.ts';
import type { Operation, OperationKind, OperationRequest } from '../operation.ts';
import { getStored, PODS, SECRETS, SERVICE_ACCOUNTS } from './shard-requests.ts';
import type { Stored } from './shard-requests.ts';

const TOKEN_REQUEST: OperationKind = {
  group: ownGroup('authentication.cluster.io'),
  version: 'v1',
  kind: 'TokenRequest',
  message: 'authentication.v1.TokenRequest',
};

const EXTENDED_SECONDS = 365 * 24 * 3_600;

interface BoundReference {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly name?: string;
  readonly uid?: string;
}

interface Spec {
  readonly audiences?: readonly string[];
  readonly expirationSeconds: number | bigint;
  readonly boundObjectRef?: BoundReference;
}

interface Issued {
  readonly audiences: readonly string[];
  readonly nowMs: number;
  readonly expirationSeconds: number;
}

export const requestToken: Operation = {
  methods: ['post'],
  describedAs: {
    kind: { group: ownGroup('authentication.cluster.io'), version: 'v1', kind: 'TokenRequest' },
    action: 'create',
  },
  serve: request,
};

/** Nothing is stored, so a dry run is like any other. */
async function request(asked: OperationRequest): Promise<void> {
  const { shards, route, tokens, nowMs } = asked;
  const { namespace, name } = route;
  const { object } = await readAsked(asked, TOKEN_REQUEST);
  const { audiences = [], expirationSeconds, boundObjectRef } = object['spec'] as Spec;
  const errors: FieldError[] = [];
  checkTokenSeconds(expirationSeconds, 'spec.expirationSeconds', errors);
  if (errors.length > 0) {
    throw invalidObject(TOKEN_REQUEST.group, TOKEN_REQUEST.kind, '', errors);
  }
  const account = await getStored(shards, SERVICE_ACCOUNTS, namespace, name);
  const claims: AccountClaims = {
    namespace,
    ...(boundObjectRef !== undefined && (await bound(asked, boundObjectRef))),
    serviceaccount: boundTo(account),
  };
  const { expirationSecondsMax } = tokens.settings;
  const issued: Issued = {
    audiences: audiences.length === 0 ? tokens.apiAudiences : audiences,
    nowMs: nowMs(),
    expirationSeconds: Math.min(Number(expirationSeconds), expirationSecondsMax || Infinity),
  };
  const token = tokens.issue({
    account: claims,
    ...issued,
    ...extension(claims, issued, tokens),
  });
  sendCreated(asked, TOKEN_REQUEST, answered(object, issued, token));
}

/**
 * Tokens that pods are given for this API count for a year, since old programs never read theirs
 * again; `warnafter` says when they should have. The answer says nothing of it.
 */
function extension(
  account: AccountClaims,
  { audiences, nowMs, expirationSeconds }: Issued,
  { apiAudiences, settings }: ServiceAccountTokens,
): Partial<TokenOptions> {
  const isForApi = audiences.every((audience) => apiAudiences.includes(audience));
  const isOfPod = account.pod !== undefined && expirationSeconds === POD_TOKEN_SECONDS;
  if (!isOfPod || !isForApi || !settings.extendsPodTokens) return {};
  const warnafter = Math.floor(nowMs / 1000) + expirationSeconds;
  return { account: { ...account, warnafter }, expirationSeconds: EXTENDED_SECONDS };
}

/** The object that the token is bound to and dies with. Throws StatusError 400, 404 or 409. */
async function bound(
  { shards, route }: OperationRequest,
  reference: BoundReference,
): Promise<Pick<AccountClaims, 'pod' | 'secret'>> {
  const { kind = '', apiVersion = '', name = '', uid = '' } = reference;
  const isCore = !apiVersion.includes('/');
  if (!isCore || (kind !== 'Pod' && kind !== 'Secret')) {
    const groupVersion = isCore ? `/${apiVersion}` : apiVersion;
    throw badRequest(`cannot bind token to object of type ${groupVersion}, Kind=${kind}`);
  }
  const resource = kind === 'Pod' ? PODS : SECRETS;
  const object = await getStored<
    Stored & { readonly spec?: { readonly serviceAccountName?: string } }
  >(shards, resource, route.namespace, name);
  if (kind === 'Pod' && object.spec?.serviceAccountName !== route.name) {
    throw badRequest(
      `cannot bind token for serviceaccount ${JSON.stringify(route.name)} to pod running with ` +
        'different serviceaccount name.',
    );
  }
  if (uid !== '' && uid !== object.metadata.uid) {
    const why =
      `the UID in the bound object reference (${uid}) does not match the UID in record. ` +
      'The object might have been deleted and then recreated';
    throw conflict({ group: '', resource: kind }, name, why);
  }
  return kind === 'Pod' ? { pod: boundTo(object) } : { secret: boundTo(object) };
}

function boundTo({ metadata }: Stored): BoundObject {
  return { name: metadata.name ?? '', uid: metadata.uid ?? '' };
}

/** The completed request, with the token. */
function answered(
  object: ApiObject,
  { audiences, nowMs, expirationSeconds }: Issued,
  token: string,
): ApiObject {
  return {
    metadata: object.metadata,
    spec: { ...(object['spec'] as Spec), audiences, expirationSeconds },
    status: { token, expirationTimestamp: utcSeconds(nowMs + expirationSeconds * 1000) },
  };
}
