/**
 * Server-side apply of every kind: it makes objects, changes nothing the second time, and asks who
 * owns what.
 */
import { isDeepStrictEqual } from 'node:util';
import t, { type Test } from 'tap';
import { stringify } from 'yaml';
import { expectFailure } from '../support/expect-status.ts';
import type { Change } from '../support/kind-cases.ts';
import type { TestObject } from '../support/kinds.ts';
import {
  checkOwned,
  missingFields,
  ownerOf,
  owners,
  ownersOf,
  ownsField,
  unlabelled,
  type OwnerEntry,
} from '../support/owned-fields.ts';
import type { Answer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import {
  eachServedKind,
  servedKinds,
  type PatchOptions,
  type ServedKind,
} from '../support/served-kind.ts';
import { statusChange } from '../support/status-changes.ts';

// All kinds, one after the other.
const server = await sharedServer();
const kinds = await servedKinds(server, process.argv.slice(2));
/** The first file of each kind: those after it have the same least object. */
const firstFiles = await eachServedKind(server);
/**
 * `catalogue.test.ts` sends every row. That an apply comes to the same rules a part of them shows.
 */
const ROWS_APART = 4;

/** A manager that applies a document. */
function applies(
  kind: ServedKind,
  fieldManager: string,
  config: TestObject,
  options: PatchOptions = {},
): Promise<Answer> {
  return kind.patch(config, 'apply', config, { fieldManager, ...options });
}

/** The document with these labels. */
function labelled(kind: ServedKind, config: TestObject, labels: object): TestObject {
  const { name } = config.metadata;
  return kind.document(name, config, { metadata: { name, labels } });
}

/** An apply that makes the object, and is all that it is made of. */
async function checkCreation(t: Test, kind: ServedKind, config: TestObject): Promise<Answer> {
  const dry = await applies(kind, 'first', config, { dryRun: true });
  t.equal(dry.status, 201, dry.text.slice(0, 400));
  t.equal((await kind.read(config)).status, 404, 'a dry run makes nothing');
  const made = await applies(kind, 'first', config);
  t.equal(made.status, 201, made.text.slice(0, 400));
  t.strictSame(owners(made.json), ['first Apply']);
  t.equal(ownersOf(made.json)[0]?.apiVersion, kind.cases.apiVersion);
  checkOwned(t, made.json, 'made');
  const again = await applies(kind, 'first', config);
  t.equal(again.status, 200, again.text.slice(0, 400));
  checkSame(t, again, made, config, 'a second time it changes nothing');
  const yaml = await kind.patch(config, 'apply', stringify(config, { version: '1.1' }), {
    fieldManager: 'first',
  });
  checkSame(t, yaml, made, config, 'nor does it as YAML');
  const read = await kind.read(config);
  t.equal(read.text, yaml.text);
  return read;
}

/**
 * Applied again, a config changes nothing. Where the server made something else of it, the entry
 * has the time of the last attempt, as in the reference.
 */
function checkSame(t: Test, again: Answer, made: Answer, config: TestObject, what: string): void {
  if (isKept(config, made.json)) t.equal(again.text, made.text, what);
  else t.strictSame(timeless(again.json), timeless(made.json), what);
}

/** Whether an object has all members as they were sent, with nothing set inside of them. */
function isKept(config: TestObject, object: TestObject): boolean {
  return Object.entries(config).every(([name, value]) =>
    name === 'metadata' || name === 'spec'
      ? Object.entries(value as Change).every(([member, sent]) =>
          isDeepStrictEqual(sent, object[name]?.[member]),
        )
      : isDeepStrictEqual(value, object[name]),
  );
}

/** Without what tells that it was written. Slices count members that are sent and dropped, too. */
function timeless(object: TestObject): TestObject {
  const { resourceVersion: _version, ...metadata } = object.metadata;
  if (object.kind === 'EndpointSlice') delete metadata.generation;
  metadata.managedFields = ownersOf(object).map((entry) => ({ ...entry, time: '' }));
  return { ...object, metadata };
}

/** Others who say what is there already. */
async function checkOthers(t: Test, kind: ServedKind, made: TestObject): Promise<void> {
  const both = await applies(kind, 'second', asConfig(made));
  t.equal(both.status, 200, both.text.slice(0, 400));
  t.strictSame(owners(both.json), ['first Apply', 'second Apply'], 'who says the same owns it too');
  t.strictSame(unlabelled(both.json), unlabelled(made), 'and nothing changes');
  const [first] = ownersOf(made);
  t.strictSame(ownerOf(both.json, 'first', 'Apply'), first);
  const second = ownerOf(both.json, 'second', 'Apply');
  t.strictSame(missingFields(made, second?.fieldsV1 ?? {}), []);
  t.ok(ownsField(second, 'metadata', 'labels', 'made'));
  t.equal(
    ownsField(second, 'status'),
    made.status !== undefined && !kind.serves('status', 'get'),
    "a status that has its own endpoint is nobody else's",
  );
  if (made.immutable === true) return;

  const left = await applies(kind, 'second', labelled(kind, bare(made), { 'second-own': '1' }));
  t.equal(left.status, 200, left.text.slice(0, 400));
  t.strictSame(
    ownerOf(left.json, 'first', 'Apply'),
    first,
    'who gives up leaves the others theirs',
  );
  t.strictSame(ownerOf(left.json, 'second', 'Apply')?.fieldsV1, {
    'f:metadata': { 'f:labels': { 'f:second-own': {} } },
  });
}

/** A configuration of a name only. */
function bare({ apiVersion, kind, metadata: { name } }: TestObject): TestObject {
  return { apiVersion, kind, metadata: { name } };
}

async function checkConflicts(t: Test, kind: ServedKind): Promise<void> {
  const config = kind.minimal('contested', { metadata: { labels: { a: '1', b: '1' } } });
  const made = await applies(kind, 'first', config);
  t.equal(made.status, 201, made.text.slice(0, 400));
  const other = labelled(kind, bare(config), { a: '2', c: '2' });
  const refused = await applies(kind, 'second', other);
  const field = '.metadata.labels.a';
  expectFailure(t, refused, {
    code: 409,
    reason: 'Conflict',
    message: `Apply failed with 1 conflict: conflict with "first": ${field}`,
    details: {
      causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "first"', field }],
    },
  });
  t.equal((await kind.read(config)).text, made.text, 'and nothing is written');
  const forced = await applies(kind, 'second', other, { force: true });
  t.equal(forced.status, 200, forced.text.slice(0, 400));
  t.strictSame(forced.json.metadata.labels, { ...made.json.metadata.labels, a: '2', c: '2' });
  const loser = ownerOf(forced.json, 'first', 'Apply');
  t.notOk(ownsField(loser, 'metadata', 'labels', 'a'), 'it is taken from the first');
  t.ok(ownsField(loser, 'metadata', 'labels', 'b'), 'which keeps the others');

  const agreed = await applies(kind, 'second', labelled(kind, bare(config), { a: '2', b: '1' }));
  t.notOk(Object.hasOwn(agreed.json.metadata.labels, 'c'), 'what nobody says any more goes');
  const given = await applies(kind, 'second', labelled(kind, bare(config), { a: '2' }));
  t.equal(given.json.metadata.labels.b, '1', 'what another says too stays');
  const last = await applies(kind, 'first', {
    ...config,
    metadata: { name: config.metadata.name },
  });
  t.equal(last.status, 200, last.text.slice(0, 400));
  t.notOk(Object.hasOwn(last.json.metadata.labels, 'b'), 'until the last one gives it up');
  t.equal(last.json.metadata.labels.a, '2');
  await kind.remove(config);
}

/** Changes of the kind's own members that another manager insists on. */
async function checkRows(t: Test, kind: ServedKind): Promise<void> {
  const rows = kind.cases.updates?.filter(
    ([, first, change, causes]) =>
      causes.length === 0 && Object.keys(first).length === 0 && change['metadata'] === undefined,
  );
  for (const [index, [rule, , change]] of (rows ?? []).entries()) {
    const config = kind.minimal(`changed-${index}`, { metadata: { labels: { a: '1' } } });
    const made = await applies(kind, 'first', config);
    const { metadata } = bare(config);
    const changed = { ...kind.minimal('', change), metadata };
    const refused = await applies(kind, 'third', changed);
    const forced = await applies(kind, 'third', changed, { force: true });
    // It is laid over what there is, which some rules do not allow.
    if (forced.status === 200) {
      t.ok([200, 409].includes(refused.status), `${rule}: ${refused.text.slice(0, 300)}`);
      for (const cause of refused.json.details?.causes ?? []) {
        t.match(cause, { reason: 'FieldManagerConflict', message: 'conflict with "first"' }, rule);
      }
      const isOwner = ownerOf(forced.json, 'third', 'Apply') !== undefined;
      t.equal(version(forced.json) > version(made.json), isOwner, `${rule}: a new version`);
      checkOwned(t, forced.json, rule);
      const again = await applies(kind, 'third', changed);
      checkSame(t, again, forced, changed, `${rule}: no conflict is left`);
    } else t.equal(forced.status, 422, `${rule}: ${forced.text.slice(0, 300)}`);
    await kind.remove(config);
  }
}

const version = ({ metadata }: TestObject): number => Number(metadata.resourceVersion);

/** A manager that goes on in another version of the kind owns there what it owned. */
async function checkVersions(t: Test, kind: ServedKind): Promise<void> {
  const config = labelled(kind, kind.minimal('versions'), { a: '1' });
  const made = await kind.create(labelled(kind, config, { a: undefined }));
  t.equal(made.status, 201, made.text.slice(0, 400));
  const label = labelled(kind, bare(config), { a: '1' });
  const first = await applies(kind, 'mover', label);
  t.equal(first.status, 200, first.text.slice(0, 400));
  for (const apiVersion of kind.otherVersions) {
    const other = kind.inVersion(apiVersion);
    const moved = await applies(other, 'mover', { ...label, apiVersion });
    t.equal(moved.status, 200, moved.text.slice(0, 400));
    const applied = ownersOf(moved.json).filter(({ operation }) => operation === 'Apply');
    t.strictSame(
      applied.map(({ manager, apiVersion: version }) => [manager, version]),
      [['mover', apiVersion]],
      'one entry, in the version that was used last',
    );
    const again = await applies(other, 'mover', { ...label, apiVersion });
    t.equal(again.text, moved.text);
    const otherValue = labelled(other, { ...label, apiVersion }, { a: '2' });
    expectFailure(t, await applies(other, 'stranger', otherValue), { code: 409 });
  }
  const gone = await applies(kind, 'mover', bare(config));
  t.equal(gone.status, 200, gone.text.slice(0, 400));
  t.equal(gone.json.metadata.labels?.a, undefined, 'what it owned in another version it gives up');
  t.strictSame(
    owners(gone.json).filter((owner) => owner.startsWith('mover')),
    [],
  );
  await kind.remove(config);
}

/**
 * The whole object as another version shows it: that changes nothing, and conflicts with nobody.
 */
async function checkReadVersions(t: Test, kind: ServedKind, members: Change): Promise<void> {
  const config = labelled(kind, kind.document('shown', members), { made: '1' });
  const made = await applies(kind, 'mover', config);
  t.equal(made.status, 201, made.text.slice(0, 400));
  const both = await applies(kind, 'other', config);
  t.ok([200, 409].includes(both.status), both.text.slice(0, 400));
  const before = await kind.read(config);
  const stayer = ownerOf(before.json, 'other', 'Apply');
  for (const apiVersion of kind.otherVersions) {
    const other = kind.inVersion(apiVersion);
    // There the metric for the CPU is a member of its own, and comes back as the last one.
    if (apiVersion === 'autoscaling/v1' && made.json.spec.metrics?.length > 1) continue;
    const shown = await other.read(config);
    const moved = await applies(other, 'mover', asConfig(shown.json));
    t.equal(moved.status, 200, `${apiVersion}: ${moved.text.slice(0, 400)}`);
    t.strictSame(unlabelled(moved.json), unlabelled(shown.json), `${apiVersion}: as it was`);
    t.equal(ownerOf(moved.json, 'mover', 'Apply')?.apiVersion, apiVersion);
    t.strictSame(ownerOf(moved.json, 'other', 'Apply'), stayer, `${apiVersion}: others are, too`);
    checkOwned(t, moved.json, apiVersion);
    const again = await applies(other, 'mover', asConfig(shown.json));
    t.equal(again.text, moved.text, `${apiVersion}: a second time it changes nothing`);
  }
  const back = await applies(kind, 'mover', config);
  t.equal(back.status, 200, back.text.slice(0, 400));
  t.strictSame(unlabelled(back.json), unlabelled(before.json), 'and back');
  const [first] = ownersOf(made.json);
  t.strictSame(ownerOf(back.json, 'mover', 'Apply')?.fieldsV1, first?.fieldsV1);
  await kind.remove(config);
}

/** Turns an object that was read into a configuration of all of it. */
function asConfig(object: TestObject): TestObject {
  const { managedFields: _owners, resourceVersion: _version, ...metadata } = object.metadata;
  return { ...object, metadata };
}

for (const [name, kind] of kinds) {
  t.test(name, async (t) => {
    const isFirst = firstFiles.get(kind.name)?.cases === kind.cases;
    for (const [what, members] of [
      ...(isFirst ? ([['least', kind.cases.minimal]] as const) : []),
      ['fullest', kind.cases.full],
    ] as const) {
      await t.test(what, async (t) => {
        const config = kind.document(what, members, { metadata: { labels: { made: '1' } } });
        const made = await checkCreation(t, kind, config);
        await checkOthers(t, kind, made.json);
        await kind.remove(config);
      });
    }
    await t.test('conflicts', async (t) => {
      if (isFirst) await checkConflicts(t, kind);
      await checkRows(t, kind);
    });
    if (kind.otherVersions.length === 0) return;
    await t.test('other versions', async (t) => {
      await checkVersions(t, kind);
      await checkReadVersions(t, kind, kind.cases.minimal);
      await checkReadVersions(t, kind, kind.cases.full);
    });
  });
}

t.test('what cannot be created cannot be applied, for the same reasons', async (t) => {
  // Those that the server has made would be changed.
  await server.delete('/apis/scheduling.cluster.io/v1/priorityclasses');
  let same = 0;
  let untyped = 0;
  for (const [name, kind] of kinds) {
    for (const [at, [rule, change]] of kind.cases.invalid.entries()) {
      if (at % ROWS_APART > 0) continue;
      const document = kind.minimal('refused', change);
      // Such a one has no path.
      const path = document.metadata.name;
      if (typeof path !== 'string' || path.includes('/')) continue;
      const posted = await kind.create(document, '?dryRun=All');
      const applied = await applies(kind, 'first', document, { dryRun: true });
      if (applied.status === 500) {
        // An item without its key, or one twice; or a member that a create would drop.
        t.match(applied.json.message, /^failed to create typed patch object /, `${name}: ${rule}`);
        untyped += 1;
      } else if (document.metadata.namespace === undefined) {
        t.strictSame(refusal(applied), refusal(posted), `${name}: ${rule}`);
        same += 1;
      } else t.equal(applied.status, posted.status, `${name}: ${rule}`);
    }
  }
  t.ok(same > 20 * untyped, `${same} and ${untyped}`);
});

function refusal({ status, json }: Answer): TestObject {
  return { code: status, message: json.message, details: json.details };
}

for (const [name, kind] of kinds) {
  if (!kind.serves('status', 'patch') || kind.cases.statusUpdates === undefined) continue;
  t.test(`${name}: status`, async (t) => {
    const part = { subresource: 'status' };
    const config = { ...bare(kind.minimal('applied-status')), ...statusChange(kind) };
    const missing = await applies(kind, 'status-writer', config, part);
    expectFailure(t, missing, { code: 404, reason: 'NotFound' });
    const made = await kind.create(kind.minimal('applied-status'));
    const ignored = await applies(kind, 'status-writer', config);
    t.equal(ignored.text, made.text, 'it is not applied to the object');
    const written = await applies(kind, 'status-writer', config, part);
    t.equal(written.status, 200, written.text.slice(0, 400));
    t.match(written.json.status, config.status as object);
    t.strictSame(written.json.spec, made.json.spec);
    const owner = ownerOf(written.json, 'status-writer', 'Apply', 'status');
    t.strictSame(Object.keys(owner?.fieldsV1 ?? {}), ['f:status']);
    t.strictSame(missingFields(written.json, owner?.fieldsV1 ?? {}), []);
    t.strictSame(ownersOf(written.json).filter(isUpdate), ownersOf(made.json).filter(isUpdate));
    const again = await applies(kind, 'status-writer', config, part);
    checkSame(t, again, written, config, 'a second time it changes nothing');
    await kind.remove(made.json);
  });
}

const isUpdate = ({ operation }: OwnerEntry): boolean => operation === 'Update';

for (const [name, kind] of kinds) {
  if (!kind.serves('scale', 'patch')) continue;
  t.test(`${name}: scale`, async (t) => {
    const made = await applies(kind, 'first', kind.minimal('applied', { spec: { replicas: 2 } }));
    const part = { subresource: 'scale' };
    const scale = {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'applied' },
      spec: { replicas: 5 },
    };
    const refused = await applies(kind, 'scaler', scale, part);
    const message = 'Apply failed with 1 conflict: conflict with "first": .spec.replicas';
    expectFailure(t, refused, { code: 409, reason: 'Conflict', message });
    const forced = await applies(kind, 'scaler', scale, { ...part, force: true });
    t.match(forced.json, { kind: 'Scale', spec: { replicas: 5 } }, forced.text.slice(0, 300));
    const after = await kind.read(made.json);
    t.strictSame(after.json.spec, { ...made.json.spec, replicas: 5 });
    t.strictSame(owners(after.json), ['first Apply', 'scaler Apply scale']);
    const owner = ownerOf(after.json, 'scaler', 'Apply', 'scale');
    t.strictSame(owner?.fieldsV1, { 'f:spec': { 'f:replicas': {} } });
    t.equal(owner?.apiVersion, kind.cases.apiVersion);
    t.notOk(ownsField(ownerOf(after.json, 'first', 'Apply'), 'spec', 'replicas'));
    await applies(kind, 'scaler', scale, part);
    t.equal((await kind.read(made.json)).text, after.text, 'a second time it changes nothing');
    const wrong = { ...scale, apiVersion: kind.cases.apiVersion };
    const untimed = { ...scale, metadata: { ...scale.metadata, creationTimestamp: '' } };
    expectFailure(t, await applies(kind, 'scaler', untimed, part), { code: 500 });
    expectFailure(t, await applies(kind, 'scaler', wrong, part), { code: 400 });
    await kind.remove(made.json);
  });
}
