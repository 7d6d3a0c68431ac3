/**
 * Finds out whether the server that answers for a group version is there: by the objects that say
 * where its service is, and by asking it.
 */
import { AGGREGATOR_HEADERS } from '../../aggregation/remote-discovery.ts';
import { REMOTE_CHECK_MS_MAX } from '../../aggregation/limits.ts';
import { ProxyCertificate } from '../../aggregation/proxy-certificate.ts';
import { resourcesPath, type RemoteApi } from '../../aggregation/remote-api.ts';
import { serviceObjects } from '../../aggregation/service-objects.ts';
import type { AggregationSettings } from '../../aggregation/settings.ts';
import { Upstreams } from '../../aggregation/upstreams.ts';
import type { Port } from '../../actors/port.ts';
import { joinHostPort } from '../../base/dial-error.ts';
import { quoteText } from '../../codec/json/strict-quote.ts';
import { ownRelease } from '../../release/release.ts';
import { ShardObjects, type ObjectName } from '../../replicas/shard-objects.ts';
import type { ApiObject } from '../../resources/kind.ts';
import { ownName } from '../../semantics/dialect/own-names.ts';
import { Informer } from '../informer.ts';
import { FAILED_CHECK, PASSED, unavailable, unknown, type Availability } from './availability.ts';

const SERVICES = 'services';
const ENDPOINTS = 'endpoints';
const SLICES = 'endpointslices.discovery.cluster.io';
const HAS_SLICES = ownRelease().has('resolvesBySlices');
/** Asked at once, so that one endpoint of several that hangs is not taken for all. */
const ATTEMPTS = 5;

interface Service extends ApiObject {
  spec?: { type?: string; ports?: { name?: string; port: number }[] };
}

interface Endpoints extends ApiObject {
  subsets?: { addresses?: unknown[]; ports?: { name?: string }[] }[];
}

interface Slice extends ApiObject {
  endpoints?: { conditions?: { ready?: boolean } }[] | null;
  ports?: { name?: string; port?: number }[] | null;
}

export interface RemoteChecksOptions {
  readonly aggregation: AggregationSettings;
  readonly nowMs: () => number;
  /** Gives a port of its own to the shard of a type. */
  readonly portTo: (resource: string) => Port;
  /** A service, or where it is, has changed. */
  readonly onService: (at: ObjectName) => void;
}

export class RemoteChecks {
  readonly #clients = new Map<string, ShardObjects>();
  readonly #objects: ReturnType<typeof serviceObjects>;
  readonly #upstreams: Upstreams;
  readonly #followed: readonly Informer<string>[];

  constructor({ aggregation, nowMs, portTo, onService }: RemoteChecksOptions) {
    this.#objects = serviceObjects((type) => this.#client(type, portTo));
    this.#upstreams = new Upstreams({
      objects: this.#objects,
      routing: aggregation.routing,
      certificate: new ProxyCertificate(aggregation.certificate, nowMs),
      nowMs,
    });
    const types = HAS_SLICES ? [SERVICES, ENDPOINTS, SLICES] : [SERVICES, ENDPOINTS];
    this.#followed = types.map((resource) => followed(resource, portTo(resource), onService));
  }

  /** Resolves when it follows services, and where they are. */
  async start(): Promise<void> {
    for (const informer of this.#followed) await informer.start();
  }

  async check(api: RemoteApi): Promise<Availability> {
    const { namespace, name } = api.service;
    const what = `service/${name} in ${quoteText(namespace)}`;
    try {
      const found = await this.#placeProblem(api, what);
      if (found !== undefined) return found;
    } catch (error) {
      const why = `${what} cannot be checked due to: ${(error as Error).message}`;
      return unknown('ServiceAccessError', why);
    }
    return this.#ask(api);
  }

  close(): void {
    this.#upstreams.close();
    for (const informer of this.#followed) informer.close();
    for (const client of this.#clients.values()) client.close();
  }

  #client(type: string, portTo: RemoteChecksOptions['portTo']): ShardObjects {
    let client = this.#clients.get(type);
    if (client === undefined) {
      client = new ShardObjects(type, portTo(type));
      this.#clients.set(type, client);
    }
    return client;
  }

  /** Undefined where objects say that the service is somewhere. */
  async #placeProblem({ service: at }: RemoteApi, what: string): Promise<Availability | undefined> {
    const service = (await this.#objects.service(at)) as Service | undefined;
    if (service === undefined) return unavailable('ServiceNotFound', `${what} is not present`);
    const { type = '', ports = [] } = service.spec ?? {};
    if (type !== 'ClusterIP') return undefined;
    const served = ports.find(({ port }) => port === at.port);
    if (served === undefined) {
      return unavailable('ServicePortError', `${what} is not listening on port ${at.port}`);
    }
    const portName = served.name ?? '';
    const hasAddresses = await this.#hasAddresses(at, portName);
    if (hasAddresses === true) return undefined;
    const objects = HAS_SLICES ? 'endpointslices' : 'endpoints';
    if (hasAddresses === undefined) {
      return unavailable('EndpointsNotFound', `cannot find ${objects} for ${what}`);
    }
    const lacking = `have no addresses with port name ${quoteText(portName)}`;
    return unavailable('MissingEndpoints', `${objects} for ${what} ${lacking}`);
  }

  /** Undefined where no object tells of any. */
  async #hasAddresses(at: ObjectName, portName: string): Promise<boolean | undefined> {
    const slices = HAS_SLICES ? ((await this.#objects.slices(at)) as readonly Slice[]) : [];
    if (slices.length > 0) {
      return slices.some(
        ({ endpoints, ports }) =>
          (endpoints ?? []).some(({ conditions }) => conditions?.ready !== false) &&
          (ports ?? []).some(({ name, port }) => name === portName && port !== undefined),
      );
    }
    const stored = (await this.#objects.endpoints(at)) as Endpoints | undefined;
    return (
      stored?.subsets?.some(
        ({ addresses = [], ports = [] }) =>
          addresses.length > 0 && ports.some(({ name = '' }) => name === portName),
      ) ??
      (stored && false)
    );
  }

  async #ask(api: RemoteApi): Promise<Availability> {
    this.#upstreams.forget();
    const attempts = Array.from({ length: ATTEMPTS }, () => this.#askOnce(api));
    try {
      await Promise.any(attempts);
      return PASSED;
    } catch (error) {
      const last = (error as AggregateError).errors.at(-1) as Error;
      return unavailable(FAILED_CHECK, last.message);
    }
  }

  async #askOnce(api: RemoteApi): Promise<void> {
    const upstream = await this.#upstreams.find(api);
    const path = resourcesPath(api);
    const url = `https://${joinHostPort(upstream.host, upstream.port)}${path}`;
    const failing = `failing or missing response from ${url}`;
    const answer = await this.#upstreams
      .get(upstream, path, AGGREGATOR_HEADERS, REMOTE_CHECK_MS_MAX)
      .catch((error: unknown) => {
        throw new Error(`${failing}: Get ${quoteText(url)}: ${(error as Error).message}`);
      });
    if (answer.status >= 200 && answer.status < 300) return;
    throw new Error(`${failing}: bad status from ${url}: ${answer.status}`);
  }
}

/** Keeps of each object the name of its service. */
function followed(
  resource: string,
  port: Port,
  onService: RemoteChecksOptions['onService'],
): Informer<string> {
  const label = ownName('cluster.io/service-name');
  return new Informer({
    resource,
    port,
    keep: ({ metadata }) =>
      resource === SLICES ? (metadata.labels?.[label] ?? '') : (metadata.name ?? ''),
    onChange: ({ namespace }, now, before) => {
      for (const name of new Set([now, before])) {
        if (name !== undefined) onService({ namespace, name });
      }
    },
  });
}
