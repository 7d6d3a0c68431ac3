/** Which groups of pods are used, pod by pod. */
import t from 'tap';
import type { Pod } from '#messages/core.v1';
import { GroupUsers } from '../../src/controllers/groups/group-users.ts';

function pod(name: string, podGroupName: string, phase = 'Running'): Pod {
  return {
    metadata: { name, namespace: 'a' },
    spec: { schedulingGroup: { podGroupName } },
    status: { phase },
  };
}

t.test('a group is used until its last pod has ended or is gone', async (t) => {
  const released: string[] = [];
  const users = new GroupUsers((namespace, name) => released.push(`${namespace}/${name}`));
  const isUsed = (name: string, namespace = 'a'): boolean =>
    users.isUsed({ metadata: { name, namespace } });
  t.notOk(isUsed('g'));
  users.put(pod('p', 'g', 'Pending'));
  users.put(pod('q', 'g'));
  users.put(pod('q', 'g'));
  users.put({ metadata: { name: 'alone', namespace: 'a' }, spec: {} });
  t.ok(isUsed('g'));
  t.notOk(isUsed('g', 'b'), 'that of another namespace');
  t.same(released, []);
  users.put(pod('p', 'g', 'Succeeded'));
  t.same(released, ['a/g']);
  t.ok(isUsed('g'), 'by the other');
  users.remove(pod('q', 'g'));
  t.same(released, ['a/g', 'a/g']);
  t.notOk(isUsed('g'));
  users.remove(pod('p', 'g'));
  t.same(released, ['a/g', 'a/g'], 'it was not one of its any more');
});
