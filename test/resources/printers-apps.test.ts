/** Workloads, of `apps` and `batch`, show these cells in a Table. */
import t from 'tap';
import { CONTROLLER_REVISION } from '../../src/resources/apps/controller-revision.ts';
import { DAEMON_SET } from '../../src/resources/apps/daemon-set.ts';
import { DEPLOYMENT } from '../../src/resources/apps/deployment.ts';
import { REPLICA_SET } from '../../src/resources/apps/replica-set.ts';
import { STATEFUL_SET } from '../../src/resources/apps/stateful-set.ts';
import { CRON_JOB } from '../../src/resources/batch/cron-job.ts';
import { JOB } from '../../src/resources/batch/job.ts';
import { DEFAULT_PRINTER } from '../../src/resources/printer-cells.ts';
import { AGO, cellsAt, checkCells, checkColumn, printedObject } from '../support/printed-cells.ts';

const containers = [
  { name: 'app', image: 'app:1' },
  { name: 'side', image: 'side:2' },
];
const template = { spec: { containers } };
const POD_CELLS = ['app,side', 'app:1,side:2'];
const selector = {
  matchLabels: { tier: 'web' },
  matchExpressions: [{ key: 'app', operator: 'In', values: ['b', 'a'] }],
};
const SELECTOR_TEXT = 'app in (a,b),tier=web';
const WRONG_SELECTOR = { matchExpressions: [{ key: 'app', operator: 'Like', values: ['a'] }] };

t.test('deployments', (t) => {
  const status = { replicas: 5, readyReplicas: 2, updatedReplicas: 3, availableReplicas: 1 };
  checkCells(t, DEPLOYMENT, [
    [
      'one that runs',
      { spec: { replicas: 4, selector, template }, status },
      ['a', '2/4', 3, 1, '5m', ...POD_CELLS, SELECTOR_TEXT],
    ],
    ['without a status', { spec: { replicas: 1 } }, ['a', '0/1', 0, 0, '5m', '', '', '']],
    [
      'without anything',
      { metadata: { creationTimestamp: undefined } },
      ['a', '0/0', 0, 0, '<unknown>', '', '', ''],
    ],
  ]);
  checkColumn(t, DEPLOYMENT, 'Selector', [
    ['of everything', { spec: { selector: {} } }, ''],
    ['of what cannot be understood', { spec: { selector: WRONG_SELECTOR } }, '<invalid>'],
  ]);
  t.end();
});

t.test('replica sets', (t) => {
  checkCells(t, REPLICA_SET, [
    [
      'one that runs',
      { spec: { replicas: 4, selector, template }, status: { replicas: 3, readyReplicas: 2 } },
      ['a', 4, 3, 2, '5m', ...POD_CELLS, SELECTOR_TEXT],
    ],
    ['an empty one', {}, ['a', 0, 0, 0, '5m', '', '', '<none>']],
  ]);
  checkColumn(t, REPLICA_SET, 'Selector', [
    ['of everything', { spec: { selector: {} } }, '<none>'],
    ['of what cannot be understood', { spec: { selector: WRONG_SELECTOR } }, '<error>'],
    [
      'every operator',
      {
        spec: {
          selector: {
            matchExpressions: [
              { key: 'd', operator: 'NotIn', values: ['1'] },
              { key: 'c', operator: 'DoesNotExist' },
              { key: 'b', operator: 'Exists' },
            ],
          },
        },
      },
      'b,!c,d notin (1)',
    ],
  ]);
  t.end();
});

t.test('stateful sets', (t) => {
  checkCells(t, STATEFUL_SET, [
    [
      'one that runs',
      { spec: { replicas: 3, template }, status: { replicas: 3, readyReplicas: 1 } },
      ['a', '1/3', '5m', ...POD_CELLS],
    ],
    ['an empty one', {}, ['a', '0/0', '5m', '', '']],
  ]);
  t.end();
});

t.test('daemon sets', (t) => {
  const status = {
    desiredNumberScheduled: 5,
    currentNumberScheduled: 4,
    numberReady: 3,
    updatedNumberScheduled: 2,
    numberAvailable: 1,
  };
  const onDisks = { spec: { containers, nodeSelector: { zone: 'z', disk: 'ssd' } } };
  checkCells(t, DAEMON_SET, [
    [
      'one that runs',
      { spec: { selector, template: onDisks }, status },
      ['a', 5, 4, 3, 2, 1, 'disk=ssd,zone=z', '5m', ...POD_CELLS, SELECTOR_TEXT],
    ],
    ['an empty one', {}, ['a', 0, 0, 0, 0, 0, '<none>', '5m', '', '', '<none>']],
  ]);
  t.end();
});

t.test('controller revisions', (t) => {
  const owned = (...ownerReferences: object[]) => ({ metadata: { ownerReferences } });
  const set = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'Web', controller: true };
  checkCells(t, CONTROLLER_REVISION, [
    ['one', { ...owned(set), revision: 7 }, ['a', 'statefulset.apps/Web', 7, '5m']],
    ['an empty one', {}, ['a', '<none>', 0, '5m']],
  ]);
  checkColumn(t, CONTROLLER_REVISION, 'Controller', [
    ['owners that do not control it', owned({ ...set, controller: false }), '<none>'],
    ['of the core group', owned({ ...set, apiVersion: 'v1', kind: 'Node' }), 'node/Web'],
  ]);
  const revision = 9_223_372_036_854_775_807n;
  const cells = cellsAt(
    CONTROLLER_REVISION.printer ?? DEFAULT_PRINTER,
    printedObject({ revision }),
  );
  t.equal(JSON.stringify(cells), '["a","<none>",9223372036854775807,"5m"]', 'no digit is lost');
  t.end();
});

t.test('jobs', (t) => {
  checkCells(t, JOB, [
    [
      'one at work',
      {
        spec: { completions: 3, parallelism: 2, selector, template },
        status: { startTime: AGO['90s'], succeeded: 1 },
      },
      ['a', '1/3', '90s', '5m', ...POD_CELLS, SELECTOR_TEXT],
    ],
    ['an empty one', {}, ['a', '0/1', '', '5m', '', '', '<none>']],
  ]);
  checkColumn(t, JOB, 'Completions', [
    ['none are asked for', { spec: { completions: 0 } }, '0/0'],
    ['one pod is enough', { spec: { parallelism: 1 }, status: { succeeded: 1 } }, '1/1'],
    ['one of several is enough', { spec: { parallelism: 4 } }, '0/1 of 4'],
  ]);
  const { '5m': early, '90s': later, '30s': late } = AGO;
  checkColumn(t, JOB, 'Duration', [
    ['ended', { status: { startTime: later, completionTime: late } }, '60s'],
    ['ended at once', { status: { startTime: early, completionTime: early } }, '0s'],
    [
      'ended before it started',
      { status: { startTime: late, completionTime: early } },
      '<invalid>',
    ],
    ['ended, and never started', { status: { completionTime: late } }, ''],
  ]);
  t.end();
});

t.test('cron jobs', (t) => {
  const jobTemplate = { spec: { selector, template } };
  checkCells(t, CRON_JOB, [
    [
      'one with a job',
      {
        spec: { schedule: '*/5 * * * *', suspend: false, jobTemplate },
        status: { active: [{ name: 'a-1' }], lastScheduleTime: AGO['30s'] },
      },
      ['a', '*/5 * * * *', 'False', 1, '30s', '5m', ...POD_CELLS, SELECTOR_TEXT],
    ],
    ['an empty one', {}, ['a', '', '<unset>', 0, '<none>', '5m', '', '', '<none>']],
  ]);
  checkColumn(t, CRON_JOB, 'Suspend', [['it rests', { spec: { suspend: true } }, 'True']]);
  t.end();
});
