/** The objects that say where services are, as shards have them. */
import type { ShardObjects } from '../replicas/shard-objects.ts';
import { ownName } from '../semantics/dialect/own-names.ts';
import type { ServiceObjects } from '../webhooks/service-addresses.ts';

const SLICES = 'endpointslices.discovery.cluster.io';

/** `objects` gives a client of the shard of a type. */
export function serviceObjects(objects: (type: string) => ShardObjects): ServiceObjects {
  return {
    service: (at) => objects('services').get(at),
    endpoints: (at) => objects('endpoints').get(at),
    slices: ({ namespace, name }) =>
      objects(SLICES).listMatching(namespace, `${ownName('cluster.io/service-name')}=${name}`),
  };
}
