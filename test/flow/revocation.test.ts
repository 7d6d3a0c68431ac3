/**
 * Rights that are taken away, and given, while others ask: once a write is answered, no request on
 * any connection is decided by what was before.
 */
import t from 'tap';
import type { Test } from 'tap';
import { made } from '../support/cluster-objects.ts';
import { Connections } from '../support/connections.ts';
import { CONFIG_MAPS, configMap } from '../support/kinds.ts';
import { startServer } from '../support/server.ts';
import type { Server } from '../support/server.ts';

const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts';
const GROUP = 'rbac.authorization.cluster.io';
const RBAC = `/apis/${GROUP}/v1`;
const ROLES = `${RBAC}/namespaces/default/roles`;
const BINDINGS = `${RBAC}/namespaces/default/rolebindings`;
const CLUSTER_ROLES = `${RBAC}/clusterroles`;
const CLUSTER_BINDINGS = `${RBAC}/clusterrolebindings`;
const RULES = [{ verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['configmaps'] }];
const TARGET = `${CONFIG_MAPS}/target`;
const ROUNDS = 8;
const WATCHES = 6;

async function done(write: Promise<{ readonly status: number; readonly text: string }>) {
  const { status, text } = await write;
  if (status !== 200 && status !== 201) throw new Error(text);
}

async function tokenOf(server: Server, account: string): Promise<string> {
  return (await made(server, `${ACCOUNTS}/${account}/token`, {})).status.token;
}

const subjectOf = (name: string) => ({ kind: 'ServiceAccount', namespace: 'default', name });
const groupSubject = (name: string) => ({ kind: 'Group', apiGroup: GROUP, name });
const refTo = (kind: string, name: string) => ({ apiGroup: GROUP, kind, name });

interface Right {
  readonly what: string;
  /** Objects that stay. */
  readonly stays?: readonly [path: string, object: object][];
  readonly give: (server: Server) => Promise<void>;
  readonly take: (server: Server) => Promise<void>;
}

/** Makes and deletes an object. */
function comesAndGoes(path: string, name: string, object: object): Pick<Right, 'give' | 'take'> {
  return {
    give: (server) => done(server.post(path, { metadata: { name }, ...object })),
    take: (server) => done(server.delete(`${path}/${name}`)),
  };
}

/** Changes an object that is there with all its members or fewer. */
function changes(
  path: string,
  name: string,
  full: object,
  less: object,
): Pick<Right, 'give' | 'take' | 'stays'> {
  const put = (object: object) => (server: Server) =>
    done(server.put(`${path}/${name}`, { metadata: { name }, ...object }));
  return {
    stays: [[path, { metadata: { name }, ...less }]],
    give: put(full),
    take: put(less),
  };
}

function rightsOf(account: string): readonly Right[] {
  const subjects = [subjectOf(account)];
  const role: [string, object] = [ROLES, { metadata: { name: `${account}-role` }, rules: RULES }];
  const roleRef = refTo('Role', `${account}-role`);
  const roleless = { metadata: { name: `${account}-other` }, subjects };
  const other = refTo('Role', `${account}-other`);
  const changing = changes(ROLES, `${account}-other`, { rules: RULES }, { rules: [] });
  const ofChanging: [string, object] = [BINDINGS, { ...roleless, roleRef: other }];
  const subjectless = { roleRef, subjects: [] };
  return [
    {
      what: 'a binding',
      stays: [role],
      ...comesAndGoes(BINDINGS, `${account}-a`, { subjects, roleRef }),
    },
    {
      what: 'the subjects of a binding',
      ...changes(BINDINGS, `${account}-b`, { subjects, roleRef }, subjectless),
    },
    { what: 'the rules of a role', ...changing, stays: [...(changing.stays ?? []), ofChanging] },
    {
      what: 'a role',
      stays: [
        [
          BINDINGS,
          {
            metadata: { name: `${account}-c` },
            subjects,
            roleRef: refTo('ClusterRole', `${account}-gone`),
          },
        ],
      ],
      ...comesAndGoes(CLUSTER_ROLES, `${account}-gone`, { rules: RULES }),
    },
    {
      what: 'the binding of a group',
      stays: [[CLUSTER_ROLES, { metadata: { name: `${account}-all` }, rules: RULES }]],
      ...comesAndGoes(CLUSTER_BINDINGS, `${account}-all`, {
        subjects: [groupSubject('system:serviceaccounts:default')],
        roleRef: refTo('ClusterRole', `${account}-all`),
      }),
    },
  ];
}

/** Asks again and again; gives what was answered, once it is told to stop. */
function stream(test: Test, server: Server, token: string) {
  const connections = new Connections(test, server, 2);
  const statuses = new Set<number>();
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      for (const status of await connections.statusesOf(TARGET, token)) statuses.add(status);
    }
  })();
  return {
    stop: async (): Promise<number[]> => {
      isOver = true;
      await asking;
      return [...statuses].sort((one, other) => one - other);
    },
  };
}

for (const fronts of process.platform === 'linux' ? ['1', '2'] : ['1']) {
  t.test(`--fronts ${fronts}`, async (t) => {
    const args = ['--fronts', fronts, '--durability', 'relaxed'];
    const server = await startServer({ test: t, args });
    await made(server, CONFIG_MAPS, configMap('target'));
    await testRights(t, server);
    await testAccounts(t, server);
    await testWatches(t, server);
  });
}

async function testRights(t: Test, server: Server): Promise<void> {
  await made(server, ACCOUNTS, { metadata: { name: 'robot' } });
  const token = await tokenOf(server, 'robot');
  const connections = new Connections(t, server);
  const asked = stream(t, server, token);
  for (const { what, stays = [], give, take } of rightsOf('robot')) {
    for (const [path, object] of stays) await made(server, path, object);
    const wrong: string[] = [];
    const check = async (round: number, expected: number): Promise<void> => {
      const statuses = await connections.statusesOf(TARGET, token);
      if (statuses.join() !== String(expected)) wrong.push(`${round}: ${statuses.join()}`);
    };
    for (let round = 0; round < ROUNDS; round++) {
      await give(server);
      await check(round, 200);
      await take(server);
      await check(round, 403);
    }
    t.same(wrong, [], `${what} counts from the next request on, and no longer`);
  }
  t.same(await asked.stop(), [200, 403], 'who asks all the time is always answered');
}

async function testAccounts(t: Test, server: Server): Promise<void> {
  const connections = new Connections(t, server);
  let old = '';
  for (let round = 0; round < ROUNDS; round++) {
    await made(server, ACCOUNTS, { metadata: { name: 'fleeting' } });
    if (old !== '') t.same(await connections.statusesOf(TARGET, old), [401], 'another account');
    const token = await tokenOf(server, 'fleeting');
    t.same(await connections.statusesOf(TARGET, token), [403], 'somebody without rights');
    await done(server.delete(`${ACCOUNTS}/fleeting`));
    t.same(await connections.statusesOf(TARGET, token), [401], 'no account');
    old = token;
  }
}

/** Those that are open go on, as on the reference; no other begins. */
async function testWatches(t: Test, server: Server): Promise<void> {
  const [right] = rightsOf('watcher');
  if (right === undefined) throw new Error('no rights');
  await made(server, ACCOUNTS, { metadata: { name: 'watcher' } });
  for (const [path, object] of right.stays ?? []) await made(server, path, object);
  await right.give(server);
  const authorization = `Bearer ${await tokenOf(server, 'watcher')}`;
  const open = () =>
    Promise.all(
      Array.from({ length: WATCHES }, () =>
        server.watch(`${CONFIG_MAPS}?watch=true&fieldSelector=metadata.name!%3Dtarget`, {
          authorization,
        }),
      ),
    );
  const watches = await open();
  const expectSeen = async (name: string): Promise<void> => {
    await made(server, CONFIG_MAPS, configMap(name));
    for (const watch of watches) {
      t.match(await watch.next(), { type: 'ADDED', object: { metadata: { name } } });
    }
  };
  const expectRefused = async (status: number): Promise<void> => {
    for (const watch of await open()) {
      t.equal(watch.status, status);
      watch.close();
    }
  };
  await expectSeen('before');
  await right.take(server);
  await expectRefused(403);
  await expectSeen('without-a-right');
  await done(server.delete(`${ACCOUNTS}/watcher`));
  await expectRefused(401);
  await expectSeen('without-an-account');
  for (const watch of watches) watch.close();
}

t.end();
