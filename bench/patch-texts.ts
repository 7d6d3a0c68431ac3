/** The patches that are measured, with marks where the numbers of requests go. */
import { CONTENT_MARK, NAME_MARK } from './object-texts.ts';

export interface PatchText {
  readonly contentType: string;
  /** The subresource and query that follow the path of the object. */
  readonly target: string;
  readonly body: string;
}

const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const counter = JSON.stringify({ data: { counter: CONTENT_MARK } });

export const CONFIG_MAP_MERGE_PATCH: PatchText = { contentType: MERGE, target: '', body: counter };

/** One change of the ConfigMap that is created, said in three ways. */
export const CONFIG_MAP_PATCHES: readonly (readonly [name: string, patch: PatchText])[] = [
  ['merge patch', CONFIG_MAP_MERGE_PATCH],
  ['strategic merge patch', { contentType: STRATEGIC, target: '', body: counter }],
  [
    'JSON patch',
    {
      contentType: 'application/json-patch+json',
      target: '',
      body: JSON.stringify([{ op: 'replace', path: '/data/counter', value: CONTENT_MARK }]),
    },
  ],
];

export const APPLIER = 'deployer';
export const AUTOSCALER = 'autoscaler';
export const CONTROLLER = 'deployment-controller';
/** The variable whose value the applier changes. */
export const APPLIED_VARIABLE = 'REVISION';
export const SCALED_ANNOTATION = 'autoscaler.example.com/decision';
export const SCALED_REPLICAS = 4;
/** The content of a text that says the same in each request. */
export const FIRST_CONTENT = '0'.repeat(CONTENT_MARK.length);

function applyText(manager: string, config: { metadata: object; spec: object }): PatchText {
  const { metadata, spec } = config;
  return {
    contentType: 'application/apply-patch+yaml',
    target: `?fieldManager=${manager}&force=true`,
    body: JSON.stringify({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: `deployment-${NAME_MARK}`, ...metadata },
      spec,
    }),
  };
}

const LABELS = { app: 'bench', tier: 'web' };

function podSpec(content: string): object {
  // With its version, which is a default inside of an atomic field: a config without it would
  // change the object each time.
  const fieldRef = { apiVersion: 'v1', fieldPath: 'metadata.name' };
  return {
    containers: [
      {
        name: 'app',
        image: 'registry.example.com/team/app:1.4.2',
        args: ['--config=/etc/app/config.yaml', '--verbose=2'],
        ports: [{ name: 'http', containerPort: 8080 }],
        env: [
          { name: 'POD_NAME', valueFrom: { fieldRef } },
          { name: APPLIED_VARIABLE, value: content },
        ],
        resources: { limits: { cpu: '500m', memory: '256Mi' }, requests: { cpu: '100m' } },
        readinessProbe: { httpGet: { path: '/healthz', port: 8080 }, periodSeconds: 10 },
        volumeMounts: [{ name: 'config', mountPath: '/etc/app' }],
        securityContext: { runAsNonRoot: true, allowPrivilegeEscalation: false },
      },
    ],
    volumes: [{ name: 'config', configMap: { name: 'app-config' } }],
    serviceAccountName: 'app',
    nodeSelector: { 'example.com/pool': 'general' },
  };
}

/** The whole Deployment but for the number of its replicas, which is another manager's. */
export function applyDeployment(content: string): PatchText {
  return applyText(APPLIER, {
    metadata: { labels: LABELS, annotations: { 'example.com/team': 'shop' } },
    spec: {
      selector: { matchLabels: { app: LABELS.app } },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: { metadata: { labels: LABELS }, spec: podSpec(content) },
    },
  });
}

export function applyReplicas(content: string): PatchText {
  return applyText(AUTOSCALER, {
    metadata: { annotations: { [SCALED_ANNOTATION]: content } },
    spec: { replicas: SCALED_REPLICAS },
  });
}

function condition(type: string, reason: string, message: string): object {
  const time = '2024-01-01T00:00:00Z';
  return { type, status: 'True', reason, message, lastUpdateTime: time, lastTransitionTime: time };
}

/** A controller writes this: an update, as its manager is one for updates. */
export const DEPLOYMENT_STATUS: PatchText = {
  contentType: MERGE,
  target: `/status?fieldManager=${CONTROLLER}`,
  body: JSON.stringify({
    status: {
      observedGeneration: 1,
      replicas: SCALED_REPLICAS,
      updatedReplicas: SCALED_REPLICAS,
      readyReplicas: SCALED_REPLICAS,
      availableReplicas: SCALED_REPLICAS,
      conditions: [
        condition('Available', 'MinimumReplicasAvailable', 'Deployment has minimum availability.'),
        condition('Progressing', 'NewReplicaSetAvailable', 'The new ReplicaSet has progressed.'),
      ],
    },
  }),
};

const STARTED = '2024-01-01T00:00:00Z';

function podCondition(type: string): object {
  return { type, status: 'True', lastProbeTime: null, lastTransitionTime: STARTED };
}

/** What a node's agent says of a Pod of one container, with a message that changes. */
export const POD_STATUS: PatchText = {
  contentType: MERGE,
  target: '/status',
  body: JSON.stringify({
    status: {
      phase: 'Running',
      message: CONTENT_MARK,
      conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map(podCondition),
      hostIP: '192.0.2.10',
      podIP: '198.51.100.7',
      podIPs: [{ ip: '198.51.100.7' }],
      startTime: STARTED,
      containerStatuses: [
        {
          name: 'app',
          state: { running: { startedAt: STARTED } },
          lastState: {},
          ready: true,
          restartCount: 0,
          image: 'registry.example.com/team/app:1.4.2',
          imageID: `registry.example.com/team/app@sha256:${'a1'.repeat(32)}`,
          containerID: `containerd://${'b2'.repeat(32)}`,
          started: true,
        },
      ],
    },
  }),
};
