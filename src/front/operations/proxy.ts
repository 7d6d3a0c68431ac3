/**
 * Requests that are passed on to a pod, a service or a node: all methods, with body and answer as
 * streams, and other protocols. Whom they are for is found as in the reference.
 */
import { parseStrictIp } from '../../semantics/validation/ip-address.ts';
import { badRequest, isRefusal } from '../../semantics/errors/status.ts';
import type { GroupResource } from '../../semantics/errors/status.ts';
import type { Target } from '../agents/agent-client.ts';
import { lookUpAll } from '../agents/look-up.ts';
import type { LookUp } from '../agents/look-up.ts';
import { passRequest, unavailable } from '../agents/pass-request.ts';
import { admittedConnection } from './admit.ts';
import { ownRelease } from '../../release/release.ts';
import { agentAddress } from './node-agent.ts';
import type { Pod } from './node-agent.ts';
import type { Operation, PassingRequest } from '../operation.ts';
import { proxyableAddress } from './proxyable-address.ts';
import { endpointOfSlices } from './slice-endpoints.ts';
import { getStored, PODS } from './shard-requests.ts';
import type { Stored } from './shard-requests.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const;
const SCHEMES: readonly string[] = ['', 'http', 'https'];
const NOT_ALLOWED = 'address not allowed';
const DEFAULT_PORTS = { http: 80, https: 443 } as const;

const SERVICES: GroupResource = { group: '', resource: 'services' };
const ENDPOINTS: GroupResource = { group: '', resource: 'endpoints' };

interface Service extends Stored {
  readonly spec?: {
    readonly ports?: readonly { readonly name?: string; readonly port?: number }[];
  };
}

interface EndpointAddress {
  readonly ip?: string;
  readonly targetRef?: {
    readonly kind?: string;
    readonly namespace?: string;
    readonly name?: string;
  };
}

interface Endpoints extends Stored {
  readonly subsets?: readonly {
    readonly addresses?: readonly EndpointAddress[];
    readonly ports?: readonly { readonly name?: string; readonly port?: number }[];
  }[];
}

const HAS_SLICES = ownRelease().has('proxiesToSlices');

export const podProxy: Operation = proxyTo('PodProxyOptions', podAddress);
export const serviceProxy: Operation = proxyTo(
  'ServiceProxyOptions',
  HAS_SLICES ? addressOfSlices : addressOfEndpoints,
);
export const nodeProxy: Operation = proxyTo('NodeProxyOptions', nodeAddress);

/** `kind` is that of the options of the connection. */
function proxyTo(kind: string, find: (request: PassingRequest) => Promise<Target>): Operation {
  return {
    methods: METHODS,
    describedAs: { kind: { kind }, action: 'connect', takesPath: true },
    passesOn: true,
    serve: async (request) => {
      const { rest } = request.route;
      await admittedConnection(request, kind, rest === '' ? {} : { path: rest });
      await passRequest(request, await find(request));
    },
  };
}

interface ProxyName {
  readonly scheme: 'http' | 'https';
  readonly name: string;
  /** A number, or the name of a port of a service; '' for the first one. */
  readonly port: string;
}

/** `name`, `name:port` or `scheme:name:port`. Throws StatusError 400. */
export function parseProxyName(what: string, text: string): ProxyName {
  const parts = text.split(':');
  const [scheme = '', name = '', port = ''] = parts.length < 3 ? ['', ...parts] : parts;
  if (parts.length > 3 || name === '' || !SCHEMES.includes(scheme)) {
    throw badRequest(`invalid ${what} request ${JSON.stringify(text)}`);
  }
  return { scheme: scheme === 'https' ? 'https' : 'http', name, port };
}

function portNumber(text: string, otherwise: number): number {
  if (text === '') return otherwise;
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw badRequest(`invalid port ${JSON.stringify(text)}`);
  return port;
}

async function podAddress({ shards, route }: PassingRequest): Promise<Target> {
  const { scheme, name, port } = parseProxyName('pod', route.name);
  const { spec, status } = await getStored<Pod>(shards, PODS, route.namespace, name);
  const [first] = spec?.containers?.flatMap(({ ports = [] }) => ports) ?? [];
  const host = proxyableAddress(status?.podIP ?? '');
  if (host === undefined) throw badRequest(NOT_ALLOWED);
  return {
    scheme,
    host,
    port: portNumber(port, first?.containerPort ?? DEFAULT_PORTS[scheme]),
  };
}

async function nodeAddress(request: PassingRequest): Promise<Target> {
  const { scheme, name, port } = parseProxyName('node', request.route.name);
  const agent = await agentAddress(request, name);
  const addresses = await proxyableAddresses(agent.host);
  const asked = portNumber(port, agent.port);
  const { host } = agent;
  const target = asked === agent.port ? agent : ({ scheme, host, port: asked } as const);
  return { ...target, addresses };
}

/**
 * An address, or all that a name stands for at this moment: only these are connected to. Rejects
 * with StatusError 400.
 */
export async function proxyableAddresses(
  host: string,
  lookUp: LookUp = lookUpAll,
): Promise<readonly string[]> {
  const found = parseStrictIp(host) === undefined ? await lookUp(host) : [host];
  if (found.length === 0) throw badRequest(`lookup ${host}: no such host`);
  return found.map((address) => {
    const proxyable = proxyableAddress(address);
    if (proxyable === undefined) throw badRequest(NOT_ALLOWED);
    return proxyable;
  });
}

/** A service is looked up for the name of its port alone. */
async function addressOfSlices(request: PassingRequest): Promise<Target> {
  const { shards, route } = request;
  const { namespace } = route;
  const { scheme, name, port } = parseProxyName('service', route.name);
  const portName = /^[0-9]+$/.test(port)
    ? endpointPort(await getStored<Service>(shards, SERVICES, namespace, name), name, port)
    : port;
  const endpoint = await endpointOfSlices(shards, { namespace, name, portName });
  if (endpoint !== undefined) return { scheme, ...endpoint };
  throw unavailable(`no endpoints available for service ${JSON.stringify(name)}`);
}

async function addressOfEndpoints(request: PassingRequest): Promise<Target> {
  const { shards, route } = request;
  const { namespace } = route;
  const { scheme, name, port } = parseProxyName('service', route.name);
  const service = await getStored<Service>(shards, SERVICES, namespace, name);
  const portName = endpointPort(service, name, port);
  const none = unavailable(`no endpoints available for service ${JSON.stringify(route.name)}`);
  const endpoints = await getStored<Endpoints>(shards, ENDPOINTS, namespace, name).catch(
    (error: unknown) => {
      if (isRefusal(error, 404)) throw none;
      throw error;
    },
  );
  for (const { addresses = [], ports = [] } of endpoints.subsets ?? []) {
    const found = ports.find((one) => (one.name ?? '') === portName);
    if (found === undefined) continue;
    for (const address of addresses) {
      const host = proxyableAddress(address.ip ?? '');
      if (host === undefined || !(await isPodAddress(request, address))) continue;
      return { scheme, host, port: found.port ?? 0 };
    }
  }
  throw none;
}

/** The name of the endpoints' port that is meant. Throws StatusError 503 for an unknown number. */
function endpointPort({ spec }: Service, name: string, asked: string): string {
  if (!/^[0-9]+$/.test(asked)) return asked;
  const found = spec?.ports?.find(({ port }) => port === Number(asked));
  if (found !== undefined) return found.name ?? '';
  throw unavailable(`no service port ${asked} found for service ${JSON.stringify(name)}`);
}

/** Endpoints may say anything: only an address that a pod of the namespace has is used. */
async function isPodAddress(
  { shards, route }: PassingRequest,
  { ip = '', targetRef }: EndpointAddress,
): Promise<boolean> {
  const { kind, namespace = route.namespace, name = '' } = targetRef ?? {};
  if (kind !== 'Pod' || namespace !== route.namespace) return false;
  try {
    const pod = await getStored<Pod>(shards, PODS, namespace, name);
    return pod.status?.podIP === ip;
  } catch (error) {
    if (isRefusal(error, 404)) return false;
    throw error;
  }
}
