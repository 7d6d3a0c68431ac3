// Printers of the newest release read members that its messages have.
import t from 'tap';
import '../support/newest-release.ts';

const { compileMemberReader } = await import('../../src/codec/json/member-reader.ts');
const { Age } = await import('../../src/semantics/age-text.ts');
const { KINDS } = await import('../../src/resources/registry.ts');
const { MODEL } = await import('../resources/kind-rules.ts');

const DELETED = { deletionTimestamp: '2024-01-01T00:00:00Z' };

t.test('every printer', (test) => {
  for (const { kind, message, printer } of KINDS) {
    if (printer === undefined) continue;
    test.doesNotThrow(() => {
      compileMemberReader(MODEL, message, printer.members());
    }, kind);
  }
  test.end();
});

/** Makes the cells of objects of a kind, each without its name. */
function cellsOf(name: string): (members: object) => readonly unknown[] {
  const { printer, message } = KINDS.find((one) => one.kind === name) ?? {};
  if (printer === undefined || message === undefined) throw new Error(`${name} has no printer`);
  const read = compileMemberReader(MODEL, message, printer.members());
  return (members) => {
    const text = JSON.stringify({ metadata: { name: 'a' }, ...members });
    return printer.cells(read(Buffer.from(text.slice(1))) as never).slice(1);
  };
}

t.test('the state of a claim', (test) => {
  const cells = cellsOf('ResourceClaim');
  const stateOf = (status: object): unknown => cells({ status })[0];
  test.equal(stateOf({}), 'pending');
  test.equal(stateOf({ allocation: {} }), 'allocated');
  test.equal(stateOf({ allocation: {}, reservedFor: [{ uid: '1' }] }), 'allocated,reserved');
  test.end();
});

t.test('groups of pods', (test) => {
  const cells = cellsOf('PodGroup');
  const shown = (spec: object, ...conditions: readonly object[]): readonly unknown[] =>
    cells({ spec, status: { conditions } }).slice(0, 3);
  const scheduled = (status: string): object => ({ type: 'PodGroupInitiallyScheduled', status });
  test.same(shown({ schedulingPolicy: { basic: {} } }), ['Basic', '<none>', 'Pending']);
  const gang = { schedulingPolicy: { gang: {} }, workloadRef: { workloadName: 'train' } };
  test.same(shown(gang, scheduled('True')), ['Gang', 'train', 'Scheduled']);
  test.same(shown(gang, scheduled('False')), ['Gang', 'train', 'Unschedulable']);
  const disrupted = { type: 'DisruptionTarget', status: 'True', reason: 'Preempted' };
  test.same(shown(gang, scheduled('True'), disrupted), ['Gang', 'train', 'Preempted']);
  test.end();
});

t.test('evictions', (test) => {
  const cells = cellsOf('Eviction');
  const time = '2024-01-02T03:04:05Z';
  const nowMs = Date.parse(time) + 300_000;
  const shown = (members: object): readonly unknown[] =>
    cells(members).map((cell) => (cell instanceof Age ? cell.textAt(nowMs) : cell));
  const UNSET = '<unset>';
  test.same(shown({}), [
    UNSET,
    UNSET,
    'Pending',
    '<unset> (0/0)',
    UNSET,
    '<unknown>',
    '<none>',
    '<unknown>',
    UNSET,
    UNSET,
  ]);
  const responder = { name: 'b', startTime: time, heartbeatTime: time, message: ' hello ' };
  const active = (expectedCompletionTime: string): readonly unknown[] =>
    shown({
      spec: { target: { pod: { name: 'web' } } },
      status: {
        observedGeneration: 1,
        requesters: [
          { name: 'y', intent: 'Eviction' },
          { name: 'x', intent: 'Eviction' },
          { name: 'w', intent: 'Withdrawn' },
        ],
        targetResponders: [
          { name: 'a', state: 'Completed' },
          { name: 'b', state: 'Active' },
        ],
        responders: [{ name: 'a' }, { ...responder, expectedCompletionTime }],
      },
    });
  test.same(active('2024-01-02T03:14:05Z'), [
    'web',
    'Pod',
    'Progressing',
    'b (2/2)',
    'Started (5m ago)',
    'in 5m',
    'x + 1 more...',
    '<unknown>',
    '5m ago',
    'hello',
  ]);
  test.equal(active('2024-01-02T03:07:05Z')[5], '2m ago');
  const ended = shown({
    status: {
      conditions: [{ type: 'Failed', status: 'True', reason: 'NoFurtherResponder' }],
      requesters: [{ name: 'w', intent: 'Withdrawn' }],
      targetResponders: [{ name: 'b', state: 'Completed' }],
      responders: [{ ...responder, completionTime: time }],
    },
  });
  test.same(ended.slice(2, 7), [
    'Failed (NoFurtherResponder)',
    'b (1/1)',
    'Completed (5m ago)',
    '-',
    '<withdrawn>',
  ]);
  test.end();
});

t.test('the state of a pod', (test) => {
  const cells = cellsOf('Pod');
  const stateOf = (status: object, metadata: object = {}): unknown => {
    const sidecar = { name: 'beside', restartPolicy: 'Always' };
    const initContainers = [sidecar, { name: 'before' }];
    const spec = { initContainers, containers: [{ name: 'app' }, { name: 'other' }] };
    return cells({ metadata: { name: 'a', ...metadata }, spec, status }).slice(0, 3);
  };
  const RUNNING = { state: { running: {} }, ready: true };
  const ended = (exitCode: number, reason: string) => ({
    state: { terminated: { exitCode, reason } },
  });
  const beside = { name: 'beside', ...RUNNING, started: true, restartCount: 2 };
  const before = { name: 'before', ...ended(0, 'Completed'), restartCount: 4 };
  const rows: [what: string, status: object, expected: unknown, metadata?: object][] = [
    [
      'it waits',
      { phase: 'Pending', conditions: [{ type: 'PodScheduled', reason: 'SchedulingGated' }] },
      ['0/3', 'SchedulingGated', '0'],
    ],
    [
      'a container runs beside one that comes before others',
      { phase: 'Pending', initContainerStatuses: [beside, { ...before, state: { running: {} } }] },
      ['1/3', 'Init:1/2', '6'],
    ],
    [
      'and beside the others',
      {
        phase: 'Running',
        initContainerStatuses: [beside, before],
        containerStatuses: [{ ...RUNNING, restartCount: 1 }, RUNNING],
      },
      ['3/3', 'Running', '3'],
    ],
    [
      'it begins again without what came before',
      {
        phase: 'Running',
        conditions: [{ type: 'Initialized', status: 'True' }],
        initContainerStatuses: [{ ...beside, started: false }],
        containerStatuses: [RUNNING, { state: { waiting: { reason: 'CrashLoopBackOff' } } }],
      },
      ['1/3', 'CrashLoopBackOff', '2'],
    ],
    [
      'one container has failed, and others have completed',
      {
        phase: 'Failed',
        initContainerStatuses: [beside, before],
        containerStatuses: [ended(0, 'Completed'), ended(1, 'Error')],
      },
      ['1/3', 'Error', '2'],
    ],
    ['it has ended, and is deleted', { phase: 'Failed' }, ['0/3', 'Failed', '0'], DELETED],
    ['it is deleted', { phase: 'Running' }, ['0/3', 'Terminating', '0'], DELETED],
  ];
  for (const [what, status, expected, metadata] of rows) {
    test.same(stateOf(status, metadata), expected, what);
  }
  test.end();
});

t.test('definitions', (test) => {
  const cells = cellsOf('CustomResourceDefinition');
  const spec = {
    scope: 'Namespaced',
    group: 'example.com',
    names: { kind: 'Widget', shortNames: ['w', 'wd'] },
    versions: [
      { name: 'v2', served: true, storage: true },
      { name: 'v1', served: true },
      { name: 'v0', served: false },
    ],
  };
  const status = { conditions: [{ type: 'Established', status: 'True' }] };
  const [scope, versions, , ...wide] = cells({ spec, status });
  test.same([scope, versions], ['Namespaced', 'v1,v2(storage)']);
  test.same(wide, ['example.com', 'Widget', 'w,wd', true]);
  test.same(cells({ spec }).at(-1), false);
  test.end();
});

t.test('classes of priorities', (test) => {
  const cells = cellsOf('PriorityClass');
  test.equal(cells({ value: 1, preemptionPolicy: 'Never' })[3], 'Never');
  test.equal(cells({ value: 1 })[3], '');
  test.end();
});

t.test('versions that nothing is stored in', (test) => {
  test.same(cellsOf('StorageVersion')({}).slice(0, 2), ['<unset>', '<unset>']);
  test.end();
});
