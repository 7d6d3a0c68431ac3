/** Where the service of a webhook is reached: at its ready endpoints, or at its external name. */
import { WEBHOOK_ADDRESS_MS_MAX } from './limits.ts';
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
}

interface Service extends ApiObject {
  spec?: {
    type?: string;
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

interface Known {
  readonly addresses: Promise<readonly Dialed[]>;
  readonly timeMs: number;
}

export class ServiceAddresses {
  readonly #objects: ServiceObjects;
  readonly #nowMs: () => number;
  /** Addresses that were asked for not long ago. */
  readonly #known = new Map<string, Known>();

  constructor(objects: ServiceObjects, nowMs: () => number) {
    this.#objects = objects;
    this.#nowMs = nowMs;
  }

  /** One of the addresses, another each time. Rejects with WebhookError when there is none. */
  async resolve(service: ServiceRef): Promise<Dialed> {
    const addresses = await this.#addresses(service);
    const chosen = addresses[Math.floor(Math.random() * addresses.length)];
    if (chosen === undefined) throw noEndpoints(service);
    return chosen;
  }

  #addresses(service: ServiceRef): Promise<readonly Dialed[]> {
    const text = `${service.namespace}/${service.name}:${service.port}`;
    const nowMs = this.#nowMs();
    for (const [key, { timeMs }] of this.#known) {
      if (nowMs - timeMs > WEBHOOK_ADDRESS_MS_MAX) this.#known.delete(key);
    }
    const known = this.#known.get(text);
    if (known !== undefined) return known.addresses;
    const addresses = addressesOf(this.#objects, service);
    this.#known.set(text, { addresses, timeMs: nowMs });
    // A failed look-up is not cached: the next request tries again.
    addresses.catch(() => this.#known.delete(text));
    return addresses;
  }
}

async function addressesOf(
  objects: ServiceObjects,
  { namespace, name, port }: ServiceRef,
): Promise<readonly Dialed[]> {
  const found = (await objects.service({ namespace, name })) as Service | undefined;
  if (found === undefined) throw new WebhookError(`service "${name}" not found`);
  const { type = '', externalName = '', ports = [] } = found.spec ?? {};
  if (type === 'ExternalName') {
    const host = dialedHost(externalName);
    if (host !== undefined) return [{ host, port }];
    throw new WebhookError(`dial tcp: lookup ${externalName}: no such host`);
  }
  const served = ports.find((one) => one.port === port);
  if (served === undefined) {
    throw new WebhookError(`no service port ${port} found for service "${name}"`);
  }
  const endpoints = (await objects.endpoints({ namespace, name })) as Endpoints | undefined;
  if (endpoints === undefined) throw new WebhookError(`endpoints "${name}" not found`);
  const { name: portName = '' } = served;
  return (endpoints.subsets ?? []).flatMap(({ addresses = [], ports: targets = [] }) => {
    const target = targets.find((one) => (one.name ?? '') === portName);
    if (target === undefined) return [];
    // Those that are not read by everybody alike are nobody's.
    const hosts = addresses.flatMap(({ ip }) => dialedHost(ip) ?? []);
    return hosts.map((host) => ({ host, port: target.port }));
  });
}

function noEndpoints({ name }: ServiceRef): WebhookError {
  return new WebhookError(`no endpoints available for service "${name}"`);
}
