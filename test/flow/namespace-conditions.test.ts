/** A terminating namespace says what holds it up. */
import t from 'tap';
import { configMap, kindNamed, minimalObject, typePath } from '../support/kinds.ts';
import { sharedServer } from '../support/shared-server.ts';

const server = await sharedServer();
const NAMESPACES = '/api/v1/namespaces';
const HELD = { finalizers: ['example.com/hold'] };

t.test('a namespace that goes at once says nothing', async (t) => {
  const watch = await server.watch(`${NAMESPACES}?watch=true&fieldSelector=metadata.name%3Dquick`);
  await server.post(NAMESPACES, { metadata: { name: 'quick' } });
  await server.post(`${NAMESPACES}/quick/configmaps`, configMap('free'));
  await server.delete(`${NAMESPACES}/quick`);
  const events = await watch.take(3);
  t.same(
    events.map(({ type, object }) => [type, object.status.phase, object.status.conditions]),
    [
      ['ADDED', 'Active', undefined],
      ['MODIFIED', 'Terminating', undefined],
      ['DELETED', 'Terminating', undefined],
    ],
  );
  watch.close();
});

t.test('one that is held up says by what, until it is let go', async (t) => {
  const lease = kindNamed('Lease');
  const path = `${NAMESPACES}/held`;
  await server.post(NAMESPACES, { metadata: { name: 'held' } });
  await server.post(`${path}/configmaps`, configMap('held', {}, HELD));
  await server.post(`${path}/configmaps`, configMap('free'));
  await server.post(typePath(lease, 'held'), minimalObject(lease, 'held', {}, HELD));
  const watch = await server.watch(`${NAMESPACES}?watch=true&fieldSelector=metadata.name%3Dheld`);
  await watch.take(1);
  await server.delete(path);
  const [terminating, first] = await watch.take(2);
  t.equal(terminating?.object.status.conditions, undefined);
  const conditions = [
    ['NamespaceDeletionDiscoveryFailure', 'False', 'ResourcesDiscovered'],
    ['NamespaceDeletionGroupVersionParsingFailure', 'False', 'ParsedGroupVersions'],
    ['NamespaceDeletionContentFailure', 'False', 'ContentDeleted'],
    ['NamespaceContentRemaining', 'True', 'SomeResourcesRemain'],
    ['NamespaceFinalizersRemaining', 'True', 'SomeFinalizersRemain'],
  ];
  const shown = first?.object.status.conditions;
  t.same(
    shown.map(({ type, status, reason }: Record<string, string>) => [type, status, reason]),
    conditions,
  );
  t.same(
    shown.map(({ message }: Record<string, string>) => message),
    [
      'All resources successfully discovered',
      'All legacy cluster types successfully parsed',
      'All content successfully deleted, may be waiting on finalization',
      'Some resources are remaining: configmaps. has 1 resource instances, ' +
        'leases.coordination.cluster.io has 1 resource instances',
      'Some content in the namespace has finalizers remaining: ' +
        'example.com/hold in 2 resource instances',
    ],
  );
  t.match(shown[3].lastTransitionTime, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  const configMaps = (await server.get(`${path}/configmaps/held`)).json;
  await server.put(
    `${path}/configmaps/held`,
    configMap('held', {}, { ...configMaps.metadata, finalizers: [] }),
  );
  const [second] = await watch.take(1);
  t.match(second?.object.status.conditions[3], {
    status: 'True',
    message:
      'Some resources are remaining: leases.coordination.cluster.io has 1 resource instances',
    lastTransitionTime: shown[3].lastTransitionTime,
  });
  const held = (await server.get(`${typePath(lease, 'held')}/held`)).json;
  held.metadata.finalizers = [];
  await server.put(`${typePath(lease, 'held')}/held`, held);
  const [last] = await watch.take(1);
  t.equal(last?.type, 'DELETED', 'it goes without saying that nothing is left');
  watch.close();
});
