/**
 * What the agents of nodes would answer: logs, commands and ports of pods (SPEC Verbs, `proxy`).
 *
 * This server finds out whom to ask, as the reference does, and whether anybody is there; it opens
 * no sessions to agents. So the answer is what a control plane says whose nodes are out of reach:
 * a request that names no pod, container or node is refused for that, any other for the connection
 * that cannot be made. Where one can be made, 503 says that requests are not passed on.
 */
import { canonicalTime } from '../../codec/time-text.ts';
import {
  fieldForbidden,
  invalid,
  invalidObject,
  NOT_NEGATIVE,
} from '../../semantics/field-error.ts';
import type { FieldError } from '../../semantics/field-error.ts';
import { badRequest, serverFailure, StatusError } from '../../semantics/status.ts';
import type { Query } from '../query.ts';
import { dialProblem, joinHostPort } from './dial.ts';
import type { Operation, OperationContext, OperationRequest } from './operation.ts';
import { getStored, NODES, PODS } from './stored.ts';
import type { Stored } from './stored.ts';

interface Container {
  readonly name: string;
  readonly ports?: readonly { readonly containerPort: number }[];
}

export interface Pod extends Stored {
  readonly spec?: {
    readonly nodeName?: string;
    readonly initContainers?: readonly Container[];
    readonly containers?: readonly Container[];
    readonly ephemeralContainers?: readonly Container[];
  };
  readonly status?: { readonly podIP?: string };
}

interface Node extends Stored {
  readonly status?: {
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
    readonly daemonEndpoints?: { readonly kubeletEndpoint?: { readonly Port?: number } };
  };
}

export interface Address {
  readonly host: string;
  readonly port: number;
}

const AGENT_PORT = 10_250;
/** Which address of a node is used, the best first. */
const ADDRESS_TYPES = ['InternalIP', 'ExternalIP', 'Hostname'] as const;

export const podLog: Operation = { methods: ['get'], passesOn: true, serve: serveLog };
export const podExec: Operation = sessionWith(containerOf);
export const podAttach: Operation = sessionWith(containerOf);
export const podPortForward: Operation = sessionWith(() => '');

async function serveLog(request: OperationRequest): Promise<void> {
  const { exchange, route } = request;
  const { namespace, name } = route;
  const parameters = logParameters(exchange.query, name);
  const pod = await getStored<Pod>(request.shards, PODS, namespace, name);
  const container = containerOf(pod, exchange.query.text('container'));
  const nodeName = pod.spec?.nodeName ?? '';
  if (nodeName === '') {
    // Nothing has run yet: as the reference, an empty log.
    exchange.sendText(204, '');
    return;
  }
  const { host, port } = await agentAddress(request, nodeName);
  const path = `/containerLogs/${namespace}/${name}/${container}`;
  const query = parameters === '' ? '' : `?${parameters}`;
  const url = `https://${joinHostPort(host, port)}${path}${query}`;
  const problem = await dialProblem(host, port);
  if (problem !== '') throw serverFailure(`Get ${JSON.stringify(url)}: ${problem}`);
  throw notPassedOn({ host, port });
}

/** What the agent would be asked for. Throws StatusError 400 or 422. */
export function logParameters(query: Query, name: string): string {
  const parameters = new URLSearchParams();
  for (const flag of ['follow', 'previous', 'timestamps']) {
    if (query.has(flag) && query.flag(flag)) parameters.set(flag, 'true');
  }
  const errors: FieldError[] = [];
  for (const [field, least] of [
    ['limitBytes', 1],
    ['sinceSeconds', 1],
    ['tailLines', 0],
  ] as const) {
    if (query.text(field) === '') continue;
    const value = query.integer(field);
    const detail = least === 1 ? 'must be greater than 0' : NOT_NEGATIVE;
    if (value < least) errors.push(invalid(field, value, detail));
    parameters.set(field, String(value));
  }
  const sinceTime = timeOf(query.text('sinceTime'));
  if (sinceTime !== '') {
    if (parameters.has('sinceSeconds')) {
      const detail = 'at most one of `sinceTime` or `sinceSeconds` may be specified';
      errors.push(fieldForbidden('', detail));
    }
    parameters.set('sinceTime', sinceTime);
  }
  if (errors.length > 0) throw invalidObject('', 'PodLogOptions', name, errors);
  parameters.sort();
  return parameters.toString();
}

function timeOf(text: string): string {
  if (text === '') return '';
  try {
    return canonicalTime(text);
  } catch (error) {
    throw badRequest((error as Error).message);
  }
}

/** A connection with the agent in another protocol. `check` looks at the container asked for. */
function sessionWith(check: (pod: Pod, container: string) => string): Operation {
  return {
    methods: ['get', 'post'],
    passesOn: true,
    serve: async (request) => {
      const { exchange, route } = request;
      const { namespace, name } = route;
      const pod = await getStored<Pod>(request.shards, PODS, namespace, name);
      check(pod, exchange.query.text('container'));
      const nodeName = pod.spec?.nodeName ?? '';
      if (nodeName === '') throw badRequest(`pod ${name} does not have a host assigned`);
      const address = await agentAddress(request, nodeName);
      if (!wantsUpgrade(request)) throw badRequest('Upgrade request required');
      await refuseSession(address);
    },
  };
}

/** Whether the client asks for a session in another protocol. */
export function wantsUpgrade({ exchange }: OperationRequest): boolean {
  return /\bupgrade\b/i.test(exchange.head.connection);
}

/** Rejects with why the session that was asked for cannot be had. */
export async function refuseSession(address: Address): Promise<never> {
  const problem = await dialProblem(address.host, address.port);
  if (problem !== '') throw serverFailure(`error dialing backend: ${problem}`);
  throw notPassedOn(address);
}

/** The container that is meant: one that is named must exist. Throws StatusError 400. */
export function containerOf({ metadata, spec = {} }: Pod, asked: string): string {
  const { name: podName = '' } = metadata;
  const { initContainers = [], containers = [], ephemeralContainers = [] } = spec;
  const names = [...initContainers, ...containers, ...ephemeralContainers].map(({ name }) => name);
  if (asked !== '') {
    if (names.includes(asked)) return asked;
    throw badRequest(`container ${asked} is not valid for pod ${podName}`);
  }
  const [only] = containers;
  if (only !== undefined && containers.length === 1) return only.name;
  const needed = `a container name must be specified for pod ${podName}`;
  if (only === undefined) throw badRequest(needed);
  throw badRequest(`${needed}, choose one of: [${names.join(' ')}]`);
}

/** Where the agent of a node listens. Rejects with StatusError 404, or 500 without an address. */
export async function agentAddress(
  { shards }: Pick<OperationContext, 'shards'>,
  nodeName: string,
): Promise<Address> {
  const { status = {} } = await getStored<Node>(shards, NODES, '', nodeName);
  const { addresses = [], daemonEndpoints } = status;
  const port = daemonEndpoints?.kubeletEndpoint?.Port ?? 0;
  for (const type of ADDRESS_TYPES) {
    const found = addresses.find((address) => address.type === type);
    if (found !== undefined) return { host: found.address, port: port > 0 ? port : AGENT_PORT };
  }
  const known = addresses.map(({ type, address }) => `{${type} ${address}}`).join(' ');
  throw serverFailure(`no preferred addresses found; known addresses: [${known}]`);
}

/** The 503 where somebody does listen. */
export function notPassedOn({ host, port }: Address): StatusError {
  return unavailable(`requests are not passed on to ${joinHostPort(host, port)} by this server`);
}

/** A 503 without a time to come back after, as the reference says it of backends. */
export function unavailable(message: string): StatusError {
  return new StatusError(503, 'ServiceUnavailable', message);
}
