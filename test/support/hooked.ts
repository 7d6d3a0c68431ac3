/** A namespace whose writes an admission webhook of a test is asked about, and no others. */
import type { Test } from 'tap';
import type { Webhook } from '../../src/resources/admissionregistration/webhook-validation.ts';
import type { AdmissionWebhook, Behaviour } from './admission-webhook.ts';
import type { Members } from './kinds.ts';
import type { Answer, Server } from './server.ts';

const GROUP = '/apis/admissionregistration.cluster.io/v1';
export const CONFIG_MAPS = {
  operations: ['*'],
  apiGroups: [''],
  apiVersions: ['v1'],
  resources: ['configmaps'],
};

type Sort = 'Mutating' | 'Validating';

/** The differences from a webhook that is asked about all config maps, and its behaviour. */
export interface HookOptions extends Webhook {
  readonly behaviour?: Behaviour;
}

export class Hooked {
  readonly namespace: string;
  readonly #server: Server;
  readonly #webhook: AdmissionWebhook;

  constructor(server: Server, webhook: AdmissionWebhook, namespace: string) {
    this.#server = server;
    this.#webhook = webhook;
    this.namespace = namespace;
  }

  /** Makes the namespace. */
  async begin(): Promise<void> {
    const metadata = { name: this.namespace, labels: { hooked: this.namespace } };
    await this.#server.post('/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata,
    });
  }

  /** The path of config maps here, or of the one of that name. */
  path(name = ''): string {
    const maps = `/api/v1/namespaces/${this.namespace}/configmaps`;
    return name === '' ? maps : `${maps}/${name}`;
  }

  /** Makes a config map. */
  make(
    name: string,
    members: Members = {},
    query = '',
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const document = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { a: '1' } };
    return this.#server.post(`${this.path()}${query}`, { ...document, ...members }, headers);
  }

  /** The requests that came for a webhook. */
  requests(name: string) {
    return this.#webhook.requests(`${this.namespace}-${name}`);
  }

  /**
   * Registers webhooks of one configuration, by their names, until the test ends or what it
   * resolves with is called.
   */
  async register(
    t: Test,
    sort: Sort,
    hooks: Readonly<Record<string, HookOptions>>,
  ): Promise<() => Promise<Answer>> {
    const name = `${this.namespace}-${Object.keys(hooks).join('-').toLowerCase()}`;
    const kind = `${sort}WebhookConfiguration`;
    const webhooks = Object.entries(hooks).map(([way, { behaviour, ...members }]) => ({
      name: `${way.toLowerCase()}.example.com`,
      clientConfig: this.#webhook.at(`${this.namespace}-${way}`, behaviour),
      rules: [CONFIG_MAPS],
      namespaceSelector: { matchLabels: { hooked: this.namespace } },
      // The machine may be slow.
      timeoutSeconds: 30,
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      ...members,
    }));
    const collection = `${GROUP}/${kind.toLowerCase()}s`;
    const document = {
      apiVersion: GROUP.slice('/apis/'.length),
      kind,
      metadata: { name },
      webhooks,
    };
    const made = await this.#server.post(collection, document);
    if (made.status !== 201) throw new Error(made.text);
    const end = (): Promise<Answer> => this.#server.delete(`${collection}/${name}`);
    t.teardown(end);
    return end;
  }
}
