/** Migrations of stored objects, which the server carries out by itself in the newest release. */
import t from 'tap';
import { customDefinition, definedVersion, established } from '../support/custom-types.ts';
import { until } from '../support/owned-objects.ts';
import { sharedServer } from '../support/shared-server.ts';

const server = await sharedServer('--release=1.37');
const MIGRATIONS = '/apis/storagemigration.cluster.io/v1/storageversionmigrations';
const DEFINITIONS = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';
const MERGE = { 'content-type': 'application/merge-patch+json' };

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

async function migrate(name: string, resource: object): Promise<void> {
  const { status } = await server.post(MIGRATIONS, { metadata: { name }, spec: { resource } });
  t.equal(status, 201, name);
}

/** Gives the state of one that has ended and runs no more. */
async function outcome(name: string) {
  let told: Record<string, string> = {};
  await until(async () => {
    const { conditions = [] } = (await server.get(`${MIGRATIONS}/${name}`)).json.status;
    told = Object.fromEntries(
      (conditions as Condition[]).map(({ type, status, reason, message }) => {
        return [type, `${status} ${reason}: ${message}`];
      }),
    );
    return told['Running']?.startsWith('False') === true;
  });
  return told;
}

t.test('objects move to the version that a definition stores now', async (t) => {
  const versions = (stored: string) =>
    ['v1', 'v1beta1'].map((name) => definedVersion(name, { storage: name === stored }));
  const definition = customDefinition('shop.test', 'Site', versions('v1beta1'));
  await established(server, definition);
  const sites = '/apis/shop.test/v1/namespaces/default/sites';
  for (const name of ['a', 'b']) {
    await server.post(sites, { apiVersion: 'shop.test/v1', kind: 'Site', metadata: { name } });
  }
  const { name } = definition.metadata;
  const patch = JSON.stringify({ spec: { versions: versions('v1') } });
  t.equal((await server.request('PATCH', `${DEFINITIONS}/${name}`, patch, MERGE)).status, 200);
  const { json: before } = await server.get(`${sites}/a`);
  const stored = async () => (await server.get(`${DEFINITIONS}/${name}`)).json.status;
  t.same((await stored()).storedVersions, ['v1beta1', 'v1']);

  await migrate('sites', { group: 'shop.test', resource: 'sites' });
  t.same(await outcome('sites'), {
    Running: 'False MigrationCompleted: Migration completed',
    Succeeded: 'True StorageVersionMigrationSucceeded: Migration completed',
  });
  const { json: after } = await server.get(`${sites}/a`);
  t.not(after.metadata.resourceVersion, before.metadata.resourceVersion, 'it was written');
  t.same(after.metadata.managedFields, before.metadata.managedFields, 'and is nobody else’s');
  const { storedVersions, conditions } = await stored();
  t.same(storedVersions, ['v1'], 'the old version is forgotten');
  const told = (conditions as Condition[]).find(({ type }) => type === 'StorageMigrating');
  t.match(told, {
    status: 'False',
    reason: 'MigrationSucceeded',
    message: 'The migration has succeeded and the stored versions have been updated',
  });

  await migrate('again', { group: 'shop.test', resource: 'sites' });
  await outcome('again');
  const { json: same } = await server.get(`${sites}/a`);
  t.equal(same.metadata.resourceVersion, after.metadata.resourceVersion, 'nothing to move');
});

t.test('of a built-in resource as well, one migration after the other', async (t) => {
  await migrate('first', { resource: 'configmaps' });
  await migrate('second', { resource: 'configmaps' });
  for (const name of ['first', 'second']) {
    t.match(await outcome(name), { Succeeded: /^True / });
    const { json } = await server.get(`${MIGRATIONS}/${name}`);
    t.match(json.status.resourceVersion, /^[1-9]\d*$/);
  }
});

t.test('a resource that there is not is waited for', async (t) => {
  await migrate('late', { group: 'late.test', resource: 'things' });
  const running = async () => {
    const { conditions = [] } = (await server.get(`${MIGRATIONS}/late`)).json.status;
    return (conditions as Condition[]).some(
      ({ type, status }) => type === 'Running' && status === 'True',
    );
  };
  await until(running);
  t.notMatch((await server.get(`${MIGRATIONS}/late`)).json.status, { resourceVersion: String });
  const definition = customDefinition('late.test', 'Thing', [definedVersion('v1')]);
  await established(server, definition);
  t.match(await outcome('late'), { Succeeded: /^True / });
});
