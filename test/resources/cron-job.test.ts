// Its rules are in test/catalogue/batch/cronjob.ts.
import t from 'tap';
import { CRON_JOB } from '../../src/resources/batch/cron-job.ts';
import { deprecationOf } from '../../src/resources/kind-lives.ts';
import { storedTemplate } from '../support/workload-cases.ts';
import type { Change } from '../support/kind-cases.ts';
import { KindRules } from './kind-rules.ts';

const jobTemplate = { spec: { template: storedTemplate({ restartPolicy: 'Never' }) } };
const rules = new KindRules(CRON_JOB, { spec: { schedule: '@daily', jobTemplate } });

t.test('14.2: the name is at most 52 characters on create only', async (t) => {
  const name = (length: number): Change => ({ metadata: { name: 'n'.repeat(length) } });
  t.same(rules.create(name(53)), [
    `metadata.name: Invalid value: "${'n'.repeat(53)}": must be no more than 52 characters`,
  ]);
  t.same(rules.update(name(53), { spec: { suspend: true } }), [], 'an update may keep it');
});

t.test('an int64 for a deadline', async (t) => {
  const spec = { startingDeadlineSeconds: 9223372036854775807n };
  t.same(rules.create({ spec }), []);
});

t.test('batch/v1beta1 is deprecated, and has the same shape', async (t) => {
  // In that version alone its jobs stay by default.
  t.same(CRON_JOB.otherVersions, [{ version: 'v1beta1', defaultPropagation: 'Orphan' }]);
  const { group, kind } = CRON_JOB;
  t.same(deprecationOf({ group, version: 'v1beta1', kind }), {
    since: '1.21',
    removedIn: '1.25',
    replacement: 'batch/v1 CronJob',
  });
});
