/** The cluster roles of release 1.23 for people, nodes and other programs, and who has them. */
import { CHANGE, READ, WRITE_EVENTS, type RuleRow, type SubjectRow } from './policy-rows.ts';

/** Roles that are the sum of others. */
export const AGGREGATED_ROLES = ['admin', 'edit', 'view'] as const;
export type AggregatedRole = (typeof AGGREGATED_ROLES)[number];

/** The roles that are a part of an aggregated one. */
export const AGGREGATED_TO: Readonly<Record<string, AggregatedRole>> = {
  edit: 'admin',
  view: 'edit',
  'system:aggregate-to-admin': 'admin',
  'system:aggregate-to-edit': 'edit',
  'system:aggregate-to-view': 'view',
};

/** Which subjects each cluster role is bound to by a binding of its name. */
export const CLUSTER_ROLE_SUBJECTS: Readonly<Record<string, readonly SubjectRow[]>> = {
  'cluster-admin': [['Group', 'system:masters']],
  'system:basic-user': [['Group', 'system:authenticated']],
  'system:discovery': [['Group', 'system:authenticated']],
  'system:kube-controller-manager': [['User', 'system:kube-controller-manager']],
  'system:kube-dns': [['ServiceAccount', 'kube-dns']],
  'system:kube-scheduler': [['User', 'system:kube-scheduler']],
  'system:monitoring': [['Group', 'system:monitoring']],
  // Nodes are authorized by what is on them; the binding is there for who binds them by hand.
  'system:node': [],
  'system:node-proxier': [['User', 'system:kube-proxy']],
  'system:public-info-viewer': [
    ['Group', 'system:authenticated'],
    ['Group', 'system:unauthenticated'],
  ],
  'system:service-account-issuer-discovery': [['Group', 'system:serviceaccounts']],
  'system:volume-scheduler': [['User', 'system:kube-scheduler']],
};

export const CLUSTER_ROLES: Readonly<Record<string, readonly RuleRow[]>> = {
  'cluster-admin': [['*', '*', '*'], { verbs: '*', paths: '*' }],
  'system:aggregate-to-admin': [
    ['create', 'authorization.cluster.io', 'localsubjectaccessreviews'],
    [
      'create delete deletecollection get list patch update watch',
      'rbac.authorization.cluster.io',
      'rolebindings roles',
    ],
  ],
  'system:aggregate-to-edit': [
    [READ, 'core', ['pods/attach pods/exec pods/portforward pods/proxy secrets services/proxy']],
    ['impersonate', 'core', 'serviceaccounts'],
    [CHANGE, 'core', 'pods pods/attach pods/exec pods/portforward pods/proxy'],
    [
      CHANGE,
      'core',
      [
        'configmaps events persistentvolumeclaims replicationcontrollers',
        'replicationcontrollers/scale secrets serviceaccounts services services/proxy',
      ],
    ],
    [
      CHANGE,
      'apps',
      [
        'daemonsets deployments deployments/rollback deployments/scale replicasets',
        'replicasets/scale statefulsets statefulsets/scale',
      ],
    ],
    [CHANGE, 'autoscaling', 'horizontalpodautoscalers'],
    [CHANGE, 'batch', 'cronjobs jobs'],
    [
      CHANGE,
      'extensions',
      [
        'daemonsets deployments deployments/rollback deployments/scale ingresses',
        'networkpolicies replicasets replicasets/scale replicationcontrollers/scale',
      ],
    ],
    [CHANGE, 'policy', 'poddisruptionbudgets'],
    [CHANGE, 'networking.cluster.io', 'ingresses networkpolicies'],
  ],
  'system:aggregate-to-view': [
    [
      READ,
      'core',
      [
        'configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods',
        'replicationcontrollers replicationcontrollers/scale serviceaccounts services',
        'services/status',
      ],
    ],
    [
      READ,
      'core',
      [
        'bindings events limitranges namespaces/status pods/log pods/status',
        'replicationcontrollers/status resourcequotas resourcequotas/status',
      ],
    ],
    [READ, 'core', 'namespaces'],
    [READ, 'discovery.cluster.io', 'endpointslices'],
    [
      READ,
      'apps',
      [
        'controllerrevisions daemonsets daemonsets/status deployments deployments/scale',
        'deployments/status replicasets replicasets/scale replicasets/status statefulsets',
        'statefulsets/scale statefulsets/status',
      ],
    ],
    [READ, 'autoscaling', 'horizontalpodautoscalers horizontalpodautoscalers/status'],
    [READ, 'batch', 'cronjobs cronjobs/status jobs jobs/status'],
    [
      READ,
      'extensions',
      [
        'daemonsets daemonsets/status deployments deployments/scale deployments/status',
        'ingresses ingresses/status networkpolicies replicasets replicasets/scale',
        'replicasets/status replicationcontrollers/scale',
      ],
    ],
    [READ, 'policy', 'poddisruptionbudgets poddisruptionbudgets/status'],
    [READ, 'networking.cluster.io', 'ingresses ingresses/status networkpolicies'],
  ],
  'system:auth-delegator': [
    ['create', 'authentication.cluster.io', 'tokenreviews'],
    ['create', 'authorization.cluster.io', 'subjectaccessreviews'],
  ],
  'system:basic-user': [
    ['create', 'authorization.cluster.io', 'selfsubjectaccessreviews selfsubjectrulesreviews'],
  ],
  'system:certificates.cluster.io:certificatesigningrequests:nodeclient': [
    ['create', 'certificates.cluster.io', 'certificatesigningrequests/nodeclient'],
  ],
  'system:certificates.cluster.io:certificatesigningrequests:selfnodeclient': [
    ['create', 'certificates.cluster.io', 'certificatesigningrequests/selfnodeclient'],
  ],
  'system:certificates.cluster.io:kube-apiserver-client-approver': [
    ['approve', 'certificates.cluster.io', 'signers', 'cluster.io/kube-apiserver-client'],
  ],
  'system:certificates.cluster.io:kube-apiserver-client-kubelet-approver': [
    ['approve', 'certificates.cluster.io', 'signers', 'cluster.io/kube-apiserver-client-kubelet'],
  ],
  'system:certificates.cluster.io:kubelet-serving-approver': [
    ['approve', 'certificates.cluster.io', 'signers', 'cluster.io/kubelet-serving'],
  ],
  'system:certificates.cluster.io:legacy-unknown-approver': [
    ['approve', 'certificates.cluster.io', 'signers', 'cluster.io/legacy-unknown'],
  ],
  'system:discovery': [
    {
      verbs: 'get',
      paths: [
        '/api /api/* /apis /apis/* /healthz /livez /openapi /openapi/* /readyz /version',
        '/version/',
      ],
    },
  ],
  'system:heapster': [
    [READ, 'core', 'events namespaces nodes pods'],
    [READ, 'extensions', 'deployments'],
  ],
  'system:kube-aggregator': [[READ, 'core', 'endpoints services']],
  'system:kube-controller-manager': [
    WRITE_EVENTS,
    ['create', 'coordination.cluster.io', 'leases'],
    ['get update', 'coordination.cluster.io', 'leases', 'kube-controller-manager'],
    ['create', 'core', 'endpoints'],
    ['get update', 'core', 'endpoints', 'kube-controller-manager'],
    ['create', 'core', 'secrets serviceaccounts'],
    ['delete', 'core', 'secrets'],
    ['get', 'core', 'configmaps namespaces secrets serviceaccounts'],
    ['update', 'core', 'secrets serviceaccounts'],
    ['create', 'authentication.cluster.io', 'tokenreviews'],
    ['create', 'authorization.cluster.io', 'subjectaccessreviews'],
    ['list watch', '*', '*'],
    ['create', 'core', 'serviceaccounts/token'],
  ],
  'system:kube-dns': [['list watch', 'core', 'endpoints services']],
  'system:kube-scheduler': [
    WRITE_EVENTS,
    ['create', 'coordination.cluster.io', 'leases'],
    ['get update', 'coordination.cluster.io', 'leases', 'kube-scheduler'],
    ['create', 'core', 'endpoints'],
    ['get update', 'core', 'endpoints', 'kube-scheduler'],
    [READ, 'core', 'nodes'],
    ['delete get list watch', 'core', 'pods'],
    ['create', 'core', 'bindings pods/binding'],
    ['patch update', 'core', 'pods/status'],
    [READ, 'core', 'replicationcontrollers services'],
    [READ, 'apps extensions', 'replicasets'],
    [READ, 'apps', 'statefulsets'],
    [READ, 'policy', 'poddisruptionbudgets'],
    [READ, 'core', 'persistentvolumeclaims persistentvolumes'],
    ['create', 'authentication.cluster.io', 'tokenreviews'],
    ['create', 'authorization.cluster.io', 'subjectaccessreviews'],
    [READ, 'storage.cluster.io', 'csinodes'],
    [READ, 'core', 'namespaces'],
    [READ, 'storage.cluster.io', 'csidrivers'],
    [READ, 'storage.cluster.io', 'csistoragecapacities'],
  ],
  'system:kubelet-api-admin': [
    [READ, 'core', 'nodes'],
    ['proxy', 'core', 'nodes'],
    ['*', 'core', 'nodes/log nodes/metrics nodes/proxy nodes/spec nodes/stats'],
  ],
  'system:monitoring': [
    { verbs: 'get', paths: '/healthz /healthz/* /livez /livez/* /metrics /readyz /readyz/*' },
  ],
  'system:node': [
    ['create', 'authentication.cluster.io', 'tokenreviews'],
    ['create', 'authorization.cluster.io', 'localsubjectaccessreviews subjectaccessreviews'],
    [READ, 'core', 'services'],
    ['create get list watch', 'core', 'nodes'],
    ['patch update', 'core', 'nodes/status'],
    ['patch update', 'core', 'nodes'],
    ['create patch update', 'core', 'events'],
    [READ, 'core', 'pods'],
    ['create delete', 'core', 'pods'],
    ['patch update', 'core', 'pods/status'],
    ['create', 'core', 'pods/eviction'],
    [READ, 'core', 'configmaps secrets'],
    ['get', 'core', 'persistentvolumeclaims persistentvolumes'],
    ['get', 'core', 'endpoints'],
    ['create get list watch', 'certificates.cluster.io', 'certificatesigningrequests'],
    ['create delete get patch update', 'coordination.cluster.io', 'leases'],
    ['get', 'storage.cluster.io', 'volumeattachments'],
    ['create', 'core', 'serviceaccounts/token'],
    ['get patch update', 'core', 'persistentvolumeclaims/status'],
    [READ, 'storage.cluster.io', 'csidrivers'],
    ['create delete get patch update', 'storage.cluster.io', 'csinodes'],
    [READ, 'node.cluster.io', 'runtimeclasses'],
  ],
  'system:node-bootstrapper': [
    ['create get list watch', 'certificates.cluster.io', 'certificatesigningrequests'],
  ],
  'system:node-problem-detector': [
    ['get', 'core', 'nodes'],
    ['patch', 'core', 'nodes/status'],
    WRITE_EVENTS,
  ],
  'system:node-proxier': [
    ['list watch', 'core', 'endpoints services'],
    [READ, 'core', 'nodes'],
    WRITE_EVENTS,
    ['list watch', 'discovery.cluster.io', 'endpointslices'],
  ],
  'system:persistent-volume-provisioner': [
    ['create delete get list watch', 'core', 'persistentvolumes'],
    ['get list update watch', 'core', 'persistentvolumeclaims'],
    [READ, 'storage.cluster.io', 'storageclasses'],
    ['watch', 'core', 'events'],
    WRITE_EVENTS,
  ],
  'system:public-info-viewer': [
    { verbs: 'get', paths: '/healthz /livez /readyz /version /version/' },
  ],
  'system:service-account-issuer-discovery': [
    { verbs: 'get', paths: '/.well-known/openid-configuration /openid/v1/jwks' },
  ],
  'system:volume-scheduler': [
    ['get list patch update watch', 'core', 'persistentvolumes'],
    [READ, 'storage.cluster.io', 'storageclasses'],
    ['get list patch update watch', 'core', 'persistentvolumeclaims'],
  ],
};
