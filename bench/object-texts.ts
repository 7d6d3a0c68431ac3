/** The objects that requests send, as JSON text with marks where their numbers go. */

export const COUNTER_DIGITS = 10;
/** Stands for the number of the object. */
export const NAME_MARK = '#'.repeat(COUNTER_DIGITS);
/** Stands for what an update changes. */
export const CONTENT_MARK = '@'.repeat(COUNTER_DIGITS);

export type ObjectKind =
  'configmap' | 'pod' | 'newPod' | 'deployment' | 'labelledDeployment' | 'widget';

interface ObjectText {
  /** The kind, as the API names it. */
  readonly apiKind: string;
  /** Path of the collection in a namespace. */
  readonly collection: (namespace: string) => string;
  readonly name: string;
  readonly text: (namespace: string, objectBytes: number) => string;
}

/** A ConfigMap of the asked size: name, two labels, a counter and filler in lines of text. */
function configMapText(namespace: string, objectBytes: number): string {
  const line = 'setting.example = some value that a program reads\\n';
  const object = (filler: string): string =>
    `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"cm-${NAME_MARK}",` +
    `"namespace":"${namespace}","labels":{"app":"bench","tier":"data"}},` +
    `"data":{"counter":"${CONTENT_MARK}","settings":"${filler}"}}`;
  const room = Math.max(0, objectBytes - object('').length);
  const lines = line.repeat(Math.floor(room / line.length));
  return object(lines + 'x'.repeat(room - lines.length));
}

/** The fields of a container that its writer owns, as clients send them back. */
function ownedContainer(name: string): object {
  const owned = { '.': {} };
  for (const field of ['env', 'image', 'imagePullPolicy', 'livenessProbe', 'name', 'ports']) {
    Object.assign(owned, { [`f:${field}`]: {} });
  }
  for (const field of ['readinessProbe', 'resources', 'securityContext', 'volumeMounts']) {
    Object.assign(owned, { [`f:${field}`]: { '.': {}, 'f:limits': {}, 'f:requests': {} } });
  }
  return { [`k:{"name":"${name}"}`]: owned };
}

function managedFields(spec: object): object[] {
  const entry = (manager: string, fieldsV1: object, subresource?: string) => ({
    manager,
    operation: 'Update',
    apiVersion: 'v1',
    time: '2024-01-01T00:00:00Z',
    fieldsType: 'FieldsV1',
    fieldsV1,
    ...(subresource === undefined ? {} : { subresource }),
  });
  const metadata = { 'f:annotations': { '.': {}, 'f:revision': {} }, 'f:labels': { '.': {} } };
  const status = { 'f:status': { 'f:conditions': {}, 'f:phase': {}, 'f:podIPs': {} } };
  return [
    entry('controller-manager', { 'f:metadata': metadata, 'f:spec': spec }),
    entry('node-agent', status, 'status'),
  ];
}

function container(name: string): object {
  const probe = { httpGet: { path: '/healthz', port: 8080 }, periodSeconds: 10 };
  return {
    name,
    image: `registry.example.com/team/${name}:1.4.2`,
    args: ['--config=/etc/app/config.yaml', '--verbose=2'],
    ports: [
      { name: 'http', containerPort: 8080 },
      { name: 'metrics', containerPort: 9090 },
    ],
    env: [
      { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      { name: 'LOG_LEVEL', value: 'info' },
      { name: 'PASSWORD', valueFrom: { secretKeyRef: { name: 'app', key: 'password' } } },
    ],
    resources: { limits: { cpu: '500m', memory: '256Mi' }, requests: { cpu: '100m' } },
    livenessProbe: probe,
    readinessProbe: { ...probe, failureThreshold: 2 },
    volumeMounts: [
      { name: 'config', mountPath: '/etc/app' },
      { name: 'scratch', mountPath: '/tmp' },
    ],
    securityContext: { runAsNonRoot: true, allowPrivilegeEscalation: false },
  };
}

function podSpec(containers: readonly string[]): object {
  return {
    containers: containers.map(container),
    volumes: [
      { name: 'config', configMap: { name: 'app-config' } },
      { name: 'scratch', emptyDir: {} },
    ],
    serviceAccountName: 'app',
    nodeSelector: { 'example.com/pool': 'general' },
    tolerations: [{ key: 'example.com/spot', operator: 'Exists', effect: 'NoSchedule' }],
    terminationGracePeriodSeconds: 20,
  };
}

const LABELS = { app: 'bench', tier: 'web', 'pod-template-hash': '5d4f8c7b9' };

/** About 4 KB with its managed fields: two containers with probes, volumes and environment. */
function podText(namespace: string): string {
  const containers = { ...ownedContainer('app'), ...ownedContainer('sidecar') };
  const owned = managedFields({ 'f:containers': containers });
  return podOf(namespace, ['app', 'sidecar'], { managedFields: owned });
}

/** One container, and nobody's fields: about 5 KB when it is stored with those of its writer. */
function newPodText(namespace: string): string {
  return podOf(namespace, ['app'], {});
}

function podOf(namespace: string, containers: readonly string[], metadata: object): string {
  return JSON.stringify({
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: {
      name: `pod-${NAME_MARK}`,
      namespace,
      labels: LABELS,
      annotations: { revision: CONTENT_MARK },
      ...metadata,
    },
    spec: podSpec(containers),
  });
}

/** The names in a pod that the two dialects spell differently. */
interface WellKnown {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly podSpec: object;
}

const NO_NAMES: WellKnown = { labels: {}, annotations: {}, podSpec: {} };

/** As many as the Deployments of real clusters have. */
const WELL_KNOWN: WellKnown = {
  labels: {
    'app.cluster.io/name': 'bench',
    'app.cluster.io/instance': 'bench-1',
    'app.cluster.io/managed-by': 'deployer',
  },
  annotations: {
    'deployment.cluster.io/revision': '3',
    'cluster.io/change-cause': 'image updated',
  },
  podSpec: {
    nodeSelector: { 'cluster.io/os': 'linux', 'node.cluster.io/instance-type': 'general' },
    tolerations: [
      { key: 'node.cluster.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
      { key: 'node.cluster.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
    ],
  },
};

/** Writes a Deployment with that pod as its template. */
function deploymentText(namespace: string, wellKnown = NO_NAMES): string {
  const { labels, annotations } = wellKnown;
  const owned = { 'f:template': { 'f:spec': { 'f:containers': ownedContainer('app') } } };
  return JSON.stringify({
    kind: 'Deployment',
    apiVersion: 'apps/v1',
    metadata: {
      name: `deployment-${NAME_MARK}`,
      namespace,
      labels: { ...LABELS, ...labels },
      ...(wellKnown === NO_NAMES ? {} : { annotations }),
      managedFields: managedFields(owned),
    },
    spec: {
      replicas: 3,
      selector: { matchLabels: { app: 'bench' } },
      template: {
        metadata: { labels: { ...LABELS, ...labels }, annotations: { revision: CONTENT_MARK } },
        spec: { ...podSpec(['app', 'sidecar']), ...wellKnown.podSpec },
      },
    },
  });
}

const DEPLOYMENT: ObjectText = {
  apiKind: 'Deployment',
  collection: (namespace) => `/apis/apps/v1/namespaces/${namespace}/deployments`,
  name: `deployment-${NAME_MARK}`,
  text: (namespace) => deploymentText(namespace),
};

const POD: ObjectText = {
  apiKind: 'Pod',
  collection: (namespace) => `/api/v1/namespaces/${namespace}/pods`,
  name: `pod-${NAME_MARK}`,
  text: podText,
};

export const WIDGET_FIELDS = 20;

/** A custom object of the asked size: twenty fields of its schema, the last of them long. */
function widgetText(namespace: string, objectBytes: number): string {
  const fields = Array.from({ length: WIDGET_FIELDS - 2 }, (_, at) =>
    at % 3 === 0 ? `"field${at}":${at}` : `"field${at}":"value ${at}"`,
  );
  const object = (filler: string): string =>
    `{"apiVersion":"bench.example.com/v1","kind":"Widget","metadata":{"name":"w-${NAME_MARK}",` +
    `"namespace":"${namespace}","labels":{"app":"bench","tier":"data"}},` +
    `"spec":{"counter":"${CONTENT_MARK}",${fields.join(',')},"text":"${filler}"}}`;
  return object('x'.repeat(Math.max(0, objectBytes - object('').length)));
}

export const OBJECT_TEXTS: Readonly<Record<ObjectKind, ObjectText>> = {
  configmap: {
    apiKind: 'ConfigMap',
    collection: (namespace) => `/api/v1/namespaces/${namespace}/configmaps`,
    name: `cm-${NAME_MARK}`,
    text: configMapText,
  },
  pod: POD,
  newPod: { ...POD, text: newPodText },
  deployment: DEPLOYMENT,
  widget: {
    apiKind: 'Widget',
    collection: (namespace) => `/apis/bench.example.com/v1/namespaces/${namespace}/widgets`,
    name: `w-${NAME_MARK}`,
    text: widgetText,
  },
  labelledDeployment: { ...DEPLOYMENT, text: (namespace) => deploymentText(namespace, WELL_KNOWN) },
};
