/** Whether a webhook is asked about a write, and about which version of its object. */
import type { LabelMatcher, Labels } from '../../../semantics/selectors/label-matcher.ts';
import { notFound, StatusError } from '../../../semantics/errors/status.ts';
import type { NamespaceReplica } from '../../namespace-replica.ts';
import type { Proposal } from '../../proposal.ts';
import type { ConfiguredWebhook, Rule } from './configured-webhook.ts';

const ANY = '*';
const NAMESPACES = 'namespaces';

/** A resource type in a version. */
export interface VersionedResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** A question to a webhook: the type that its rule has named, and objects in that version. */
export interface Invocation {
  readonly webhook: ConfiguredWebhook;
  /** Its place among all webhooks. */
  readonly place: number;
  readonly resource: VersionedResource;
  /** The version of the objects: `apps/v1`. */
  readonly groupVersion: string;
}

/** The questions to webhooks whose rules name such a write, whatever the object. */
export function namedBy(
  webhooks: readonly ConfiguredWebhook[],
  proposal: Proposal,
): readonly Invocation[] {
  return webhooks.flatMap((webhook, place) => {
    const asked = askedAbout(webhook, proposal);
    return asked === undefined ? [] : [{ webhook, place, ...asked }];
  });
}

/**
 * Whether the selectors of a webhook let it be asked about an object. Throws StatusError 404 where
 * it asks for labels of a namespace that is not there.
 */
export function selects(
  { selectsNamespaces, selectsObjects }: ConfiguredWebhook,
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

type Asked = Pick<Invocation, 'resource' | 'groupVersion'>;

function askedAbout(
  { rules, takesEquivalent }: ConfiguredWebhook,
  proposal: Proposal,
): Asked | undefined {
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
  { operations, apiGroups, apiVersions, resources, scope }: Rule,
  { operation, subresource, namespace }: Proposal,
  { group, version, resource }: VersionedResource,
): boolean {
  if (!has(operations, operation) || !has(apiGroups, group) || !has(apiVersions, version)) {
    return false;
  }
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
