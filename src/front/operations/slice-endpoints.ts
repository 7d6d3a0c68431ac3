/** An endpoint of a service, as its EndpointSlices say. */
import { isRefusal, type GroupResource } from '../../semantics/errors/status.ts';
import { ownGroup, ownName } from '../../semantics/dialect/own-names.ts';
import type { OperationContext } from '../operation.ts';
import type { Pod } from './node-agent.ts';
import { proxyableAddress } from './proxyable-address.ts';
import { getStored, listStored, PODS, type Stored } from './shard-requests.ts';

const SLICES: GroupResource = {
  group: ownGroup('discovery.cluster.io'),
  resource: 'endpointslices',
};
const SERVICE_LABEL = ownName('cluster.io/service-name');

interface SliceEndpoint {
  readonly addresses?: readonly string[];
  readonly conditions?: { readonly ready?: boolean };
  readonly targetRef?: { readonly namespace?: string; readonly name?: string };
}

interface EndpointSlice extends Stored {
  readonly endpoints: readonly SliceEndpoint[] | null;
  readonly ports: readonly { readonly name?: string; readonly port?: number }[] | null;
}

type Shards = OperationContext['shards'];

interface Sought {
  readonly namespace: string;
  /** The name of the service. */
  readonly name: string;
  readonly portName: string;
}

/** A ready one that is a pod of the namespace; undefined when there is none. */
export async function endpointOfSlices(
  shards: Shards,
  { namespace, name, portName }: Sought,
): Promise<{ readonly host: string; readonly port: number } | undefined> {
  const selector = `${SERVICE_LABEL}=${name}`;
  const slices = await listStored<EndpointSlice>(shards, SLICES, namespace, selector);
  for (const { endpoints, ports } of slices) {
    const port = ports?.find((one) => one.name === portName && one.port !== undefined)?.port;
    if (port === undefined) continue;
    for (const endpoint of endpoints ?? []) {
      const [address = ''] = endpoint.addresses ?? [];
      const host = proxyableAddress(address);
      if (host === undefined || endpoint.conditions?.ready === false) continue;
      if (await isPod(shards, namespace, endpoint)) return { host, port };
    }
  }
  return undefined;
}

/** A slice may say anything: only an address that a pod of the namespace has is used. */
async function isPod(
  shards: Shards,
  namespace: string,
  { addresses, targetRef }: SliceEndpoint,
): Promise<boolean> {
  if (targetRef?.namespace !== namespace) return false;
  try {
    const { status } = await getStored<Pod>(shards, PODS, namespace, targetRef.name ?? '');
    return status?.podIPs?.some(({ ip }) => ip === addresses?.[0]) === true;
  } catch (error) {
    if (isRefusal(error, 404)) return false;
    throw error;
  }
}
