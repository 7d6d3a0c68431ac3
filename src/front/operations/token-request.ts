/** TokenRequest: a token of a service account (src/front/README.md#tokens). */
import type {
  AccountClaims,
  BoundObject,
} from '../../auth/authentication/service-accounts/account-tokens.ts';
import type { RawJson } from '../../codec/json/raw-json.ts';
import type { ServiceAccountTokens, TokenOptions } from '../../auth/service-account-tokens.ts';
import { utcSeconds } from '../../base/time/utc-time.ts';
import type { ApiObject } from '../../resources/kind.ts';
import { tokenCredentialId } from '../../auth/authentication/credential-id.ts';
import { ownGroup, ownName } from '../../semantics/dialect/own-names.ts';
import { invalid, invalidObject } from '../../semantics/errors/field-error.ts';
import type { FieldError } from '../../semantics/errors/field-error.ts';
import { badRequest, conflict, isRefusal } from '../../semantics/errors/status.ts';
import type { GroupResource } from '../../semantics/errors/status.ts';
import { checkTokenSeconds, POD_TOKEN_SECONDS } from '../../semantics/options/token-seconds.ts';
import { readAsked, sendCreated } from './body.ts';
import { checkAttestations, isOfWebhooks } from './token-attestations.ts';
import { gatesOf, type FeatureGates } from '../../release/feature-gates.ts';
import { ownRelease } from '../../release/release.ts';
import type { Operation, OperationKind, OperationRequest } from '../operation.ts';
import { getStored, NODES, PODS, SECRETS, SERVICE_ACCOUNTS } from './shard-requests.ts';
import type { Stored } from './shard-requests.ts';

const TOKEN_REQUEST: OperationKind = {
  group: ownGroup('authentication.cluster.io'),
  version: 'v1',
  kind: 'TokenRequest',
  message: 'authentication.v1.TokenRequest',
};

const ISSUED_ID = ownName('authentication.cluster.io/issued-credential-id');
const UID_MISMATCH = `${ownGroup('authentication.cluster.io')}/token-request-uid-mismatch`;
const NODE_BINDING = 'ServiceAccountTokenNodeBinding';
const WEBHOOK_BINDING = 'APIServerWebhookAuthenticationToken';
const EXTENDED_SECONDS = 365 * 24 * 3_600;

interface BoundReference {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly name?: string;
  readonly uid?: string;
}

/** An object that tokens may be bound to, as far as that depends on it. */
interface Bindable extends Stored {
  readonly spec?: { readonly serviceAccountName?: string; readonly nodeName?: string };
}

interface Spec {
  readonly audiences?: readonly string[];
  readonly expirationSeconds: number | bigint;
  readonly boundObjectRef?: BoundReference;
  readonly attestations?: Readonly<Record<string, RawJson>>;
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
  const { shards, exchange, route, tokens, nowMs } = asked;
  const { namespace, name } = route;
  const { object } = await readAsked(asked, TOKEN_REQUEST);
  const isFilled = ownRelease().has('tokenRequestsFilled');
  const { audiences = [], expirationSeconds, boundObjectRef } = object['spec'] as Spec;
  if (isFilled) checkNames(object, route);
  else checkSpec(object);
  const account = await getStored(shards, SERVICE_ACCOUNTS, namespace, name);
  if (ownRelease().has('uidsOfTokenRequests')) checkUid(asked, object, account);
  if (isFilled) checkSpec(object);
  const claims: AccountClaims = {
    namespace,
    ...(boundObjectRef !== undefined && (await bound(asked, boundObjectRef))),
    serviceaccount: boundTo(account),
  };
  const { expirationSecondsMax } = tokens.settings;
  const seconds = Math.min(Number(expirationSeconds), expirationSecondsMax || Infinity);
  if (isFilled && seconds < Number(expirationSeconds)) {
    exchange.warn([
      `requested expiration of ${expirationSeconds} seconds shortened to ${seconds} seconds`,
    ]);
  }
  const issued: Issued = {
    audiences: audiences.length === 0 ? tokens.apiAudiences : audiences,
    nowMs: nowMs(),
    expirationSeconds: seconds,
  };
  const id = tokens.newId();
  const token = tokens.issue({
    account: claims,
    id,
    ...issued,
    ...extension(claims, issued, tokens),
  });
  if (id !== undefined && ownRelease().has('issuedCredentialIdsTold')) {
    asked.context.told({ annotations: { [ISSUED_ID]: tokenCredentialId(id) } });
  }
  if (isFilled) {
    const creationTimestamp = utcSeconds(issued.nowMs);
    object.metadata = { ...object.metadata, name, namespace, creationTimestamp };
    const { uid } = account.metadata;
    if (uid !== undefined && ownRelease().has('uidsOfTokenRequests')) object.metadata.uid ||= uid;
  }
  sendCreated(asked, TOKEN_REQUEST, answered(object, issued, token));
}

/** Throws StatusError 422. */
function checkSpec(object: ApiObject): void {
  const spec = object['spec'] as Spec;
  const errors: FieldError[] = [];
  checkTokenSeconds(spec.expirationSeconds, 'spec.expirationSeconds', errors);
  checkAttestations(spec, errors);
  if (errors.length === 0) return;
  throw invalidObject(TOKEN_REQUEST.group, TOKEN_REQUEST.kind, '', errors);
}

/** A request that names its account names the one of the path. Throws StatusError 422. */
function checkNames({ metadata }: ApiObject, { namespace, name }: OperationRequest['route']): void {
  const wanted = { name, namespace };
  for (const member of ['name', 'namespace'] as const) {
    const given = metadata[member] ?? '';
    if (given === '' || given === wanted[member]) continue;
    const why = `must match the service account ${member} if specified`;
    const errors = [invalid(`metadata.${member}`, given, why)];
    throw invalidObject(TOKEN_REQUEST.group, TOKEN_REQUEST.kind, name, errors);
  }
}

/** A request for an account of another uid is refused, or warned. Throws StatusError 409. */
function checkUid(
  { exchange, tokens, route, context }: OperationRequest,
  { metadata }: ApiObject,
  { metadata: account }: Stored,
): void {
  const { uid = '' } = metadata;
  if (uid === '' || uid === account.uid) return;
  const what =
    `the UID in the token request (${uid}) does not match ` +
    `the UID of the service account (${account.uid})`;
  if (tokens.gates.has('TokenRequestServiceAccountUIDValidation')) {
    throw conflict({ group: TOKEN_REQUEST.group, resource: TOKEN_REQUEST.kind }, route.name, what);
  }
  context.told({ annotations: { [UID_MISMATCH]: what } });
  exchange.warn([
    `${what} but TokenRequestServiceAccountUIDValidation is not enabled. In the future, ` +
      'this will return a conflict error',
  ]);
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
  asked: OperationRequest,
  reference: BoundReference,
): Promise<Pick<AccountClaims, 'node' | 'pod' | 'secret'>> {
  const { shards, route, tokens } = asked;
  const { kind = '', apiVersion = '', name = '', uid = '' } = reference;
  const isCore = !apiVersion.includes('/');
  const type = isCore ? boundType(kind, tokens.gates) : undefined;
  if (type === undefined) {
    const groupVersion = isCore ? `/${apiVersion}` : apiVersion;
    const isGated = isOfWebhooks(reference) && gatesOf(ownRelease()).includes(WEBHOOK_BINDING);
    const why = isGated ? ` (feature gate ${WEBHOOK_BINDING} is disabled)` : '';
    throw badRequest(`cannot bind token to object of type ${groupVersion}, Kind=${kind}${why}`);
  }
  if (name === '') throw badRequest('Name parameter required.');
  const namespace = type === NODES ? '' : route.namespace;
  const object = await getStored<Bindable>(shards, type, namespace, name);
  if (type === PODS && object.spec?.serviceAccountName !== route.name) {
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
  if (type === SECRETS) return { secret: boundTo(object) };
  if (type === NODES) return { node: boundTo(object) };
  return { ...(await nodeOf(asked, object)), pod: boundTo(object) };
}

/** Undefined for one that tokens cannot be bound to. Throws StatusError 400. */
function boundType(kind: string, gates: FeatureGates): GroupResource | undefined {
  if (kind === 'Pod') return PODS;
  if (kind === 'Secret') return SECRETS;
  if (kind !== 'Node' || !gatesOf(ownRelease()).includes(NODE_BINDING)) return undefined;
  if (gates.has(NODE_BINDING)) return NODES;
  const why = `the ${JSON.stringify(NODE_BINDING)} feature-gate is disabled`;
  throw badRequest(`cannot bind token to a Node object as ${why}`);
}

/** The node of a pod, which is named even where there is none. */
async function nodeOf(
  { shards, tokens }: OperationRequest,
  { spec }: Bindable,
): Promise<Pick<AccountClaims, 'node'>> {
  const { nodeName = '' } = spec ?? {};
  if (nodeName === '' || !tokens.gates.has('ServiceAccountTokenPodNodeInfo')) return {};
  try {
    return { node: boundTo(await getStored(shards, NODES, '', nodeName)) };
  } catch (error) {
    if (isRefusal(error, 404)) return { node: { name: nodeName } };
    throw error;
  }
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
