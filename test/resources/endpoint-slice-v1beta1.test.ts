// EndpointSlice in v1beta1: topology and generation.
import t from 'tap';
import type { EndpointSlice } from '#messages/discovery.v1';
import { ENDPOINT_SLICE } from '../../src/resources/discovery/endpoint-slice.ts';
import {
  ENDPOINT_SLICE_V1BETA1,
  settleTopology,
  type MovedEndpoint,
} from '../../src/resources/discovery/endpoint-slice-v1beta1.ts';
import { PreparedKind } from './prepared-kind.ts';

const HOST = 'cluster.io/hostname';
const ZONE = 'topology.cluster.io/zone';

function slice(...endpoints: MovedEndpoint[]): EndpointSlice {
  return { metadata: { name: 'a' }, addressType: 'IPv4', endpoints: structuredClone(endpoints) };
}

function toStored(endpoint: MovedEndpoint): MovedEndpoint | undefined {
  const object = ENDPOINT_SLICE_V1BETA1.toStored?.(slice(endpoint)) as EndpointSlice;
  settleTopology(object, undefined);
  return object.endpoints?.[0];
}

function fromStored(endpoint: MovedEndpoint): MovedEndpoint | undefined {
  const object = ENDPOINT_SLICE_V1BETA1.fromStored?.(slice(endpoint)) as EndpointSlice;
  return object.endpoints?.[0];
}

t.test('endpoints of v1beta1 in the stored shape, and back', async (t) => {
  for (const [what, view, stored] of [
    ['nothing', {}, {}],
    ['a zone', { topology: { [ZONE]: 'z' } }, { zone: 'z' }],
    ['a node', { topology: { [HOST]: 'n' }, nodeName: 'n' }, { nodeName: 'n' }],
    [
      'a host that is not the node',
      { topology: { [HOST]: 'h' }, nodeName: 'n' },
      { deprecatedTopology: { [HOST]: 'h' }, nodeName: 'n' },
    ],
    ['a host only', { topology: { [HOST]: 'h' } }, { deprecatedTopology: { [HOST]: 'h' } }],
    [
      'all of it',
      { topology: { [ZONE]: 'z', [HOST]: 'n', rack: 'r' }, nodeName: 'n' },
      { zone: 'z', nodeName: 'n', deprecatedTopology: { rack: 'r' } },
    ],
  ] as const) {
    t.same(toStored(view), stored, what);
    t.same(fromStored(stored), view, `${what}: back`);
    const through = ENDPOINT_SLICE_V1BETA1.toStored?.(slice(view));
    if (through === undefined) throw new Error('the view converts');
    t.same(ENDPOINT_SLICE_V1BETA1.fromStored?.(through), slice(view), `${what}: at once`);
  }
  t.same(
    toStored({ topology: { [HOST]: '' }, nodeName: 'n' }),
    { nodeName: 'n' },
    'an empty host name beside a node says nothing',
  );
  t.same(
    fromStored({ nodeName: 'n' }),
    { topology: { [HOST]: 'n' }, nodeName: 'n' },
    'a node that v1beta1 clients did not put into the topology is shown there too',
  );
});

t.test('v1 clients do not write the topology', async (t) => {
  const stored = slice({ deprecatedTopology: { [HOST]: 'n', rack: 'r' } });
  const settled = (endpoint: MovedEndpoint): readonly MovedEndpoint[] | undefined => {
    const object = slice(endpoint);
    settleTopology(object, stored);
    return object.endpoints;
  };
  t.same(
    settled({ deprecatedTopology: { rack: 'r', [HOST]: 'n' } }),
    stored.endpoints,
    'as it was',
  );
  t.same(settled({ deprecatedTopology: { rack: 'x' } }), [{}]);
  t.same(
    settled({ hostname: 'a', deprecatedTopology: { [HOST]: 'n' } }),
    [{ hostname: 'a', nodeName: 'n' }],
    'a node that was named there only is kept',
  );
  t.same(settled({ deprecatedTopology: { [HOST]: 'new' } }), [{}], 'a new one is not');
});

t.test('what is dropped from a slice counts as a change', async (t) => {
  const kind = new PreparedKind(ENDPOINT_SLICE);
  const deprecatedTopology = { rack: 'r' };
  const addresses = ['192.0.2.1'];
  const { object: stored } = kind.create(slice({ addresses, deprecatedTopology, nodeName: 'n' }));
  t.match(stored, { endpoints: [{ nodeName: 'n' }] });
  t.notMatch(stored, { endpoints: [{ deprecatedTopology }] });
  const generationOf = (endpoint: MovedEndpoint): number | undefined =>
    kind.replace(stored, slice({ addresses, nodeName: 'n', ...endpoint })).object.metadata
      .generation;
  t.equal(generationOf({}), 1);
  t.equal(generationOf({ deprecatedTopology }), 2, 'a topology');
  t.equal(generationOf({ hints: { forZones: [{ name: 'z' }] } }), 2, 'hints');
});

t.test('an empty host name beside a node counts as a change, and says nothing', async (t) => {
  const stored = slice({ nodeName: 'n', deprecatedTopology: { rack: 'r' } });
  const bumps = (host: string): boolean | undefined => {
    const view = slice({ nodeName: 'n', topology: { rack: 'r', [HOST]: host } });
    const sent = ENDPOINT_SLICE_V1BETA1.toStored?.(view) as EndpointSlice;
    return ENDPOINT_SLICE.bumpsGeneration?.(sent, stored);
  };
  t.equal(bumps('n'), false);
  t.equal(bumps(''), true);
});

t.test('any change but of other metadata', async (t) => {
  const stored = slice({ addresses: ['192.0.2.1'] });
  const bumps = (change: Partial<EndpointSlice>): boolean | undefined =>
    ENDPOINT_SLICE.bumpsGeneration?.({ ...structuredClone(stored), ...change }, stored);
  t.equal(bumps({}), false);
  t.equal(bumps({ metadata: { name: 'a', finalizers: ['a/b'], resourceVersion: '9' } }), false);
  t.equal(bumps({ metadata: { name: 'a', labels: { a: 'b' } } }), true);
  t.equal(bumps({ metadata: { name: 'a', annotations: { a: 'b' } } }), false);
  t.equal(bumps({ endpoints: [] }), true);
  t.equal(bumps({ ports: [{ name: 'a' }] }), true);
});
