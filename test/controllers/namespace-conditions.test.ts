import t from 'tap';
import { namespaceConditions } from '../../src/controllers/namespaces/namespace-conditions.ts';
import type { Round } from '../../src/controllers/namespaces/namespace-conditions.ts';

const CLEAN: Round = { remaining: [], finalizers: new Map(), errors: [], undiscovered: [] };

function texts(round: Partial<Round>): Record<string, string> {
  return Object.fromEntries(
    namespaceConditions({ ...CLEAN, ...round }).map(({ type, status, reason, message }) => [
      type.replace('Namespace', ''),
      `${status} ${reason}: ${message}`,
    ]),
  );
}

const WELL = {
  DeletionDiscoveryFailure: 'False ResourcesDiscovered: All resources successfully discovered',
  DeletionGroupVersionParsingFailure:
    'False ParsedGroupVersions: All legacy cluster types successfully parsed',
  DeletionContentFailure:
    'False ContentDeleted: All content successfully deleted, may be waiting on finalization',
  ContentRemaining: 'False ContentRemoved: All content successfully removed',
  FinalizersRemaining: 'False ContentHasNoFinalizers: All content-preserving finalizers finished',
};

t.test('other servers that cannot be asked', async (t) => {
  const undiscovered = ['b.example/v1: gone', 'a.example/v1: late'];
  const which = 'unable to retrieve the complete list of server APIs';
  t.same(texts({ undiscovered }), {
    ...WELL,
    DeletionDiscoveryFailure:
      'True DiscoveryFailed: Discovery failed for some groups, 2 failing: ' +
      `${which}: a.example/v1: late, b.example/v1: gone`,
  });
});

t.test('nothing is wrong', async (t) => {
  t.same(texts({}), WELL);
  t.same(Object.keys(texts({})), Object.keys(WELL), 'in this order');
  t.same(texts({ remaining: [{ resource: 'configmaps', count: 0 }] }), WELL);
});

t.test('what remains is told by type in the order of the texts', async (t) => {
  const remaining = [
    { resource: 'secrets', count: 10 },
    { resource: 'leases.coordination.cluster.io', count: 2 },
    { resource: 'pods', count: 0 },
    { resource: 'configmaps', count: 1 },
  ];
  t.same(texts({ remaining }), {
    ...WELL,
    ContentRemaining:
      'True SomeResourcesRemain: Some resources are remaining: ' +
      'configmaps. has 1 resource instances, ' +
      'leases.coordination.cluster.io has 2 resource instances, ' +
      'secrets. has 10 resource instances',
  });
});

t.test('finalizers are told by name', async (t) => {
  const finalizers = new Map([
    ['foregroundDeletion', 3],
    ['example.com/hold', 1],
  ]);
  t.same(texts({ finalizers }), {
    ...WELL,
    FinalizersRemaining:
      'True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: ' +
      'example.com/hold in 1 resource instances, foregroundDeletion in 3 resource instances',
  });
});

t.test('failures are counted and told', async (t) => {
  t.same(texts({ errors: ['no space', 'disk on fire'] }), {
    ...WELL,
    DeletionContentFailure:
      'True ContentDeletionFailed: ' +
      'Failed to delete all resource types, 2 remaining: disk on fire, no space',
  });
});
