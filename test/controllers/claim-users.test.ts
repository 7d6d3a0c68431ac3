/** Which claims are used, pod by pod. */
import t from 'tap';
import type { Pod } from '#messages/core.v1';
import { ClaimUsers } from '../../src/controllers/volumes/claim-users.ts';

const claimVolume = (claimName: string) => ({ name: 'v', persistentVolumeClaim: { claimName } });
const CACHE = { name: 'cache', ephemeral: {} };

function pod(name: string, volumes: object[], nodeName = 'node', members: object = {}): Pod {
  const metadata = { name, namespace: 'a', uid: `uid-of-${name}`, ...members };
  return { metadata, spec: { nodeName, volumes } };
}

function claim(name: string, owner = '', namespace = 'a') {
  const ownerReferences = [
    { apiVersion: 'v1', kind: 'Pod', name: 'x', uid: 'other', controller: false },
    { apiVersion: 'v1', kind: 'Pod', name: 'x', uid: owner, controller: true },
  ];
  return { metadata: { name, namespace, ...(owner && { ownerReferences }) } };
}

function newUsers() {
  const released: string[] = [];
  const users = new ClaimUsers((namespace, name) => released.push(`${namespace}/${name}`));
  return { users, released };
}

t.test('a pod on a node uses its claims until it is gone', async (t) => {
  const { users, released } = newUsers();
  users.put(pod('p', [claimVolume('data'), { name: 'e', emptyDir: {} }], ''));
  t.notOk(users.isUsed(claim('data')), 'it is on no node');
  users.put(pod('p', [claimVolume('data')]));
  users.put(pod('q', [claimVolume('data'), claimVolume('more')]));
  t.ok(users.isUsed(claim('data')));
  t.notOk(users.isUsed(claim('data', '', 'b')), 'that of another namespace');
  t.notOk(users.isUsed(claim('rest')));
  users.remove(pod('p', []));
  t.same(released, ['a/data']);
  t.ok(users.isUsed(claim('data')), 'by the other');
  const done = { deletionTimestamp: 'now', deletionGracePeriodSeconds: 0 };
  users.put(pod('q', [claimVolume('more')], 'node', done));
  t.same(released.slice(1), ['a/data', 'a/more'], 'each that it had is to be looked at');
  t.notOk(users.isUsed(claim('data')));
  t.ok(users.isUsed(claim('more')));
  users.remove(pod('q', []));
  t.notOk(users.isUsed(claim('more')));
});

t.test('what was made for a pod is used by it alone, until it is done', async (t) => {
  const { users, released } = newUsers();
  users.put(pod('p', [CACHE]));
  t.ok(users.isUsed(claim('p-cache', 'uid-of-p')));
  t.notOk(users.isUsed(claim('p-cache', 'uid-of-another')));
  t.notOk(users.isUsed(claim('p-cache')));
  const ending = { deletionTimestamp: 'now', deletionGracePeriodSeconds: 30 };
  users.put(pod('p', [CACHE], 'node', ending));
  t.ok(users.isUsed(claim('p-cache', 'uid-of-p')), 'it may still run');
  users.put(pod('p', [CACHE], 'node', { ...ending, deletionGracePeriodSeconds: 0 }));
  t.notOk(users.isUsed(claim('p-cache', 'uid-of-p')), 'others hold it');
  t.same(released, ['a/p-cache', 'a/p-cache']);
});
