// Each case names its statement.
import t from 'tap';
import type { FieldError } from '../../src/semantics/errors/field-error.ts';
import {
  isUnconditional,
  RESOURCE_VERSION_MISSING,
  validateFieldManager,
  validateManagedFields,
  validateObjectMeta,
  validateObjectMetaUpdate,
  type ObjectMetaRules,
} from '../../src/semantics/metadata/object-meta-validation.ts';
import type { ObjectMeta } from '../../src/semantics/metadata/object-meta.ts';

const RULES: ObjectMetaRules = {
  namespaced: true,
  nameRule: 'dnsSubdomain',
  checksFinalizerNames: true,
  unconditionalUpdate: true,
};
const CLUSTER_SCOPED = { ...RULES, namespaced: false };
const GOOD: ObjectMeta = { name: 'a', namespace: 'ns', uid: 'u1', resourceVersion: '7' };
const OWNER = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'r', uid: 'u' };
const LABEL_HINT = /^Invalid value: "-x": a valid label must be an empty string or consist of/;
const NAME_PART = /^Invalid value: "[^"]*": name part must consist of alphanumeric characters/;

/** `field: message`, as it stands in the message of the Status. */
const texts = (errors: readonly FieldError[]): string[] =>
  errors.map(({ field, message }) => `${field}: ${message}`);

const problems = (meta: ObjectMeta, rules: ObjectMetaRules = RULES): string[] =>
  texts(validateObjectMeta({ ...GOOD, ...meta }, rules));

t.test('good metadata has no errors', async (t) => {
  const annotations = { 'Example.COM/Key': 'any text' };
  const labels = { app: '', 'example.com/tier': 'front_1' };
  const finalizers = ['orphan', 'example.com/guard'];
  const ownerReferences = [{ ...OWNER, controller: true }, OWNER];
  t.same(problems({ annotations, labels, finalizers, ownerReferences }), []);
});

t.test('3.7: names and namespaces', async (t) => {
  const nothing = { name: '', namespace: '' };
  t.same(problems(nothing), [
    'metadata.name: Required value: name or generateName is required',
    'metadata.namespace: Required value',
  ]);
  t.match(problems({ name: 'A' })[0], /^metadata.name: Invalid value: "A": a lowercase RFC 1123/);
  t.match(problems({ namespace: 'a.b' })[0], /^metadata.namespace: Invalid value: "a.b": a low/);
  t.same(problems({ generateName: 'a-' }), [], 'a prefix may end in a dash');
  t.match(problems({ generateName: 'A-' })[0], /^metadata.generateName: Invalid value: "A-"/);
  t.same(problems({}, CLUSTER_SCOPED), ['metadata.namespace: Forbidden: not allowed on this type']);
});

t.test('3.7: labels', async (t) => {
  const [badValue, ...more] = validateObjectMeta({ ...GOOD, labels: { a: '-x' } }, RULES);
  t.equal(badValue?.field, 'metadata.labels');
  t.equal(badValue?.reason, 'FieldValueInvalid');
  t.match(badValue?.message, LABEL_HINT);
  t.same(more, []);
  const [badKey] = validateObjectMeta({ ...GOOD, labels: { 'a b': '' } }, RULES);
  t.match(badKey?.message, NAME_PART);
});

t.test('3.7: annotations', async (t) => {
  const [badKey] = validateObjectMeta({ ...GOOD, annotations: { '-a': '' } }, RULES);
  t.equal(badKey?.field, 'metadata.annotations');
  t.match(badKey?.message, NAME_PART);
  t.same(problems({ annotations: { a: 'x'.repeat(262_143) } }), [], '262144 bytes in all');
  t.same(problems({ annotations: { a: 'é' + 'x'.repeat(262_142) } }), [
    'metadata.annotations: Too long: must have at most 262144 bytes',
  ]);
});

t.test('3.7: finalizers', async (t) => {
  t.same(problems({ finalizers: ['mine'] }), [
    'metadata.finalizers[0]: Invalid value: "mine": ' +
      'name is neither a standard finalizer name nor is it fully qualified',
  ]);
  t.same(problems({ finalizers: ['mine'] }, { ...RULES, checksFinalizerNames: false }), []);
  t.match(problems({ finalizers: ['a b/c'] })[0], /^metadata.finalizers: .*: prefix part a lower/);
  t.same(problems({ finalizers: ['orphan', 'foregroundDeletion'] }), [
    'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: ' +
      'finalizer orphan and foregroundDeletion cannot be both set',
  ]);
});

t.test('3.7: ownerReferences', async (t) => {
  const empty = { apiVersion: 'apps/', kind: '', name: '', uid: '' };
  t.same(problems({ ownerReferences: [empty] }), [
    'metadata.ownerReferences.apiVersion: Invalid value: "apps/": version must not be empty',
    'metadata.ownerReferences.kind: Invalid value: "": kind must not be empty',
    'metadata.ownerReferences.name: Invalid value: "": name must not be empty',
    'metadata.ownerReferences.uid: Invalid value: "": uid must not be empty',
  ]);
  const event = { ...OWNER, apiVersion: 'v1', kind: 'Event' };
  t.match(problems({ ownerReferences: [event] })[0], /Kind=Event is disallowed from being an own/);
  const both = [
    { ...OWNER, controller: true },
    { ...OWNER, name: 'second', controller: true },
  ];
  t.match(
    problems({ ownerReferences: both })[0],
    /Only one reference can have Controller set to true. Found "true" in references for r and second$/,
  );
});

t.test('3.7: managedFields sent by clients', async (t) => {
  const good = { manager: 'client', operation: 'Update', fieldsType: 'FieldsV1' };
  t.same(validateManagedFields([good]), []);
  const entry = { manager: 'm'.repeat(129), operation: 'Patch', fieldsType: 'V2', subresource: '' };
  const bad = { ...entry, subresource: 's'.repeat(257) };
  t.same(texts(validateManagedFields([entry, bad])).slice(-4), [
    'metadata.managedFields[1].operation: Invalid value: "Patch": must be `Apply` or `Update`',
    'metadata.managedFields[1].fieldsType: Invalid value: "V2": must be `FieldsV1`',
    'metadata.managedFields[1].manager: Too long: must have at most 128 bytes',
    'metadata.managedFields[1].subresource: Too long: must have at most 256 bytes',
  ]);
  t.same(texts(validateFieldManager('é\u0007\n', 'fieldManager')), [
    'fieldManager: Invalid value: "é\\a\\n": invalid character U+0007 (at position 2)',
    'fieldManager: Invalid value: "é\\a\\n": invalid character U+000A (at position 3)',
  ]);
});

t.test('3.3: what an update may not change', async (t) => {
  const update = (change: ObjectMeta, stored: ObjectMeta = {}, rules = RULES): string[] =>
    texts(validateObjectMetaUpdate({ ...GOOD, ...change }, { ...GOOD, ...stored }, rules));
  const when = '2024-05-01T00:00:00Z';

  t.same(update({}), []);
  t.same(update({ uid: 'u2' }), ['metadata.uid: Invalid value: "u2": field is immutable']);
  t.same(update({ uid: '' }), [], 'an empty uid is the stored one');
  t.same(update({ name: 'b' }), ['metadata.name: Invalid value: "b": field is immutable']);
  t.same(update({ creationTimestamp: when }, { creationTimestamp: '2020-01-01T00:00:00Z' }), [
    `metadata.creationTimestamp: Invalid value: "${when}": field is immutable`,
  ]);
  t.same(update({ deletionTimestamp: when }), [
    `metadata.deletionTimestamp: Invalid value: "${when}": field is immutable`,
  ]);
  t.same(update({}, { deletionTimestamp: when }), [], 'once set it is kept');
  t.same(update({ deletionGracePeriodSeconds: 5 }, { deletionGracePeriodSeconds: 0 }), [
    'metadata.deletionGracePeriodSeconds: Invalid value: 5: field is immutable',
  ]);
});

t.test('3.3: a terminating object gets no new finalizers', async (t) => {
  const stored = { ...GOOD, deletionTimestamp: '2024-05-01T00:00:00Z', finalizers: ['a/1', 'a/2'] };
  const update = (finalizers: string[]): string[] =>
    texts(validateObjectMetaUpdate({ ...GOOD, finalizers }, stored, RULES));
  t.same(update(['a/2', 'a/1']), [], 'they may be reordered');
  t.same(update([]), [], 'and removed');
  t.same(update(['a/1', 'z/1', 'b/1']), [
    'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being ' +
      'deleted, found new finalizers []string{"b/1", "z/1"}',
  ]);
});

t.test('3.3: the version of an update', async (t) => {
  const rules = { ...RULES, unconditionalUpdate: false };
  for (const resourceVersion of ['', '0']) {
    const meta = { ...GOOD, resourceVersion };
    t.same(validateObjectMetaUpdate(meta, GOOD, rules), [RESOURCE_VERSION_MISSING]);
    t.same(validateObjectMetaUpdate(meta, GOOD, RULES), []);
    t.ok(isUnconditional(meta));
  }
  t.notOk(isUnconditional(GOOD));
  t.same(texts([RESOURCE_VERSION_MISSING]), [
    'metadata.resourceVersion: Invalid value: 0x0: must be specified for an update',
  ]);
});
