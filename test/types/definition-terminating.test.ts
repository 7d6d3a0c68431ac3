/** A definition tells of its clean-up. */
import t from 'tap';
import {
  markedForDeletion,
  terminatingStatus,
  type CleanUp,
} from '../../src/resources/apiextensions/definition-terminating.ts';

const NOW = '2026-01-01T00:00:00Z';
const FINALIZER = 'customresourcecleanup.apiextensions.cluster.io';

t.test('the first deletion holds the definition, and says so', async (t) => {
  const status = { conditions: [{ type: 'Established', status: 'True' }], storedVersions: ['v1'] };
  const definition = { metadata: { name: 'a', generation: 1, finalizers: ['b'] }, status };
  t.same(markedForDeletion(definition, NOW), {
    metadata: {
      name: 'a',
      generation: 1,
      deletionTimestamp: NOW,
      finalizers: ['b', FINALIZER],
    },
    status: {
      conditions: [
        { type: 'Established', status: 'True' },
        {
          type: 'Terminating',
          status: 'True',
          lastTransitionTime: NOW,
          reason: 'InstanceDeletionPending',
          message:
            'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
        },
      ],
      storedVersions: ['v1'],
    },
  });
  t.same(definition.metadata.finalizers, ['b'], 'what was given is left as it is');
  const held = { metadata: { finalizers: [FINALIZER] } };
  t.same(markedForDeletion(held, NOW).metadata.finalizers, [FINALIZER], 'once');
});

t.test('each step has its words', async (t) => {
  const rows: [cleanUp: CleanUp, told: string][] = [
    [
      { step: 'inProgress' },
      'True InstanceDeletionInProgress: CustomResource deletion is in progress',
    ],
    [
      { step: 'listFailed', problem: 'no' },
      'True InstanceDeletionFailed: could not list instances: no',
    ],
    [
      { step: 'deleteFailed', problems: ['no', 'no'] },
      'True InstanceDeletionFailed: could not issue all deletes: no',
    ],
    [
      { step: 'deleteFailed', problems: ['no', 'never'] },
      'True InstanceDeletionFailed: could not issue all deletes: [no, never]',
    ],
    [
      { step: 'objectsLeft' },
      'True InstanceDeletionCheck: could not confirm zero CustomResources remaining: timed out waiting for the condition',
    ],
    [{ step: 'completed' }, 'False InstanceDeletionCompleted: removed all instances'],
    [{ step: 'neverEstablished' }, 'False NeverEstablished: resource was never established'],
    [
      { step: 'overlapping' },
      'False OverlappingBuiltInResource: instances overlap with built-in resources in storage',
    ],
  ];
  for (const [cleanUp, told] of rows) {
    const { conditions = [] } = terminatingStatus({}, cleanUp, NOW);
    const [{ type, status, reason, message } = {}] = conditions;
    t.equal(`${type} ${status} ${reason}: ${message}`, `Terminating ${told}`);
  }
});

t.test('the time is that of the last change of status', async (t) => {
  const times = (status: ReturnType<typeof terminatingStatus>): unknown =>
    status.conditions?.map(({ lastTransitionTime }) => lastTransitionTime);
  const begun = terminatingStatus({}, { step: 'pending' }, NOW);
  const going = terminatingStatus(begun, { step: 'inProgress' }, '2026-01-01T00:00:01Z');
  t.same(times(going), [NOW]);
  const done = terminatingStatus(going, { step: 'completed' }, '2026-01-01T00:00:02Z');
  t.same(times(done), ['2026-01-01T00:00:02Z']);
});
