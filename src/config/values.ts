/** Values of options as they are read. All throw ConfigError. */
import { availableParallelism } from 'node:os';
import { CONTROLLER_NAMES, parseControllers } from '../controllers/registry.ts';
import type { ControllerName } from '../controllers/registry.ts';
import type { Dialect } from '../semantics/dialect/dialect.ts';
import {
  isLinkLocalUnicast,
  isLoopback,
  isUnspecified,
  parseIp,
} from '../semantics/validation/ip-address.ts';
import type { Durability } from '../storage/store.ts';
import { ConfigError } from '../base/options/config-error.ts';

export type ApiDomain = Dialect['domain'];

const SHARD_THREADS_MAX = 64;
const FRONTS_MAX = 16;
const COUNT_MAX = 1_000_000;
/** Schedulers are made for so many. */
const FAKE_NODES_MAX = 5_000;
/** The first label may be a wildcard. */
const DNS_NAME = /^(\*\.)?([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i;

export function controllersOf(value: string): ReadonlySet<ControllerName> {
  try {
    return parseControllers(value);
  } catch (error) {
    const why = (error as Error).message;
    throw new ConfigError(
      `--controllers is "${value}": ${why}: give a list of *, NAME and -NAME, ` +
        `of ${CONTROLLER_NAMES.join(', ')}`,
    );
  }
}

export function advertisedOf(value: string): string {
  if (value === '') return '';
  const ip = parseIp(value);
  const isReached =
    ip !== undefined && !isUnspecified(ip) && !isLoopback(ip) && !isLinkLocalUnicast(ip);
  if (isReached) return value;
  throw new ConfigError(
    `--advertise-address is "${value}": give an IP address of this machine that others can reach`,
  );
}

export function extraNamesOf(value: string): readonly string[] {
  const names = value
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  for (const name of names) {
    if (DNS_NAME.test(name) || parseIp(name) !== undefined) continue;
    throw new ConfigError(`--tls-extra-san has "${name}": give DNS names and IP addresses`);
  }
  return names;
}

export function parsedOf<T>(name: string, value: string, parse: (text: string) => T): T {
  try {
    return parse(value);
  } catch (error) {
    throw new ConfigError(`--${name} is "${value}": ${(error as Error).message}`);
  }
}

/** The text itself, if it can be parsed. */
export function checkedOf(name: string, value: string, parse: (text: string) => unknown): string {
  parsedOf(name, value, parse);
  return value;
}

export function portOf(name: string, value: string): number {
  const port = Number(value);
  if (!/^[0-9]+$/.test(value) || port > 65_535) {
    throw new ConfigError(`--${name} is "${value}": give a port from 1 to 65535, or 0 for none`);
  }
  return port;
}

export function sessionPortOf(value: string): number | 'auto' {
  return value === 'auto' ? 'auto' : portOf('session-port', value);
}

export function durabilityOf(value: string): Durability {
  if (value === 'fsync' || value === 'relaxed') return value;
  throw new ConfigError(`--durability is "${value}": give fsync or relaxed`);
}

export function apiDomainOf(value: string): ApiDomain {
  if (value === 'cluster.io' || value === 'k8s.io') return value;
  throw new ConfigError(`--api-domain is "${value}": give cluster.io or k8s.io`);
}

export function threadsOf(value: string): number {
  if (value === 'auto') return Math.max(1, availableParallelism() - 1);
  const threads = Number(value);
  if (!Number.isInteger(threads) || threads < 1 || threads > SHARD_THREADS_MAX) {
    throw new ConfigError(
      `--shard-threads is "${value}": give a number from 1 to ${SHARD_THREADS_MAX}, or auto`,
    );
  }
  return threads;
}

export function fakeNodesOf(value: string): number {
  const nodes = Number(value);
  if (!Number.isInteger(nodes) || nodes < 0 || nodes > FAKE_NODES_MAX) {
    throw new ConfigError(`--fake-nodes is "${value}": give a number from 0 to ${FAKE_NODES_MAX}`);
  }
  return nodes;
}

/** The count that a flag gives. */
export function countOf(name: string, value: string): number {
  const count = Number(value);
  if (/^[0-9]+$/.test(value) && count <= COUNT_MAX) return count;
  throw new ConfigError(`--${name} is "${value}": give a number from 0 to ${COUNT_MAX}`);
}

export function frontsOf(value: string): number {
  const fronts = Number(value);
  if (!Number.isInteger(fronts) || fronts < 1 || fronts > FRONTS_MAX) {
    throw new ConfigError(`--fronts is "${value}": give a number from 1 to ${FRONTS_MAX}`);
  }
  // Elsewhere one of those that listen on a port gets all connections.
  if (fronts > 1 && process.platform !== 'linux') {
    throw new ConfigError(`--fronts is "${value}": more than one needs Linux`);
  }
  return fronts;
}
