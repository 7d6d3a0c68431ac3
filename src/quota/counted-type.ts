/** The use of quotas by the objects of each type (README.md#what-is-counted). */
import type { PersistentVolumeClaim, Pod, Service } from '#messages/core.v1';
import type { ResourceClaim } from '#messages/resource.v1';
import { roundedQuantity } from '../codec/leaves/quantity.ts';
import type { ApiObject } from '../resources/kind.ts';
import { storageClassOf } from '../resources/core/volumes/claim-class.ts';
import { ownRelease } from '../release/release.ts';
import { ownName, ownResource } from '../semantics/dialect/own-names.ts';
import type { Amounts } from './amounts.ts';
import {
  ENDED_POD,
  isPodResource,
  podEndMs,
  podScopes,
  podUsage,
  unsaidResources,
} from './pod-usage.ts';
import { claimScopes, type ScopeFacts } from './scopes.ts';

export interface CountedType {
  /** Whether its objects use what a quota calls so. */
  counts(name: string): boolean;
  /** The use of each object, where all use the same. */
  readonly each?: Amounts;
  /** Whether updates may let an object use more. */
  readonly grows: boolean;
  /** The subresource alone that may do so. */
  readonly growsThrough?: string;
  usage(object: ApiObject): Amounts;
  /** The facts that scopes look at, for a type that scopes choose from. */
  scopes?(object: ApiObject): ScopeFacts;
  /** When an object comes to its end before it is removed, and what it uses from then on. */
  readonly ending?: {
    endMs(object: ApiObject): number | undefined;
    readonly usage: Amounts;
  };
  /** Names those of these resources that the object must speak of, and does not; '' for none. */
  unsaid?(object: ApiObject, names: readonly string[]): string;
}

/** Events by the name that they have had from the beginning, by which nobody has limited them. */
const EVENTS = 'events';
const NEW_EVENTS = 'events.events.cluster.io';

/** Names from the time before everything could be counted. */
const ALIASES: ReadonlySet<string> = new Set([
  'configmaps',
  'resourcequotas',
  'replicationcontrollers',
  'secrets',
]);

const ONE = '1';
const NONE = '0';
const COUNT = 'count/';

const PODS: CountedType = {
  counts: isPodResource,
  grows: false,
  growsThrough: 'resize',
  usage: (pod) => podUsage(pod as Pod),
  scopes: (pod) => podScopes(pod as Pod),
  ending: { endMs: (pod) => podEndMs(pod as Pod), usage: ENDED_POD },
  unsaid: (pod, names) => unsaidResources(pod as Pod, names),
};

const NODE_PORTS = 'services.nodeports';
const LOAD_BALANCERS = 'services.loadbalancers';
const SERVICE_NAMES = new Set([`${COUNT}services`, 'services', NODE_PORTS, LOAD_BALANCERS]);

const SERVICES: CountedType = {
  counts: (name) => SERVICE_NAMES.has(name),
  grows: true,
  usage(service) {
    const { spec = {} } = service as Service;
    return {
      [`${COUNT}services`]: ONE,
      services: ONE,
      [NODE_PORTS]: String(nodePortsOf(spec)),
      [LOAD_BALANCERS]: spec.type === 'LoadBalancer' ? ONE : NONE,
    };
  },
};

/** The number of node ports that the service has, or is to have. */
function nodePortsOf({ type, ports = [], ...spec }: NonNullable<Service['spec']>): number {
  if (type !== 'NodePort' && type !== 'LoadBalancer') return 0;
  if (type === 'NodePort' || spec.allocateLoadBalancerNodePorts !== false) return ports.length;
  return ports.filter(({ nodePort = 0 }) => nodePort !== 0).length;
}

const CLAIMS_NAME = 'persistentvolumeclaims';
const STORAGE_NAME = 'requests.storage';
/** Between the name of a class and what is counted of it. */
const CLASS_INFIX = ownName('c.storageclass.storage.cluster.io/c').slice(1, -1);
const CLAIM_NAMES = new Set([`${COUNT}${CLAIMS_NAME}`, CLAIMS_NAME, STORAGE_NAME]);

const CLAIMS: CountedType = {
  counts: (name) =>
    CLAIM_NAMES.has(name) ||
    name.endsWith(CLASS_INFIX + CLAIMS_NAME) ||
    name.endsWith(CLASS_INFIX + STORAGE_NAME),
  grows: true,
  ...(ownRelease().has('scopesOfClaims') && {
    scopes: (claim: ApiObject) => claimScopes(claim as PersistentVolumeClaim),
  }),
  usage(object) {
    const claim = object as PersistentVolumeClaim;
    const className = storageClassOf(claim);
    const usage: Record<string, string> = { [COUNT + CLAIMS_NAME]: ONE, [CLAIMS_NAME]: ONE };
    if (className !== '') usage[className + CLASS_INFIX + CLAIMS_NAME] = ONE;
    const storage = claim.spec?.resources?.requests?.['storage'];
    if (storage === undefined) return usage;
    usage[STORAGE_NAME] = roundedQuantity(storage);
    if (className !== '') usage[className + CLASS_INFIX + STORAGE_NAME] = usage[STORAGE_NAME];
    return usage;
  },
};

const DEVICE_CLAIMS_KEY = 'resourceclaims.resource.cluster.io';
const DEVICE_CLAIMS_NAME = COUNT + ownResource(DEVICE_CLAIMS_KEY);
/** Behind the name of a class of devices. */
const DEVICES_SUFFIX = ownName('c.deviceclass.resource.cluster.io/devices').slice(1);
/** The number of devices that may be allocated for one claim. */
const DEVICES_MAX = 32;

interface WantedDevices {
  readonly deviceClassName?: string;
  readonly allocationMode?: string;
  readonly count?: number | bigint;
}

/** At worst: all is as many as may be allocated, and of alternatives the one with most counts. */
const DEVICE_CLAIMS: CountedType = {
  counts: (name) => name === DEVICE_CLAIMS_NAME || name.endsWith(DEVICES_SUFFIX),
  grows: false,
  usage(object) {
    const { spec } = object as ResourceClaim;
    const devices = new Map<string, number>();
    for (const { exactly, firstAvailable = [] } of spec?.devices?.requests ?? []) {
      const most = new Map<string, number>();
      for (const wanted of firstAvailable.length > 0 ? firstAvailable : [exactly ?? {}]) {
        const { deviceClassName = '' } = wanted;
        most.set(deviceClassName, Math.max(most.get(deviceClassName) ?? 0, countOf(wanted)));
      }
      for (const [name, count] of most) devices.set(name, (devices.get(name) ?? 0) + count);
    }
    const usage: Record<string, string> = { [DEVICE_CLAIMS_NAME]: ONE };
    for (const [name, count] of devices) {
      if (name !== '') usage[name + DEVICES_SUFFIX] = String(count);
    }
    return usage;
  },
};

function countOf({ allocationMode, count = 0 }: WantedDevices): number {
  if (allocationMode === 'All') return DEVICES_MAX;
  return allocationMode === 'ExactCount' ? Number(count) : 0;
}

const SPECIAL = new Map([
  ['pods', PODS],
  ['services', SERVICES],
  [CLAIMS_NAME, CLAIMS],
  ...(ownRelease().has('quotasOfDevices') ? [[DEVICE_CLAIMS_KEY, DEVICE_CLAIMS] as const] : []),
]);
const known = new Map<string, CountedType>(SPECIAL);

/** The type with that key (`deployments.apps`); undefined where its objects are not counted. */
export function countedType(key: string): CountedType | undefined {
  if (key === EVENTS) return undefined;
  let type = known.get(key);
  if (type === undefined) {
    type = numberOf(key);
    known.set(key, type);
  }
  return type;
}

/** A type of which only the number of objects counts. */
function numberOf(key: string): CountedType {
  const name = COUNT + ownResource(key);
  const each: Amounts = ALIASES.has(key) ? { [name]: ONE, [key]: ONE } : { [name]: ONE };
  return {
    counts: (resource) => Object.hasOwn(each, resource),
    each,
    grows: false,
    usage: () => each,
  };
}

/** The keys of the types that may use what a quota calls so: of these there may be none. */
export function typesUsing(name: string): string[] {
  const keys = [...SPECIAL].filter(([, type]) => type.counts(name)).map(([key]) => key);
  if (keys.length > 0) return keys;
  if (ALIASES.has(name)) return [name];
  if (!name.startsWith(COUNT)) return [];
  const key = ownResource(name.slice(COUNT.length));
  return key === EVENTS ? [] : [key];
}

/** In which shard the objects of such a type are: events have two names. */
export function shardOf(key: string): string {
  return key === NEW_EVENTS ? EVENTS : key;
}
