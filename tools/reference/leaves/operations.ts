/** Bodies of other kinds than those that are stored: of subresources, and of reviews. */
import type { TestObject } from '../../../test/support/kinds.ts';
import type { Verb } from './leaf-requests.ts';

export interface OperationBody {
  /** The kind whose path it is sent to. */
  readonly owner: string;
  readonly groupVersion: string;
  /** '' for the collection. */
  readonly subresource: string;
  readonly verbs: readonly Verb[];
  readonly message: string;
  /** A valid body, in the names of clients. */
  readonly document: (name: string, namespace: string) => TestObject;
}

const SCALED = ['Deployment', 'ReplicaSet', 'StatefulSet', 'ReplicationController'];

/** The bodies of subresources; `groupVersion` is that of the body. */
export const OPERATIONS: readonly OperationBody[] = [
  ...SCALED.map((owner): OperationBody => ({
    owner,
    groupVersion: 'autoscaling/v1',
    subresource: 'scale',
    verbs: ['update', 'patch merge', 'apply'],
    message: 'autoscaling.v1.Scale',
    document: (name) => ({
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name },
      spec: { replicas: 2 },
    }),
  })),
  {
    owner: 'Pod',
    groupVersion: 'v1',
    subresource: 'binding',
    verbs: ['create'],
    message: 'core.v1.Binding',
    document: (name, namespace) => ({
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name, namespace },
      target: { kind: 'Node', name: 'a', apiVersion: 'v1', uid: 'u', resourceVersion: '1' },
    }),
  },
  {
    owner: 'Pod',
    groupVersion: 'policy/v1',
    subresource: 'eviction',
    verbs: ['create'],
    message: 'policy.v1.Eviction',
    document: (name, namespace) => ({
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name, namespace },
      deleteOptions: { gracePeriodSeconds: 0, propagationPolicy: 'Background', dryRun: ['All'] },
    }),
  },
  {
    owner: 'ServiceAccount',
    groupVersion: 'authentication.k8s.io/v1',
    subresource: 'token',
    verbs: ['create'],
    message: 'authentication.v1.TokenRequest',
    document: (name) => ({
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      metadata: { name },
      spec: { audiences: ['a'], expirationSeconds: 600 },
    }),
  },
];

const ACCESS = {
  resourceAttributes: { verb: 'get', resource: 'pods', version: 'v1', name: 'a', group: 'apps' },
  user: 'jane',
  groups: ['developers'],
  extra: { a: ['b'] },
  uid: 'u',
};
const { resourceAttributes, user, groups } = ACCESS;
const authorization = 'authorization.cluster.io/v1';

/** Kinds that are asked and not stored; `groupVersion` is that of their path too. */
export const REVIEWS: readonly OperationBody[] = [
  review('authentication.cluster.io/v1', 'TokenReview', () => ({ token: 'a', audiences: ['b'] })),
  review(authorization, 'SubjectAccessReview', () => ACCESS),
  review(authorization, 'SelfSubjectAccessReview', () => ({ resourceAttributes })),
  review(authorization, 'SelfSubjectRulesReview', (namespace) => ({ namespace })),
  review(authorization, 'LocalSubjectAccessReview', (namespace) => ({
    resourceAttributes: { ...resourceAttributes, namespace },
    user,
    groups,
  })),
];

function review(
  groupVersion: string,
  kind: string,
  spec: (namespace: string) => TestObject,
): OperationBody {
  const [group = '', version = ''] = groupVersion.split('/');
  return {
    owner: kind,
    groupVersion,
    subresource: '',
    verbs: ['create'],
    message: `${group.split('.')[0]}.${version}.${kind}`,
    document: (_name, namespace) => ({
      apiVersion: groupVersion.replace('cluster.io', 'k8s.io'),
      kind,
      ...(kind.startsWith('Local') && { metadata: { namespace } }),
      spec: spec(namespace),
    }),
  };
}
