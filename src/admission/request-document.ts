/**
 * The request besides its objects, as webhooks and policies are told of it: the members of an
 * AdmissionRequest.
 */
import type { ObjectMeta } from '../semantics/metadata/object-meta.ts';
import { versionOf, type Matched, type VersionedResource } from './matching.ts';
import type { Proposal } from './proposal.ts';

interface VersionedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export interface RequestDocument {
  readonly kind: VersionedKind;
  readonly resource: VersionedResource;
  readonly subResource?: string;
  readonly requestKind: VersionedKind;
  readonly requestResource: VersionedResource;
  readonly requestSubResource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly operation: string;
  readonly userInfo: object;
  readonly dryRun: boolean;
  readonly options: object | null;
}

/** `matched` is what a rule names, and the version in which objects are shown. */
export function requestDocument(
  proposal: Proposal,
  { resource, groupVersion }: Matched,
): RequestDocument {
  const { group, version, resource: type, subresource, operation, dryRun, forms } = proposal;
  const isNamespace = group === '' && type === 'namespaces';
  // A CONNECT brings options, which have no metadata.
  const metadata: ObjectMeta | undefined = proposal.object?.metadata;
  const name = proposal.name || metadata?.name || '';
  const namespace = isNamespace ? name : proposal.namespace;
  return {
    kind: versionedKind(forms.kind, groupVersion),
    resource,
    ...(subresource !== '' && { subResource: subresource }),
    requestKind: versionedKind(forms.kind, forms.groupVersion),
    requestResource: { group, version, resource: type },
    ...(subresource !== '' && { requestSubResource: subresource }),
    ...(name !== '' && { name }),
    ...(namespace !== '' && { namespace }),
    operation,
    userInfo: userInfo(proposal),
    dryRun,
    options: proposal.options ?? null,
  };
}

function versionedKind(kind: string, groupVersion: string): VersionedKind {
  const slash = groupVersion.indexOf('/');
  const group = slash === -1 ? '' : groupVersion.slice(0, slash);
  return { group, version: versionOf(groupVersion), kind };
}

function userInfo({ user: { name, uid, groups, extra } }: Proposal): object {
  return {
    ...(name !== '' && { username: name }),
    ...(uid !== '' && { uid }),
    ...(groups.length > 0 && { groups }),
    ...(extra !== undefined && { extra }),
  };
}
