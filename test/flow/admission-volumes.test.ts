/** Volumes, claims and ingresses with what is on by default: plugins, and who holds volumes. */
import t from 'tap';
import { runRows } from '../support/admission-rows.ts';
import { until } from '../support/owned-objects.ts';
import { startServer } from '../support/server.ts';
import { VOLUME_ROWS } from '../support/volume-rows.ts';

const MERGE = { 'content-type': 'application/merge-patch+json' };
const CLAIMS = '/api/v1/namespaces/default/persistentvolumeclaims';
const PODS = '/api/v1/namespaces/default/pods';
const VOLUMES = '/api/v1/persistentvolumes';
const HELD = ['cluster.io/pvc-protection'];

const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };

t.test('what is on by default', async (t) => {
  const controllers = ['--controllers', 'pvc-protection,pv-protection'];
  const server = await startServer({
    test: t,
    args: [...controllers, '--disable-admission-plugins=ServiceAccount'],
  });
  const make = async (path: string, object: object): Promise<void> => {
    const { status, text } = await server.post(path, object);
    t.equal(status, 201, text);
  };
  const isGone = async (path: string): Promise<void> =>
    until(async () => (await server.get(path)).status === 404);
  const finalizers = async (path: string): Promise<unknown> =>
    (await server.get(path)).json.metadata.finalizers;
  const isHeld = async (path: string): Promise<void> =>
    until(async () => (await finalizers(path)) !== undefined);

  await t.test('classes and finalizers are set, and claims grow, as in the reference', (t) =>
    runRows(t, server, VOLUME_ROWS),
  );

  for (const name of ['used', 'waiting', 'free', 'p-cache']) {
    await make(CLAIMS, { metadata: { name }, spec });
    await isHeld(`${CLAIMS}/${name}`);
  }
  t.same(await finalizers(`${CLAIMS}/used`), HELD);
  const volume = (name: string) => ({ name, persistentVolumeClaim: { claimName: name } });
  const containers = [{ name: 'c', image: 'a' }];
  const pod = (name: string, volumes: object[], nodeName?: string) => ({
    metadata: { name },
    spec: { containers, volumes, ...(nodeName && { nodeName }) },
  });
  const cache = { name: 'cache', ephemeral: { volumeClaimTemplate: { spec } } };
  await make(PODS, pod('p', [volume('used'), cache], 'node'));
  await make(PODS, pod('q', [volume('waiting')]));

  t.test('a claim that no pod on a node uses goes', async (t) => {
    for (const name of ['free', 'waiting', 'p-cache']) {
      const { json } = await server.delete(`${CLAIMS}/${name}`);
      t.same(json.metadata.finalizers, HELD, 'it is held at first');
      t.type(json.metadata.deletionTimestamp, 'string');
      await isGone(`${CLAIMS}/${name}`);
    }
  });

  t.test('one that a pod uses goes with the pod', async (t) => {
    await server.delete(`${CLAIMS}/used`);
    await make(CLAIMS, { metadata: { name: 'later' }, spec });
    await isHeld(`${CLAIMS}/later`);
    await server.delete(`${CLAIMS}/later`);
    await isGone(`${CLAIMS}/later`);
    t.same(await finalizers(`${CLAIMS}/used`), HELD, 'still there');
    const { json } = await server.delete(`${PODS}/p?gracePeriodSeconds=0`);
    t.equal(json.kind, 'Pod');
    await isGone(`${CLAIMS}/used`);
  });

  t.test('a volume goes when it is not bound any more', async (t) => {
    const path = `${VOLUMES}/disk`;
    const members = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] };
    const source = { hostPath: { path: '/tmp/x' } };
    await make(VOLUMES, { metadata: { name: 'disk' }, spec: { ...members, ...source } });
    await isHeld(path);
    const phase = (phase: string): Promise<unknown> =>
      server.request('PATCH', `${path}/status`, { status: { phase } }, MERGE);
    await phase('Bound');
    await server.delete(path);
    t.same(await finalizers(path), ['cluster.io/pv-protection']);
    await phase('Released');
    await isGone(path);
  });

  t.test('what lost its finalizer gets it again', async () => {
    await make(CLAIMS, { metadata: { name: 'bare' }, spec });
    await isHeld(`${CLAIMS}/bare`);
    const patch = { metadata: { finalizers: null } };
    await server.request('PATCH', `${CLAIMS}/bare`, patch, MERGE);
    await isHeld(`${CLAIMS}/bare`);
  });
});
