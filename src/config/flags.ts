/** Every option: how its value is called, what it is when none is given, and what it does. */
import { AUTHENTICATION_FLAGS } from '../auth/authentication/authenticators.ts';
import { AUTHORIZATION_FLAGS } from '../auth/authorizers.ts';
import { ADMISSION_FLAGS } from './admission.ts';
import { AGGREGATION_FLAGS } from './aggregation.ts';
import { AUDIT_FLAGS } from './audit.ts';
import { BOUND_FLAGS } from './bounds.ts';
import { BROWSER_FLAGS } from './browsers.ts';
import type { Flag } from '../base/options/flag.ts';
import { DEFAULT_RELEASE, RELEASE_RANGE } from '../release/release.ts';
import { FLOW_FLAGS } from './flow-control.ts';
import { LABORATORY_FLAGS } from './laboratory.ts';
import { LEADERSHIP_FLAGS } from './leadership.ts';
import { OBSERVABILITY_FLAGS } from './observability.ts';
import { SIGNING_FLAGS } from './signing.ts';
import { STORE_FLAGS } from './store.ts';
import { TLS_FLAGS } from './tls.ts';

export const FLAGS = {
  'bind-address': {
    value: 'ADDRESS',
    preset: '127.0.0.1',
    help: 'address to listen on',
  },
  'advertise-address': {
    value: 'IP',
    preset: '',
    help: 'where others reach it, as the Endpoints of the API say; that of this machine if none',
  },
  port: { value: 'PORT', preset: '8080', help: 'port for HTTP; 0 switches it off' },
  'secure-port': { value: 'PORT', preset: '6443', help: 'port for HTTPS; 0 switches it off' },
  'session-port': { value: 'PORT', preset: 'auto', help: 'for SPDY sessions; 0 for none' },
  'data-dir': {
    value: 'FOLDER',
    preset: './.shardplane',
    help: 'where objects, credentials and certificates are kept',
  },
  durability: {
    value: 'MODE',
    preset: 'fsync',
    help: 'fsync: answers once a write is on the disk; relaxed: a power cut costs the last ones',
  },
  ...STORE_FLAGS,
  'api-domain': {
    value: 'DOMAIN',
    preset: 'cluster.io',
    help: 'names in the API: cluster.io, or k8s.io as public clients expect them',
  },
  release: {
    value: 'RELEASE',
    preset: DEFAULT_RELEASE.name,
    help: `the release to behave like: ${RELEASE_RANGE}`,
  },
  'allow-lower-release': {
    value: 'BOOL',
    preset: 'false',
    help: 'open a data folder that was last used with a later release',
    isSwitch: true,
  },
  fronts: {
    value: 'N',
    preset: '1',
    help: 'threads that serve connections; 1 is best on 2 cores, more are for more (Linux)',
  },
  'shard-threads': {
    value: 'N',
    preset: 'auto',
    help: 'worker threads that carry the resource types; auto: one less than the cores',
  },
  'watch-history': {
    value: 'DURATION',
    preset: '5m',
    help: 'how long old versions are kept for watches and lists, such as 30s, 5m, 1h',
  },
  controllers: {
    value: 'LIST',
    preset: '*',
    help: 'what runs: * or NAME, -NAME of the controllers below',
  },
  'event-ttl': {
    value: 'DURATION',
    preset: '1h',
    help: 'how long events are kept after they were last written',
  },
  'legacy-service-account-token-clean-up-period': {
    value: 'DURATION',
    preset: '8760h',
    help: 'tokens in Secrets that nobody used for so long are marked, and as much later removed',
  },
  'runtime-config': {
    value: 'PAIRS',
    preset: '',
    help: 'versions and resources to serve or not, such as batch/v1=false,v1/secrets=false',
  },
  'feature-gates': {
    value: 'PAIRS',
    preset: '',
    help: 'features to switch on or off, such as IdentifyPodOS=true, of those below',
  },
  'fake-nodes': {
    value: 'N',
    preset: '0',
    help: 'nodes without machines, on which pods seem to run, for tests and loads',
  },
  'service-cluster-ip-range': {
    value: 'CIDR',
    preset: '10.0.0.0/24',
    help: 'addresses that Services are given: a range, or one of each family',
  },
  'service-node-port-range': {
    value: 'PORTS',
    preset: '30000-32767',
    help: 'ports that Services of type NodePort and LoadBalancer are given',
  },
  ...AUTHENTICATION_FLAGS,
  ...AUTHORIZATION_FLAGS,
  ...ADMISSION_FLAGS,
  ...AGGREGATION_FLAGS,
  ...FLOW_FLAGS,
  ...BOUND_FLAGS,
  ...TLS_FLAGS,
  ...SIGNING_FLAGS,
  ...LEADERSHIP_FLAGS,
  ...BROWSER_FLAGS,
  ...OBSERVABILITY_FLAGS,
  ...LABORATORY_FLAGS,
  ...AUDIT_FLAGS,
  'shutdown-timeout': {
    value: 'DURATION',
    preset: '10s',
    help: 'how long accepted requests may take to finish when the server is told to stop',
  },
  'shutdown-delay-duration': {
    value: 'DURATION',
    preset: '0s',
    help: 'how long to go on serving, with /readyz failing, before stopping',
  },
  'livez-grace-period': {
    value: 'DURATION',
    preset: '0s',
    help: 'how long after the start failing checks do not count in /livez',
  },
} as const satisfies Record<string, Flag>;

export type FlagName = keyof typeof FLAGS;
/** The value that was given for each flag, or its preset. */
export type Values = Record<FlagName, string>;
