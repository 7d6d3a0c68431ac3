/** Pods get their accounts. */
import { NEUTRAL } from '../../../src/semantics/dialect/dialect.ts';
import { SERVER_DIALECT } from '../wire-names.ts';
import {
  CONTAINER,
  made,
  namespaceRow,
  patched,
  pod,
  refusedRow,
  type AdmissionRow,
} from './rows.ts';

const HOME = '/api/v1/namespaces/accounts';
const PODS = `${HOME}/pods`;
const ACCOUNTS = `${HOME}/serviceaccounts`;
const MIRROR = { annotations: { 'cluster.io/config.mirror': 'x' } };

/** Where the files of a token are, which are no names that are translated for tests. */
const DOMAIN = SERVER_DIALECT === NEUTRAL ? 'cluster.io' : 'kubernetes.io';
const mountPath = `/var/run/secrets/${DOMAIN}/serviceaccount`;
const mounted = { name: /^kube-api-access-[a-z0-9]{5}$/, readOnly: true, mountPath };
const own = { name: 'kube-api-access-own', emptyDir: {} };

export const SERVICE_ACCOUNT_ROWS: readonly AdmissionRow[] = [
  namespaceRow('accounts'),
  made('an account that says much', ACCOUNTS, {
    metadata: { name: 'robot' },
    imagePullSecrets: [{ name: 'pull' }, { name: 'more' }],
    automountServiceAccountToken: false,
  }),
  made('an account that is strict', ACCOUNTS, {
    metadata: {
      name: 'strict',
      annotations: { 'cluster.io/enforce-mountable-secrets': 'T' },
    },
    secrets: [{ name: 'mine' }],
    imagePullSecrets: [{ name: 'pull' }],
    automountServiceAccountToken: false,
  }),
  made('an account that is not so strict', ACCOUNTS, {
    metadata: {
      name: 'lax',
      annotations: { 'cluster.io/enforce-mountable-secrets': 'yes' },
    },
  }),
  made('a pod that names none has the default one, and its token', PODS, pod('plain'), {
    has: {
      spec: {
        serviceAccountName: 'default',
        serviceAccount: 'default',
        containers: [{ name: 'c', volumeMounts: [mounted] }],
        volumes: [
          {
            name: mounted.name,
            projected: {
              defaultMode: 420,
              sources: [
                { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
                {
                  configMap: {
                    name: 'kube-root-ca.crt',
                    items: [{ key: 'ca.crt', path: 'ca.crt' }],
                  },
                },
                {
                  downwardAPI: {
                    items: [
                      {
                        path: 'namespace',
                        fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' },
                      },
                    ],
                  },
                },
              ],
            },
          },
        ],
      },
    },
    lacks: ['spec.imagePullSecrets', 'spec.automountServiceAccountToken'],
  }),
  patched(
    'and keeps what it has',
    `${PODS}/plain`,
    { metadata: { labels: { a: 'b' } } },
    {
      has: { spec: { volumes: [{ name: mounted.name }] } },
      lacks: ['spec.volumes.1'],
    },
  ),
  made('a pod that wants no token', PODS, pod('none', { automountServiceAccountToken: false }), {
    has: { spec: { serviceAccountName: 'default', automountServiceAccountToken: false } },
    lacks: ['spec.volumes', 'spec.containers.0.volumeMounts'],
  }),
  made('a pod of an account', PODS, pod('robot', { serviceAccountName: 'robot' }), {
    has: { spec: { imagePullSecrets: [{ name: 'pull' }, { name: 'more' }] } },
    lacks: ['spec.volumes', 'spec.containers.0.volumeMounts', 'spec.imagePullSecrets.2'],
  }),
  made('that names it the old way', PODS, pod('old', { serviceAccount: 'robot' }), {
    has: { spec: { serviceAccountName: 'robot', serviceAccount: 'robot' } },
    lacks: ['spec.volumes'],
  }),
  made(
    'that has its own secrets, and wants a token',
    PODS,
    pod('asks', {
      serviceAccountName: 'robot',
      automountServiceAccountToken: true,
      imagePullSecrets: [{ name: 'own' }],
    }),
    {
      has: { spec: { imagePullSecrets: [{ name: 'own' }], volumes: [{ name: mounted.name }] } },
      lacks: ['spec.imagePullSecrets.1'],
    },
  ),
  made(
    'containers that have something else there',
    PODS,
    pod('some', {
      volumes: [{ name: 'v', emptyDir: {} }],
      initContainers: [{ ...CONTAINER, name: 'first' }],
      containers: [
        { ...CONTAINER, volumeMounts: [{ name: 'v', mountPath }] },
        { ...CONTAINER, name: 'd', volumeMounts: [{ name: 'v', mountPath: '/v' }] },
      ],
    }),
    {
      has: {
        spec: {
          volumes: [{ name: 'v' }, { name: mounted.name }],
          initContainers: [{ volumeMounts: [mounted] }],
          containers: [
            { volumeMounts: [{ name: 'v' }] },
            { volumeMounts: [{ name: 'v', mountPath: '/v' }, mounted] },
          ],
        },
      },
      lacks: ['spec.containers.0.volumeMounts.1'],
    },
  ),
  made(
    'all of which have it',
    PODS,
    pod('all', {
      volumes: [{ name: 'v', emptyDir: {} }],
      containers: [{ ...CONTAINER, volumeMounts: [{ name: 'v', mountPath }] }],
    }),
    { lacks: ['spec.volumes.1'] },
  ),
  made('a volume of such a name', PODS, pod('own', { volumes: [own] }), {
    has: {
      spec: {
        volumes: [own],
        containers: [{ volumeMounts: [{ name: own.name, mountPath, readOnly: true }] }],
      },
    },
    lacks: ['spec.volumes.1'],
  }),
  refusedRow(
    'an account that there is not',
    PODS,
    pod('lost', { serviceAccountName: 'nobody' }),
    'error looking up service account accounts/nobody: serviceaccount "nobody" not found',
  ),
  refusedRow(
    'of a pod that has no name',
    PODS,
    { ...pod('lost', { serviceAccountName: 'nobody' }), metadata: {} },
    'error looking up service account accounts/nobody: serviceaccount "nobody" not found',
  ),
  refusedRow(
    'of a pod that is given one',
    PODS,
    { ...pod('lost', { serviceAccountName: 'nobody' }), metadata: { generateName: 'p-' } },
    'error looking up service account accounts/nobody: serviceaccount "nobody" not found',
  ),
  ...strictRows(),
  ...mirrorRows(),
];

function strictRows(): AdmissionRow[] {
  const volumes = (secretName: string) => [{ name: 'v', secret: { secretName } }];
  const env = (name: string) => [{ name: 'E', valueFrom: { secretKeyRef: { name, key: 'k' } } }];
  const not = 'is not allowed because service account strict does not reference that';
  const strict = (name: string, spec: object) =>
    pod(name, { serviceAccountName: 'strict', ...spec });
  return [
    refusedRow(
      'a strict account: another secret in a volume',
      PODS,
      strict('s', { volumes: volumes('other') }),
      `volume with secret.secretName="other" ${not} secret`,
    ),
    refusedRow(
      'in the environment of an init container',
      PODS,
      strict('s', { initContainers: [{ ...CONTAINER, name: 'i', env: env('other') }] }),
      `init container i with envVar E referencing secret.secretName="other" ${not} secret`,
    ),
    refusedRow(
      'of a container',
      PODS,
      strict('s', { containers: [{ ...CONTAINER, env: env('other') }] }),
      `container c with envVar E referencing secret.secretName="other" ${not} secret`,
    ),
    refusedRow(
      'for its images',
      PODS,
      strict('s', { imagePullSecrets: [{ name: 'pull' }, { name: 'other' }] }),
      `imagePullSecrets[1].name="other" ${not} imagePullSecret`,
    ),
    made(
      'what it may use',
      PODS,
      strict('strict', {
        volumes: volumes('mine'),
        containers: [{ ...CONTAINER, env: env('mine') }],
      }),
      { has: { spec: { imagePullSecrets: [{ name: 'pull' }] } } },
    ),
    made(
      'an account that only looks strict',
      PODS,
      pod('lax', { serviceAccountName: 'lax', volumes: volumes('other') }),
    ),
  ];
}

function mirrorRows(): AdmissionRow[] {
  const mirror = (name: string, spec: object) => pod(name, { nodeName: 'n', ...spec }, MIRROR);
  const token = { projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } };
  return [
    made('a mirror pod stays as it is', PODS, mirror('mirror', {}), {
      lacks: ['spec.volumes', 'spec.serviceAccountName', 'spec.containers.0.volumeMounts'],
    }),
    refusedRow(
      'a mirror pod with an account',
      PODS,
      mirror('m', { serviceAccountName: 'default' }),
      'a mirror pod may not reference service accounts',
    ),
    refusedRow(
      'with a secret',
      PODS,
      mirror('m', { imagePullSecrets: [{ name: 'pull' }] }),
      'a mirror pod may not reference secrets',
    ),
    refusedRow(
      'with the token of an account',
      PODS,
      mirror('m', { volumes: [{ name: 'v', ...token }] }),
      'a mirror pod may not use ServiceAccountToken volume projections',
    ),
  ];
}
