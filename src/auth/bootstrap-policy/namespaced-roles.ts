/** The roles of release 1.23 in the namespaces of the system, each with its binding. */
import { READ, WRITE_EVENTS, type RuleRow, type SubjectRow } from './policy-rows.ts';

export interface NamespacedRole {
  /** Spelled in the neutral dialect. */
  readonly namespace: string;
  readonly name: string;
  /** Of the binding; absent where it is that of the role. */
  readonly binding?: string;
  readonly rules: readonly RuleRow[];
  readonly subjects: readonly SubjectRow[];
}

export const NAMESPACED_ROLES: readonly NamespacedRole[] = [
  {
    namespace: 'cluster-public',
    name: 'system:controller:bootstrap-signer',
    rules: [
      [READ, 'core', 'configmaps'],
      ['update', 'core', 'configmaps', 'cluster-info'],
      WRITE_EVENTS,
    ],
    subjects: [['ServiceAccount', 'bootstrap-signer']],
  },
  {
    namespace: 'cluster-system',
    name: 'extension-apiserver-authentication-reader',
    binding: 'system::extension-apiserver-authentication-reader',
    rules: [[READ, 'core', 'configmaps', 'extension-apiserver-authentication']],
    subjects: [
      ['User', 'system:kube-controller-manager'],
      ['User', 'system:kube-scheduler'],
    ],
  },
  {
    namespace: 'cluster-system',
    name: 'system::leader-locking-kube-controller-manager',
    rules: [
      ['watch', 'core', 'configmaps'],
      ['get update', 'core', 'configmaps', 'kube-controller-manager'],
    ],
    subjects: [
      ['User', 'system:kube-controller-manager'],
      ['ServiceAccount', 'kube-controller-manager'],
    ],
  },
  {
    namespace: 'cluster-system',
    name: 'system::leader-locking-kube-scheduler',
    rules: [
      ['watch', 'core', 'configmaps'],
      ['get update', 'core', 'configmaps', 'kube-scheduler'],
    ],
    subjects: [
      ['User', 'system:kube-scheduler'],
      ['ServiceAccount', 'kube-scheduler'],
    ],
  },
  {
    namespace: 'cluster-system',
    name: 'system:controller:bootstrap-signer',
    rules: [[READ, 'core', 'secrets']],
    subjects: [['ServiceAccount', 'bootstrap-signer']],
  },
  {
    namespace: 'cluster-system',
    name: 'system:controller:cloud-provider',
    rules: [['create get list watch', 'core', 'configmaps']],
    subjects: [['ServiceAccount', 'cloud-provider']],
  },
  {
    namespace: 'cluster-system',
    name: 'system:controller:token-cleaner',
    rules: [['delete get list watch', 'core', 'secrets'], WRITE_EVENTS],
    subjects: [['ServiceAccount', 'token-cleaner']],
  },
];
