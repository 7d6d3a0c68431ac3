/** The kinds that are served: which of their fields are owned, and as what. */
import t from 'tap';
import { model } from '../codec/proto-model.ts';
import { kindSchema, scenarios } from '../support/apply-scenario.ts';
import { compares, sets } from './field-tables.ts';

const CONTAINER = '.spec.containers[name=c]';

t.test('who creates an object owns all that it shows', async (t) => {
  const rows: [kind: string, object: string, paths: string][] = [
    ['core.v1.ConfigMap', '{data: {k: v}}', '.data{,.k}'],
    ['core.v1.ConfigMap', '{metadata: {}}', ''],
    ['core.v1.Secret', '{data: {k: dg==}, type: Opaque}', '.data{,.k} .type'],
    [
      'core.v1.Namespace',
      '{metadata: {labels: {n: a}}, spec: {}, status: {phase: Active}}',
      '.metadata.labels{,.n} .status.phase',
    ],
    [
      'core.v1.Pod',
      `{metadata: {labels: {x: y}}, spec: {containers: [{name: c, image: i,
        ports: [{containerPort: 80, protocol: TCP}], env: [{name: e, value: v}],
        args: [x], volumeMounts: [{name: v, mountPath: /v}]}], tolerations: [{key: k}],
        nodeSelector: {n: m}, securityContext: {}, volumes: [{name: v, projected: {sources:
        [{secret: {name: s}}]}}], imagePullSecrets: [{name: p}]}}`,
      `.metadata.labels{,.x} ${CONTAINER}{,.name,.image,.resources,.args} \
${CONTAINER}.ports{,[containerPort=80,protocol=TCP]{,.containerPort,.protocol}} \
${CONTAINER}.env{,[name=e]{,.name,.value}} \
${CONTAINER}.volumeMounts{,[mountPath=/v]{,.mountPath,.name}} .spec.tolerations \
.spec.nodeSelector .spec.securityContext .spec.volumes{,[name=v]{,.name,.projected{,.sources}}} \
.spec.imagePullSecrets{,[name=p]}`.replaceAll('=/v', '="/v"'),
    ],
    [
      'core.v1.Pod',
      '{status: {conditions: [{type: Ready, status: "True"}]}}',
      '.status.conditions{,[type=Ready]{,.type,.status,.lastProbeTime,.lastTransitionTime}}',
    ],
    [
      'core.v1.Service',
      `{spec: {type: ClusterIP, selector: {a: b}, ports: [{port: 80, protocol: TCP,
        targetPort: 80}], clusterIPs: [10.0.0.1]}}`,
      `.spec{.type,.selector,.clusterIPs,.ports} \
.spec.ports[port=80,protocol=TCP]{,.port,.protocol,.targetPort}`,
    ],
    [
      'apps.v1.Deployment',
      `{spec: {replicas: 3, selector: {matchLabels: {a: b}}, strategy: {type: RollingUpdate,
        rollingUpdate: {maxSurge: 25%, maxUnavailable: 25%}}, template: {metadata: {labels:
        {a: b}}, spec: {containers: [{name: c, image: i}], restartPolicy: Always}}}}`,
      `.spec{.replicas,.selector} \
.spec.strategy{.type,.rollingUpdate{,.maxSurge,.maxUnavailable}} \
.spec.template{.metadata.labels{,.a},.spec.restartPolicy} \
.spec.template.spec.containers[name=c]{,.name,.image,.resources}`,
    ],
    [
      'core.v1.ServiceAccount',
      '{secrets: [{name: s}], imagePullSecrets: [{name: p}]}',
      '.secrets{,[name=s]} .imagePullSecrets',
    ],
    ['core.v1.Endpoints', '{subsets: [{addresses: [{ip: 10.0.0.1}]}]}', '.subsets'],
    [
      'coordination.v1.Lease',
      '{spec: {holderIdentity: a, leaseDurationSeconds: 40}}',
      '.spec{.holderIdentity,.leaseDurationSeconds}',
    ],
    [
      'core.v1.ConfigMap',
      `{metadata: {ownerReferences: [{uid: u, kind: Pod, name: p, apiVersion: v1}],
        finalizers: [a/b]}}`,
      '.metadata.ownerReferences{,[uid=u]} .metadata.finalizers{,[="a/b"]}',
    ],
    ['rbac.v1.Role', '{rules: [{verbs: [get]}]}', '.rules'],
    ['networking.v1.Ingress', '{spec: {rules: [{host: a}], tls: [{}]}}', '.spec{.rules,.tls}'],
    ['core.v1.Node', '{spec: {taints: [{key: k}]}}', '.spec.taints'],
    [
      'core.v1.Node',
      '{status: {addresses: [{type: InternalIP, address: a}], capacity: {cpu: "1"}}}',
      '.status.addresses{,[type=InternalIP]{,.address,.type}} .status.capacity{,.cpu}',
    ],
    [
      'core.v1.PersistentVolumeClaim',
      '{spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}',
      '.spec.accessModes .spec.resources.requests{,.storage}',
    ],
  ];
  for (const [kind, object, paths] of rows) {
    compares(t, kindSchema(model, kind, 'v1'), [['{}', object, paths]]);
  }
});

t.test('who applies an object owns what she says', async (t) => {
  sets(t, kindSchema(model, 'core.v1.Pod', 'v1'), [
    ['{spec: {containers: [{name: c, image: i}]}}', `${CONTAINER}{,.name,.image}`],
    ['{spec: {containers: [{name: c, resources: {}}]}}', `${CONTAINER}{,.name,.resources}`],
    [
      '{spec: {containers: [{name: c, resources: {limits: {cpu: 1}}}]}}',
      `${CONTAINER}{,.name,.resources.limits.cpu}`,
    ],
    [
      '{spec: {containers: [{name: c, ports: [{containerPort: 80}]}]}}',
      `${CONTAINER}{,.name,.ports[containerPort=80,protocol=TCP]{,.containerPort}}`,
    ],
    [
      '{spec: {hostAliases: [{ip: "1", hostnames: [a]}]}}',
      '.spec.hostAliases[ip="1"]{,.ip,.hostnames}',
    ],
    [
      '{spec: {topologySpreadConstraints: [{topologyKey: k, whenUnsatisfiable: No, maxSkew: 1}]}}',
      '.spec.topologySpreadConstraints[topologyKey=k,whenUnsatisfiable=No]' +
        '{,.topologyKey,.whenUnsatisfiable,.maxSkew}',
    ],
    ['{spec: {affinity: {nodeAffinity: {}}}}', '.spec.affinity.nodeAffinity'],
    ['{spec: {volumes: [{name: v, emptyDir: {}}]}}', '.spec.volumes[name=v]{,.name,.emptyDir}'],
    ['{metadata: {annotations: {}}}', '.metadata.annotations'],
    ['{metadata: {name: a, labels: {app: x}}}', '.metadata{.name,.labels.app}'],
  ]);
});

t.test('managers of real objects', async (t) => {
  scenarios(t, kindSchema(model, 'apps.v1.Deployment', 'apps/v1'), {
    'an updater has the number of replicas': `
      update bot   {metadata: {name: d, labels: {app: x}}, spec: {replicas: 3,
        selector: {matchLabels: {app: x}}, template: {metadata: {labels: {app: x}},
        spec: {containers: [{name: c, image: i}]}}}}
      apply ann    {metadata: {name: d}, spec: {replicas: 101}}
      conflict     updated bot .spec.replicas`,
    'an autoscaler takes it when the applier lets it go': `
      apply ann    {metadata: {name: d}, spec: {replicas: 3}}
      apply hpa    {metadata: {name: d}, spec: {replicas: 3}}
      apply ann    {metadata: {name: d}}
      apply hpa    {metadata: {name: d}, spec: {replicas: 5}}
      is           {metadata: {name: d}, spec: {replicas: 5}}
      applied hpa  .spec.replicas`,
    'a sidecar is somebody else’s': `
      apply ann    {spec: {template: {spec: {containers: [{name: a, image: i}]}}}}
      apply mesh   {spec: {template: {spec: {containers: [{name: b, image: j}]}}}}
      apply ann    {spec: {template: {spec: {containers: [{name: a, image: k}]}}}}
      is           {spec: {template: {spec: {containers: [{name: a, image: k}, {name: b,
        image: j}]}}}}
      applied ann  .spec.template.spec.containers[name=a]{,.name,.image}
      applied mesh .spec.template.spec.containers[name=b]{,.name,.image}
      apply mesh   {}
      is           {spec: {template: {spec: {containers: [{name: a, image: k}]}}}}`,
    'quantities are compared as they are written': `
      update bot   {spec: {template: {spec: {containers: [{name: a,
        resources: {limits: {cpu: "1", memory: 1Gi}}}]}}}}
      apply ann    {spec: {template: {spec: {containers: [{name: a,
        resources: {limits: {cpu: 1000m, memory: 1Gi}}}]}}}}
      conflict updated bot .spec.template.spec.containers[name=a].resources.limits.cpu
      apply ann    {spec: {template: {spec: {containers: [{name: a,
        resources: {limits: {cpu: "1", memory: 1Gi}}}]}}}}
      applied ann  .spec.template.spec.containers[name=a]{,.name,.resources.limits{.cpu,.memory}}
      updated bot  .spec.template.spec.containers[name=a]{,.name,.resources{,.limits{,.cpu,.memory}}}`,
  });
});
