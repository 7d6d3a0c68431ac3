/**
 * JSON, merge and strategic merge patches of every kind and of its subresources: what they change,
 * who owns it then, and what they refuse.
 */
import t, { type Test } from 'tap';
import { expectFailure } from '../support/expect-status.ts';
import type { TestObject } from '../support/kinds.ts';
import {
  missingFields,
  ownerOf,
  owners,
  ownersOf,
  ownsField,
  unlabelled,
} from '../support/owned-fields.ts';
import type { PatchType } from '../support/send-patch.ts';
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
const kinds = await eachServedKind(server);

const AGENT = 'creator/1.0 (test)';
const LABELLED = { metadata: { labels: { made: '1' } } };

async function made(t: Test, kind: ServedKind, name: string): Promise<TestObject> {
  const agent = { 'user-agent': AGENT };
  const answer = await server.post(kind.path, kind.minimal(name, LABELLED), agent);
  t.equal(answer.status, 201, answer.text.slice(0, 300));
  return (await kind.settled(answer)).json;
}

const version = ({ metadata }: TestObject): number => Number(metadata.resourceVersion);

/** A patch that sets the label with this name. */
const LABEL_PATCHES: readonly (readonly [PatchType, (name: string) => unknown, PatchOptions])[] = [
  [
    'json',
    (name) => [{ op: 'add', path: `/metadata/labels/${name}`, value: '1' }],
    { fieldManager: 'json-writer', agent: AGENT },
  ],
  [
    'merge',
    (name) => ({ metadata: { labels: { [name]: '1' } } }),
    { fieldManager: 'merge-writer' },
  ],
  [
    'strategic',
    (name) => ({ metadata: { labels: { [name]: '1' } } }),
    { agent: 'strategic-writer/1.23.9 (linux)' },
  ],
];

async function checkLabels(t: Test, kind: ServedKind): Promise<void> {
  const object = await made(t, kind, 'patched');
  for (const [type, bodyOf, options] of LABEL_PATCHES) {
    const label = `by-${type}`;
    const body = bodyOf(label);
    const before = await kind.read(object);
    const dry = await kind.patch(object, type, body, { ...options, dryRun: true });
    t.equal(dry.status, 200, `${type}: ${dry.text.slice(0, 300)}`);
    t.equal(dry.json.metadata.labels[label], '1', `${type}: a dry run shows the change`);
    t.equal((await kind.read(object)).text, before.text, `${type}: and leaves no trace`);

    const patched = await kind.patch(object, type, body, options);
    t.equal(patched.status, 200, `${type}: ${patched.text.slice(0, 300)}`);
    t.equal(patched.json.metadata.labels[label], '1', `${type}: the label is there`);
    t.strictSame(unlabelled(patched.json), unlabelled(before.json), `${type}: and nothing else`);
    t.ok(version(patched.json) > version(before.json), `${type}: a new version`);
    t.strictSame(ownersOf(dry.json).map(timeless), ownersOf(patched.json).map(timeless));
    t.strictSame(
      timeless(ownerOf(patched.json, `${type}-writer`, 'Update')),
      {
        manager: `${type}-writer`,
        operation: 'Update',
        apiVersion: kind.cases.apiVersion,
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:metadata': { 'f:labels': { [`f:${label}`]: {} } } },
      },
      `${type}: which the manager owns`,
    );
    const creator = ownerOf(patched.json, 'creator', 'Update');
    t.strictSame(creator, ownerOf(before.json, 'creator', 'Update'), `${type}: beside the others`);
    const again = await kind.patch(object, type, body, options);
    t.equal(again.text, patched.text, `${type}: a second time it changes nothing`);
  }
  const taken = await kind.patch(
    object,
    'merge',
    { metadata: { labels: { made: '2', 'by-json': null } } },
    { fieldManager: 'taker' },
  );
  t.notOk(ownsField(ownerOf(taken.json, 'creator', 'Update'), 'metadata', 'labels', 'made'));
  t.notOk(ownerOf(taken.json, 'json-writer', 'Update'), 'who owns nothing has no entry');
  t.ok(ownsField(ownerOf(taken.json, 'taker', 'Update'), 'metadata', 'labels', 'made'));
  await kind.remove(object);
}

function timeless(entry: object | undefined): object {
  const { time: _time, ...members } = { time: '', ...entry };
  return members;
}

async function checkMetadata(t: Test, kind: ServedKind): Promise<void> {
  const object = await made(t, kind, 'kept');
  const before = await kind.read(object);
  const { resourceVersion } = object.metadata;
  const merge = (metadata: object): Promise<Answer> =>
    kind.patch(object, 'merge', { metadata }, { fieldManager: 'other' });

  for (const [what, metadata, code] of [
    ['another name', { name: 'another' }, 400],
    ['no name', { name: null }, 400],
    ['another namespace', { namespace: 'another' }, kind.path.includes('/namespaces') ? 400 : 200],
    ['another uid', { uid: 'another' }, 422],
    ['a stale version', { resourceVersion: '1', labels: { made: '2' } }, 409],
    ['a finalizer without a domain', { finalizers: ['-'] }, 422],
  ] as const) {
    const { status, text } = await merge(metadata);
    t.equal(status, code, `${what}: ${text.slice(0, 300)}`);
  }
  for (const [what, metadata] of [
    ['nothing', {}],
    ['the time of its creation', { creationTimestamp: '2001-01-01T00:00:00Z' }],
    ['its generation', { generation: 99 }],
    ['owners: none', { managedFields: [] }],
    ['owners: null', { managedFields: null }],
    ['its version', { resourceVersion }],
  ] as const) {
    t.equal((await merge(metadata)).text, before.text, `${what}: kept`);
  }
  t.equal((await kind.read(object)).text, before.text, 'none of them wrote anything');

  const known = await merge({ resourceVersion, labels: { made: '3' } });
  t.equal(known.status, 200, `the right version: ${known.text.slice(0, 300)}`);
  t.equal(known.json.metadata.labels.made, '3');
  const reset = await merge({ managedFields: [{}] });
  t.equal(reset.status, 200, reset.text.slice(0, 300));
  t.equal(reset.json.metadata.managedFields, undefined, 'an empty entry resets the owners');
  t.ok(version(reset.json) > version(known.json), 'which is a write');
  const untracked = await merge({ labels: { made: '4' } });
  t.strictSame(owners(untracked.json), [], 'and nobody is written down again');
  await kind.remove(object);
}

async function checkMissing(t: Test, kind: ServedKind): Promise<void> {
  const missing = kind.minimal('missing');
  const message = `${kind.resource} ${JSON.stringify(missing.metadata.name)} not found`;
  for (const [type, bodyOf] of LABEL_PATCHES) {
    const answer = await kind.patch(missing, type, bodyOf('some'));
    expectFailure(t, answer, { code: 404, reason: 'NotFound', message });
  }
}

for (const [name, kind] of kinds) {
  t.test(`${name}: labels and what else its metadata has`, async (t) => {
    await checkLabels(t, kind);
    await checkMetadata(t, kind);
    await checkMissing(t, kind);
  });
}

/** A merge patch that does to a document what the change does: what is undefined goes. */
function asMergePatch(change: unknown): unknown {
  if (change === undefined) return null;
  if (typeof change !== 'object' || change === null || Array.isArray(change)) return change;
  const members = Object.entries(change);
  return Object.fromEntries(members.map(([name, value]) => [name, asMergePatch(value)]));
}

/** Operations that make one document of another. */
function asJsonPatch(before: TestObject, after: TestObject): object[] {
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  return [
    ...gone.map((name) => ({ op: 'remove', path: `/${name}` })),
    ...Object.entries(after).map(([name, value]) => ({ op: 'add', path: `/${name}`, value })),
  ];
}

/** An answer without the times of its owners. */
function outcome({ status, json }: Answer): TestObject {
  const { metadata = {}, ...members } = json;
  return { code: status, ...members, metadata: { ...metadata, managedFields: ownersIn(metadata) } };
}

const ownersIn = ({ managedFields }: TestObject): unknown =>
  managedFields?.map((entry: object) => timeless(entry));

/**
 * Patches that change what an update changes have its answer, whether it is valid or not. All of it
 * is a dry run, and leaves the object for the row after it.
 */
async function checkRows(t: Test, kind: ServedKind, subresource: string): Promise<void> {
  const { updates = [], statusUpdates = [] } = kind.cases;
  const part = { subresource, fieldManager: 'writer', dryRun: true };
  const rows = subresource === '' ? updates : statusUpdates;
  const begun = kind.rowObject();
  for (const [rule, first, change] of rows) {
    const object = await begun.of(first);
    const { name } = object.metadata;
    const after = kind.document(name, object, { metadata: { name } }, change);
    const path = `${kind.pathOf(object)}${subresource === '' ? '' : '/status'}`;
    const put = await server.put(`${path}?fieldManager=writer&dryRun=All`, after);
    // A null there would remove the member.
    if (!JSON.stringify(change).includes('null')) {
      const merged = await kind.patch(object, 'merge', asMergePatch(change), part);
      t.strictSame(outcome(merged), outcome(put), `${rule}: as a merge patch`);
    }
    const patched = await kind.patch(object, 'json', asJsonPatch(object, after), part);
    t.strictSame(outcome(patched), outcome(put), `${rule}: as a JSON patch`);
  }
  await begun.forget();
}

/**
 * Strategic patches know nothing of data of any sort, and cannot tell items of these lists apart:
 * two ports with one number, two constraints with one key.
 */
const NOT_STRATEGIC = ['apps/controllerrevision', 'core/pod-containers', 'core/pod-scheduling'];

for (const [name, kind] of await servedKinds(server)) {
  t.test(`${name}: what an update does a patch does too`, async (t) => {
    await checkRows(t, kind, '');
    await checkRows(t, kind, 'status');
  });

  t.test(`${name}: laid over itself, a full object stays as it is`, async (t) => {
    const made = await kind.create(kind.document('full', kind.cases.full));
    t.equal(made.status, 201, made.text.slice(0, 300));
    for (const version of [kind.cases.apiVersion, ...kind.otherVersions]) {
      // There the metric for the CPU is a member of its own, and comes back as the last one.
      if (version === 'autoscaling/v1' && made.json.spec.metrics?.length > 1) continue;
      const other = kind.inVersion(version);
      const before = await other.read(made.json);
      for (const type of ['merge', 'strategic'] as const) {
        if (type === 'strategic' && NOT_STRATEGIC.includes(name)) continue;
        const same = await other.patch(made.json, type, before.json);
        t.equal(same.text, before.text, `${type}, in ${version}`);
      }
      const operations = Object.entries(before.json).flatMap(([member, value]) => [
        { op: 'test', path: `/${member}`, value },
        { op: 'replace', path: `/${member}`, value },
      ]);
      const same = await other.patch(made.json, 'json', operations);
      t.equal(same.text, before.text, `json, in ${version}`);
    }
    await kind.remove(made.json);
  });
}

/** The endpoint of the status writes no labels of these. */
const STATUS_ONLY = [
  'APIService',
  'Deployment',
  'FlowSchema',
  'PriorityLevelConfiguration',
  'StorageVersion',
  'VolumeAttachment',
];

for (const [name, kind] of kinds) {
  if (!kind.serves('status', 'patch')) continue;
  t.test(`${name}: status`, async (t) => {
    const object = await made(t, kind, 'status-patched');
    const before = await kind.read(object);
    const { status } = statusChange(kind);
    const { full } = kind.cases;
    const writer = { fieldManager: 'status-writer' };
    const ignored = await kind.patch(object, 'merge', { status }, writer);
    t.equal(ignored.text, before.text, 'a patch of the object leaves the status alone');

    const body = { status, spec: full['spec'] };
    const part = { ...writer, subresource: 'status' };
    const written = await kind.patch(object, 'merge', body, part);
    t.equal(written.status, 200, written.text.slice(0, 300));
    t.match(written.json.status, status as object, 'the status is written');
    t.strictSame(written.json.spec, before.json.spec, 'and nothing else');
    t.equal(written.json.metadata.generation, before.json.metadata.generation);
    t.strictSame(owners(written.json), ['creator Update', 'status-writer Update status']);
    t.strictSame(ownersOf(written.json)[0], ownersOf(before.json)[0], 'others keep what they own');
    const owner = ownerOf(written.json, 'status-writer', 'Update', 'status');
    t.equal(owner?.apiVersion, kind.cases.apiVersion);
    t.strictSame(Object.keys(owner?.fieldsV1 ?? {}), ['f:status'], "the status is the writer's");
    t.strictSame(missingFields(written.json, owner?.fieldsV1 ?? {}), [], 'what there is of it');

    for (const type of ['merge', 'strategic'] as const) {
      const again = await kind.patch(object, type, { status }, part);
      t.equal(again.text, written.text, `${type}: a second time it changes nothing`);
    }
    const same = [{ op: 'replace', path: '/status', value: written.json.status }];
    t.equal((await kind.patch(object, 'json', same, part)).text, written.text, 'nor does this');
    const labels = { made: '2' };
    const labelled = await kind.patch(object, 'merge', { metadata: { labels } }, part);
    const labeller = ownerOf(labelled.json, 'status-writer', 'Update', 'status');
    const isWritable = !STATUS_ONLY.includes(kind.cases.kind);
    t.equal(labelled.json.metadata.labels.made, isWritable ? '2' : '1', 'labels, where they may');
    // Those of definitions nobody comes to own.
    const isOwned = isWritable && kind.cases.kind !== 'CustomResourceDefinition';
    t.equal(ownsField(labeller, 'metadata', 'labels', 'made'), isOwned);
    await kind.remove(object);
  });
}

for (const [name, kind] of kinds) {
  if (!kind.serves('scale', 'patch')) continue;
  t.test(`${name}: scale`, async (t) => {
    const object = await made(t, kind, 'scaled');
    const bodies: readonly (readonly [PatchType, (replicas: number) => unknown])[] = [
      ['merge', (replicas) => ({ spec: { replicas } })],
      ['strategic', (replicas) => ({ spec: { replicas } })],
      ['json', (value) => [{ op: 'replace', path: '/spec/replicas', value }]],
    ];
    for (const [at, [type, bodyOf]] of bodies.entries()) {
      const part = { subresource: 'scale', fieldManager: `${type}-scaler` };
      const before = (await kind.read(object)).json;
      const scaled = await kind.patch(object, type, bodyOf(at + 4), part);
      t.match(
        scaled.json,
        { kind: 'Scale', spec: { replicas: at + 4 } },
        scaled.text.slice(0, 300),
      );
      const after = await kind.read(object);
      t.strictSame(after.json.spec, { ...before.spec, replicas: at + 4 }, 'the object has it');
      t.strictSame(
        timeless(ownerOf(after.json, `${type}-scaler`, 'Update', 'scale')),
        {
          manager: `${type}-scaler`,
          operation: 'Update',
          apiVersion: kind.cases.apiVersion,
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:spec': { 'f:replicas': {} } },
          subresource: 'scale',
        },
        'and who scales owns it',
      );
      const others = ownersOf(after.json).filter((entry) => ownsField(entry, 'spec', 'replicas'));
      t.equal(others.length, 1, 'alone');
      await kind.patch(object, type, bodyOf(at + 4), part);
      t.equal((await kind.read(object)).text, after.text, 'a second time it changes nothing');
    }
    const bad = await kind.patch(
      object,
      'merge',
      { spec: { replicas: -1 } },
      { subresource: 'scale' },
    );
    expectFailure(t, bad, { code: 422, reason: 'Invalid' });
    await kind.remove(object);
  });
}

const CONDITION = { type: 'Approved', status: 'True', reason: 'Known', message: 'it is known' };
const CONTAINER = { name: 'look', image: 'example.com/look:1' };

/** Subresources that write a part: what of it a patch sets, and whether its writer owns that. */
const PARTS = [
  [
    'v1 Pod',
    'ephemeralcontainers',
    { spec: { ephemeralContainers: [CONTAINER], nodeName: 'n' } },
    ['spec', 'ephemeralContainers'],
    false,
  ],
  [
    'certificates.cluster.io/v1 CertificateSigningRequest',
    'approval',
    { status: { conditions: [CONDITION] } },
    ['status', 'conditions'],
    true,
  ],
] as const;

for (const [name, subresource, body, path, owns] of PARTS) {
  t.test(`${name}: ${subresource}`, async (t) => {
    const kind = kinds.get(name) as ServedKind;
    for (const type of ['merge', 'strategic'] as const) {
      const object = await made(t, kind, `part-${type}`);
      const part = { subresource, fieldManager: 'part-writer' };
      const written = await kind.patch(object, type, body, part);
      t.equal(written.status, 200, written.text.slice(0, 300));
      const [first, second] = path;
      t.match(written.json[first][second], body[first as keyof typeof body][second]);
      const owned = ownerOf(written.json, 'part-writer', 'Update', subresource)?.fieldsV1 ?? {};
      t.strictSame(Object.keys(owned), owns ? [`f:${first}`] : []);
      t.strictSame(Object.keys(owned[`f:${first}`] ?? {}), owns ? [`f:${second}`] : []);
      t.strictSame(missingFields(written.json, owned), []);
      const again = await kind.patch(object, type, body, part);
      t.equal(again.text, written.text, 'a second time it changes nothing');
      await kind.remove(object);
    }
  });
}
