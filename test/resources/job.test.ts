// The selector and the labels that make the pods of a Job its own.
import t from 'tap';
import { JOB } from '../../src/resources/batch/job.ts';
import type { ApiObject } from '../../src/resources/kind.ts';
import { template } from '../support/workload-cases.ts';
import type { Change } from '../support/kind-cases.ts';
import { merged } from './kind-rules.ts';
import { PreparedKind } from './prepared-kind.ts';

const jobs = new PreparedKind(JOB);
const UID = PreparedKind.uid;
const GENERATED = { 'controller-uid': UID, 'job-name': 'a' };
const MINIMAL = { spec: { template: template({ restartPolicy: 'Never' }) } };

const created = (change: Change) => jobs.create(merged(MINIMAL, change) as Change);
const labelsOf = ({ metadata, spec }: ApiObject) => {
  const { selector, template } = spec as {
    selector: { matchLabels: Change };
    template: { metadata: { labels: Change } };
  };
  return [metadata.labels, template.metadata.labels, selector.matchLabels].map((labels) => ({
    ...labels,
  }));
};

t.test('a selector is generated', async (t) => {
  const { object, errors } = created({});
  t.same(errors, []);
  const labels = { app: 'web', ...GENERATED };
  t.same(labelsOf(object), [labels, labels, { 'controller-uid': UID }]);
  t.not(
    object.metadata.labels,
    (object['spec'] as { template: ApiObject }).template.metadata.labels,
  );
});

t.test('labels of its own are kept', async (t) => {
  const { object, errors } = created({ metadata: { labels: { app: 'web' } } });
  t.same(errors, []);
  t.same(labelsOf(object)[0], { app: 'web' });
});

t.test('a template without labels gets the generated ones', async (t) => {
  const { object, errors } = created({ spec: { template: { metadata: undefined } } });
  t.same(errors, []);
  t.same(labelsOf(object), [GENERATED, GENERATED, { 'controller-uid': UID }]);
});

t.test('a generated selector is not overridden', async (t) => {
  const own = { template: { metadata: { labels: { 'job-name': 'b', 'controller-uid': 'u' } } } };
  const labels = 'map[string]string{"app":"web", "controller-uid":"u", "job-name":"b"}';
  const field = 'spec.template.metadata.labels';
  t.same(created({ spec: own }).errors, [
    `${field}[controller-uid]: Invalid value: ${labels}: must be '${UID}'`,
    `${field}[job-name]: Invalid value: ${labels}: must be 'a'`,
    `${field}: Invalid value: ${labels}: \`selector\` does not match template \`labels\``,
  ]);
  const selector = { matchLabels: { app: 'web' } };
  t.same(created({ spec: { selector } }).errors, [
    'spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string{"app":"web", ' +
      `"controller-uid":"${UID}"}, MatchExpressions:[]v1.LabelSelectorRequirement(nil)}: ` +
      '`selector` not auto-generated',
  ]);
});

t.test('an update has to bring the generated selector', async (t) => {
  const { object: stored } = created({});
  t.same(jobs.update(stored, {}).errors, [], 'as it was read');
  const bare = merged(MINIMAL, { metadata: { name: 'a' } }) as Change;
  const { errors } = jobs.replace(stored, bare);
  t.match(errors.join('\n'), /spec\.selector: Invalid value: "null": field is immutable/);
  t.match(errors.join('\n'), /spec\.selector: Required value/);
});

t.test('the template is immutable, but for the place of pods that have none yet', async (t) => {
  const { object: running } = created({});
  const { object: suspended } = created({ spec: { suspend: true } });
  const started = merged(suspended, { status: { startTime: '2024-01-01T00:00:00Z' } }) as ApiObject;
  const place: Change = { spec: { template: { spec: { nodeSelector: { disk: 'ssd' } } } } };
  const image: Change = {
    spec: { template: { spec: { containers: [{ name: 'c', image: 'web:2' }] } } },
  };
  const immutable = (stored: ApiObject, change: Change): boolean =>
    jobs.update(stored, change).errors.some((error) => error.startsWith('spec.template: Invalid'));
  t.equal(immutable(running, place), true, 'running');
  t.equal(immutable(suspended, place), false, 'suspended');
  t.equal(immutable(started, place), true, 'suspended after it has started');
  t.equal(immutable(suspended, image), true, 'another image');
});

t.test('3.5: its generation counts the changes of its spec', async (t) => {
  const { object: stored } = created({});
  t.equal(stored.metadata.generation, 1);
  t.equal(jobs.update(stored, { spec: { parallelism: 2 } }).object.metadata.generation, 2);
  t.equal(jobs.update(stored, { metadata: { labels: { a: 'b' } } }).object.metadata.generation, 1);
});

t.test('members that may not change are told in the order of the reference', async (t) => {
  const { object: stored } = created({ spec: { completions: 1 } });
  const { errors } = jobs.update(stored, {
    spec: {
      completions: 2,
      selector: { matchLabels: { app: 'web' } },
      completionMode: 'Indexed',
      template: template({ restartPolicy: 'OnFailure' }),
    },
  });
  const fields = errors.filter((error) => error.endsWith('field is immutable'));
  t.same(
    fields.map((error) => error.replace(/:.*/s, '')),
    ['spec.completions', 'spec.selector', 'spec.template', 'spec.completionMode'],
  );
});
