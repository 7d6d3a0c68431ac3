/**
 * Where a service that answers for this server is reached: at its ready endpoints, at its external
 * name, or at the address of the service.
 */
import { WEBHOOK_ADDRESS_MS_MAX } from './limits.ts';
import { ownRelease } from '../release/release.ts';
import type { ApiObject } from '../resources/kind.ts';
import { dialedHost } from '../semantics/validation/ip-address.ts';
import { WebhookError, type Dialed } from './webhook-errors.ts';

export interface ServiceRef {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

type ObjectName = Pick<ServiceRef, 'namespace' | 'name'>;
type ReadObject = (at: ObjectName) => Promise<ApiObject | undefined>;

/** Reads the objects that say where services are. */
export interface ServiceObjects {
  readonly service: ReadObject;
  readonly endpoints: ReadObject;
  /** The EndpointSlices of a service. */
  readonly slices: (at: ObjectName) => Promise<readonly ApiObject[]>;
}

/** `endpoints`: past the address of a service, which only nodes route. */
export type ServiceRouting = 'endpoints' | 'serviceAddress';

interface Service extends ApiObject {
  spec?: {
    type?: string;
    clusterIP?: string;
    externalName?: string;
    ports?: { name?: string; port: number }[];
  };
}

interface Endpoints extends ApiObject {
  subsets?: {
    addresses?: { ip: string }[];
    ports?: { name?: string; port: number }[];
  }[];
}

interface EndpointSlice extends ApiObject {
  endpoints?: { addresses?: string[]; conditions?: { ready?: boolean } }[] | null;
  ports?: { name?: string; port?: number }[] | null;
}

interface Known {
  readonly addresses: Promise<readonly Dialed[]>;
  readonly timeMs: number;
}

const HAS_SLICES = ownRelease().has('resolvesBySlices');

export class ServiceAddresses {
  readonly #objects: ServiceObjects;
  readonly #nowMs: () => number;
  readonly #routing: ServiceRouting;
  /** Addresses that were asked for not long ago. */
  readonly #known = new Map<string, Known>();

  constructor(objects: ServiceObjects, nowMs: () => number, routing: ServiceRouting = 'endpoints') {
    this.#objects = objects;
    this.#nowMs = nowMs;
    this.#routing = routing;
  }

  /** One of the addresses, another each time. Rejects with WebhookError when there is none. */
  async resolve(service: ServiceRef): Promise<Dialed> {
    const addresses = await this.#addresses(service);
    const chosen = addresses[Math.floor(Math.random() * addresses.length)];
    if (chosen === undefined) throw noEndpoints(service);
    return chosen;
  }

  /** What was found out is found out again. */
  forget(): void {
    this.#known.clear();
  }

  #addresses(service: ServiceRef): Promise<readonly Dialed[]> {
    const text = `${service.namespace}/${service.name}:${service.port}`;
    const nowMs = this.#nowMs();
    for (const [key, { timeMs }] of this.#known) {
      if (nowMs - timeMs > WEBHOOK_ADDRESS_MS_MAX) this.#known.delete(key);
    }
    const known = this.#known.get(text);
    if (known !== undefined) return known.addresses;
    const addresses = addressesOf(this.#objects, service, this.#routing);
    this.#known.set(text, { addresses, timeMs: nowMs });
    // A failed look-up is not cached: the next request tries again.
    addresses.catch(() => this.#known.delete(text));
    return addresses;
  }
}

async function addressesOf(
  objects: ServiceObjects,
  { namespace, name, port }: ServiceRef,
  routing: ServiceRouting,
): Promise<readonly Dialed[]> {
  const found = (await objects.service({ namespace, name })) as Service | undefined;
  if (found === undefined) throw new WebhookError(`service "${name}" not found`);
  const { type = '', externalName = '', clusterIP = '', ports = [] } = found.spec ?? {};
  if (type === 'ExternalName') {
    const host = dialedHost(externalName);
    if (host !== undefined) return [{ host, port }];
    throw new WebhookError(`dial tcp: lookup ${externalName}: no such host`);
  }
  const isRouted = routing === 'serviceAddress';
  if (isRouted && clusterIP === 'None') {
    throw new WebhookError('cannot route to service with ClusterIP "None"');
  }
  const served = ports.find((one) => one.port === port);
  if (served === undefined) {
    throw new WebhookError(`no service port ${port} found for service "${name}"`);
  }
  if (isRouted) return [{ host: clusterIP, port }];
  const { name: portName = '' } = served;
  const slices = HAS_SLICES ? await objects.slices({ namespace, name }) : [];
  // Nobody makes slices of Endpoints here that were made by hand.
  if (slices.length > 0) return dialedOfSlices(slices, portName);
  const endpoints = (await objects.endpoints({ namespace, name })) as Endpoints | undefined;
  if (endpoints !== undefined) return dialedOfEndpoints(endpoints, portName);
  throw HAS_SLICES ? noEndpoints({ name }) : new WebhookError(`endpoints "${name}" not found`);
}

function dialedOfEndpoints({ subsets = [] }: Endpoints, portName: string): readonly Dialed[] {
  return subsets.flatMap(({ addresses = [], ports = [] }) => {
    const target = ports.find((one) => (one.name ?? '') === portName);
    if (target === undefined) return [];
    return dialedAt(
      addresses.map(({ ip }) => ip),
      target.port,
    );
  });
}

function dialedOfSlices(slices: readonly EndpointSlice[], portName: string): readonly Dialed[] {
  return slices.flatMap(({ endpoints, ports }) => {
    const port = ports?.find((one) => one.name === portName && one.port !== undefined)?.port;
    if (port === undefined) return [];
    const ready = (endpoints ?? []).filter(({ conditions }) => conditions?.ready !== false);
    return dialedAt(
      ready.flatMap(({ addresses = [] }) => addresses.slice(0, 1)),
      port,
    );
  });
}

/** Addresses that are not read by everybody alike are nobody's. */
function dialedAt(addresses: readonly string[], port: number): readonly Dialed[] {
  return addresses.flatMap((address) => dialedHost(address) ?? []).map((host) => ({ host, port }));
}

function noEndpoints({ name }: Pick<ServiceRef, 'name'>): WebhookError {
  return new WebhookError(`no endpoints available for service "${name}"`);
}
