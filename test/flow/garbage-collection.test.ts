/** Objects whose owners are deleted are collected. */
import t from 'tap';
import { Garden } from '../support/owned-objects.ts';
import { inParallel } from '../support/many-kinds.ts';
import { sendPatch } from '../support/send-patch.ts';

const garden = await Garden.start(t);

/** Each case has a namespace of its own, and says exactly what remains in it. */
t.test('a chain of three levels goes with its first object', async (t) => {
  const { plant, owns, remains, remove } = await garden.bed('chain');
  const root = await plant('configmaps/root');
  const middle = await plant('secrets/middle', [owns(root)]);
  const twin = await plant('configmaps/twin', [owns(root)]);
  await plant('leases/leaf', [owns(middle)]);
  await plant('configmaps/leaf', [owns(twin)]);
  await plant('configmaps/bystander');
  t.equal((await remove('configmaps/root')).status, 200);
  t.same(await remains(['configmaps/bystander']), ['configmaps/bystander']);
});

t.test('an object stays while one of its owners does, and only that is left named', async (t) => {
  const { plant, owns, remains, remove, look, until } = await garden.bed('shared');
  const one = await plant('configmaps/one');
  const two = await plant('secrets/two');
  await plant('configmaps/shared', [owns(one), owns(two)]);
  await remove('configmaps/one');
  await until(async () => (await look('configmaps/shared')).ownerReferences.length === 1);
  t.match((await look('configmaps/shared')).ownerReferences, [{ name: 'two' }]);
  t.same(await remains(['configmaps/shared', 'secrets/two']), ['configmaps/shared', 'secrets/two']);
  await remove('secrets/two');
  t.same(await remains([]), []);
});

t.test('rings go in the background, in the foreground and with whoever hangs on', async (t) => {
  for (const propagationPolicy of ['Background', 'Foreground'] as const) {
    const bed = await garden.bed(`ring-${propagationPolicy.toLowerCase()}`);
    const { plant, owns, remains, remove, own } = bed;
    const first = await plant('configmaps/first');
    const second = await plant('secrets/second', [owns(first, true)]);
    const third = await plant('configmaps/third', [owns(second, true)]);
    await own('configmaps/first', [owns(third, true)]);
    await plant('leases/hanger-on', [owns(third, true)]);
    t.equal((await remove('configmaps/first', { propagationPolicy })).status, 200);
    t.same(await remains([]), [], propagationPolicy);
  }
});

t.test('an object that owns itself goes in the foreground', async (t) => {
  const { plant, owns, remains, remove, own } = await garden.bed('self');
  const self = await plant('configmaps/self');
  await own('configmaps/self', [owns(self, true)]);
  await remove('configmaps/self', { propagationPolicy: 'Foreground' });
  t.same(await remains([]), []);
});

t.test('orphans stay, without the reference, and can be deleted on their own', async (t) => {
  const { plant, owns, remains, remove, look } = await garden.bed('orphan');
  const owner = await plant('configmaps/owner');
  const other = await plant('configmaps/other');
  const left = await plant('secrets/left', [owns(owner, true)]);
  await plant('leases/left', [owns(other), owns(owner)]);
  await plant('configmaps/below', [owns(left)]);
  await remove('configmaps/owner', { propagationPolicy: 'Orphan' });
  const rest = ['configmaps/below', 'configmaps/other', 'leases/left', 'secrets/left'];
  t.same(await remains(rest), rest);
  t.equal((await look('secrets/left')).ownerReferences, undefined);
  t.match((await look('leases/left')).ownerReferences, [{ name: 'other' }]);
  t.match((await look('configmaps/below')).ownerReferences, [{ name: 'left' }]);
  await remove('secrets/left');
  t.same(await remains(['configmaps/other', 'leases/left']), ['configmaps/other', 'leases/left']);
});

t.test('a collector that comes second finds the reference gone', async (t) => {
  const { plant, owns, look, path, server } = await garden.bed('second');
  const owner = await plant('configmaps/owner');
  const { metadata } = await plant('secrets/left', [owns(owner)]);
  // This is how the public garbage collector makes an orphan, and tries again until it is one.
  const ownerReferences = [{ $patch: 'delete', uid: owner.metadata.uid }];
  const patch = { metadata: { uid: metadata.uid, ownerReferences } };
  const versions: string[] = [];
  for (const collector of ['first', 'second']) {
    const answer = await sendPatch(server, `${path('secrets')}/left`, 'strategic', patch);
    t.equal(answer.status, 200, collector);
    versions.push((await look('secrets/left')).resourceVersion);
  }
  t.equal((await look('secrets/left')).ownerReferences, undefined);
  t.equal(versions[1], versions[0], 'nothing was written');
});

t.test('in the foreground the owner waits for those that block it', async (t) => {
  const { plant, owns, remains, remove, look, release } = await garden.bed('foreground');
  const owner = await plant('configmaps/owner');
  const held = { finalizers: ['example.com/hold'] };
  await plant('secrets/blocking', [owns(owner, true)], held);
  await plant('secrets/free', [owns(owner, false)]);
  await plant('leases/blocking', [owns(owner, true)]);
  const marked = await remove('configmaps/owner', { propagationPolicy: 'Foreground' });
  t.equal(marked.status, 200);
  t.same(marked.json.metadata.finalizers, ['foregroundDeletion']);
  const waiting = ['configmaps/owner', 'secrets/blocking'];
  t.same(await remains(waiting), waiting);
  t.ok((await look('secrets/blocking')).deletionTimestamp, 'it is being deleted');
  await release('secrets/blocking');
  t.same(await remains([]), []);
});

t.test('dependents that do not block are deleted without being waited for', async (t) => {
  const { plant, owns, remains, remove, look, release } = await garden.bed('unblocked');
  const owner = await plant('configmaps/owner');
  await plant('secrets/free', [owns(owner, false)], { finalizers: ['example.com/hold'] });
  await remove('configmaps/owner', { propagationPolicy: 'Foreground' });
  t.same(await remains(['secrets/free']), ['secrets/free']);
  t.ok((await look('secrets/free')).deletionTimestamp);
  await release('secrets/free');
  t.same(await remains([]), []);
});

t.test('a dependent that lets go of its owner is not waited for', async (t) => {
  const { plant, owns, remains, remove, own, until, look } = await garden.bed('lets-go');
  const owner = await plant('configmaps/owner');
  const held = { finalizers: ['example.com/hold'] };
  await plant('secrets/leaves', [owns(owner, true)], held);
  await plant('secrets/unblocks', [owns(owner, true)], held);
  await remove('configmaps/owner', { propagationPolicy: 'Foreground' });
  await until(async () => (await look('secrets/leaves')).deletionTimestamp !== undefined);
  await until(async () => (await look('secrets/unblocks')).deletionTimestamp !== undefined);
  await own('secrets/leaves', []);
  await own('secrets/unblocks', [owns(owner, false)]);
  const rest = ['secrets/leaves', 'secrets/unblocks'];
  t.same(await remains(rest), rest);
});

t.test('in the foreground a tree goes from its leaves', async (t) => {
  const { plant, owns, remains, remove, server, path } = await garden.bed('leaves-first');
  const root = await plant('configmaps/root');
  const branch = await plant('configmaps/branch', [owns(root, true)]);
  await plant('configmaps/leaf', [owns(branch, true)]);
  const watch = await server.watch(`${path('configmaps')}?watch=true`);
  await watch.take(3);
  await remove('configmaps/root', { propagationPolicy: 'Foreground' });
  t.same(await remains([]), []);
  const gone: string[] = [];
  while (gone.length < 3) {
    const event = await watch.next();
    if (event?.type === 'DELETED') gone.push(event.object.metadata.name);
  }
  t.same(gone, ['leaf', 'branch', 'root']);
  watch.close();
});

t.test('owners that are not there, or not those, are no owners', async (t) => {
  const { plant, owns, remains } = await garden.bed('absent');
  const elsewhere = await garden.bed('elsewhere');
  const foreign = await elsewhere.plant('configmaps/foreign');
  const there = await plant('configmaps/there');
  const absent = { ...owns(there), name: 'nobody', uid: '00000000-0000-0000-0000-000000000000' };
  await plant('secrets/of-nobody', [absent]);
  await plant('secrets/of-other-uid', [{ ...owns(there), uid: absent.uid }]);
  await plant('secrets/of-other-name', [{ ...owns(there), name: 'nobody' }]);
  await plant('secrets/of-other-namespace', [owns(foreign)]);
  await plant('secrets/of-both', [absent, owns(there)]);
  await plant('secrets/of-unknown-kind', [{ ...absent, kind: 'Nonsense' }]);
  await plant('secrets/of-unknown-version', [{ ...absent, apiVersion: 'v7' }]);
  const rest = [
    'configmaps/there',
    'secrets/of-both',
    'secrets/of-unknown-kind',
    'secrets/of-unknown-version',
  ];
  t.same(await remains(rest), rest);
  t.same(await elsewhere.remains(['configmaps/foreign']), ['configmaps/foreign']);
});

t.test('objects without a namespace have owners without one', async (t) => {
  const { server, owns, plant, remove, until } = await garden.bed('scopes');
  const classes = '/apis/storage.cluster.io/v1/storageclasses';
  const add = async (name: string, ownerReferences: object[]) => {
    const metadata = { name, ownerReferences };
    const answer = await server.post(classes, { metadata, provisioner: 'csi.example.com' });
    t.equal(answer.status, 201, answer.text.slice(0, 200));
    return answer.json;
  };
  const names = async (): Promise<string[]> =>
    (await server.get(classes)).json.items.map((item: any) => item.metadata.name);
  const owner = await add('scopes-owner', []);
  const reference = { ...owns(owner), apiVersion: 'storage.cluster.io/v1', kind: 'StorageClass' };
  await add('scopes-dependent', [reference]);
  await plant('configmaps/dependent', [reference]);
  // An owner in a namespace cannot be looked for from outside of one: this one is left alone.
  const namespaced = await plant('configmaps/namespaced');
  await add('scopes-stays', [owns(namespaced)]);
  await remove('configmaps/namespaced');
  t.equal((await server.delete(`${classes}/scopes-owner`)).status, 200);
  await until(async () => (await names()).length === 1);
  t.same(await names(), ['scopes-stays']);
  await until(
    async () =>
      (await server.get(`${garden.namespaces}/scopes/configmaps`)).json.items.length === 0,
  );
});

t.test('dependents made while their owner goes are collected too', async (t) => {
  const { plant, owns, remains, remove } = await garden.bed('late');
  const owner = await plant('configmaps/owner');
  let isGone = false;
  const planting = (async () => {
    for (let round = 0; !isGone || round < 300; round++) {
      const name = `${round % 2 === 0 ? 'secrets' : 'configmaps'}/late-${round}`;
      await plant(name, [owns(owner, round % 3 === 0)]);
    }
  })();
  await plant('leases/early', [owns(owner, true)]);
  await remove('configmaps/owner', { propagationPolicy: 'Foreground' });
  isGone = true;
  await planting;
  t.same(await remains([]), []);
});

t.test('thousands of dependents go while others write', async (t) => {
  const { plant, owns, remains, remove, server, path } = await garden.bed('thousands');
  const owner = await plant('configmaps/owner');
  const write = async (index: number) => {
    const metadata = { name: `d-${index}`, ownerReferences: [owns(owner)] };
    const kind = index % 2 === 0 ? 'secrets' : 'configmaps';
    const { status } = await server.post(path(kind), { metadata });
    if (status !== 201) throw new Error(`a create was answered ${status}`);
  };
  for (let index = 0; index < 2_000; index += 250) {
    await Promise.all(Array.from({ length: 250 }, (_, at) => write(index + at)));
  }
  await remove('configmaps/owner');
  const others = ['configmaps/writer-0', 'configmaps/writer-1', 'secrets/writer-2'];
  for (const name of others) await plant(name);
  const [refused] = await Promise.all([
    (async () => {
      for (let round = 0; round < 100; round++) {
        const answer = await server.put(`${path('configmaps')}/writer-0`, {
          metadata: { name: 'writer-0' },
          data: { round: String(round) },
        });
        if (answer.status !== 200) return answer.status;
      }
      return undefined;
    })(),
    remains(others),
  ]);
  t.equal(refused, undefined);
  t.same(await remains(others), others);
});

t.test('a crash in the middle is made up for by the next start', async (t) => {
  const { plant, owns, remains, remove, own, server } = await garden.bed('crash');
  const root = await plant('configmaps/root');
  const waiting = await plant('configmaps/waiting');
  const leaving = await plant('configmaps/leaving');
  const shared = await plant('secrets/shared', [owns(root), owns(waiting)]);
  await inParallel(400, 16, async (index) => {
    const branch = await plant(`secrets/branch-${index}`, [owns(root)]);
    if (index % 10 === 0) await plant(`leases/leaf-${index}`, [owns(branch)]);
    if (index % 4 === 0) await plant(`configmaps/blocks-${index}`, [owns(waiting, true)]);
    if (index % 4 === 1) await plant(`configmaps/orphan-${index}`, [owns(leaving)]);
  });
  await own('configmaps/waiting', [owns(shared)]);
  await Promise.all([
    remove('configmaps/root'),
    remove('configmaps/waiting', { propagationPolicy: 'Foreground' }),
    remove('configmaps/leaving', { propagationPolicy: 'Orphan' }),
  ]);
  // Each start gets a little further before it ends.
  for (let round = 0; round < 2; round++) {
    await server.kill();
    await server.restart();
  }
  const orphans = Array.from({ length: 100 }, (_, at) => `configmaps/orphan-${at * 4 + 1}`).sort();
  t.same(await remains(orphans), orphans);
});

t.end();
