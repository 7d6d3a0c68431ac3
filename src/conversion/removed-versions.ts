/** The versions that releases before 1.23 served last (README.md#versions). */
import { certificateProblem } from '../resources/certificates/certificate-pem.ts';
import { LEGACY_SIGNER } from '../resources/certificates/signer-names.ts';
import { USAGES } from '../resources/certificates/usages.ts';
import type { ApiObject } from '../resources/kind.ts';
import { REMOVED_DEFINITIONS } from './definitions.ts';
import { REMOVED_INGRESSES } from './ingress.ts';
import type { RemovedVersion, Report } from './manifest-version.ts';
import { itemsAt, objectAt, rename } from './members.ts';
import { REMOVED_WEBHOOKS } from './webhooks.ts';
import { REMOVED_WORKLOADS } from './workloads.ts';

/** A version of a group that was removed with 1.22 and looks like `v1`. */
function likeV1(group: string, ...kinds: readonly string[]): RemovedVersion {
  return {
    kinds,
    groupVersion: `${group}/v1beta1`,
    removedIn: '1.22',
    replacement: `${group}/v1`,
  };
}

function requestToStored(object: ApiObject, report: Report): ApiObject {
  const spec = objectAt(object, 'spec');
  if (spec === undefined) return object;
  if (spec['signerName'] === undefined) {
    // The server made it of the request itself.
    spec['signerName'] = LEGACY_SIGNER;
    report('spec.signerName', `is required: say who signs, since ${LEGACY_SIGNER} cannot`);
  } else if (spec['signerName'] === LEGACY_SIGNER) {
    report('spec.signerName', `must not be ${LEGACY_SIGNER}`);
  }
  const types = new Set<unknown>();
  for (const [condition, place] of itemsAt(object, 'status', 'conditions')) {
    if (types.has(condition['type'])) report(`${place}.type`, 'is there twice');
    types.add(condition['type']);
  }
  const { usages } = spec;
  if (Array.isArray(usages)) {
    const different = [...new Set<unknown>(usages)];
    spec['usages'] = different;
    different.forEach((usage, index) => {
      const isKnown = (USAGES as readonly unknown[]).includes(usage);
      if (!isKnown) report(`spec.usages[${index}]`, `is not known: ${String(usage)}`);
    });
  }
  const certificate = objectAt(object, 'status')?.['certificate'];
  const problem = typeof certificate === 'string' ? certificateProblem(certificate) : '';
  if (problem !== '') report('status.certificate', problem);
  return object;
}

function groupsToStored(object: ApiObject): ApiObject {
  const spec = objectAt(object, 'spec');
  if (spec !== undefined) rename(spec, 'group', 'groups');
  return object;
}

function groupsFromStored(object: ApiObject): ApiObject {
  const spec = objectAt(object, 'spec');
  if (spec !== undefined) rename(spec, 'groups', 'group');
  return object;
}

export const REMOVED_VERSIONS: readonly RemovedVersion[] = [
  ...REMOVED_WEBHOOKS,
  ...REMOVED_DEFINITIONS,
  likeV1('apiregistration.cluster.io', 'APIService'),
  likeV1('authentication.cluster.io', 'TokenReview'),
  {
    ...likeV1('authorization.cluster.io', 'LocalSubjectAccessReview', 'SubjectAccessReview'),
    toStored: groupsToStored,
    fromStored: groupsFromStored,
  },
  likeV1('authorization.cluster.io', 'SelfSubjectAccessReview', 'SelfSubjectRulesReview'),
  {
    ...likeV1('certificates.cluster.io', 'CertificateSigningRequest'),
    defaults: [
      {
        path: 'spec.usages',
        here: ['digital signature', 'key encipherment'],
        stored: undefined,
      },
      { path: 'status.conditions[].status', here: 'True', stored: undefined },
    ],
    toStored: requestToStored,
  },
  likeV1('coordination.cluster.io', 'Lease'),
  ...REMOVED_INGRESSES,
  likeV1('networking.cluster.io', 'IngressClass'),
  likeV1('rbac.authorization.cluster.io', 'ClusterRole', 'ClusterRoleBinding'),
  likeV1('rbac.authorization.cluster.io', 'Role', 'RoleBinding'),
  likeV1('scheduling.cluster.io', 'PriorityClass'),
  likeV1('storage.cluster.io', 'CSIDriver', 'CSINode', 'StorageClass', 'VolumeAttachment'),
  {
    kinds: ['NetworkPolicy'],
    groupVersion: 'extensions/v1beta1',
    removedIn: '1.16',
    replacement: 'networking.cluster.io/v1',
  },
  ...REMOVED_WORKLOADS,
  {
    kinds: ['PodSecurityPolicy'],
    groupVersion: 'extensions/v1beta1',
    removedIn: '1.16',
    replacement: 'policy/v1beta1',
  },
];
