/** Whether a webhook or a policy is for a write, and for which version of its object. */
import { notFound, StatusError } from '../semantics/errors/status.ts';
import type { LabelMatcher, Labels } from '../semantics/selectors/label-matcher.ts';
import type { MatchCriteria, Rule } from './match-criteria.ts';
import type { NamespaceReplica } from './namespace-replica.ts';
import type { Proposal } from './proposal.ts';

const ANY = '*';
const NAMESPACES = 'namespaces';

/** A resource type in a version. */
export interface VersionedResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** The type that a rule has named, and the version of the objects: `apps/v1`. */
export interface Matched {
  readonly resource: VersionedResource;
  readonly groupVersion: string;
}

/**
 * Whether selectors take the object of a write. Throws StatusError 404 where they ask for labels of
 * a namespace that is not there.
 */
export function selects(
  {
    selectsNamespaces,
    selectsObjects,
  }: Pick<MatchCriteria, 'selectsNamespaces' | 'selectsObjects'>,
  proposal: Proposal,
  namespaces: Pick<NamespaceReplica, 'get'>,
): boolean {
  // That the namespace is not there counts where all else is right.
  let missing: StatusError | undefined;
  if (selectsNamespaces !== undefined && isPlaced(proposal)) {
    const labels = namespaceLabels(proposal, namespaces);
    if (labels instanceof StatusError) missing = labels;
    else if (!selectsNamespaces(labels.of)) return false;
  }
  if (selectsObjects !== undefined && !selectsObject(selectsObjects, proposal)) return false;
  if (missing !== undefined) throw missing;
  return true;
}

/** Matches a write against rules, in the version that they name; undefined for none. */
export function ruled(
  { rules, takesEquivalent }: Pick<MatchCriteria, 'rules' | 'takesEquivalent'>,
  proposal: Proposal,
): Matched | undefined {
  const { group, version, resource, forms } = proposal;
  const own = { group, version, resource };
  if (rules.some((rule) => covers(rule, proposal, own))) {
    return { resource: own, groupVersion: forms.groupVersion };
  }
  if (!takesEquivalent) return undefined;
  // The body of a subresource, such as Scale, has one version, whatever the version of the type.
  const ofType = forms.versions.some(({ groupVersion }) => groupVersion === forms.groupVersion);
  for (const rule of rules) {
    for (const { groupVersion, ...other } of forms.versions) {
      const named = { ...other, version: versionOf(groupVersion) };
      if (isSame(named, own) || !covers(rule, proposal, named)) continue;
      return { resource: named, groupVersion: ofType ? groupVersion : forms.groupVersion };
    }
  }
  return undefined;
}

/** `v1` of `apps/v1`. */
export function versionOf(groupVersion: string): string {
  return groupVersion.slice(groupVersion.indexOf('/') + 1);
}

function isSame(a: VersionedResource, b: VersionedResource): boolean {
  return a.group === b.group && a.version === b.version && a.resource === b.resource;
}

function covers(
  { operations, apiGroups, apiVersions, resources, scope, names }: Rule,
  { operation, subresource, namespace, name }: Proposal,
  { group, version, resource }: VersionedResource,
): boolean {
  if (!has(operations, operation) || !has(apiGroups, group) || !has(apiVersions, version)) {
    return false;
  }
  if (names.length > 0 && !names.includes(name)) return false;
  const isInNamespace = namespace !== '' && !(group === '' && resource === NAMESPACES);
  if (scope !== ANY && (scope === 'Namespaced') !== isInNamespace) return false;
  return resources.some(
    ([type, part]) => (type === ANY || type === resource) && (part === ANY || part === subresource),
  );
}

function has(named: readonly string[], one: string): boolean {
  return named.includes(ANY) || named.includes(one);
}

/** Objects beside the namespaces are never left out by a selector of namespaces. */
function isPlaced({ namespace, resource }: Proposal): boolean {
  return namespace !== '' || resource === NAMESPACES;
}

/** Those of a namespace itself are the ones that it is to have. */
function namespaceLabels(
  proposal: Proposal,
  namespaces: Pick<NamespaceReplica, 'get'>,
): { readonly of: Labels } | StatusError {
  const { resource, subresource, operation, namespace, object } = proposal;
  if (resource === NAMESPACES && subresource === '' && operation !== 'DELETE') {
    return { of: object?.metadata.labels };
  }
  const known = namespaces.get(namespace);
  if (known !== undefined) return { of: known.labels };
  return notFound({ group: '', resource: NAMESPACES }, namespace);
}

function selectsObject(matches: LabelMatcher, { object, oldObject }: Proposal): boolean {
  return [object, oldObject].some(
    (one) => one?.metadata !== undefined && matches(one.metadata.labels),
  );
}
