/** Access reviews (README.md#access-reviews): who may do what, as requests are decided. */
import type { AccessAttributes, Decision } from '../../auth/authorizer.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import type { FieldError } from '../../semantics/field-error.ts';
import { invalid, invalidObject } from '../../semantics/field-error.ts';
import { badRequest } from '../../semantics/status.ts';
import type { StatusError } from '../../semantics/status.ts';
import type { User } from '../../semantics/user.ts';
import { readAsked, sendCreated } from './body.ts';
import type { Asked } from './body.ts';
import type { Operation, OperationKind, OperationRequest } from './operation.ts';

const GROUP = ownGroup('authorization.cluster.io');

function reviewKind(kind: string): OperationKind {
  return { group: GROUP, version: 'v1', kind, message: `authorization.v1.${kind}` };
}

const SUBJECT_REVIEW = reviewKind('SubjectAccessReview');
const SELF_REVIEW = reviewKind('SelfSubjectAccessReview');
const LOCAL_REVIEW = reviewKind('LocalSubjectAccessReview');
const RULES_REVIEW = reviewKind('SelfSubjectRulesReview');

interface ResourceAttributes {
  readonly namespace?: string;
  readonly verb?: string;
  readonly group?: string;
  readonly version?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly name?: string;
}

interface NonResourceAttributes {
  readonly path?: string;
  readonly verb?: string;
}

interface ReviewSpec {
  readonly resourceAttributes?: ResourceAttributes;
  readonly nonResourceAttributes?: NonResourceAttributes;
  readonly user?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export const reviewSubjectAccess: Operation = {
  methods: ['post'],
  serve: (request) => reviewSubject(request, SUBJECT_REVIEW, []),
};

export const reviewLocalSubjectAccess: Operation = { methods: ['post'], serve: reviewLocal };

export const reviewSelfAccess: Operation = { methods: ['post'], serve: reviewSelf };

export const reviewSelfRules: Operation = { methods: ['post'], serve: reviewRules };

async function reviewSubject(
  request: OperationRequest,
  kind: OperationKind,
  metadataMembers: readonly string[],
  validate: (asked: Asked, spec: ReviewSpec) => FieldError[] = () => [],
): Promise<void> {
  const asked = await readAsked(request, kind);
  const spec = specOf(asked);
  const errors = [
    ...validateAttributes(spec),
    ...validateSubject(spec),
    ...validateMetadata(asked, metadataMembers),
    ...validate(asked, spec),
  ];
  if (errors.length > 0) throw refused(asked, errors);
  const { user: name = '', uid = '', groups = [], extra } = spec;
  const user = { name, uid, groups, ...(extra !== undefined && { extra }) };
  await answer(request, kind, asked, accessOf(user, spec));
}

/** The same for the namespace of the path, and for nothing that has no namespace. */
function reviewLocal(request: OperationRequest): Promise<void> {
  return reviewSubject(request, LOCAL_REVIEW, ['namespace'], (_asked, spec) => {
    const errors: FieldError[] = [];
    const { resourceAttributes, nonResourceAttributes } = spec;
    const namespace = resourceAttributes?.namespace ?? '';
    if (resourceAttributes !== undefined && namespace !== request.route.namespace) {
      const detail = 'must match metadata.namespace';
      errors.push(invalid('spec.resourceAttributes.namespace', namespace, detail));
    }
    if (nonResourceAttributes !== undefined) {
      const detail = 'disallowed on this kind of request';
      errors.push(invalid('spec.nonResourceAttributes', nonResourceAttributes, detail));
    }
    return errors;
  });
}

async function reviewSelf(request: OperationRequest): Promise<void> {
  const asked = await readAsked(request, SELF_REVIEW);
  const spec = specOf(asked);
  const errors = [...validateAttributes(spec), ...validateMetadata(asked, [])];
  if (errors.length > 0) throw refused(asked, errors);
  await answer(request, SELF_REVIEW, asked, accessOf(request.user, spec));
}

/** The answer repeats nothing of what was asked. */
async function reviewRules(request: OperationRequest): Promise<void> {
  const { object } = await readAsked(request, RULES_REVIEW);
  const { namespace = '' } = (object['spec'] ?? {}) as { readonly namespace?: string };
  if (namespace === '') throw badRequest('no namespace on request');
  const status = await request.authorizer.rulesFor(request.user, namespace);
  sendCreated(request, RULES_REVIEW, { metadata: {}, spec: {}, status });
}

async function answer(
  request: OperationRequest,
  kind: OperationKind,
  { object }: Asked,
  access: AccessAttributes,
): Promise<void> {
  const status = statusOf(await request.authorizer.authorize(access));
  sendCreated(request, kind, { ...object, status });
}

function statusOf({ verdict, reason, error }: Decision): object {
  return {
    allowed: verdict === 'allow',
    denied: verdict === 'deny',
    reason,
    evaluationError: error ?? '',
  };
}

function specOf({ object }: Asked): ReviewSpec {
  return (object['spec'] ?? {}) as ReviewSpec;
}

/** The reference names the kind only when the body does. */
function refused({ sentKind }: Asked, errors: readonly FieldError[]): StatusError {
  const error = invalidObject(GROUP, sentKind, '', errors);
  if (sentKind === '') delete error.status.details?.kind;
  return error;
}

function validateAttributes(spec: ReviewSpec): FieldError[] {
  const { resourceAttributes, nonResourceAttributes } = spec;
  if (resourceAttributes !== undefined && nonResourceAttributes !== undefined) {
    const detail = 'cannot be specified in combination with resourceAttributes';
    return [invalid('spec.nonResourceAttributes', nonResourceAttributes, detail)];
  }
  if (resourceAttributes !== undefined || nonResourceAttributes !== undefined) return [];
  const detail = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  return [invalid('spec.resourceAttributes', null, detail)];
}

function validateSubject({ user = '', groups = [] }: ReviewSpec): FieldError[] {
  if (user !== '' || groups.length > 0) return [];
  return [invalid('spec.user', user, 'at least one of user or group must be specified')];
}

/** A review has no metadata, besides these members and what managers of fields leave. */
function validateMetadata({ object }: Asked, allowed: readonly string[]): FieldError[] {
  const ignored = [...allowed, 'managedFields'];
  const { metadata } = object;
  if (Object.keys(metadata).every((member) => ignored.includes(member))) return [];
  const detail = allowed.length === 0 ? 'must be empty' : 'must be empty except for namespace';
  return [invalid('metadata', metadata, detail)];
}

function accessOf(
  user: User,
  { resourceAttributes, nonResourceAttributes }: ReviewSpec,
): AccessAttributes {
  const isResource = resourceAttributes !== undefined;
  const { verb = '' } = resourceAttributes ?? nonResourceAttributes ?? {};
  const {
    namespace = '',
    group = '',
    version = '',
    resource = '',
    subresource = '',
    name = '',
  } = resourceAttributes ?? {};
  const { path = '' } = nonResourceAttributes ?? {};
  const of = { namespace, group, version, resource, subresource, name };
  return { user, verb, isResource, ...of, path };
}
