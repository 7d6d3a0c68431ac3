/** Kubeconfig files by which options name webhooks. */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse as parseYaml } from 'yaml';
import type { WebhookTarget } from '../webhooks/webhook-client.ts';
import { ConfigError } from './config-error.ts';

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

/**
 * Where the current context of a kubeconfig leads, and what it shows there. Files that it names are
 * beside it, or have whole paths. Throws ConfigError that names the option.
 */
export function webhookTargetOf(option: string, file: string): WebhookTarget {
  const refuse = (why: string): never => {
    throw new ConfigError(`--${option}: ${file} ${why}`);
  };
  const read = (path: string, encoding: BufferEncoding = 'utf8'): string => {
    try {
      return readFileSync(path).toString(encoding);
    } catch (error) {
      return refuse(`cannot be used: ${(error as Error).message}`);
    }
  };
  const { cluster, user } = currentOf(parsed(read(file), refuse), refuse);
  const { server = '' } = cluster;
  if (!URL.canParse(server) || new URL(server).protocol !== 'https:') {
    refuse(`has the server "${server}" for its current context: give an https URL`);
  }
  const held = (data: string | undefined, path: string | undefined): string => {
    if (data !== undefined) return data;
    return path === undefined ? '' : read(resolve(dirname(file), path), 'base64');
  };
  const pem = (data: string | undefined, path: string | undefined): string =>
    Buffer.from(held(data, path), 'base64').toString();
  return {
    url: server,
    caBundle: held(cluster['certificate-authority-data'], cluster['certificate-authority']),
    caller: {
      authorization: authorizationOf(user, (path) => read(resolve(dirname(file), path)).trim()),
      certificate: pem(user['client-certificate-data'], user['client-certificate']),
      key: pem(user['client-key-data'], user['client-key']),
      serverName: cluster['tls-server-name'] ?? '',
      trustsAnybody: cluster['insecure-skip-tls-verify'] === true,
    },
  };
}

type Refuse = (why: string) => never;

function parsed(text: string, refuse: Refuse): Kubeconfig {
  let content: unknown;
  try {
    content = parseYaml(text);
  } catch {
    // The parser would quote lines, which may be secrets.
    return refuse('is no YAML');
  }
  if (typeof content !== 'object' || content === null) return refuse('is no kubeconfig');
  return content;
}

/** What the current context names; where there is none, the only cluster and user. */
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
