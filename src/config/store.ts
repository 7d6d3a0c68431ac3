/** Options of where objects are kept: on this machine, or in an etcd that several servers share. */
import { trimEndOf } from '../base/text/trim-end.ts';
import { ConfigError } from '../base/options/config-error.ts';
import type { Flag, FlagValues } from '../base/options/flag.ts';
import { durationOf, listOf } from '../base/options/option-values.ts';

export const STORE_FLAGS = {
  store: {
    value: 'STORE',
    preset: 'local',
    help: 'local: in the data folder; etcd: in an etcd, which several servers may share',
  },
  'etcd-servers': {
    value: 'URL,…',
    preset: '',
    help: 'addresses of the members of etcd, such as http://127.0.0.1:2379',
  },
  'etcd-prefix': {
    value: 'PATH',
    preset: '/shardplane',
    help: 'what all keys in etcd begin with: one for each cluster',
  },
  'etcd-cafile': { value: 'FILE', preset: '', help: 'authority that etcd is to have (PEM)' },
  'etcd-certfile': { value: 'FILE', preset: '', help: 'certificate to show to etcd (PEM)' },
  'etcd-keyfile': { value: 'FILE', preset: '', help: 'its private key (PEM)' },
  'etcd-lease-ttl': {
    value: 'DURATION',
    preset: '5s',
    help: 'how long after its last sign of life another server takes the place of the owner',
  },
  'peer-address': {
    value: 'HOST:PORT',
    preset: '127.0.0.1:0',
    help: 'where the other servers reach this one; port 0 for a free one',
  },
} as const satisfies Record<string, Flag>;

export interface EtcdStoreConfig {
  readonly servers: readonly string[];
  /** Without a slash at its end. */
  readonly prefix: string;
  readonly tls?: { readonly caFile: string; readonly certFile: string; readonly keyFile: string };
  readonly leaseTtlMs: number;
  readonly peerAddress: { readonly host: string; readonly port: number };
}

const TTL_MS_MIN = 2_000;
const TTL_MS_MAX = 600_000;

/** Undefined for a store on this machine. Throws ConfigError. */
export function storeConfig(values: FlagValues<typeof STORE_FLAGS>): EtcdStoreConfig | undefined {
  const { store } = values;
  const servers = listOf('etcd-servers', values['etcd-servers']);
  if (store === 'local') {
    if (servers.length === 0) return undefined;
    throw new ConfigError('--etcd-servers is given, and --store is local: give --store etcd');
  }
  if (store !== 'etcd') throw new ConfigError(`--store is "${store}": give local or etcd`);
  if (servers.length === 0) {
    throw new ConfigError('--store etcd needs --etcd-servers, such as http://127.0.0.1:2379');
  }
  for (const server of servers) checkServer(server);
  return {
    servers,
    prefix: prefixOf(values['etcd-prefix']),
    ...tlsOf(values),
    leaseTtlMs: ttlOf(values['etcd-lease-ttl']),
    peerAddress: addressOf(values['peer-address']),
  };
}

function checkServer(server: string): void {
  const isUrl = URL.canParse(server) && ['http:', 'https:'].includes(new URL(server).protocol);
  if (isUrl) return;
  throw new ConfigError(`--etcd-servers has "${server}": give URLs like http://127.0.0.1:2379`);
}

function prefixOf(value: string): string {
  const prefix = trimEndOf(value, '/');
  if (/^\/[^\s]+$/.test(prefix)) return prefix;
  throw new ConfigError(`--etcd-prefix is "${value}": give a path like /shardplane`);
}

function tlsOf(values: FlagValues<typeof STORE_FLAGS>): Pick<EtcdStoreConfig, 'tls'> {
  const caFile = values['etcd-cafile'];
  const certFile = values['etcd-certfile'];
  const keyFile = values['etcd-keyfile'];
  if ((certFile === '') !== (keyFile === '')) {
    throw new ConfigError('--etcd-certfile and --etcd-keyfile need each other');
  }
  return caFile === '' && certFile === '' ? {} : { tls: { caFile, certFile, keyFile } };
}

function ttlOf(value: string): number {
  const ms = durationOf('etcd-lease-ttl', value, TTL_MS_MAX);
  if (ms >= TTL_MS_MIN && ms % 1_000 === 0) return ms;
  throw new ConfigError(`--etcd-lease-ttl is "${value}": give whole seconds, 2s or more`);
}

function addressOf(value: string): EtcdStoreConfig['peerAddress'] {
  const match = /^(\[[0-9a-fA-F:.]+\]|[^:\s]+):([0-9]+)$/.exec(value);
  const port = Number(match?.[2]);
  if (match?.[1] !== undefined && port <= 65_535) {
    return { host: match[1].replace(/^\[|\]$/g, ''), port };
  }
  throw new ConfigError(`--peer-address is "${value}": give HOST:PORT, such as 10.0.0.1:7443`);
}
