/**
 * Access reviews (src/front/README.md#access-reviews): who may do what, as requests are decided.
 */
import type { SubjectAccessReviewSpec } from '#messages/authorization.v1';
import type { AccessAttributes, Decision } from '../../auth/authorizer.ts';
import { ownRelease } from '../../release/release.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import type { FieldError } from '../../semantics/errors/field-error.ts';
import { invalid, invalidObject, showsJson } from '../../semantics/errors/field-error.ts';
import { badRequest } from '../../semantics/errors/status.ts';
import { extraOf } from '../../semantics/user.ts';
import type { User } from '../../semantics/user.ts';
import { askedSelectors, selectorErrors, unreadSelectors } from './reviewed-selectors.ts';
import { readAsked, sendCreated } from './body.ts';
import type { Asked } from './body.ts';
import type { Operation, OperationKind, OperationRequest } from '../operation.ts';

/** Who does not say which version asks about all. */
const ANY_VERSION = ownRelease().has('reviewsOfAllVersions') ? '*' : '';
/** A review that names no namespace is of that of the path. */
const FILLS_NAMESPACES = ownRelease().has('namespacesBeforeNames');
const GROUP = ownGroup('authorization.cluster.io');

function reviewKind(kind: string): OperationKind {
  return { group: GROUP, version: 'v1', kind, message: `authorization.v1.${kind}` };
}

const SUBJECT_REVIEW = reviewKind('SubjectAccessReview');
const SELF_REVIEW = reviewKind('SelfSubjectAccessReview');
const LOCAL_REVIEW = reviewKind('LocalSubjectAccessReview');
const RULES_REVIEW = reviewKind('SelfSubjectRulesReview');

export const reviewSubjectAccess: Operation = { methods: ['post'], serve: reviewSubject };

export const reviewLocalSubjectAccess: Operation = { methods: ['post'], serve: reviewLocal };

export const reviewSelfAccess: Operation = { methods: ['post'], serve: reviewSelf };

export const reviewSelfRules: Operation = { methods: ['post'], serve: reviewRules };

async function reviewSubject(request: OperationRequest): Promise<void> {
  const asked = await readReview(request, SUBJECT_REVIEW, validateSubject);
  await answer(request, SUBJECT_REVIEW, asked, accessOfSubject(asked));
}

/** Rejects with StatusError as `readAsked`, and with 422 for what is no such review. */
async function readReview(
  request: OperationRequest,
  kind: OperationKind,
  validate: (asked: Asked, spec: SubjectAccessReviewSpec) => readonly FieldError[],
): Promise<Asked> {
  const asked = await readAsked(request, kind);
  const spec = specOf(asked);
  const errors = [...validateAttributes(spec), ...validate(asked, spec)];
  if (errors.length > 0) throw invalidObject(GROUP, '', '', errors);
  return asked;
}

/** Reviews access in the namespace of the path, and to nothing that has no namespace. */
async function reviewLocal(request: OperationRequest): Promise<void> {
  const { namespace } = request.route;
  const asked = await readReview(request, LOCAL_REVIEW, (sent, spec) => {
    const { metadata } = sent.object;
    if (FILLS_NAMESPACES) metadata.namespace ||= namespace;
    return validateLocal(sent, spec);
  });
  if (asked.object.metadata.namespace !== namespace) {
    throw badRequest(`spec.resourceAttributes.namespace must match namespace: ${namespace}`);
  }
  await answer(request, LOCAL_REVIEW, asked, accessOfSubject(asked));
}

async function reviewSelf(request: OperationRequest): Promise<void> {
  const asked = await readReview(request, SELF_REVIEW, (sent, spec) => [
    ...selectorErrors(spec),
    ...validateMetadata(sent, []),
  ]);
  await answer(request, SELF_REVIEW, asked, accessOf(request.user, specOf(asked)));
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
  const status = statusOf(await request.authorizer.authorize(access), specOf({ object } as Asked));
  sendCreated(request, kind, { ...object, status });
}

function statusOf(
  { verdict, reason, error }: Decision,
  { resourceAttributes = {} }: SubjectAccessReviewSpec,
): object {
  const errors = [...(error === undefined ? [] : [error]), ...unreadSelectors(resourceAttributes)];
  return {
    allowed: verdict === 'allow',
    denied: verdict === 'deny',
    reason,
    evaluationError: errors.join('; '),
  };
}

function specOf({ object }: Asked): SubjectAccessReviewSpec {
  return (object['spec'] ?? {}) as SubjectAccessReviewSpec;
}

function validateAttributes(spec: SubjectAccessReviewSpec): FieldError[] {
  const { resourceAttributes, nonResourceAttributes } = spec;
  const isOne = (resourceAttributes === undefined) !== (nonResourceAttributes === undefined);
  if (isOne) return [];
  const oneOf = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  const value = shownPath(nonResourceAttributes);
  if (ownRelease().has('reviewsAreUnions')) return [invalid('spec', value, oneOf)];
  if (value === null) return [invalid('spec.resourceAttributes', value, oneOf)];
  const detail = 'cannot be specified in combination with resourceAttributes';
  return [invalid('spec.nonResourceAttributes', value, detail)];
}

/** The reference shows its own form of it. */
function shownPath(asked: SubjectAccessReviewSpec['nonResourceAttributes']): object | null {
  if (asked === undefined || !showsJson()) return asked ?? null;
  return { Path: asked.path ?? '', Verb: asked.verb ?? '' };
}

function validateSubject(asked: Asked, spec: SubjectAccessReviewSpec): FieldError[] {
  return [...validateUser(spec), ...selectorErrors(spec), ...validateMetadata(asked, [])];
}

function validateLocal(asked: Asked, spec: SubjectAccessReviewSpec): FieldError[] {
  const { resourceAttributes, nonResourceAttributes } = spec;
  const errors = [
    ...validateUser(spec),
    ...selectorErrors(spec),
    ...validateMetadata(asked, ['namespace']),
  ];
  const namespace = resourceAttributes?.namespace ?? '';
  if (resourceAttributes !== undefined && namespace !== (asked.object.metadata.namespace ?? '')) {
    const detail = 'must match metadata.namespace';
    errors.push(invalid('spec.resourceAttributes.namespace', namespace, detail));
  }
  if (nonResourceAttributes !== undefined) {
    const detail = 'disallowed on this kind of request';
    errors.push(invalid('spec.nonResourceAttributes', shownPath(nonResourceAttributes), detail));
  }
  return errors;
}

function validateUser({ user = '', groups = [] }: SubjectAccessReviewSpec): FieldError[] {
  if (user !== '' || groups.length > 0) return [];
  return [invalid('spec.user', user, 'at least one of user or group must be specified')];
}

/** A review has no metadata, besides these members and the owners of its fields. */
function validateMetadata({ object }: Asked, allowed: readonly string[]): FieldError[] {
  const { managedFields: _owners, ...metadata } = object.metadata;
  if (Object.keys(metadata).every((member) => allowed.includes(member))) return [];
  const detail = allowed.length === 0 ? 'must be empty' : 'must be empty except for namespace';
  return [invalid('metadata', metadata, detail)];
}

function accessOfSubject(asked: Asked): AccessAttributes {
  const spec = specOf(asked);
  const { user: name = '', uid = '', groups = [], extra } = spec;
  return accessOf({ name, uid, groups, ...(extra && { extra: extraOf(extra) }) }, spec);
}

function accessOf(
  user: User,
  { resourceAttributes, nonResourceAttributes }: SubjectAccessReviewSpec,
): AccessAttributes {
  const isResource = resourceAttributes !== undefined;
  const { verb = '' } = resourceAttributes ?? nonResourceAttributes ?? {};
  const { namespace = '', group = '', version = '', resource = '' } = resourceAttributes ?? {};
  const { subresource = '', name = '' } = resourceAttributes ?? {};
  const { path = '' } = nonResourceAttributes ?? {};
  const which = isResource && version === '' ? ANY_VERSION : version;
  const of = { namespace, group, version: which, resource, subresource, name };
  return { user, verb, isResource, ...of, path, ...askedSelectors(resourceAttributes ?? {}) };
}
