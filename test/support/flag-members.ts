/** What the flags of the server set. */
import { ADMISSION_FLAGS } from '../../src/config/admission.ts';
import { AGGREGATION_FLAGS } from '../../src/config/aggregation.ts';
import { AUTHENTICATION_FLAGS } from '../../src/auth/authentication/authenticators.ts';
import type { Config } from '../../src/config/config.ts';
import { LEADERSHIP_FLAGS } from '../../src/config/leadership.ts';
import { SIGNING_FLAGS } from '../../src/config/signing.ts';

/** Each flag, with a member that it sets: a new flag belongs here too. */
export const FLAG_OF: Readonly<Record<string, keyof Config>> = {
  'bind-address': 'bindAddress',
  'advertise-address': 'advertiseAddress',
  port: 'port',
  'secure-port': 'securePort',
  'data-dir': 'dataDir',
  durability: 'durability',
  release: 'release',
  'allow-lower-release': 'allowLowerRelease',
  'api-domain': 'apiDomain',
  fronts: 'fronts',
  'shard-threads': 'shardThreads',
  'watch-history': 'watchHistoryMs',
  controllers: 'controllers',
  'fake-nodes': 'fakeNodes',
  'event-ttl': 'eventTtlMs',
  'runtime-config': 'runtimeConfig',
  'feature-gates': 'featureGates',
  'service-cluster-ip-range': 'kindSettings',
  'service-node-port-range': 'kindSettings',
  'session-port': 'sessionPort',
  ...Object.fromEntries(Object.keys(AUTHENTICATION_FLAGS).map((name) => [name, 'authentication'])),
  ...Object.fromEntries(Object.keys(AGGREGATION_FLAGS).map((name) => [name, 'aggregation'])),
  ...Object.fromEntries(Object.keys(SIGNING_FLAGS).map((name) => [name, 'signing'])),
  ...Object.fromEntries(Object.keys(LEADERSHIP_FLAGS).map((name) => [name, 'leadership'])),
  ...Object.fromEntries(Object.keys(ADMISSION_FLAGS).map((name) => [name, 'admission'])),
  'authorization-mode': 'authorization',
  'authorization-webhook-config-file': 'authorization',
  'authorization-webhook-version': 'authorization',
  'authorization-webhook-cache-authorized-ttl': 'authorization',
  'authorization-webhook-cache-unauthorized-ttl': 'authorization',
  'request-timeout': 'flow',
  laboratory: 'laboratory',
  clock: 'laboratory',
  'tls-cert-file': 'tls',
  'tls-private-key-file': 'tls',
  'tls-extra-san': 'tls',
  'tls-sni-cert-key': 'tls',
  'tls-min-version': 'tls',
  'tls-cipher-suites': 'tls',
  'client-ca-file': 'tls',
  'cors-allowed-origins': 'browsers',
  'strict-transport-security-directives': 'browsers',
  'show-hidden-metrics-for-version': 'observability',
  profiling: 'observability',
  'shutdown-timeout': 'shutdownTimeoutMs',
  'shutdown-delay-duration': 'shutdownDelayMs',
  'livez-grace-period': 'livezGraceMs',
  'legacy-service-account-token-clean-up-period': 'legacyTokensPeriodMs',
};
