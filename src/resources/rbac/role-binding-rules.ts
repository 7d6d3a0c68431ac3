/** Defaults and checks of bindings: their subjects and their role (README.md#roles). */
import type { ClusterRoleBinding, RoleBinding, Subject } from '#messages/rbac.v1';
import { ownRelease } from '../../release/release.ts';
import { deepEqual } from '../../base/deep-equal.ts';
import {
  addProblems,
  FIELD_IMMUTABLE,
  invalidPrinted,
  notSupported,
  required,
  showsJson,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { dnsSubdomain, pathSegment } from '../../semantics/metadata/names.ts';
import { RBAC_GROUP } from './policy-rules.ts';

const SUBJECT_KINDS = ['ServiceAccount', 'User', 'Group'] as const;

export type Binding = RoleBinding | ClusterRoleBinding;

/** The API group of users, groups and roles defaults to that of RBAC. */
export function applyBindingDefaults({ roleRef, subjects }: Binding): void {
  if (roleRef !== undefined) roleRef.apiGroup ||= RBAC_GROUP;
  for (const subject of subjects ?? []) {
    if (subject.kind === 'User' || subject.kind === 'Group') subject.apiGroup ||= RBAC_GROUP;
  }
}

/** Adds the problems of a binding that may name roles of the kinds `roleKinds`. */
export function checkBinding(
  { roleRef = {}, subjects = [] }: Binding,
  roleKinds: readonly string[],
  namespaced: boolean,
  errors: FieldError[],
): void {
  const { apiGroup = '', kind = '', name = '' } = roleRef;
  if (apiGroup !== RBAC_GROUP)
    errors.push(notSupported('roleRef.apiGroup', apiGroup, [RBAC_GROUP]));
  if (!roleKinds.includes(kind)) errors.push(notSupported('roleRef.kind', kind, roleKinds));
  if (name === '') errors.push(required('roleRef.name'));
  else addProblems(pathSegment(name), 'roleRef.name', name, errors);
  subjects.forEach((subject, index) => {
    checkSubject(subject, namespaced, `subjects[${index}]`, errors);
  });
}

/** The role of a binding may not change. */
export function roleRefErrors({ roleRef }: Binding, { roleRef: stored }: Binding): FieldError[] {
  if (deepEqual(roleRef ?? {}, stored ?? {})) return [];
  const { apiGroup = '', kind = '', name = '' } = roleRef ?? {};
  const [group, ofKind, called] = [apiGroup, kind, name].map((text) => JSON.stringify(text));
  const printed = showsJson()
    ? `{"APIGroup":${group},"Kind":${ofKind},"Name":${called}}`
    : `rbac.RoleRef{APIGroup:${group}, Kind:${ofKind}, Name:${called}}`;
  const detail = ownRelease().has('declaredRules') ? FIELD_IMMUTABLE : 'cannot change roleRef';
  return [invalidPrinted('roleRef', printed, detail)];
}

function checkSubject(
  { kind = '', apiGroup = '', name = '', namespace = '' }: Subject,
  namespaced: boolean,
  field: string,
  errors: FieldError[],
): void {
  if (name === '') errors.push(required(`${field}.name`));
  switch (kind) {
    case 'ServiceAccount':
      if (name !== '') addProblems(dnsSubdomain(name), `${field}.name`, name, errors);
      if (apiGroup !== '') errors.push(notSupported(`${field}.apiGroup`, apiGroup, ['']));
      if (!namespaced && namespace === '') errors.push(required(`${field}.namespace`));
      return;
    case 'User':
    case 'Group':
      if (apiGroup === RBAC_GROUP) return;
      errors.push(notSupported(`${field}.apiGroup`, apiGroup, [RBAC_GROUP]));
      return;
    default:
      errors.push(notSupported(`${field}.kind`, kind, SUBJECT_KINDS));
  }
}
