/** Objects of many kinds through the client's typed calls: created, read, changed and removed. */
import { CoreV1Api } from '@kubernetes/client-node';
import type { ConfigurationOptions } from '@kubernetes/client-node';
import t from 'tap';
import { expectException, MERGE_PATCH } from './public-client.ts';
import { sharedPublicServer } from './shared-public-server.ts';
import { TYPED_KINDS } from './typed-kinds.ts';
import type { TypedKind } from './typed-kinds.ts';

const NAMESPACE = 'typed';
const MANAGER = 'kubernetes-client-javascript';

const { config } = await sharedPublicServer();
await config.makeApiClient(CoreV1Api).createNamespace({ body: { metadata: { name: NAMESPACE } } });

// oxlint-disable-next-line no-explicit-any -- objects and calls of every kind
type Any = any;
type Call = (parameters: object, options?: ConfigurationOptions) => Promise<Any>;

/** The calls of one kind have the same names as those of all others. */
function callsOf({ api, kind, namespaced }: TypedKind) {
  const client: Any = config.makeApiClient(api);
  const place = namespaced ? { namespace: NAMESPACE } : {};
  const suffix = namespaced ? `Namespaced${kind}` : kind;
  const call =
    (verb: string): Call =>
    (parameters, options) =>
      client[`${verb}${suffix}`]({ ...place, ...parameters }, options);
  return {
    create: call('create'),
    read: call('read'),
    list: call('list'),
    replace: call('replace'),
    patch: call('patch'),
    delete: call('delete'),
    deleteAll: call('deleteCollection'),
  };
}

/** A body of the kind, new in each call. */
function bodyOf({ apiVersion, kind, members }: TypedKind, name: string): Any {
  const labels = { 'app.kubernetes.io/name': kind };
  return { apiVersion, kind, metadata: { name, labels }, ...members };
}

const NOT_FOUND = { code: 404, reason: 'NotFound' };
const uidsOf = (list: Any): string[] => list.items.map((item: Any) => item.metadata.uid);

for (const typed of TYPED_KINDS) {
  const { apiVersion, kind, made } = typed;
  const calls = callsOf(typed);
  const name = `a-${kind.toLowerCase()}`;
  const labelSelector = `app.kubernetes.io/name=${kind}`;

  t.test(`${kind}: created, read and listed`, async (t) => {
    const body = bodyOf(typed, name);
    const rehearsed = await calls.create({ body, dryRun: 'All' });
    t.ok(rehearsed.metadata.uid, 'a dry run answers with an object');
    await expectException(t, calls.read({ name }), NOT_FOUND);

    const created = await calls.create({ body });
    t.equal(created.apiVersion, apiVersion);
    t.equal(created.kind, kind);
    t.match(created, made);
    t.equal(created.metadata.namespace, typed.namespaced ? NAMESPACE : undefined);
    t.ok(created.metadata.creationTimestamp instanceof Date);
    const [entry] = created.metadata.managedFields;
    t.match(entry, { manager: MANAGER, operation: 'Update', apiVersion, fieldsType: 'FieldsV1' });

    t.same(await calls.read({ name }), created);
    const list = await calls.list({ labelSelector });
    t.equal(list.kind, `${kind}List`);
    t.equal(list.apiVersion, apiVersion);
    t.same(uidsOf(list), [created.metadata.uid]);
    await expectException(t, calls.create({ body }), { code: 409, reason: 'AlreadyExists' });
  });

  t.test(`${kind}: what was read may be written back, and is then the same`, async (t) => {
    const read = await calls.read({ name });
    const same = await calls.replace({ name, body: read });
    t.same(same, read);

    read.metadata.labels['changed'] = 'yes';
    const replaced = await calls.replace({ name, body: read });
    t.equal(replaced.metadata.uid, read.metadata.uid);
    t.equal(replaced.metadata.labels['changed'], 'yes');
    t.not(replaced.metadata.resourceVersion, same.metadata.resourceVersion);
    read.metadata.labels['changed'] = 'again';
    await expectException(t, calls.replace({ name, body: read }), {
      code: 409,
      reason: 'Conflict',
    });

    const patch = { metadata: { annotations: { 'example.com/a': 'b' } } };
    const patched = await calls.patch({ name, body: patch }, MERGE_PATCH);
    t.equal(patched.metadata.annotations['example.com/a'], 'b');
    t.same(patched.metadata.labels, replaced.metadata.labels);
  });

  t.test(`${kind}: deleted, one by one and all`, async (t) => {
    await calls.delete({ name, dryRun: 'All' });
    const { metadata } = await calls.read({ name });
    const other = { preconditions: { uid: '12345678-0000-4000-8000-000000000000' } };
    const refused = calls.delete({ name, body: other });
    await expectException(t, refused, { code: 409, reason: 'Conflict' });
    const propagationPolicy = 'Background';
    const preconditions = { uid: metadata.uid };
    await calls.delete({ name, body: { preconditions, propagationPolicy } });
    await expectException(t, calls.read({ name }), NOT_FOUND);

    await calls.create({ body: bodyOf(typed, name) });
    await calls.deleteAll({ labelSelector, propagationPolicy });
    t.same(uidsOf(await calls.list({ labelSelector })), []);
  });
}
