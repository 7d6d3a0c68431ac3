// Changes of a definition matter to stored objects, and to their writers.
import t from 'tap';
import {
  ANYTHING,
  customDefinition,
  definedVersion,
  DEFINITIONS,
  established,
  versionsOf,
} from '../support/custom-types.ts';
import { until } from '../support/owned-objects.ts';
import { sendPatch } from '../support/send-patch.ts';
import { sharedServer } from '../support/shared-server.ts';

const GROUP = 'changes.example.com';
const server = await sharedServer();

t.test('a write of what is there is none, unless it is stored otherwise then', async (t) => {
  const versions = (stored: string, more: object = {}) => versionsOf(['v1', 'v2'], stored, more);
  const definition = customDefinition(GROUP, 'Stored', versions('v1'));
  await established(server, definition);
  const collection = `/apis/${GROUP}/v1/namespaces/default/storeds`;
  const object = { apiVersion: `${GROUP}/v1`, kind: 'Stored', metadata: { name: 'a' }, size: 1 };
  const made = await server.post(collection, object);
  t.equal(made.status, 201, made.text);
  const put = async () => {
    const { json } = await server.get(`${collection}/a`);
    return (await server.put(`${collection}/a`, json)).json.metadata;
  };
  let changes = 0;
  const redefine = async (its: object[]): Promise<void> => {
    const path = `${DEFINITIONS}/${definition.metadata.name}`;
    const shortNames = [`s${changes++}`];
    const change = { spec: { versions: its, names: { shortNames } } };
    const changed = await sendPatch(server, path, 'merge', change);
    t.equal(changed.status, 200, changed.text);
    // Accepted names are told once the rest is served.
    await until(async () => {
      const { acceptedNames } = (await server.get(path)).json.status;
      return acceptedNames.shortNames?.[0] === shortNames[0];
    });
  };
  const { resourceVersion } = made.json.metadata;
  const size = { type: 'integer', description: 'how large' };
  const described = { ...ANYTHING, properties: { size } };
  const schema = { openAPIV3Schema: described };
  await redefine(versions('v1', { schema }));
  t.equal((await put()).resourceVersion, resourceVersion, 'a schema that takes it as it is');
  await redefine(versions('v2', { schema }));
  const anew = (await put()).resourceVersion;
  t.not(anew, resourceVersion, 'another stored version');
  t.equal((await put()).resourceVersion, anew, 'once');
  const defaulted = { ...described, properties: { size, color: { type: 'string', default: 'a' } } };
  await redefine(versions('v2', { schema: { openAPIV3Schema: defaulted } }));
  const read = await server.get(`${collection}/a`);
  t.equal(read.json.color, 'a', 'a default is shown before it is stored');
  t.equal(read.json.metadata.resourceVersion, anew);
  t.not((await put()).resourceVersion, anew, 'and is stored with the next write');
});

t.test('a scale that was asked for goes with the next change', async (t) => {
  const scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' };
  const scaled = definedVersion('v1', { storage: true, subresources: { scale } });
  const definition = customDefinition(GROUP, 'Scaled', [scaled]);
  await established(server, definition);
  const collection = `/apis/${GROUP}/v1/namespaces/default/scaleds`;
  const object = {
    apiVersion: `${GROUP}/v1`,
    kind: 'Scaled',
    metadata: { name: 'a' },
    spec: { size: 3 },
  };
  t.equal((await server.post(collection, object)).status, 201);
  t.equal((await server.get(`${collection}/a/scale`)).status, 200);
  const versions = [definedVersion('v1', { storage: true })];
  const path = `${DEFINITIONS}/${definition.metadata.name}`;
  const changed = await sendPatch(server, path, 'merge', { spec: { versions } });
  t.equal(changed.status, 200, changed.text);
  await until(async () => (await server.get(`${collection}/a/scale`)).status === 404);
  t.equal((await server.get(`${collection}/a`)).status, 200, 'all else is served');
});
