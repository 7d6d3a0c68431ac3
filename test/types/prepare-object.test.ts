/**
 * Writes proposed and prepared by themselves, without a shard: time, uids and randomness come in,
 * so that the same request gives the same object every time.
 */
import t from 'tap';
import { CONFIG_MAP } from '../../src/resources/core/config-map.ts';
import { LIMIT_RANGE } from '../../src/resources/core/limit-range.ts';
import { DEPLOYMENT } from '../../src/resources/apps/deployment.ts';
import type { ApiObject, BuiltInKind } from '../../src/resources/kind.ts';
import { ownersOfNew, ownersOfUpdate } from '../../src/types/field-owners.ts';
import {
  prepareCreate,
  prepareUpdate,
  proposeCreate,
  proposeUpdate,
  type Track,
} from '../../src/types/prepare-object.ts';
import { knownRandomness } from '../support/known-randomness.ts';
import type { TestObject } from '../support/kinds.ts';
import { kindRuntime } from '../support/shard-under-test.ts';
import { merged } from '../resources/kind-rules.ts';

const TIME = '2024-01-01T00:00:00Z';
const LATER = '2024-01-02T00:00:00Z';

function decoded(definition: BuiltInKind, document: TestObject): ApiObject {
  const { stored } = kindRuntime(definition);
  return stored.codec.decode(JSON.stringify(document)).object as ApiObject;
}

function document(definition: BuiltInKind, object: ApiObject): TestObject {
  return JSON.parse(`{${kindRuntime(definition).stored.codec.encode(object)}`);
}

function writer(
  manager: string,
  time: string,
  subresource = '',
): Parameters<typeof ownersOfNew>[3] {
  return { manager, apiVersion: 'apps/v1', subresource, time };
}

/** The new object that a body becomes. */
function created(definition: BuiltInKind, body: TestObject, track?: Track): ApiObject {
  const kind = kindRuntime(definition);
  const random = knownRandomness();
  const object = decoded(definition, body);
  proposeCreate(kind, object, { track });
  prepareCreate(kind, object, { uid: random.uuid(), creationTimestamp: TIME, random });
  return object;
}

/** The object that a body becomes in the place of a stored one. */
function updated(
  definition: BuiltInKind,
  stored: ApiObject,
  body: TestObject,
  part = '',
  track?: Track,
): ApiObject {
  const kind = kindRuntime(definition);
  const object = proposeUpdate(kind, decoded(definition, body), stored, part, { track });
  prepareUpdate(kind, object, stored, part);
  return object;
}

const labels = { app: 'web' };
const MINIMAL = {
  metadata: { name: 'web' },
  spec: {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
};

const deployment = (change: TestObject = {}): TestObject => merged(MINIMAL, change);

t.test('the same request gives the same object', async (t) => {
  const body = {
    metadata: { generateName: 'job-', uid: 'mine', selfLink: '/x' },
    data: { a: '1' },
  };
  const made = document(CONFIG_MAP, created(CONFIG_MAP, body));
  t.same(made, {
    metadata: {
      name: 'job-bbbbb',
      generateName: 'job-',
      uid: '11111111-2222-3333-4444-000000000001',
      creationTimestamp: TIME,
    },
    data: { a: '1' },
  });
  t.same(document(CONFIG_MAP, created(CONFIG_MAP, body)), made);
  const { metadata } = created(LIMIT_RANGE, { metadata: {}, spec: { limits: [] } });
  t.equal(metadata.name, '11111111-2222-3333-4444-000000000002', 'a kind that is named by uids');
});

t.test('a new object has owners of what was sent and defaulted, and of nothing else', async (t) => {
  const track: Track = (object) =>
    ownersOfNew(kindRuntime(DEPLOYMENT), object, undefined, writer('ann', TIME));
  const made = document(
    DEPLOYMENT,
    created(DEPLOYMENT, deployment({ status: { replicas: 3 } }), track),
  );
  t.equal(made.status?.replicas, undefined, 'a status is not created');
  t.equal(made.metadata.generation, 1);
  const [entry] = made.metadata.managedFields;
  t.equal(made.metadata.managedFields.length, 1);
  t.match(entry, { manager: 'ann', operation: 'Update', time: TIME });
  t.ok(entry.fieldsV1['f:spec']['f:replicas'], 'a default is owned');
  t.equal(entry.fieldsV1['f:metadata']?.['f:uid'], undefined, 'a uid is not');
  t.equal(entry.fieldsV1['f:status'], undefined);
});

t.test('an update changes its part, and says what is new of it', async (t) => {
  const stored = created(DEPLOYMENT, deployment());
  const before = JSON.stringify(stored);
  const change = { spec: { replicas: 5 }, status: { replicas: 5 } };
  const whole = updated(DEPLOYMENT, stored, deployment(change));
  t.match(document(DEPLOYMENT, whole), { spec: { replicas: 5 }, metadata: { generation: 2 } });
  t.equal(document(DEPLOYMENT, whole).status?.replicas, undefined);
  const status = updated(DEPLOYMENT, stored, deployment(change), 'status');
  t.match(document(DEPLOYMENT, status), {
    spec: { replicas: 1 },
    status: { replicas: 5 },
    metadata: { generation: 1, uid: stored.metadata.uid, creationTimestamp: TIME },
  });
  t.equal(JSON.stringify(stored), before, 'the stored object stays as it is');
});

t.test('an update hands over what it changes, and leaves the rest to who has it', async (t) => {
  const kind = kindRuntime(DEPLOYMENT);
  const stored = created(DEPLOYMENT, deployment(), (object) =>
    ownersOfNew(kind, object, undefined, writer('ann', TIME)),
  );
  const same = updated(DEPLOYMENT, stored, deployment(), '', (object) =>
    ownersOfUpdate(kind, object, stored, undefined, writer('bob', LATER)),
  );
  t.same(document(DEPLOYMENT, same), document(DEPLOYMENT, stored), 'nothing changes');
  const scaled = updated(DEPLOYMENT, stored, deployment({ spec: { replicas: 5 } }), '', (object) =>
    ownersOfUpdate(kind, object, stored, undefined, writer('bob', LATER)),
  );
  const entries = document(DEPLOYMENT, scaled).metadata.managedFields as TestObject[];
  const fieldsOf = (name: string): TestObject =>
    entries.find(({ manager }) => manager === name)?.fieldsV1;
  t.same(fieldsOf('bob'), { 'f:spec': { 'f:replicas': {} } });
  t.equal(fieldsOf('ann')['f:spec']['f:replicas'], undefined);
  t.ok(fieldsOf('ann')['f:spec']['f:template']);
});

t.end();
