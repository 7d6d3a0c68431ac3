/**
 * Creates and updates of every kind say who wrote what; what clients say of it counts, and it is
 * there after a crash.
 */
import t, { type Test } from 'tap';
import type { Change } from '../support/kind-cases.ts';
import type { TestObject } from '../support/kinds.ts';
import {
  checkOwned,
  missingFields,
  ownerOf,
  owners,
  ownersOf,
  ownsField,
} from '../support/owned-fields.ts';
import { startServer, type Answer } from '../support/server.ts';
import { eachServedKind, servedKinds, type ServedKind } from '../support/served-kind.ts';
import { statusChange } from '../support/status-changes.ts';

// All kinds, one after the other.
const args = ['--durability', 'relaxed', '--runtime-config', 'api/alpha'];
const server = await startServer({ test: t, args });
const kinds = await servedKinds(server, process.argv.slice(2));
/** One of each kind. */
const firstFiles = await eachServedKind(server);
const isFirst = ({ name, cases }: ServedKind): boolean => firstFiles.get(name)?.cases === cases;
const SECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

const LABELLED = { metadata: { labels: { made: '1' } } };

function made(kind: ServedKind, name: string, members: Change, by: string): Promise<Answer> {
  return kind.create(kind.document(name, members, LABELLED), `?fieldManager=${by}`);
}

async function checkCreates(t: Test, kind: ServedKind): Promise<void> {
  for (const [what, members] of [
    ...(isFirst(kind) ? ([['least', kind.cases.minimal]] as const) : []),
    ['fullest', kind.cases.full],
  ] as const) {
    const answer = await made(kind, what, members, 'creator');
    t.equal(answer.status, 201, answer.text.slice(0, 300));
    const object = answer.json;
    checkOwned(t, object, what);
    t.match(ownersOf(object), [
      {
        manager: 'creator',
        operation: 'Update',
        apiVersion: kind.cases.apiVersion,
        time: SECONDS,
        fieldsType: 'FieldsV1',
      },
    ]);
    const [owner] = ownersOf(object);
    t.equal(owner?.subresource, undefined);
    t.ok(ownsField(owner, 'metadata', 'labels', 'made'));
    for (const name of ['name', 'namespace', 'uid', 'creationTimestamp', 'managedFields']) {
      t.notOk(ownsField(owner, 'metadata', name), `nobody owns its ${name}`);
    }
    for (const name of Object.keys(members).filter((name) => isOwned(kind, object, name))) {
      t.ok(ownsField(owner, name), `${what}: what was sent of ${name} is owned`);
    }
    if (kind.serves('status', 'get')) t.notOk(ownsField(owner, 'status'));
    await kind.remove(object);
  }
}

/**
 * A zero that was sent says no more than if it had not been, the status is another's, and texts of
 * a Secret become data.
 */
function isOwned(kind: ServedKind, object: TestObject, name: string): boolean {
  if (name === 'status' && kind.serves('status', 'get')) return false;
  if (name === 'stringData') return false;
  // The request itself never changes: the reference leaves it without owners.
  if (kind.cases.kind === 'CertificateSigningRequest' && name === 'spec') return false;
  const value: unknown = object[name];
  const members = typeof value === 'object' ? Object.values(value ?? {}) : [value];
  const isEmpty = members.every((member) => member === null);
  return !isEmpty && value !== 0 && value !== '' && value !== false;
}

/** A copy of what was read, and what an update makes of nothing, belong to who wrote them. */
async function checkCopies(t: Test, kind: ServedKind): Promise<void> {
  const first = await made(kind, 'copied', kind.cases.minimal, 'creator');
  const { labels, managedFields } = first.json.metadata;
  const copyNamed = (unique: string): TestObject => {
    const { name } = kind.minimal(unique).metadata;
    return { ...first.json, metadata: { name, labels, managedFields } };
  };
  await kind.remove(first.json);
  const copy = copyNamed('copy');
  const copied = await kind.create(copy, '?fieldManager=copier');
  t.equal(copied.status, 201, copied.text.slice(0, 300));
  t.strictSame(owners(copied.json), ['copier Update']);
  checkOwned(t, copied.json, 'a copy');
  await kind.remove(copied.json);
  const other = copyNamed('other-copy');
  const put = await server.put(`${kind.pathOf(other)}?fieldManager=putter`, other);
  if (put.status === 201) {
    t.strictSame(owners(put.json), ['putter Update']);
    checkOwned(t, put.json, 'an update of nothing');
    await kind.remove(put.json);
  } else t.ok([404, 422].includes(put.status), put.text.slice(0, 300));
}

async function checkPuts(t: Test, kind: ServedKind): Promise<void> {
  const first = await made(kind, 'put', kind.cases.full, 'creator');
  const path = kind.pathOf(first.json);
  const put = (object: TestObject, by: string): Promise<Answer> =>
    server.put(`${path}?fieldManager=${by}`, object);
  t.equal((await put(first.json, 'other')).text, first.text, 'as it was read: nothing changes');
  const { managedFields: _owners, ...unowned } = first.json.metadata;
  const same = { ...first.json, metadata: unowned };
  t.equal((await put(same, 'other')).text, first.text, 'nor without its owners');

  const metadata = { ...unowned, labels: { ...unowned.labels, made: '2', more: '1' } };
  const changed = await put({ ...first.json, metadata }, 'other');
  t.equal(changed.status, 200, changed.text.slice(0, 300));
  checkOwned(t, changed.json, 'after an update');
  t.strictSame(owners(changed.json), ['creator Update', 'other Update']);
  t.strictSame(ownerOf(changed.json, 'other', 'Update')?.fieldsV1, {
    'f:metadata': { 'f:labels': { 'f:made': {}, 'f:more': {} } },
  });
  const creator = ownerOf(changed.json, 'creator', 'Update');
  t.notOk(ownsField(creator, 'metadata', 'labels', 'made'), 'who changes it takes it');
  t.equal(creator?.time, ownersOf(first.json)[0]?.time);

  const { labels } = unowned;
  const removed = await put(
    { ...changed.json, metadata: { ...changed.json.metadata, labels } },
    'creator',
  );
  t.equal(removed.status, 200, removed.text.slice(0, 300));
  t.strictSame(owners(removed.json), ['creator Update'], 'who owns nothing is not written down');
  t.strictSame(
    ownersOf(removed.json)[0]?.fieldsV1,
    ownersOf(first.json)[0]?.fieldsV1,
    'all is as it was',
  );
  await kind.remove(first.json);
}

/** Checks that owners from a client do not count, in the place of `creator`. */
async function checkGivenOwners(t: Test, kind: ServedKind): Promise<void> {
  const first = await made(kind, 'given', kind.cases.minimal, 'creator');
  const path = kind.pathOf(first.json);
  const put = ({ json }: Answer, managedFields: unknown, labels = {}): Promise<Answer> => {
    const { metadata } = json;
    const given = { ...metadata, labels: { ...metadata.labels, ...labels }, managedFields };
    return server.put(`${path}?fieldManager=giver`, { ...json, metadata: given });
  };
  const [entry] = ownersOf(first.json);
  const given = await put(first, [{ ...entry, manager: 'heir' }]);
  t.equal(given.status, 200, given.text.slice(0, 300));
  t.strictSame(ownersOf(given.json), [{ ...entry, manager: 'heir' }], 'a client may say who owns');
  for (const [what, entries] of [
    ['null', null],
    ['an empty list', []],
    ['no fields at all', [{ ...entry, fieldsV1: [] }]],
    ['no sort of fields', [{ ...entry, fieldsType: undefined }]],
  ] as const) {
    const kept = await put(given, entries);
    t.equal(kept.text, given.text, `${what}: what there is counts`);
  }
  t.equal((await kind.read(first.json)).text, given.text, 'none of them changes anything');
  const renewed = await put(given, [{}], { given: '1' });
  t.strictSame(owners(renewed.json), ['giver Update'], renewed.text.slice(0, 300));
  t.strictSame(
    ownersOf(renewed.json)[0]?.fieldsV1,
    { 'f:metadata': { 'f:labels': { 'f:given': {} } } },
    'an empty entry resets the owners, but for what changes',
  );
  const reset = await put(renewed, [{}]);
  t.equal(reset.json.metadata?.managedFields, undefined, reset.text.slice(0, 300));

  const config = kind.document(first.json.metadata.name, { metadata: { labels: { own: '1' } } });
  config.metadata.name = first.json.metadata.name;
  const applied = await kind.patch(first.json, 'apply', config, { fieldManager: 'applier' });
  t.equal(applied.status, 200, applied.text.slice(0, 300));
  t.strictSame(owners(applied.json), ['applier Apply', 'before-first-apply Update']);
  const before = ownerOf(applied.json, 'before-first-apply', 'Update');
  t.ok(ownsField(before, 'metadata', 'labels', 'made'), 'what was there is owned from before');
  checkOwned(t, applied.json, 'after the first apply');
  await kind.remove(first.json);
}

for (const [name, kind] of kinds) {
  t.test(name, async (t) => {
    await checkCreates(t, kind);
    await checkPuts(t, kind);
    if (!isFirst(kind)) return;
    await checkCopies(t, kind);
    await checkGivenOwners(t, kind);
  });
}

for (const [name, kind] of firstFiles) {
  if (!kind.serves('status', 'update')) continue;
  t.test(`${name}: updates of the status`, async (t) => {
    const first = await made(kind, 'with-status', kind.cases.minimal, 'creator');
    const path = `${kind.pathOf(first.json)}/status?fieldManager=status-writer`;
    const metadata = { ...first.json.metadata, managedFields: [{}] };
    const reset = await server.put(path, { ...first.json, metadata });
    t.equal(reset.text, first.text, 'a part does not say who owns what');
    const rename = { metadata: { name: first.json.metadata.name } };
    const changed = kind.document('', first.json, statusChange(kind), rename);
    const written = await server.put(path, changed);
    t.equal(written.status, 200, written.text.slice(0, 300));
    t.strictSame(owners(written.json), ['creator Update', 'status-writer Update status']);
    t.strictSame(ownersOf(written.json)[0], ownersOf(first.json)[0], 'others keep what they own');
    const owned = ownersOf(written.json)[1]?.fieldsV1 ?? {};
    t.strictSame(Object.keys(owned), ['f:status']);
    t.strictSame(missingFields(written.json, owned), []);
    await kind.remove(first.json);
  });
}

t.test('owners are there after a crash, and go on owning', async (t) => {
  const texts = new Map<ServedKind, Answer>();
  for (const [index, [name, kind]] of [...firstFiles].entries()) {
    const created = await made(kind, `crash-${index}`, kind.cases.minimal, 'creator');
    t.equal(created.status, 201, `${name}: ${created.text.slice(0, 300)}`);
    const label = (key: string): Change => ({ metadata: { labels: { [key]: '1' } } });
    await kind.patch(created.json, 'merge', label('merged'), { fieldManager: 'merger' });
    const config = { ...kind.document('', label('applied')) };
    config.metadata.name = created.json.metadata.name;
    await kind.patch(created.json, 'apply', config, { fieldManager: 'applier' });
    if (kind.serves('status', 'patch')) {
      const part = { subresource: 'status', fieldManager: 'status-writer' };
      const answer = await kind.patch(created.json, 'merge', statusChange(kind), part);
      t.equal(answer.status, 200, `${name}: ${answer.text.slice(0, 300)}`);
    }
    texts.set(kind, await kind.read(created.json));
  }
  await server.kill();
  await server.restart();
  for (const [name, kind] of firstFiles) {
    const before = texts.get(kind) as Answer;
    const after = await kind.read(before.json);
    t.equal(after.text, before.text, `${name}: every byte is there`);
    const patched = await kind.patch(
      before.json,
      'merge',
      { metadata: { labels: { merged: '2', made: '2' } } },
      { fieldManager: 'merger' },
    );
    t.equal(patched.status, 200, `${name}: ${patched.text.slice(0, 300)}`);
    const labels = { 'f:made': {}, 'f:merged': {} };
    t.strictSame(ownerOf(patched.json, 'merger', 'Update')?.fieldsV1, {
      'f:metadata': { 'f:labels': labels },
    });
    const config = { ...kind.document('', { metadata: { labels: { applied: '2' } } }) };
    config.metadata.name = before.json.metadata.name;
    const applied = await kind.patch(before.json, 'apply', config, { fieldManager: 'applier' });
    t.equal(applied.json.metadata?.labels?.applied, '2', applied.text.slice(0, 300));
    checkOwned(t, applied.json, name);
    await kind.remove(before.json);
  }
});

t.end();
