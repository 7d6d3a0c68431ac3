/** Kubeconfig files: where webhooks are, and what is shown to them. */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { ConfigError } from '../base/options/config-error.ts';
import { operatorYaml } from '../codec/yaml/operator-yaml.ts';
import type { WebhookCaller, WebhookTarget } from './webhook-target.ts';
import type { WebhookCallers } from './webhook-callers.ts';

interface Cluster {
  readonly server?: string;
  readonly 'certificate-authority'?: string;
  readonly 'certificate-authority-data'?: string;
  readonly 'tls-server-name'?: string;
  readonly 'insecure-skip-tls-verify'?: boolean;
}

interface User {
  readonly 'client-certificate'?: string;
  readonly 'client-certificate-data'?: string;
  readonly 'client-key'?: string;
  readonly 'client-key-data'?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly username?: string;
  readonly password?: string;
}

interface Kubeconfig {
  readonly clusters?: readonly { readonly name?: string; readonly cluster?: Cluster }[];
  readonly users?: readonly { readonly name?: string; readonly user?: User }[];
  readonly contexts?: readonly {
    readonly name?: string;
    readonly context?: { readonly cluster?: string; readonly user?: string };
  }[];
  readonly 'current-context'?: string;
}

/** A file that cannot be used: the message begins with its name. */
export class KubeconfigError extends Error {
  override readonly name = 'KubeconfigError';
}

/**
 * Where the current context leads, and what it shows there. Files that it names are beside it, or
 * have whole paths. Throws KubeconfigError.
 */
export function kubeconfigTarget(path: string): WebhookTarget {
  const file = new KubeconfigFile(path);
  const { cluster, user } = currentOf(file.content, file.refuse);
  const { server = '' } = cluster;
  if (!URL.canParse(server) || new URL(server).protocol !== 'https:') {
    file.refuse(`has the server "${server}" for its current context: give an https URL`);
  }
  return {
    url: server,
    caBundle: file.held(cluster['certificate-authority-data'], cluster['certificate-authority']),
    caller: {
      ...file.shownBy(user),
      serverName: cluster['tls-server-name'] ?? '',
      trustsAnybody: cluster['insecure-skip-tls-verify'] === true,
    },
  };
}

/** Its users, by the webhooks that they are for. Throws KubeconfigError. */
export function kubeconfigCallers(path: string): WebhookCallers {
  const file = new KubeconfigFile(path);
  const { users = [], contexts = [], 'current-context': current } = file.content;
  const callers = users.map(({ name = '', user = {} }) => [name, file.shownBy(user)] as const);
  const context = contexts.find(({ name }) => name === current)?.context;
  return { byName: Object.fromEntries(callers), otherwise: context?.user ?? '' };
}

class KubeconfigFile {
  readonly #path: string;
  readonly content: Kubeconfig;

  constructor(path: string) {
    this.#path = path;
    this.content = parsed(this.#read(path, 'utf8'), this.refuse);
  }

  readonly refuse = (why: string): never => {
    throw new KubeconfigError(`${this.#path} ${why}`);
  };

  /** In base64; `name` is of a file beside this one. */
  held(data: string | undefined, name: string | undefined): string {
    if (data !== undefined) return data;
    return name === undefined ? '' : this.#read(this.#beside(name), 'base64');
  }

  shownBy(user: User): WebhookCaller {
    const pem = (data: string | undefined, name: string | undefined): string =>
      Buffer.from(this.held(data, name), 'base64').toString();
    return {
      authorization: authorizationOf(user, (name) => this.#read(this.#beside(name), 'utf8').trim()),
      certificate: pem(user['client-certificate-data'], user['client-certificate']),
      key: pem(user['client-key-data'], user['client-key']),
      serverName: '',
      trustsAnybody: false,
    };
  }

  #beside(name: string): string {
    return resolve(dirname(this.#path), name);
  }

  #read(path: string, encoding: BufferEncoding): string {
    try {
      return readFileSync(path).toString(encoding);
    } catch (error) {
      return this.refuse(`cannot be used: ${(error as Error).message}`);
    }
  }
}

type Refuse = (why: string) => never;

function parsed(text: string, refuse: Refuse): Kubeconfig {
  let content: unknown;
  try {
    content = operatorYaml(text);
  } catch {
    // The parser may quote words, which may be secrets.
    return refuse('is no YAML');
  }
  if (typeof content !== 'object' || content === null) return refuse('is no kubeconfig');
  return content;
}

/** The cluster and user of the current context; without one the only cluster and user. */
function currentOf(config: Kubeconfig, refuse: Refuse): { cluster: Cluster; user: User } {
  const { clusters = [], users = [], contexts = [], 'current-context': current = '' } = config;
  const context = contexts.find(({ name }) => name === current)?.context;
  if (context === undefined && current !== '') return refuse(`has no context "${current}"`);
  const named = <T extends { readonly name?: string }>(
    list: readonly T[],
    name: string | undefined,
  ): T | undefined => (context === undefined ? list[0] : list.find((one) => one.name === name));
  const cluster = named(clusters, context?.cluster)?.cluster;
  if (cluster === undefined) return refuse('has no cluster for its current context');
  return { cluster, user: named(users, context?.user)?.user ?? {} };
}

function authorizationOf(
  { token, tokenFile, username = '', password = '' }: User,
  read: (path: string) => string,
): string {
  if (tokenFile !== undefined) return `Bearer ${read(tokenFile)}`;
  if (token !== undefined) return `Bearer ${token}`;
  if (username === '') return '';
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** Where the current context of a file leads. Throws ConfigError that names the option. */
export function webhookTargetOf(option: string, file: string): WebhookTarget {
  try {
    return kubeconfigTarget(file);
  } catch (error) {
    if (!(error instanceof KubeconfigError)) throw error;
    throw new ConfigError(`--${option}: ${error.message}`);
  }
}
