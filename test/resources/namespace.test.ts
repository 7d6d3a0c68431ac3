// Rules for namespaces alone (src/resources/core/README.md#namespaces).
import t from 'tap';
import { DEFAULT_GATES } from '../../src/release/own-gates.ts';
import { NAMESPACE } from '../../src/resources/core/namespace.ts';
import { KindRules } from './kind-rules.ts';

const STORED = { spec: { finalizers: ['cluster'] }, status: { phase: 'Active' } };
const rules = new KindRules(NAMESPACE, STORED);

t.test('rules of a Namespace', async (t) => {
  t.same(rules.create(), [], 'a valid object has no errors');
  t.match(rules.create({ metadata: { name: 'a.b' } })[0], /a lowercase RFC 1123 label must/);
  t.same(rules.create({ spec: { finalizers: ['mine', 'example.com/mine'] } }), [
    'spec.finalizers: Invalid value: "mine": ' +
      'name is neither a standard finalizer name nor is it fully qualified',
  ]);
});

t.test(
  '4.5: a new namespace is active, has its finalizer and the label with its name',
  async (t) => {
    const object = rules.object({ spec: undefined, status: undefined });
    NAMESPACE.prepareForCreate?.(object, DEFAULT_GATES);
    t.same(object['spec'], { finalizers: ['cluster'] });
    t.same(object['status'], { phase: 'Active' });
    t.same(object.metadata.labels, { 'cluster.io/metadata.name': 'a' });

    NAMESPACE.prepareForCreate?.(object, DEFAULT_GATES);
    t.same(object['spec'], { finalizers: ['cluster'] }, 'the finalizer is not doubled');
  },
);

t.test('4.5: the label cannot be changed', async (t) => {
  const object = rules.object({
    metadata: { labels: { 'cluster.io/metadata.name': 'x', b: 'c' } },
  });
  NAMESPACE.applyDefaults?.(object, DEFAULT_GATES);
  t.same(object.metadata.labels, { 'cluster.io/metadata.name': 'a', b: 'c' });
});

t.test('4.5: an update keeps spec.finalizers', async (t) => {
  const object = rules.object({ spec: { finalizers: ['example.com/more'] } });
  NAMESPACE.prepareForUpdate?.(object, rules.object(), DEFAULT_GATES);
  t.same(object['spec'], STORED.spec);
  NAMESPACE.prepareForUpdate?.(object, rules.object({ spec: undefined }), DEFAULT_GATES);
  t.same(object['spec'], {});
});

t.test('4.5: the phase goes with the deletion timestamp', async (t) => {
  const deleted = { metadata: { deletionTimestamp: '2024-05-01T00:00:00Z' } };
  const terminating = { status: { phase: 'Terminating' } };
  t.same(rules.update({}, {}, 'status'), []);
  t.same(rules.update(deleted, terminating, 'status'), []);
  t.same(rules.update({}, terminating, 'status'), [
    'status.Phase: Invalid value: "Terminating": ' +
      "may only be 'Active' if `deletionTimestamp` is empty",
  ]);
  t.same(rules.update(deleted, {}, 'status'), [
    'status.Phase: Invalid value: "Active": ' +
      "may only be 'Terminating' if `deletionTimestamp` is not empty",
  ]);
});

const phase = NAMESPACE.selectableFields?.['status.phase'];
t.equal(phase?.(rules.object()), 'Active', '7.6: selectable by phase');
