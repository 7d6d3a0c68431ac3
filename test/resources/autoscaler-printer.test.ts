/** An autoscaler shows its targets, above all, in a Table. */
import t from 'tap';
import type {
  HorizontalPodAutoscaler,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
} from '#messages/autoscaling.v2';
import { AUTOSCALER_PRINTER } from '../../src/resources/autoscaling/autoscaler-printer.ts';
import type { MetricMember } from '../../src/resources/autoscaling/metrics.ts';
import { cellsAt, printedObject } from '../support/printed-cells.ts';

function cellsOf(members: Partial<HorizontalPodAutoscaler>): readonly unknown[] {
  return cellsAt(AUTOSCALER_PRINTER, printedObject(members));
}

function targetsOf(metrics: MetricSpec[], currentMetrics: MetricStatus[] = []): unknown {
  return cellsOf({ spec: { metrics }, status: { currentMetrics } })[2];
}

function typeOf(member: MetricMember): string {
  return `${member[0]?.toUpperCase()}${member.slice(1)}`;
}

/** A metric with its target, and its status. */
function targetOf(
  member: MetricMember,
  target: MetricTarget,
  current?: MetricValueStatus,
): unknown {
  const type = typeOf(member);
  const statuses = current === undefined ? [] : [{ type, [member]: { current } }];
  return targetsOf([{ type, [member]: { target } }], statuses);
}

const cpu = (averageUtilization: number): MetricSpec => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});
const used = (averageUtilization: number): MetricStatus => ({
  type: 'Resource',
  resource: { name: 'cpu', current: { averageUtilization } },
});

t.test('the row of an autoscaler', async (t) => {
  t.strictSame(cellsOf({}), ['a', '/', '<none>', '<unset>', 0, 0, '5m'], 'with nothing');
  const spec = {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
    minReplicas: 2,
    maxReplicas: 10,
    metrics: [cpu(80)],
  };
  const status = { currentReplicas: 3, desiredReplicas: 4, currentMetrics: [used(50)] };
  t.strictSame(cellsOf({ spec, status }), ['a', 'Deployment/web', '50%/80%', '2', 10, 3, '5m']);
  const fromNone = { ...spec, minReplicas: 0 };
  t.equal(cellsOf({ spec: fromNone })[3], '0', 'it may scale to none');
});

t.test('one metric', async (t) => {
  const rows: readonly (readonly [
    MetricMember,
    MetricTarget,
    MetricValueStatus | undefined,
    string,
  ])[] = [
    ['resource', { averageUtilization: 80 }, { averageUtilization: 50 }, '50%/80%'],
    ['resource', { averageUtilization: 80 }, { averageUtilization: 0 }, '0%/80%'],
    ['resource', { averageUtilization: 80 }, undefined, '<unknown>/80%'],
    ['resource', { averageUtilization: 80 }, { averageValue: '100m' }, '<unknown>/80%'],
    ['resource', {}, undefined, '<unknown>/<auto>'],
    ['resource', { averageValue: '500m' }, { averageValue: '100m' }, '100m/500m'],
    ['resource', { averageValue: '500m' }, { averageUtilization: 5 }, '0/500m'],
    ['resource', { averageValue: '500m' }, undefined, '<unknown>/500m'],
    ['containerResource', { averageUtilization: 60 }, { averageUtilization: 9 }, '9%/60%'],
    ['containerResource', { averageValue: '1Gi' }, { averageValue: '20Mi' }, '20Mi/1Gi'],
    ['pods', { averageValue: '30' }, { averageValue: '12' }, '12/30'],
    ['pods', { averageValue: '30' }, undefined, '<unknown>/30'],
    ['object', { value: '2k' }, { value: '1500' }, '1500/2k'],
    ['object', { value: '2k' }, {}, '0/2k'],
    ['object', { value: '2k' }, undefined, '<unknown>/2k'],
    ['object', { averageValue: '5' }, { averageValue: '3' }, '3/5 (avg)'],
    ['object', { averageValue: '5' }, { value: '3' }, '<unknown>/5 (avg)'],
    ['external', { value: '10' }, { value: '7', averageValue: '1' }, '7/10'],
    ['external', { value: '10' }, undefined, '<unknown>/10'],
    ['external', { averageValue: '5' }, { value: '9', averageValue: '3' }, '3/5 (avg)'],
    ['external', { averageValue: '5' }, undefined, '<unknown>/5 (avg)'],
  ];
  for (const [member, target, current, shown] of rows) {
    const what = `${member} ${JSON.stringify(target)} now ${JSON.stringify(current)}`;
    t.equal(targetOf(member, target, current), shown, what);
  }
});

t.test('several metrics', async (t) => {
  t.equal(targetsOf([]), '<none>');
  t.equal(targetsOf([cpu(80), cpu(70)], [used(50), used(40)]), '50%/80%, 40%/70%');
  t.equal(
    targetsOf([cpu(80), cpu(70), cpu(60)], [used(50)]),
    '50%/80%, <unknown>/70% + 1 more...',
    'two are shown',
  );
  t.match(targetsOf([cpu(1), cpu(2), cpu(3), cpu(4)]), / \+ 2 more\.\.\.$/);
});

t.test('what does not fit together', async (t) => {
  t.equal(targetsOf([{ type: 'Other' }, {}]), '<unknown type>, <unknown type>');
  t.equal(targetsOf([{ type: 'Pods' }]), '<unknown>/0', 'a metric without its source');
  const pods = { type: 'Pods', pods: { current: { averageValue: '1' } } };
  t.equal(targetsOf([cpu(80)], [pods]), '<unknown>/80%', 'a status of another source');
});
