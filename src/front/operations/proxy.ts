/**
 * Requests that are to be passed on to a pod, a service or a node (SPEC Verbs, `proxy`). Whom they
 * are for is found as in the reference; see `node-agent.ts` on why nothing is passed on.
 */
import {
  isLinkLocalUnicast,
  isLoopback,
  isUnspecified,
  parseIp,
} from '../../semantics/ip-address.ts';
import { badRequest, isRefusal } from '../../semantics/status.ts';
import type { GroupResource } from '../../semantics/status.ts';
import { dialProblem } from './dial.ts';
import {
  agentAddress,
  notPassedOn,
  refuseSession,
  unavailable,
  wantsUpgrade,
} from './node-agent.ts';
import type { Address, Pod } from './node-agent.ts';
import type { Operation, OperationRequest } from './operation.ts';
import { getStored, PODS } from './stored.ts';
import type { Stored } from './stored.ts';

const METHODS = ['delete', 'get', 'head', 'options', 'patch', 'post', 'put'] as const;
const SCHEMES: readonly string[] = ['', 'http', 'https'];
const HTTP_PORT = 80;

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

export const podProxy: Operation = proxyTo(podAddress);
export const serviceProxy: Operation = proxyTo(serviceAddress);
export const nodeProxy: Operation = proxyTo(nodeAddress);

function proxyTo(find: (request: OperationRequest) => Promise<Address>): Operation {
  return {
    methods: METHODS,
    passesOn: true,
    serve: async (request) => {
      const address = await find(request);
      if (wantsUpgrade(request)) await refuseSession(address);
      const problem = await dialProblem(address.host, address.port);
      if (problem === '') throw notPassedOn(address);
      throw unavailable(`error trying to reach service: ${problem}`);
    },
  };
}

interface ProxyName {
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
  return { name, port };
}

/** As the reference: no address that only means something where it is used. */
export function isProxyable(address: string): boolean {
  const ip = parseIp(address);
  if (ip === undefined || isUnspecified(ip) || isLoopback(ip) || isLinkLocalUnicast(ip)) {
    return false;
  }
  const isMulticast = ip.family === 'IPv4' ? ip.value >> 28n === 14n : ip.value >> 120n === 0xffn;
  return !isMulticast && !(ip.family === 'IPv4' && ip.value === 0xffff_ffffn);
}

function portNumber(text: string, otherwise: number): number {
  if (text === '') return otherwise;
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw badRequest(`invalid port ${JSON.stringify(text)}`);
  return port;
}

async function podAddress({ shards, route }: OperationRequest): Promise<Address> {
  const { name, port } = parseProxyName('pod', route.name);
  const { spec, status } = await getStored<Pod>(shards, PODS, route.namespace, name);
  const [first] = spec?.containers?.flatMap(({ ports = [] }) => ports) ?? [];
  const host = status?.podIP ?? '';
  if (!isProxyable(host)) throw badRequest('address not allowed');
  return { host, port: portNumber(port, first?.containerPort ?? HTTP_PORT) };
}

async function nodeAddress(request: OperationRequest): Promise<Address> {
  const { name, port } = parseProxyName('node', request.route.name);
  const agent = await agentAddress(request, name);
  const asked = portNumber(port, agent.port);
  if (asked !== agent.port && !isProxyable(agent.host)) throw badRequest('address not allowed');
  return { host: agent.host, port: asked };
}

async function serviceAddress(request: OperationRequest): Promise<Address> {
  const { shards, route } = request;
  const { namespace } = route;
  const { name, port } = parseProxyName('service', route.name);
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
      if (!(await isPodAddress(request, address))) continue;
      return { host: address.ip ?? '', port: found.port ?? 0 };
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
  { shards, route }: OperationRequest,
  { ip = '', targetRef }: EndpointAddress,
): Promise<boolean> {
  const { kind, namespace = route.namespace, name = '' } = targetRef ?? {};
  if (kind !== 'Pod' || namespace !== route.namespace || !isProxyable(ip)) return false;
  try {
    const pod = await getStored<Pod>(shards, PODS, namespace, name);
    return pod.status?.podIP === ip;
  } catch (error) {
    if (isRefusal(error, 404)) return false;
    throw error;
  }
}
