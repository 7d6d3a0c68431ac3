// The facts of each kind that are data.
import t from 'tap';
import type { KindDefinition } from '../../src/resources/kind.ts';
import { KINDS, resourceKey } from '../../src/resources/registry.ts';
import { MODEL } from './kind-rules.ts';

const kindsWith = (filter: (kind: KindDefinition) => boolean): string =>
  KINDS.filter(filter)
    .map(({ kind }) => kind)
    .sort()
    .join(' ');

t.same(
  KINDS.map(resourceKey).sort(),
  [
    'apiservices.apiregistration.cluster.io',
    'certificatesigningrequests.certificates.cluster.io',
    'clusterrolebindings.rbac.authorization.cluster.io',
    'clusterroles.rbac.authorization.cluster.io',
    'configmaps',
    'controllerrevisions.apps',
    'cronjobs.batch',
    'csidrivers.storage.cluster.io',
    'csinodes.storage.cluster.io',
    'csistoragecapacities.storage.cluster.io',
    'customresourcedefinitions.apiextensions.cluster.io',
    'daemonsets.apps',
    'deployments.apps',
    'endpoints',
    'endpointslices.discovery.cluster.io',
    'events',
    'flowschemas.flowcontrol.apiserver.cluster.io',
    'horizontalpodautoscalers.autoscaling',
    'ingressclasses.networking.cluster.io',
    'ingresses.networking.cluster.io',
    'jobs.batch',
    'leases.coordination.cluster.io',
    'limitranges',
    'mutatingwebhookconfigurations.admissionregistration.cluster.io',
    'namespaces',
    'networkpolicies.networking.cluster.io',
    'nodes',
    'persistentvolumeclaims',
    'persistentvolumes',
    'poddisruptionbudgets.policy',
    'pods',
    'podsecuritypolicies.policy',
    'podtemplates',
    'priorityclasses.scheduling.cluster.io',
    'prioritylevelconfigurations.flowcontrol.apiserver.cluster.io',
    'replicasets.apps',
    'replicationcontrollers',
    'resourcequotas',
    'rolebindings.rbac.authorization.cluster.io',
    'roles.rbac.authorization.cluster.io',
    'runtimeclasses.node.cluster.io',
    'secrets',
    'serviceaccounts',
    'services',
    'statefulsets.apps',
    'storageclasses.storage.cluster.io',
    'storageversions.internal.apiserver.cluster.io',
    'validatingwebhookconfigurations.admissionregistration.cluster.io',
    'volumeattachments.storage.cluster.io',
  ],
  'resource types',
);

t.equal(
  kindsWith((kind) => !kind.namespaced),
  'APIService CSIDriver CSINode CertificateSigningRequest ClusterRole ClusterRoleBinding ' +
    'CustomResourceDefinition FlowSchema IngressClass MutatingWebhookConfiguration Namespace ' +
    'Node PersistentVolume PodSecurityPolicy PriorityClass PriorityLevelConfiguration ' +
    'RuntimeClass StorageClass StorageVersion ValidatingWebhookConfiguration VolumeAttachment',
  'cluster-scoped kinds',
);
t.equal(
  kindsWith((kind) => !kind.unconditionalUpdate),
  'APIService CSIDriver CSINode CSIStorageCapacity CustomResourceDefinition Lease ' +
    'MutatingWebhookConfiguration PodDisruptionBudget RuntimeClass StorageVersion ' +
    'ValidatingWebhookConfiguration VolumeAttachment',
  '3.4: no update without a version',
);
t.equal(
  kindsWith((kind) => kind.putCreates),
  'ClusterRole ClusterRoleBinding Endpoints Event Lease LimitRange Role RoleBinding ' +
    'RuntimeClass Service',
  '3.4: PUT creates',
);
t.equal(
  // Some have one from a later release on.
  kindsWith((kind) => kind.bumpsGeneration !== undefined && kind.generationGate === undefined),
  'CronJob CustomResourceDefinition DaemonSet Deployment EndpointSlice FlowSchema Ingress ' +
    'IngressClass Job MutatingWebhookConfiguration NetworkPolicy PodDisruptionBudget ' +
    'PodTemplate PriorityClass PriorityLevelConfiguration ReplicaSet ReplicationController ' +
    'StatefulSet ValidatingWebhookConfiguration',
  '3.5: generation',
);
t.equal(
  kindsWith((kind) => kind.deleteReturns === 'object'),
  'CSIDriver CSINode Namespace PersistentVolume PersistentVolumeClaim Pod PodSecurityPolicy ' +
    'PodTemplate ResourceQuota Service ServiceAccount StorageClass VolumeAttachment',
  '4.3: an immediate delete returns the object',
);
t.equal(
  kindsWith((kind) => kind.statusSubresource !== undefined),
  'APIService CertificateSigningRequest CronJob CustomResourceDefinition DaemonSet ' +
    'Deployment FlowSchema HorizontalPodAutoscaler Ingress Job Namespace Node ' +
    'PersistentVolume PersistentVolumeClaim Pod PodDisruptionBudget ' +
    'PriorityLevelConfiguration ReplicaSet ReplicationController ResourceQuota Service ' +
    'StatefulSet StorageVersion VolumeAttachment',
  'kinds with /status',
);
t.equal(
  kindsWith((kind) => kind.statusSubresource?.metadataWritable === false),
  'APIService FlowSchema PriorityLevelConfiguration StorageVersion VolumeAttachment',
  '6.7: metadata is not writable through /status',
);
t.equal(
  kindsWith((kind) => !kind.checksFinalizerNames),
  'APIService CustomResourceDefinition Event Lease MutatingWebhookConfiguration ' +
    'PodDisruptionBudget RuntimeClass ValidatingWebhookConfiguration',
  'any finalizer name',
);
t.equal(
  kindsWith((kind) => kind.nameRule !== 'dnsSubdomain'),
  'APIService CertificateSigningRequest ClusterRole ClusterRoleBinding Event Namespace Role ' +
    'RoleBinding Service StorageVersion',
  '3.7: name rules',
);

t.test('each kind has its message in proto/', async (t) => {
  for (const { kind, message } of KINDS) t.ok(MODEL.messages[message], kind);
});
