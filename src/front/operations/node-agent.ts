/**
 * Whom requests to node agents are for: the container that is meant, and the address where the
 * agent of its pod's node listens.
 */
import { dialedHost } from '../../semantics/validation/ip-address.ts';
import { badRequest, isRefusal, notFound, serverFailure } from '../../semantics/errors/status.ts';
import type { Target } from '../agents/agent-client.ts';
import type { PassingRequest } from '../operation.ts';
import { getStored, NODES } from './shard-requests.ts';
import type { Stored } from './shard-requests.ts';

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
  readonly status?: {
    readonly phase?: string;
    readonly startTime?: string;
    readonly podIP?: string;
    readonly podIPs?: readonly { readonly ip?: string }[];
  };
}

interface Node extends Stored {
  readonly status?: {
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
    readonly daemonEndpoints?: { readonly kubeletEndpoint?: { readonly Port?: number } };
  };
}

const AGENT_PORT = 10_250;
/** A label (src/controllers/README.md#fake-nodes). */
const FAKE_NODE = 'shardplane.io/fake-node';
/** Which address of a node is used, the best first. */
const ADDRESS_TYPES = [
  'Hostname',
  'InternalDNS',
  'InternalIP',
  'ExternalDNS',
  'ExternalIP',
] as const;

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

/** Where the agent of a node listens. Rejects as `agentOf` does, and for a fake node. */
export async function agentAddress(
  request: Pick<PassingRequest, 'shards' | 'route'>,
  nodeName: string,
): Promise<Target> {
  const agent = await agentOf(request, nodeName);
  if (agent === 'fake') throw serverFailure(`nothing runs on the fake node ${nodeName}`);
  return agent;
}

/**
 * Where the agent of a node listens, or that the node is a fake one. Rejects with StatusError 404,
 * or 500 where the node has no address, or none that can be connected to.
 */
export async function agentOf(
  { shards, route }: Pick<PassingRequest, 'shards' | 'route'>,
  nodeName: string,
): Promise<Target | 'fake'> {
  const { metadata, status = {} } = await getStored<Node>(shards, NODES, '', nodeName).catch(
    (error: unknown) => {
      if (!isRefusal(error, 404)) throw error;
      // As in the reference, whose errors name the type that the path does.
      const [resource = ''] = route.operation.split('/');
      throw notFound({ group: '', resource }, nodeName);
    },
  );
  if (metadata.labels?.[FAKE_NODE] === 'true') return 'fake';
  const { addresses = [], daemonEndpoints } = status;
  const port = daemonEndpoints?.kubeletEndpoint?.Port ?? 0;
  for (const type of ADDRESS_TYPES) {
    const found = addresses.find((address) => address.type === type);
    if (found === undefined) continue;
    const host = dialedHost(found.address);
    if (host !== undefined) return { scheme: 'https', host, port: port > 0 ? port : AGENT_PORT };
    throw serverFailure(`dial tcp: lookup ${found.address}: no such host`);
  }
  const known = addresses.map(({ type, address }) => `{${type} ${address}}`).join(' ');
  throw serverFailure(`no preferred addresses found; known addresses: [${known}]`);
}
