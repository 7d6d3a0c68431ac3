/**
 * Random settings of admission: webhooks that lie, are slow or are not there, quotas and ranges of
 * odd quantities, and namespaces with odd labels.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AdmissionWebhook, Behaviour } from './admission-webhook.ts';
import type { Members } from './kinds.ts';
import { oneOf } from './mutate.ts';
import type { Random } from './random.ts';

const GROUP = 'admissionregistration.cluster.io';

const QUANTITIES = [
  ['0', '1', '2', '3', '10', '0.5', '1500m', '1e3', '1Ki', '12E', '1n', '+1', '1e-9', '.5', '007'],
  ['9223372036854775807', '999999999999999999999999'],
].flat();
const ODD_QUANTITIES = ['abc', '', '1.5.5', '0x1', '1 ', '١', '-1', '-0', '1e999'];
const COUNTED = [
  ['pods', 'services', 'secrets', 'configmaps', 'cpu', 'memory', 'requests.cpu', 'limits.memory'],
  ['services.nodeports', 'services.loadbalancers', 'persistentvolumeclaims', 'requests.storage'],
  ['count/configmaps', 'count/pods', 'count/deployments.apps', 'count/nonsense.example.com'],
  ['count/leases.coordination.cluster.io', 'hugepages-2Mi', 'requests.example.com/gpu'],
  ['fast.storageclass.storage.cluster.io/requests.storage'],
].flat();
const ODD_COUNTED = ['count/', 'nonsense', 'example.com/x', '', 'hugepages-x', '__proto__'];
const SCOPES = ['Terminating', 'NotTerminating', 'BestEffort', 'NotBestEffort', 'PriorityClass'];
const MEASURES = ['cpu', 'memory', 'ephemeral-storage', 'storage', 'example.com/x'];
const SELECTORS: readonly Members[] = [
  {},
  { matchLabels: { a: 'b' } },
  { matchLabels: { app: 'a' }, matchExpressions: [{ key: 'x', operator: 'DoesNotExist' }] },
  { matchExpressions: [{ key: 'a', operator: 'In', values: ['b', 'c'] }] },
];
const ODD_SELECTORS: readonly Members[] = [
  { matchExpressions: [{ key: 'a', operator: 'NotIn', values: [] }] },
  { matchExpressions: [{ key: '__proto__', operator: 'Exists' }] },
  { matchExpressions: [{ key: 'a', operator: 'Nonsense', values: ['b'] }] },
  { matchExpressions: [{ key: '', operator: 'Exists', values: ['b'] }] },
];
const PATHS = [
  ['/metadata/labels', '/metadata/labels/a', '/metadata/annotations/x', '/metadata/name'],
  ['/metadata/namespace', '/metadata/uid', '/metadata/resourceVersion', '/metadata/finalizers'],
  ['/metadata/ownerReferences', '/metadata/managedFields', '/metadata/deletionTimestamp', ''],
  ['/metadata/generateName', '/metadata/creationTimestamp', '/spec', '/spec/replicas', '/status'],
  ['/spec/containers/0/image', '/spec/containers/-', '/spec/template/spec', '/data', '/data/x'],
  ['/kind', '/apiVersion', '/metadata', '/__proto__/a', '/nonsense', 'no pointer', '/spec/~2'],
].flat();
const VALUES: readonly unknown[] = [
  ['', 'b', 0, -1, 1e300, true, null, [], {}, [{}], { a: 'b' }, { a: 1 }, ['x']],
  [
    [{ name: 'c', image: 'i' }],
    '2021-12-07T10:11:12Z',
    { requests: { cpu: 'x' } },
    'x'.repeat(300),
  ],
  [[{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' }], [{ manager: 'm', operation: 'x' }]],
].flat();

/** One request. */
export interface Ruled {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly contentType?: string;
}

export class FuzzAdmission {
  readonly #random: Random;
  readonly #webhook: AdmissionWebhook;
  readonly #unreached: string;
  readonly #namespaces: readonly string[];
  #made = 0;

  /** Nobody listens at `unreached`. */
  constructor(
    random: Random,
    webhook: AdmissionWebhook,
    unreached: string,
    namespaces: readonly string[],
  ) {
    this.#random = random;
    this.#webhook = webhook;
    this.#unreached = unreached;
    this.#namespaces = namespaces;
    for (const [way, behaviour] of Object.entries(this.#ways())) webhook.at(way, behaviour);
  }

  /** A change of the rules. */
  nextRule(): Ruled {
    const random = this.#random;
    const namespace = `/api/v1/namespaces/${this.#pick(this.#namespaces)}`;
    switch (random.below(8)) {
      case 0:
        return this.#added(`${namespace}/resourcequotas`, this.#quota());
      case 1:
        return this.#added(`${namespace}/limitranges`, this.#limits());
      case 2:
        return this.#labels(namespace);
      case 3: {
        // So that not all that is written is refused by then.
        const all = [
          webhooksPath('Mutating'),
          webhooksPath('Validating'),
          `${namespace}/limitranges`,
        ];
        return { method: 'DELETE', path: this.#pick([...all, `${namespace}/resourcequotas`]) };
      }
      default: {
        const sort = this.#pick(['Mutating', 'Validating'] as const);
        return this.#added(webhooksPath(sort), this.#hooks(`${sort}WebhookConfiguration`));
      }
    }
  }

  /** A write that nothing but the rules can have against it. */
  nextWrite(): Ruled {
    const random = this.#random;
    const [plural, root, document] = this.#pick(PLAIN);
    const collection = `${root}/namespaces/${this.#pick(this.#namespaces)}/${plural}`;
    const name = `plain-${random.below(4)}`;
    const path = `${collection}/${name}`;
    const labels = { a: this.#pick(['b', 'c']), app: 'a' };
    const dryRun = this.#oneIn(8) ? '?dryRun=All' : '';
    switch (random.below(7)) {
      case 0:
        return { method: 'DELETE', path: this.#oneIn(4) ? collection : path };
      case 1:
        return patched(path, { metadata: { labels } });
      case 2:
        if (plural === 'deployments') return patched(`${path}/scale`, { spec: { replicas: 2 } });
        return patched(`${path}${plural === 'pods' ? '/status' : ''}`, { metadata: { labels } });
      case 3: {
        if (plural !== 'pods') return patched(path, { metadata: { annotations: labels } });
        const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } };
        return { method: 'POST', path: `${path}/eviction`, body: JSON.stringify(eviction) };
      }
      default: {
        const metadata = this.#oneIn(3) ? { generateName: 'plain-', labels } : { name, labels };
        const body = JSON.stringify({ ...document, metadata });
        return { method: 'POST', path: `${collection}${dryRun}`, body };
      }
    }
  }

  #added(path: string, document: Members): Ruled {
    const metadata = { name: `rule-${++this.#made}` };
    return { method: 'POST', path, body: JSON.stringify({ metadata, ...document }) };
  }

  #pick<T>(choices: readonly T[]): T {
    return oneOf(choices, this.#random);
  }

  #some<T>(choices: readonly T[], max: number): T[] {
    return Array.from({ length: this.#random.below(max + 1) }, () => this.#pick(choices));
  }

  #oneIn(count: number): boolean {
    return this.#random.below(count) === 0;
  }

  /** Mostly what is understood. */
  #sane<T>(choices: readonly T[], odd: readonly T[]): T {
    return this.#pick(this.#oneIn(15) ? odd : choices);
  }

  #hooks(kind: string): Members {
    const webhooks = Array.from({ length: 1 + this.#random.below(3) }, (_, at) => this.#hook(at));
    return { apiVersion: `${GROUP}/v1`, kind, webhooks };
  }

  #hook(at: number): Members {
    const { url, caBundle } = this.#webhook.at(this.#pick(WAYS));
    const clientConfig = this.#oneIn(5)
      ? this.#pick<Members>([
          { url: this.#unreached },
          { url, caBundle: Buffer.from('AAAA').toString('base64') },
          { url: url.replace('127.0.0.1', 'localhost'), caBundle },
          { service: { name: 'none', namespace: 'default' }, caBundle },
          { service: { name: 'fuzz-1', namespace: this.#pick(this.#namespaces), port: 1 } },
        ])
      : { url, caBundle };
    const rule = () => ({
      operations: this.#sane([['*'], ['CREATE'], ['UPDATE', 'DELETE'], ['CONNECT']], [[], ['X']]),
      apiGroups: this.#pick([['*'], ['', 'apps'], ['nonsense.example.com']]),
      apiVersions: this.#pick([['*'], ['v1'], ['v1', 'v1beta1']]),
      resources: this.#sane(
        [['*'], ['*/*'], ['pods', 'pods/*'], ['*/scale', '*/status']],
        [['a/*'], ['*', 'pods'], ['a/b/c']],
      ),
      ...(this.#oneIn(3) && { scope: this.#sane(['*', 'Namespaced', 'Cluster'], ['Nonsense']) }),
    });
    return {
      name: `w${at}.example.com`,
      clientConfig,
      rules: Array.from({ length: 1 + this.#random.below(2) }, rule),
      sideEffects: this.#sane(['None', 'NoneOnDryRun'], ['Some']),
      admissionReviewVersions: this.#sane([['v1'], ['v1beta1', 'v1'], ['v9', 'v1']], [['v9']]),
      timeoutSeconds: 1,
      ...(this.#oneIn(2) && { failurePolicy: this.#pick(['Ignore', 'Fail', 'Ignore']) }),
      ...(this.#oneIn(2) && { matchPolicy: this.#pick(['Exact', 'Equivalent']) }),
      ...(this.#oneIn(3) && { namespaceSelector: this.#sane(SELECTORS, ODD_SELECTORS) }),
      ...(this.#oneIn(3) && { objectSelector: this.#sane(SELECTORS, ODD_SELECTORS) }),
      ...(this.#oneIn(4) && { reinvocationPolicy: this.#pick(['IfNeeded', 'Never']) }),
    };
  }

  #quota(): Members {
    const scopes = this.#oneIn(6) && this.#some(SCOPES, 2);
    const hard = this.#amounts(COUNTED, ODD_COUNTED, 4);
    return { apiVersion: 'v1', kind: 'ResourceQuota', spec: { hard, ...(scopes && { scopes }) } };
  }

  #limits(): Members {
    const types = ['Pod', 'Container', 'PersistentVolumeClaim'];
    const limit = () => ({
      type: this.#sane(types, ['Nonsense']),
      ...Object.fromEntries(
        this.#some(['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'], 3).map(
          (member) => [member, this.#amounts(MEASURES, ['nonsense'], 2)],
        ),
      ),
    });
    const limits = Array.from({ length: 1 + this.#random.below(2) }, limit);
    return { apiVersion: 'v1', kind: 'LimitRange', spec: { limits } };
  }

  #amounts(names: readonly string[], odd: readonly string[], max: number): Members {
    const count = 1 + this.#random.below(max);
    const amounts = Array.from({ length: count }, () => {
      return [this.#sane(names, odd), this.#sane(QUANTITIES, ODD_QUANTITIES)];
    });
    return Object.fromEntries(amounts) as Members;
  }

  #labels(namespace: string): Ruled {
    const labels: Record<string, string | null> = { a: this.#pick(['b', 'c', null]) };
    const odd = ['nonsense', '', 'x', 'v9', 'v01.2'];
    for (const mode of ['enforce', 'warn', 'audit']) {
      const levels = ['baseline', 'restricted', 'privileged', 'privileged', null, null];
      const versions = ['latest', 'v1.20', 'v1.0', 'v1.23', null];
      labels[`pod-security.cluster.io/${mode}`] = this.#sane(levels, odd);
      labels[`pod-security.cluster.io/${mode}-version`] = this.#sane(versions, odd);
    }
    // There nobody looks at them.
    const isStatus = this.#oneIn(5);
    if (isStatus) labels['pod-security.cluster.io/warn'] = this.#pick(odd);
    return patched(`${namespace}${isStatus ? '/status' : ''}`, { metadata: { labels } });
  }

  #ways(): Record<(typeof WAYS)[number], Behaviour> {
    const patch = (): Members => {
      const operations = Array.from({ length: 1 + this.#random.below(3) }, () => ({
        op: this.#pick(['add', 'add', 'replace', 'remove', 'copy', 'move', 'test', 'nonsense']),
        path: this.#pick(PATHS),
        from: this.#pick(PATHS),
        value: this.#pick(VALUES),
      }));
      const text = Buffer.from(JSON.stringify(operations)).toString('base64');
      return { patch: text, patchType: 'JSONPatch' };
    };
    return {
      allows: () => ({}),
      patches: patch,
      denies: () => ({
        allowed: this.#oneIn(2),
        warnings: this.#some(['w', '', 'é"\\', 'x'.repeat(5_000), 'a\nb'], 3),
        auditAnnotations: { '': 'x', a: 'b', __proto__: 'c' },
        status: {
          code: this.#pick([200, 400, 403, 404, 409, 422, 499, -1, 2 ** 31 - 1]),
          message: this.#pick(['', 'no', 'é\n', 'x'.repeat(3_000)]),
          reason: this.#pick(['', 'Conflict', 'Nonsense']),
          details: { causes: [{ message: 'x' }], retryAfterSeconds: 1 },
        },
      }),
      lies: () =>
        this.#pick<ReturnType<Behaviour>>([
          { uid: 'other' },
          { raw: 'garbage' },
          { raw: '' },
          { raw: '[]' },
          { raw: '{"kind":"Status"}' },
          { raw: 'gone', status: 404 },
          { raw: 'moved', status: 302, headers: { location: this.#unreached } },
          { raw: 'later', status: 503, headers: { 'retry-after': '1' } },
          { review: null },
          { review: { response: null } },
          { ...patch(), allowed: false },
          { ...patch(), patchType: 'Nonsense' },
          { patch: 'AAAA', patchType: 'JSONPatch' },
          { patch: 1 },
          { allowed: 'yes' },
          'cut',
        ]),
      sleeps: async () => {
        // Now and then longer than anybody waits for it.
        await sleep(this.#oneIn(20) ? 1_200 : this.#random.below(50));
        return patch();
      },
    };
  }
}

const WAYS = ['allows', 'patches', 'denies', 'lies', 'sleeps'] as const;

function webhooksPath(sort: 'Mutating' | 'Validating'): string {
  return `/apis/${GROUP}/v1/${sort.toLowerCase()}webhookconfigurations`;
}

function patched(path: string, change: object): Ruled {
  const contentType = 'application/merge-patch+json';
  return { method: 'PATCH', path, body: JSON.stringify(change), contentType };
}

const POD = {
  containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '100m', memory: '1Mi' } } }],
};
const PLAIN: readonly (readonly [plural: string, root: string, document: Members])[] = [
  ['configmaps', '/api/v1', { apiVersion: 'v1', kind: 'ConfigMap', data: { x: 'y' } }],
  ['pods', '/api/v1', { apiVersion: 'v1', kind: 'Pod', spec: POD }],
  ['pods', '/api/v1', { apiVersion: 'v1', kind: 'Pod', spec: { ...POD, hostNetwork: true } }],
  [
    'services',
    '/api/v1',
    { apiVersion: 'v1', kind: 'Service', spec: { type: 'NodePort', ports: [{ port: 80 }] } },
  ],
  [
    'persistentvolumeclaims',
    '/api/v1',
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    },
  ],
  [
    'deployments',
    '/apis/apps/v1',
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      spec: {
        selector: { matchLabels: { app: 'a' } },
        template: { metadata: { labels: { app: 'a' } }, spec: POD },
      },
    },
  ],
  [
    'leases',
    '/apis/coordination.cluster.io/v1',
    { apiVersion: 'coordination.cluster.io/v1', kind: 'Lease' },
  ],
];
