/** Reads from a kubeconfig file which server to talk to, and as whom. */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import { TargetError } from './target.ts';
import type { Credentials } from './target.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface KubeconfigTarget {
  readonly server: string;
  readonly credentials: Credentials;
}

/**
 * `context`: '' for the file's current one. Throws `TargetError` with one line that names the file
 * and what is wrong in it.
 */
export function readKubeconfig(file: string, context: string): KubeconfigTarget {
  const content = readFields(file);
  const name = context || textOf(content, 'current-context');
  if (name === '') throw new TargetError(`${file} has no current-context: give --context`);
  const inContext = named(file, content, 'context', name);
  const cluster = named(file, content, 'cluster', textOf(inContext, 'cluster'));
  const userName = textOf(inContext, 'user');
  const user = userName === '' ? {} : named(file, content, 'user', userName);
  const server = textOf(cluster, 'server');
  if (server === '') throw new TargetError(`${file}: the cluster of "${name}" has no server`);
  for (const way of ['exec', 'auth-provider', 'username']) {
    if (user[way] === undefined) continue;
    throw new TargetError(`${file}: user "${userName}" signs in by ${way}: give --token-file`);
  }
  const credentials = {
    token: tokenOf(file, user),
    certificateAuthority: pemOf(file, cluster, 'certificate-authority'),
    clientCertificate: pemOf(file, user, 'client-certificate'),
    clientKey: pemOf(file, user, 'client-key'),
    skipTlsVerify: cluster['insecure-skip-tls-verify'] === true,
    tlsServerName: textOf(cluster, 'tls-server-name'),
  };
  if ((credentials.clientCertificate === '') !== (credentials.clientKey === '')) {
    throw new TargetError(`${file}: user "${userName}" has only one of certificate and key`);
  }
  return { server, credentials };
}

function readFields(file: string): Fields {
  let content: unknown;
  try {
    content = parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('\n');
    throw new TargetError(`cannot read the kubeconfig ${file}: ${reason}`);
  }
  if (isFields(content)) return content;
  throw new TargetError(`${file} is no kubeconfig: it must be a YAML mapping`);
}

/** The entry of this name in `clusters`, `contexts` or `users`. */
function named(file: string, content: Fields, what: string, name: string): Fields {
  const list = content[`${what}s`];
  const entry = (Array.isArray(list) ? list : []).find(
    (item: unknown) => isFields(item) && item['name'] === name,
  ) as Fields | undefined;
  const found = entry?.[what];
  if (!isFields(found)) throw new TargetError(`${file} has no ${what} "${name}"`);
  return found;
}

function tokenOf(file: string, user: Fields): string {
  // As in other clients the file wins.
  const tokenFile = textOf(user, 'tokenFile');
  return tokenFile === '' ? textOf(user, 'token') : readBeside(file, tokenFile).trim();
}

function pemOf(file: string, fields: Fields, field: string): string {
  const data = textOf(fields, `${field}-data`);
  if (data !== '') return Buffer.from(data, 'base64').toString('utf8');
  const path = textOf(fields, field);
  return path === '' ? '' : readBeside(file, path);
}

/** Paths in a kubeconfig are relative to it. */
function readBeside(file: string, path: string): string {
  try {
    return readFileSync(resolve(dirname(file), path), 'utf8');
  } catch (error) {
    throw new TargetError(`${file}: ${(error as Error).message}`);
  }
}

function textOf(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
