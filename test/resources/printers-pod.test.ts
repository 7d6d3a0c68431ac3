/** A pod shows its state in a Table, in one word. */
import t from 'tap';
import { POD } from '../../src/resources/core/pods/pod.ts';
import { AGO, checkCells, checkColumn, printedObject } from '../support/printed-cells.ts';

const CONTAINERS = [{ name: 'app' }, { name: 'side' }];
const RUNNING = { running: { startedAt: AGO['5m'] } };
const READY = { state: RUNNING, ready: true };

const ended = (terminated: object) => ({ state: { terminated } });
const waiting = (reason?: string) => ({
  state: { waiting: reason === undefined ? {} : { reason } },
});
const withStatuses = (...containerStatuses: object[]) => ({
  spec: { containers: CONTAINERS },
  status: { phase: 'Running', containerStatuses },
});
/** A pod of two init containers, of which these are the statuses. */
const starting = (...initContainerStatuses: object[]) => ({
  spec: { containers: CONTAINERS, initContainers: [{ name: 'one' }, { name: 'two' }] },
  status: {
    phase: 'Pending',
    initContainerStatuses,
    containerStatuses: [
      { ...waiting('PodInitializing'), restartCount: 5 },
      { ...waiting('PodInitializing') },
    ],
  },
});

t.test('all cells', (t) => {
  const gates = [{ conditionType: 'example/a' }, { conditionType: 'example/b' }];
  const conditions = [
    { type: 'example/b', status: 'True' },
    { type: 'example/a', status: 'False' },
    { type: 'example/a', status: 'True' },
  ];
  checkCells(t, POD, [
    [
      'one that runs',
      {
        spec: { containers: CONTAINERS, nodeName: 'n1', readinessGates: gates },
        status: {
          phase: 'Running',
          podIP: '10.0.0.1',
          podIPs: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }],
          conditions,
          containerStatuses: [
            { ...READY, restartCount: 2 },
            { state: RUNNING, restartCount: 1 },
          ],
        },
      },
      ['a', '1/2', 'Running', '3', '5m', '10.0.0.1', 'n1', '<none>', '1/2'],
    ],
    [
      'one that waits for room',
      { spec: { containers: CONTAINERS }, status: { phase: 'Pending', nominatedNodeName: 'n2' } },
      ['a', '0/2', 'Pending', '0', '5m', '<none>', '<none>', 'n2', '<none>'],
    ],
    [
      'one without anything',
      { metadata: { creationTimestamp: undefined } },
      ['a', '0/0', '', '0', '<unknown>', '<none>', '<none>', '<none>', '<none>'],
    ],
    [
      'gates of which nothing is known',
      { spec: { readinessGates: gates }, status: { phase: 'Pending' } },
      ['a', '0/0', 'Pending', '0', '5m', '<none>', '<none>', '<none>', '0/2'],
    ],
  ]);
  t.end();
});

t.test('the status tells why the containers do not run', (t) => {
  const done = ended({ reason: 'Completed' });
  const ready = [{ type: 'Ready', status: 'True' }];
  const half = withStatuses(done, READY);
  checkColumn(t, POD, 'Status', [
    ['the phase', { status: { phase: 'Unknown' } }, 'Unknown'],
    ['the reason of the pod', { status: { phase: 'Failed', reason: 'Evicted' } }, 'Evicted'],
    ['a container waits', withStatuses(READY, waiting('CrashLoopBackOff')), 'CrashLoopBackOff'],
    [
      'the first one counts',
      withStatuses(waiting('ErrImagePull'), ended({ exitCode: 1 })),
      'ErrImagePull',
    ],
    ['it waits for no reason', withStatuses(waiting(), READY), 'Running'],
    ['it ended for a reason', withStatuses(ended({ exitCode: 1, reason: 'Error' })), 'Error'],
    ['by a signal', withStatuses(ended({ exitCode: 137, signal: 9 })), 'Signal:9'],
    ['by itself', withStatuses(ended({ exitCode: 3 })), 'ExitCode:3'],
    ['well, without a word', withStatuses(ended({})), 'ExitCode:0'],
    ['all have done their work', withStatuses(done, done), 'Completed'],
    ['one has, and another is ready', half, 'NotReady'],
    ['and so is the pod', { ...half, status: { ...half.status, conditions: ready } }, 'Running'],
    ['one has, and another is not ready', withStatuses(done, { state: RUNNING }), 'Completed'],
  ]);
  t.end();
});

t.test('init containers come first', (t) => {
  const done = ended({ exitCode: 0, reason: 'Completed' });
  checkColumn(t, POD, 'Status', [
    ['none has started', starting(waiting('PodInitializing'), waiting()), 'Init:0/2'],
    ['the first one runs', starting({ state: RUNNING }), 'Init:0/2'],
    ['the second one runs', starting(done, { state: RUNNING }), 'Init:1/2'],
    ['a status without a state', starting(done, {}), 'Init:1/2'],
    ['it waits', starting(done, waiting('CrashLoopBackOff')), 'Init:CrashLoopBackOff'],
    ['it failed', starting(ended({ exitCode: 1, reason: 'Error' })), 'Init:Error'],
    ['by a signal', starting(ended({ exitCode: 1, signal: 15 })), 'Init:Signal:15'],
    ['by itself', starting(ended({ exitCode: 2 })), 'Init:ExitCode:2'],
    ['all are done', starting(done, done), 'PodInitializing'],
  ]);
  const again = (status: object, restartCount: number) => ({ ...status, restartCount });
  checkColumn(t, POD, 'Restarts', [
    [
      'of init containers up to the one at work',
      starting(again(done, 1), again(waiting(), 2)),
      '3',
    ],
    ['not of those behind it', starting(again(waiting(), 2), again(waiting(), 4)), '2'],
    ['of the containers alone, later on', starting(again(done, 1), again(done, 2)), '5'],
  ]);
  const endedAgo = (ago: keyof typeof AGO) => ({
    lastState: { terminated: { finishedAt: AGO[ago] } },
  });
  checkColumn(t, POD, 'Restarts', [
    [
      'and when the last one was',
      withStatuses(
        { ...READY, restartCount: 2, ...endedAgo('90s') },
        { ...READY, restartCount: 1, ...endedAgo('30s') },
        READY,
      ),
      '3 (30s ago)',
    ],
    [
      'of an init container at work',
      starting(
        { ...again(waiting(), 1), ...endedAgo('90s') },
        { ...waiting(), ...endedAgo('30s') },
      ),
      '1 (90s ago)',
    ],
    ['of one that is done', starting({ ...done, ...endedAgo('5m') }, done), '5 (5m ago)'],
  ]);
  checkColumn(t, POD, 'Ready', [['none is', starting({ state: RUNNING }), '0/2']]);
  t.end();
});

t.test('a pod that is to go is terminating, unless its node is lost', (t) => {
  const metadata = { deletionTimestamp: AGO['30s'] };
  checkColumn(t, POD, 'Status', [
    ['running', { ...withStatuses(READY, READY), metadata }, 'Terminating'],
    ['starting', { ...starting(waiting()), metadata }, 'Terminating'],
    ['done', { metadata, status: { phase: 'Succeeded' } }, 'Terminating'],
    ['lost', { metadata, status: { phase: 'Running', reason: 'NodeLost' } }, 'Unknown'],
    ['lost, and to stay', { status: { phase: 'Running', reason: 'NodeLost' } }, 'NodeLost'],
  ]);
  checkColumn(t, POD, 'Ready', [
    ['its containers still count', { ...withStatuses(READY, READY), metadata }, '2/2'],
  ]);
  t.end();
});

t.test('the row of a pod that has ended says so', (t) => {
  const conditionsOf = (phase: string) =>
    POD.printer?.conditions?.(printedObject({ status: { phase } }));
  const completed = { type: 'Completed', status: 'True' };
  t.same(conditionsOf('Succeeded'), [
    { ...completed, reason: 'Succeeded', message: 'The pod has completed successfully.' },
  ]);
  t.same(conditionsOf('Failed'), [{ ...completed, reason: 'Failed', message: 'The pod failed.' }]);
  t.same(conditionsOf('Running'), []);
  t.same(POD.printer?.conditions?.(printedObject({})), []);
  t.end();
});
