/** Strategic merge patch on kinds of the committed schema, and its merge keys. */
import t from 'tap';
import { jsonFields, messageNamed } from '../../../src/codec/model/schema-walk.ts';
import { compileStrategicPlan } from '../../../src/semantics/patch/strategic-plan.ts';
import { model } from '../../codec/proto-model.ts';
import { expectedOutcome, outcome, read } from './strategic-notation.ts';

/** Field, strategies, key: every field with a strategy, and no other. */
const MERGE_KEYS = `
admissionregistration.v1.MutatingAdmissionPolicySpec.matchConditions merge name
admissionregistration.v1.MutatingWebhookConfiguration.webhooks merge name
admissionregistration.v1.ValidatingWebhookConfiguration.webhooks merge name
apiextensions.v1.JSONSchemaProps.x-kubernetes-validations merge rule
apiregistration.v1.APIServiceStatus.conditions merge type
apps.v1.DaemonSetStatus.conditions merge type
apps.v1.DeploymentSpec.strategy retainKeys
apps.v1.DeploymentStatus.conditions merge type
apps.v1.ReplicaSetStatus.conditions merge type
apps.v1.StatefulSetStatus.conditions merge type
autoscaling.v2.HorizontalPodAutoscalerStatus.conditions merge type
batch.v1.JobStatus.conditions merge type
certificates.v1.PodCertificateRequestStatus.conditions merge type
core.v1.ComponentStatus.conditions merge type
core.v1.Container.env merge name
core.v1.Container.ports merge containerPort
core.v1.Container.volumeDevices merge devicePath
core.v1.Container.volumeMounts merge mountPath
core.v1.EphemeralContainerCommon.env merge name
core.v1.EphemeralContainerCommon.ports merge containerPort
core.v1.EphemeralContainerCommon.volumeDevices merge devicePath
core.v1.EphemeralContainerCommon.volumeMounts merge mountPath
core.v1.NamespaceStatus.conditions merge type
core.v1.NodeSpec.podCIDRs merge
core.v1.NodeStatus.addresses merge type
core.v1.NodeStatus.conditions merge type
core.v1.PersistentVolumeClaimStatus.conditions merge type
core.v1.PodSpec.containers merge name
core.v1.PodSpec.ephemeralContainers merge name
core.v1.PodSpec.hostAliases merge ip
core.v1.PodSpec.imagePullSecrets merge name
core.v1.PodSpec.initContainers merge name
core.v1.PodSpec.topologySpreadConstraints merge topologyKey
core.v1.PodSpec.volumes merge,retainKeys name
core.v1.PodStatus.conditions merge type
core.v1.PodStatus.podIPs merge ip
core.v1.ReplicationControllerStatus.conditions merge type
core.v1.ServiceAccount.secrets merge name
core.v1.ServiceSpec.ports merge port
core.v1.ServiceStatus.conditions merge type
flowcontrol.v1.FlowSchemaStatus.conditions merge type
flowcontrol.v1.PriorityLevelConfigurationStatus.conditions merge type
meta.v1.ObjectMeta.finalizers merge
meta.v1.ObjectMeta.ownerReferences merge uid
networking.v1.ServiceCIDRStatus.conditions merge type
policy.v1.PodDisruptionBudgetSpec.selector replace
policy.v1.PodDisruptionBudgetStatus.conditions merge type
storage.v1.CSINodeSpec.drivers merge name
`;

t.test('the schema has the merge keys of the reference', async (t) => {
  const found = Object.values(model.messages).flatMap((message) =>
    message.fields
      .filter(({ patchStrategy, mergeKey }) => (patchStrategy ?? mergeKey) !== undefined)
      .map(({ name, patchStrategy = [], mergeKey = '' }) =>
        `${message.name}.${name} ${patchStrategy.join(',')} ${mergeKey}`.trim(),
      ),
  );
  t.strictSame(found.toSorted(), MERGE_KEYS.trim().split('\n'));
});

t.test('each merge key is a member of the items', async (t) => {
  for (const message of Object.values(model.messages)) {
    for (const { name, type, mergeKey } of message.fields) {
      if (mergeKey === undefined) continue;
      const keys = jsonFields(model, messageNamed(model, type)).map((field) => field.name);
      t.ok(keys.includes(mergeKey), `${message.name}.${name}`);
    }
  }
});

type Row = readonly [what: string, kind: string, document: string, patch: string, result: string];

const ROWS: readonly Row[] = [
  [
    'the image of a container',
    'core.v1.Pod',
    '{spec: {containers: [{name: a, image: x, command: [c]}, {name: b}], nodeName: n}}',
    '{spec: {containers: [{name: a, image: y}]}}',
    '{spec: {containers: [{name: a, image: y, command: [c]}, {name: b}], nodeName: n}}',
  ],
  [
    'arguments are replaced',
    'core.v1.Pod',
    '{spec: {containers: [{name: a, args: [x, y]}]}}',
    '{spec: {containers: [{name: a, args: [z]}]}}',
    '{spec: {containers: [{name: a, args: [z]}]}}',
  ],
  [
    'a container goes, in order',
    'core.v1.Pod',
    '{spec: {initContainers: [+a, +b, +c]}}',
    '{spec: {$setElementOrder/initContainers: [+c, +a], initContainers: [-b]}}',
    '{spec: {initContainers: [+c, +a]}}',
  ],
  [
    'environment and ports',
    'core.v1.Pod',
    '{spec: {containers: [{name: a, env: [+X=1, +Y=2], ports: [{containerPort: 80}]}]}}',
    '{spec: {containers: [{name: a, env: [-X, +Y=3], ports: [{containerPort: 80, name: p}]}]}}',
    '{spec: {containers: [{name: a, env: [+Y=3], ports: [{containerPort: 80, name: p}]}]}}',
  ],
  [
    'ephemeral containers, whose members are inline',
    'core.v1.Pod',
    '{spec: {ephemeralContainers: [{name: a, env: [+X=1]}]}}',
    '{spec: {ephemeralContainers: [{name: a, env: [+Y=2]}]}}',
    '{spec: {ephemeralContainers: [{name: a, env: [+Y=2, +X=1]}]}}',
  ],
  [
    'mounts and devices',
    'core.v1.Pod',
    '{spec: {containers: [{name: a, volumeMounts: [{mountPath: /a}, {mountPath: /b}]}]}}',
    '{spec: {containers: [{name: a, volumeMounts: [{mountPath: /b, $patch: delete}]}]}}',
    '{spec: {containers: [{name: a, volumeMounts: [{mountPath: /a}]}]}}',
  ],
  [
    'a volume changes its source',
    'core.v1.Pod',
    '{spec: {volumes: [{name: v, hostPath: {path: /a}}, {name: w}]}}',
    '{spec: {volumes: [{$retainKeys: [name, emptyDir], name: v, emptyDir: {}}]}}',
    '{spec: {volumes: [{name: v, emptyDir: {}}, {name: w}]}}',
  ],
  [
    'without $retainKeys it has two',
    'core.v1.Pod',
    '{spec: {volumes: [{name: v, hostPath: {path: /a}}]}}',
    '{spec: {volumes: [{name: v, emptyDir: {}}]}}',
    '{spec: {volumes: [{name: v, hostPath: {path: /a}, emptyDir: {}}]}}',
  ],
  [
    'tolerations are replaced',
    'core.v1.Pod',
    '{spec: {tolerations: [{key: a}]}}',
    '{spec: {tolerations: [{key: b}]}}',
    '{spec: {tolerations: [{key: b}]}}',
  ],
  [
    'host aliases and pull secrets',
    'core.v1.Pod',
    '{spec: {hostAliases: [{ip: 1.1.1.1}], imagePullSecrets: [+a]}}',
    '{spec: {hostAliases: [{ip: 1.1.1.1, hostnames: [h]}], imagePullSecrets: [-a, +b]}}',
    '{spec: {hostAliases: [{ip: 1.1.1.1, hostnames: [h]}], imagePullSecrets: [+b]}}',
  ],
  [
    'a condition',
    'core.v1.Pod',
    '{status: {conditions: [{type: Ready, status: "True"}, {type: Other, status: "True"}]}}',
    '{status: {$setElementOrder/conditions: [{type: Ready}, {type: Other}],' +
      ' conditions: [{type: Ready, status: "False", message: null}]}}',
    '{status: {conditions: [{type: Ready, status: "False"}, {type: Other, status: "True"}]}}',
  ],
  [
    'pod addresses without their key',
    'core.v1.Pod',
    '{status: {podIPs: [{}]}}',
    '{status: {podIPs: [{ip: 1.1.1.1}]}}',
    '500 map: map[] does not contain declared merge key: ip',
  ],
  [
    'a rollout strategy',
    'apps.v1.Deployment',
    '{spec: {strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1}}, replicas: 1}}',
    '{spec: {strategy: {$retainKeys: [type], type: Recreate}}}',
    '{spec: {strategy: {type: Recreate}, replicas: 1}}',
  ],
  [
    'a rollout strategy that is not listed',
    'apps.v1.Deployment',
    '{spec: {strategy: {type: Recreate}}}',
    '{spec: {strategy: {$retainKeys: [type], rollingUpdate: {}}}}',
    '400 invalid patch format of retainKeys',
  ],
  [
    'a pod template',
    'apps.v1.Deployment',
    '{spec: {template: {spec: {containers: [{name: a, image: x}]}}}}',
    '{spec: {template: {metadata: {annotations: {k: v}}, spec: {containers: [{name: a, image: y}]}}}}',
    '{spec: {template: {metadata: {annotations: {k: v}}, spec: {containers: [{name: a, image: y}]}}}}',
  ],
  [
    'requirements of a selector are replaced',
    'apps.v1.Deployment',
    '{spec: {selector: {matchLabels: {a: x}, matchExpressions: [{key: k}]}}}',
    '{spec: {selector: {matchLabels: {b: y}, matchExpressions: [{key: l}]}}}',
    '{spec: {selector: {matchLabels: {a: x, b: y}, matchExpressions: [{key: l}]}}}',
  ],
  [
    'the selector of a budget is replaced',
    'policy.v1.PodDisruptionBudget',
    '{spec: {selector: {matchLabels: {a: x}}}}',
    '{spec: {selector: {matchLabels: {b: y}}}}',
    '{spec: {selector: {matchLabels: {b: y}}}}',
  ],
  [
    'but merged in the older version',
    'policy.v1beta1.PodDisruptionBudget',
    '{spec: {selector: {matchLabels: {a: x}}}}',
    '{spec: {selector: {matchLabels: {b: y}}}}',
    '{spec: {selector: {matchLabels: {a: x, b: y}}}}',
  ],
  [
    'ports of a service by number',
    'core.v1.Service',
    '{spec: {ports: [{port: 80, targetPort: 1}, {port: 81}]}}',
    '{spec: {ports: [{port: 80, targetPort: p}, {port: 82}]}}',
    '{spec: {ports: [{port: 80, targetPort: p}, {port: 82}, {port: 81}]}}',
  ],
  [
    'secrets of an account',
    'core.v1.ServiceAccount',
    '{secrets: [+a, +b], imagePullSecrets: [+x]}',
    '{secrets: [-a], imagePullSecrets: [+y]}',
    '{secrets: [+b], imagePullSecrets: [+y]}',
  ],
  [
    'addresses and ranges of a node',
    'core.v1.Node',
    '{spec: {podCIDRs: [a]}, status: {addresses: [{type: InternalIP, address: x}]}}',
    '{spec: {podCIDRs: [b]}, status: {addresses: [{type: InternalIP, address: y}]}}',
    '{spec: {podCIDRs: [b, a]}, status: {addresses: [{type: InternalIP, address: y}]}}',
  ],
  [
    'taints of a node are replaced',
    'core.v1.Node',
    '{spec: {taints: [{key: a}]}}',
    '{spec: {taints: [{key: b}]}}',
    '{spec: {taints: [{key: b}]}}',
  ],
  [
    'finalizers come',
    'core.v1.ConfigMap',
    '{metadata: {finalizers: [a, b]}}',
    '{metadata: {finalizers: [b, c]}}',
    '{metadata: {finalizers: [a, b, c]}}',
  ],
  [
    'finalizers go',
    'core.v1.ConfigMap',
    '{metadata: {finalizers: [a, b]}}',
    '{metadata: {$deleteFromPrimitiveList/finalizers: [a], $setElementOrder/finalizers: [b]}}',
    '{metadata: {finalizers: [b]}}',
  ],
  [
    'owners by their uid',
    'core.v1.ConfigMap',
    '{metadata: {ownerReferences: [{uid: u, name: a}, {uid: v, name: b}]}}',
    '{metadata: {ownerReferences: [{uid: u, $patch: delete}, {uid: v, controller: true}]}}',
    '{metadata: {ownerReferences: [{uid: v, name: b, controller: true}]}}',
  ],
  [
    'an owner without its uid',
    'core.v1.ConfigMap',
    '{metadata: {ownerReferences: [{uid: u}]}}',
    '{metadata: {ownerReferences: [{name: a}]}}',
    '500 map: map[name:a] does not contain declared merge key: uid',
  ],
  [
    'labels, annotations and data',
    'core.v1.ConfigMap',
    '{metadata: {labels: {a: x, b: y}, annotations: {k: v}}, data: {f: g}}',
    '{metadata: {labels: {a: null, c: z}, annotations: {$patch: replace}}, data: {h: i}}',
    '{metadata: {labels: {b: y, c: z}, annotations: {}}, data: {f: g, h: i}}',
  ],
  [
    'owners of fields are reset',
    'core.v1.ConfigMap',
    '{metadata: {managedFields: [{manager: m, fieldsV1: {"f:data": {}}}]}}',
    '{metadata: {managedFields: [{}]}}',
    '{metadata: {managedFields: [{}]}}',
  ],
  [
    'webhooks by name',
    'admissionregistration.v1.ValidatingWebhookConfiguration',
    '{webhooks: [{name: a, rules: [{}]}]}',
    '{webhooks: [{name: a, rules: []}]}',
    '{webhooks: [{name: a, rules: []}]}',
  ],
  [
    'rules of a role are replaced',
    'rbac.v1.Role',
    '{rules: [{verbs: [get]}]}',
    '{rules: [{verbs: [list]}]}',
    '{rules: [{verbs: [list]}]}',
  ],
  [
    'drivers of a node',
    'storage.v1.CSINode',
    '{spec: {drivers: [{name: a, nodeID: x}]}}',
    '{spec: {drivers: [{name: a, nodeID: y}]}}',
    '{spec: {drivers: [{name: a, nodeID: y}]}}',
  ],
  [
    'data of any shape, one level',
    'apps.v1.ControllerRevision',
    '{data: {a: 1, b: {c: 2}}}',
    '{data: {a: 3, b: {d: 4}}}',
    '500 unable to find api field in struct RawExtension for the json field "b"',
  ],
  [
    'extra groups of a request',
    'certificates.v1.CertificateSigningRequest',
    '{spec: {extra: {a: [x]}}}',
    '{spec: {extra: {a: [y]}}}',
    '500 merging an object in json but data type is not struct, instead is: map',
  ],
  [
    'an order of what is no field',
    'core.v1.Pod',
    '{spec: {}}',
    '{spec: {$setElementOrder/Volume: []}}',
    '500 unable to find api field in struct PodSpec for the json field "Volume"',
  ],
];

t.test('real kinds', async (t) => {
  for (const [what, kind, document, patch, result] of ROWS) {
    const plan = compileStrategicPlan(model, kind);
    t.strictSame(outcome(plan, read(document), read(patch)), expectedOutcome(result), what);
  }
});

t.test('a plan serves messages that contain themselves', async (t) => {
  const plan = compileStrategicPlan(model, 'apiextensions.v1.JSONSchemaProps');
  const document = read('{not: {not: {not: {type: a}}}}');
  const patch = read('{not: {not: {not: {type: b, not: {}}}}}');
  t.strictSame(outcome(plan, document, patch), read('{not: {not: {not: {type: b, not: {}}}}}'));
});
