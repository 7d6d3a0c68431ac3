import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Test } from 'tap';
import type { EtcdDouble } from '../support/etcd/double/etcd-double.ts';
import { StatusError, TIMED_OUT } from '../support/etcd/double/status-error.ts';
import { startDouble } from '../support/etcd/start-double.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { connectRaw } from '../support/raw-exchange.ts';
import { startServer, type Server } from '../support/server.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

function startOne(t: Test, etcd: EtcdDouble, leaseTtl = '2s'): Promise<Server> {
  const shared = ['--store', 'etcd', '--etcd-servers', etcd.url, '--etcd-lease-ttl', leaseTtl];
  return startServer({ test: t, args: shared });
}

async function eventually<T>(ask: () => Promise<T | undefined>, what: string): Promise<T> {
  const untilMs = performance.now() + PATIENCE_MS;
  while (performance.now() < untilMs) {
    const found = await ask();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`waited in vain for ${what}`);
}

/** Creates it, however often it has to be tried. */
function created(server: Server, name: string): Promise<true> {
  return eventually(async () => {
    const { status } = await server.post(CONFIG_MAPS, { metadata: { name } });
    return status === 201 || status === 409 ? true : undefined;
  }, `the creation of ${name}`);
}

/** A write whose body is not whole until `end`, which gives the answer. */
function startSlowWrite(server: Server, name: string) {
  const socket = connectRaw(server);
  const body = JSON.stringify({ metadata: { name } });
  const head = [
    `POST ${CONFIG_MAPS} HTTP/1.1`,
    'Host: a',
    `Authorization: Bearer ${server.token}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  let answer = '';
  socket.on('data', (bytes) => (answer += bytes.toString('latin1')));
  const ended = new Promise<void>((resolve) => {
    socket.on('error', () => undefined).on('close', () => resolve());
  });
  return {
    begun: new Promise((resolve) => {
      socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 5)}`, resolve);
    }),
    async end(): Promise<string> {
      socket.write(body.slice(5));
      await ended;
      return answer;
    },
  };
}

async function rolesOf(server: Server): Promise<string[]> {
  const { json } = await server.get('/shardplane/servers');
  return (json.items as { role: string }[]).map(({ role }) => role).sort();
}

t.test('several servers on one etcd', async (t) => {
  const etcd = await startDouble(t);
  const owner = await startOne(t, etcd);
  const [first, second] = await Promise.all([startOne(t, etcd), startOne(t, etcd)]);
  const servers = { owner, first, second };
  await t.test('are one to their clients', (t) => testOneToClients(t, servers));
  await t.test('take the place of each other', (t) => testTakeovers(t, servers));
});

interface Servers {
  readonly owner: Server;
  readonly first: Server;
  readonly second: Server;
}

async function testOneToClients(t: Test, { owner, first, second }: Servers): Promise<void> {
  t.test('all have the same token, and say who owns the types', async (t) => {
    t.same([first.token, second.token], [owner.token, owner.token]);
    for (const server of [owner, first, second]) {
      t.same(await rolesOf(server), ['follower', 'follower', 'owner']);
    }
    const { json } = await first.get('/shardplane/servers');
    const own = json.items.filter(({ self }: { self: boolean }) => self);
    t.match(own, [{ id: String, address: /^127\.0\.0\.1:\d+$/, role: 'follower', self: true }]);
  });

  t.test('a write through one is there for the next request to any', async (t) => {
    const servers = [owner, first, second];
    for (let at = 0; at < 9; at++) {
      const name = `hop-${at}`;
      const made = await servers[at % 3]?.post(CONFIG_MAPS, { metadata: { name } });
      t.equal(made?.status, 201);
      const read = await servers[(at + 1) % 3]?.get(`${CONFIG_MAPS}/${name}`);
      t.equal(read?.status, 200);
      const list = await servers[(at + 2) % 3]?.get(CONFIG_MAPS);
      t.ok(list?.text.includes(`"${name}"`), `the list has ${name}`);
      const { resourceVersion } = list?.json.metadata ?? {};
      t.ok(Number(resourceVersion) >= Number(made?.json.metadata.resourceVersion));
      const notOlder = `${CONFIG_MAPS}?resourceVersion=${resourceVersion}`;
      t.equal((await servers[at % 3]?.get(notOlder))?.status, 200);
    }
  });

  t.test('metrics say whose the types are, and what is passed on', async (t) => {
    const value = async (server: Server, line: string): Promise<number> => {
      const { text } = await server.get('/metrics');
      const found = text.split('\n').find((one) => one.startsWith(`${line} `));
      return Number(found?.slice(line.length + 1));
    };
    t.same(
      await Promise.all([owner, first, second].map((server) => value(server, 'shardplane_owner'))),
      [1, 0, 0],
    );
    t.ok((await value(owner, 'shardplane_journal_transaction_writes_count')) > 9);
    const passed = 'shardplane_passed_writes_total{resource="configmaps"}';
    await eventually(
      async () => ((await value(first, passed)) === 3 ? true : undefined),
      'the count of writes that were passed on',
    );
    t.ok(Number.isNaN(await value(owner, passed)), 'the owner passes nothing on');
    await eventually(async () => {
      const { json } = await second.get('/shardplane/servers');
      const revisions = (json.items as { revision: number }[]).map(({ revision }) => revision);
      return revisions.every((revision) => revision > 0) ? true : undefined;
    }, 'the revisions of all servers');
    await eventually(
      async () => ((await value(first, 'shardplane_view_revision')) > 0 ? true : undefined),
      'the revision of the view',
    );
  });

  t.test('refusals are those of one server', async (t) => {
    const twice = await first.post(CONFIG_MAPS, { metadata: { name: 'hop-0' } });
    t.match(twice, { status: 409, json: { reason: 'AlreadyExists' } });
    const bad = await first.post(CONFIG_MAPS, { metadata: { name: 'NO' } });
    t.match(bad, { status: 422, json: { reason: 'Invalid' } });
    const future = await second.get(`${CONFIG_MAPS}?resourceVersion=99999999999`);
    t.match(future, { status: 504, json: { reason: 'Timeout' } });
  });

  t.test('a type that is defined through one is served by all', async (t) => {
    const definition = {
      apiVersion: 'apiextensions.cluster.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'widgets', singular: 'widget', kind: 'Widget' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object' } },
          },
        ],
      },
    };
    const path = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';
    t.equal((await second.post(path, definition)).status, 201);
    const widgets = '/apis/example.com/v1/namespaces/default/widgets';
    for (const [at, server] of [owner, first, second].entries()) {
      const widget = {
        apiVersion: 'example.com/v1',
        kind: 'Widget',
        metadata: { name: `w${at}` },
      };
      await eventually(async () => {
        const { status } = await server.post(widgets, widget);
        return status === 201 ? true : undefined;
      }, 'the type');
    }
    t.equal((await first.get(widgets)).json.items.length, 3);
  });
}

async function testTakeovers(t: Test, { owner, first, second }: Servers): Promise<void> {
  t.test('watches of the others stay open when the owner is killed', async (t) => {
    const { json } = await first.get(CONFIG_MAPS);
    const from = json.metadata.resourceVersion as string;
    const watches = await Promise.all(
      [first, second].map((server) =>
        server.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=${from}`),
      ),
    );
    await created(first, 'before');
    await owner.kill();
    await created(second, 'after');
    await created(first, 'last');
    for (const watch of watches) {
      const names: string[] = [];
      while (names.at(-1) !== 'last') {
        const event = await watch.next();
        if (event === undefined) break;
        names.push(event.object.metadata.name as string);
      }
      t.same(names, ['before', 'after', 'last'], 'each is told once, in order');
      watch.close();
    }
    t.same(await rolesOf(first), ['follower', 'owner']);
  });

  t.test('one that comes back goes on from what is in etcd', async (t) => {
    await owner.restart();
    const { json } = await owner.get(CONFIG_MAPS);
    const names = (json.items as { metadata: { name: string } }[]).map((it) => it.metadata.name);
    t.ok(['before', 'after', 'last', 'hop-8'].every((name) => names.includes(name)));
    t.equal((await owner.post(CONFIG_MAPS, { metadata: { name: 'back' } })).status, 201);
    t.same(await rolesOf(owner), ['follower', 'follower', 'owner']);
  });

  t.test('one that was stopped goes on from what it had', async (t) => {
    const { json } = await owner.get(CONFIG_MAPS);
    const from = json.metadata.resourceVersion as string;
    await owner.stop();
    await created(second, 'meanwhile');
    await owner.restart();
    t.match(owner.stderr, /the view in \S+ goes on from revision \d+/);
    t.equal((await owner.get(`${CONFIG_MAPS}/meanwhile`)).status, 200);
    await created(owner, 'then');
    const watch = await owner.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=${from}`);
    for (const name of ['meanwhile', 'then']) {
      t.equal((await watch.next())?.object.metadata.name, name);
    }
    watch.close();
    await owner.stop();
    writeFileSync(join(owner.dataDirectory, 'view', 'store', 'data.mdb'), 'damaged');
    await owner.restart();
    t.match(owner.stderr, /the view is made anew/);
    t.equal((await owner.get(`${CONFIG_MAPS}/then`)).status, 200);
  });

  t.test('the owner resigns when it is asked to, and others do not', async (t) => {
    const roles = await Promise.all(
      [first, second].map(async (server) => {
        const { json } = await server.get('/shardplane/servers');
        const [own] = json.items.filter(({ self }: { self: boolean }) => self);
        return own.role as string;
      }),
    );
    const [resigning, other] = roles[0] === 'owner' ? [first, second] : [second, first];
    t.equal((await other.post('/shardplane/resign', '')).status, 503);
    const slow = startSlowWrite(resigning, 'slow');
    await slow.begun;
    t.equal((await resigning.post('/shardplane/resign', '')).status, 200);
    await created(other, 'resigned');
    t.match(await slow.end(), /^HTTP\/1.1 503 /, 'a request that is under way has its answer');
    await eventually(async () => {
      const answer = await resigning.get('/readyz').catch(() => undefined);
      return answer?.status === 200 ? true : undefined;
    }, 'the one that resigned');
    t.equal((await resigning.get(`${CONFIG_MAPS}/resigned`)).status, 200);
  });
}

t.test('without etcd writes are refused, and old reads go on', async (t) => {
  const etcd = await startDouble(t);
  // A lease of the double goes on to run while it is stopped.
  const server = await startOne(t, etcd, '120s');
  await created(server, 'a');
  etcd.stop();
  const write = await server.post(CONFIG_MAPS, { metadata: { name: 'b' } });
  t.match(write, { status: 503, headers: { 'retry-after': '1' } });
  t.ok(write.milliseconds < PATIENCE_MS);
  const old = await server.get(`${CONFIG_MAPS}?resourceVersion=0`);
  t.equal(old.status, 200);
  t.equal((await server.get('/readyz')).status, 500);
  await etcd.start();
  await created(server, 'b');
  t.equal((await server.get(`${CONFIG_MAPS}/a`)).status, 200);
  t.equal((await server.get('/readyz')).status, 200);
});

t.test('one that is asked to resign begins anew, though etcd does not hear of it', async (t) => {
  const etcd = await startDouble(t);
  const server = await startOne(t, etcd);
  for (let failure = 0; failure < 100; failure++) {
    etcd.failNext('LeaseRevoke', new StatusError(TIMED_OUT), { isDone: false });
  }
  t.equal((await server.post('/shardplane/resign', '')).status, 500);
  await eventually(
    async () => created(server, 'again').catch(() => undefined),
    'the server, which owns again when its lease is over',
  );
});

t.test('a server of another release, or with other names, is told which to take', async (t) => {
  const etcd = await startDouble(t);
  const first = await startOne(t, etcd);
  const shared = ['--store', 'etcd', '--etcd-servers', etcd.url];
  const args = [...shared, '--release', '1.30'];
  await t.rejects(startServer({ test: t, args }), {
    message: /behave like release 1\.23: give --release 1\.23/,
  });
  await first.stop();
  const alone = await startServer({ test: t, args });
  t.match(alone.stderr, /what is in etcd goes from release 1\.23 to 1\.30/);
});
