/** Values and names that custom objects may have, and built-in ones may not. */
import t from 'tap';
import {
  ANYTHING,
  customDefinition,
  definedVersion,
  established,
} from '../support/custom-types.ts';
import { expectFailure } from '../support/expect-status.ts';
import type { Members } from '../support/kinds.ts';
import { ownerOf } from '../support/owned-fields.ts';
import { sendPatch } from '../support/send-patch.ts';
import { sharedServer } from '../support/shared-server.ts';

const server = await sharedServer();
const GROUP = 'values.example.com';
const THINGS = `/apis/${GROUP}/v1/namespaces/default/things`;

await established(server, customDefinition(GROUP, 'Thing'));

/** The text of the member `v` of a document. */
function valueIn(text: string): string {
  return /"v":(.*)\}\n$/.exec(text)?.[1] ?? text;
}

function thing(name: string, members: string): string {
  const start = `"apiVersion":"${GROUP}/v1","kind":"Thing","metadata":{"name":"${name}"}`;
  return `{${start},${members}}`;
}

t.test('numbers', async (t) => {
  const rows: readonly (readonly [sent: string, kept: string])[] = [
    ['1.0', '1'],
    ['1e3', '1000'],
    ['-0.0', '0'],
    ['1.5', '1.5'],
    ['9007199254740993', '9007199254740993'],
    ['9223372036854775807', '9223372036854775807'],
    ['-9223372036854775808', '-9223372036854775808'],
    // Beyond the integers of 64 bits they are floats.
    ['9223372036854775808', '9223372036854776000'],
    ['123456789012345678901234567890', '1.2345678901234568e+29'],
    ['1e-7', '1e-7'],
    ['[1,2.0,{"a":3e0}]', '[1,2,{"a":3}]'],
  ];
  for (const [at, [sent, kept]] of rows.entries()) {
    const name = `number-${at}`;
    await server.post(THINGS, thing(name, `"v":${sent}`));
    t.equal(valueIn((await server.get(`${THINGS}/${name}`)).text), kept, sent);
    const operations = `[{"op":"test","path":"/v","value":${kept}}]`;
    const tested = await sendPatch(server, `${THINGS}/${name}`, 'json', operations);
    t.equal(tested.status, 200, `${kept} is what it is`);
    const replaced = await sendPatch(server, `${THINGS}/${name}`, 'merge', `{"w":${sent}}`);
    t.match(replaced.text, `"w":${kept}}\n`);
  }
  const refused = await server.post(THINGS, thing('too-long', '"v":1e400'));
  t.equal(refused.status, 400);
});

t.test('members with any name, in every kind of write', async (t) => {
  const body = thing('named', '"__proto__":{"a":1},"constructor":{"prototype":1},"1":"x","":"e"');
  const created = await server.post(THINGS, body);
  t.match(created.text, '"__proto__":{"a":1}', created.text);
  t.match(created.text, '"constructor":{"prototype":1}');
  const path = `${THINGS}/named`;
  const merged = await sendPatch(server, path, 'merge', '{"__proto__":{"b":2},"constructor":null}');
  t.match(merged.text, '"__proto__":{"a":1,"b":2}');
  t.notMatch(merged.text, 'constructor":{"p');
  const operations = '[{"op":"add","path":"/__proto__/c","value":3},{"op":"remove","path":"/1"}]';
  const patched = await sendPatch(server, path, 'json', operations);
  t.match(patched.text, '"__proto__":{"a":1,"b":2,"c":3}');
  const applied = thing('named', '"__proto__":{"d":4}');
  const both = await sendPatch(server, `${path}?fieldManager=me`, 'apply', applied);
  t.match(both.text, '"__proto__":{"a":1,"b":2,"c":3,"d":4}');
  const [{ manager, fieldsV1 }] = both.json.metadata.managedFields;
  t.equal(manager, 'me');
  t.match(JSON.stringify(fieldsV1), /"f:__proto__":\{.*"f:d":\{\}/, 'owned by who applied it');
  t.equal((await server.get(path)).text, both.text);
  t.equal(({} as Members)['a'], undefined);
});

t.test('kinds and plurals with names of other things', async (t) => {
  const rows = [
    ['Event', 'events'],
    ['Status', 'statuses'],
    ['List', 'lists'],
    ['DeleteOptions', 'deleteoptions'],
    ['Watch', 'watch'],
    ['Namespace', 'namespaces'],
    ['Scale', 'scale'],
    ['Constructor', 'constructor'],
  ] as const;
  for (const [kind, plural] of rows) {
    const versions = [definedVersion('v1', { subresources: { status: {} } })];
    const group = 'names.example.com';
    await established(server, customDefinition(group, kind, versions, { names: { plural } }));
    const path = `/apis/${group}/v1/namespaces/default/${plural}`;
    const object = { apiVersion: `${group}/v1`, kind, type: 'Warning', involvedObject: 1 };
    for (const name of ['watch', 'status', 'namespaces']) {
      const created = await server.post(path, { ...object, metadata: { name } });
      t.equal(created.status, 201, `${plural} ${name}: ${created.text.slice(0, 200)}`);
      t.equal((await server.get(`${path}/${name}`)).json.metadata.name, name);
      const status = { status: { seen: name } };
      const written = await sendPatch(server, `${path}/${name}/status`, 'merge', status);
      t.match(written.json, { kind, type: 'Warning', ...status }, written.text);
    }
    t.match((await server.get(path)).json, { kind: `${kind}List`, items: [{ kind }, { kind }] });
    t.equal((await server.delete(`${path}/watch`)).json.status, 'Success');
  }
});

t.test('null where the schema does not allow it', async (t) => {
  const any = { 'x-kubernetes-preserve-unknown-fields': true };
  const spec = { type: 'object', properties: { size: { type: 'string' }, any } };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  await established(server, customDefinition(GROUP, 'Strict', [definedVersion('v1', { schema })]));
  const path = `/apis/${GROUP}/v1/namespaces/default/stricts`;
  const named = { apiVersion: `${GROUP}/v1`, kind: 'Strict', metadata: { name: 'a' } };
  const object = { ...named, spec: { size: null, any: null } };
  const created = await server.post(path, object);
  t.same(created.json.spec, {}, 'it goes');
  const applied = await sendPatch(server, `${path}/a?fieldManager=me`, 'apply', object);
  t.equal(applied.status, 422, 'but who applies it means it');
  t.match(applied.json.message, 'spec.size in body must be of type string: "null"');
  const untyped = { ...named, spec: { any: null } };
  const accepted = await sendPatch(server, `${path}/a?fieldManager=me`, 'apply', untyped);
  t.same(accepted.json.spec, {}, 'nothing refuses what has no type');
});

t.test('a status that is dropped leaves the default of its schema', async (t) => {
  const status = { ...ANYTHING, default: { phase: 'New' } };
  const openAPIV3Schema = { type: 'object', properties: { status } };
  const more = { schema: { openAPIV3Schema }, subresources: { status: {} } };
  await established(server, customDefinition(GROUP, 'Phased', [definedVersion('v1', more)]));
  const phased = { apiVersion: `${GROUP}/v1`, kind: 'Phased', metadata: { name: 'p' } };
  const path = `/apis/${GROUP}/v1/namespaces/default/phaseds`;
  const created = await server.post(path, { ...phased, status: { phase: 'Old' } });
  t.same(created.json.status, { phase: 'New' });
  t.same((await server.get(`${path}/p`)).json, created.json);
  t.notMatch(JSON.stringify(created.json.metadata.managedFields), 'f:status', 'nobody owns it');
});

t.test('who writes a status owns what is sent beside it, though that is not written', async (t) => {
  const status = { type: 'object', properties: { x: { type: 'string' } } };
  const openAPIV3Schema = { ...ANYTHING, properties: { status } };
  const more = { schema: { openAPIV3Schema }, subresources: { status: {} } };
  await established(server, customDefinition(GROUP, 'Owned', [definedVersion('v1', more)]));
  const owned = { apiVersion: `${GROUP}/v1`, kind: 'Owned', metadata: { name: 'o' } };
  const path = `/apis/${GROUP}/v1/namespaces/default/owneds`;
  await server.post(path, { ...owned, spec: { a: 'b' } });
  const apply = (by: string, at: string, members: object) =>
    sendPatch(server, `${path}/o${at}?fieldManager=${by}`, 'apply', { ...owned, ...members });
  const metadata = { name: 'o', labels: { l: '1' } };
  const sent = { metadata, other: 'x', spec: { a: 'c' }, status: { x: 'y' } };
  const applied = await apply('ann', '/status', sent);
  t.match(applied.json, { spec: { a: 'b' }, status: { x: 'y' } }, applied.text);
  t.strictSame([applied.json.metadata.labels, applied.json.other], [undefined, undefined]);
  t.strictSame(ownerOf(applied.json, 'ann', 'Apply', 'status')?.fieldsV1, {
    'f:metadata': { 'f:labels': { 'f:l': {} } },
    'f:other': {},
    'f:status': { 'f:x': {} },
  });
  t.equal((await apply('ann', '/status', sent)).text, applied.text, 'again it changes nothing');
  const other = await apply('bob', '', { metadata: { name: 'o', labels: { l: '2' } } });
  const message =
    'Apply failed with 1 conflict: ' +
    'conflict with "ann" with subresource "status": .metadata.labels.l';
  expectFailure(t, other, { code: 409, reason: 'Conflict', message });

  const late = { metadata: { deletionTimestamp: '2030-01-01T00:00:00Z' } };
  const living = await sendPatch(server, `${path}/o/status`, 'merge', late);
  t.equal(living.json.metadata.deletionTimestamp, undefined, living.text);
  const part = { metadata: { annotations: { n: '1' } }, spec: { a: 'd' }, status: { x: 'z' } };
  const merged = await sendPatch(server, `${path}/o/status?fieldManager=cat`, 'merge', part);
  t.strictSame(ownerOf(merged.json, 'cat', 'Update', 'status')?.fieldsV1, {
    'f:metadata': { 'f:annotations': { '.': {}, 'f:n': {} } },
    'f:status': { 'f:x': {} },
  });
  t.equal(merged.json.metadata.annotations, undefined);
});

t.test('an empty list is not the same as none', async (t) => {
  await server.post(THINGS, thing('listed', '"a":1'));
  const merged = await sendPatch(server, `${THINGS}/listed`, 'merge', '{"list":[]}');
  t.same([merged.json.list, merged.json.metadata.generation], [[], 2], merged.text);
  t.match(JSON.stringify(merged.json.metadata.managedFields), '"f:list":{}');
});

t.test('null in a resource that is inside of an object', async (t) => {
  const type = { type: 'object', 'x-kubernetes-embedded-resource': true };
  const properties = { kind: { type: 'string' }, metadata: { type: 'object' } };
  const openAPIV3Schema = { type: 'object', properties: { inner: { ...type, properties } } };
  const version = definedVersion('v1', { schema: { openAPIV3Schema } });
  await established(server, customDefinition(GROUP, 'Holder', [version]));
  const path = `/apis/${GROUP}/v1/namespaces/default/holders`;
  const holder = { apiVersion: `${GROUP}/v1`, kind: 'Holder', metadata: { name: 'a' } };
  const pod = { apiVersion: 'v1', kind: 'Pod' };
  const nameless = await server.post(path, { ...holder, inner: { ...pod, kind: null } });
  t.match(nameless.json.message, 'inner.kind: Required value: must not be empty', 'it goes first');
  const bare = await server.post(path, { ...holder, inner: { ...pod, metadata: null } });
  t.same(bare.json.inner, pod, bare.text);
  const applied = { ...holder, inner: { ...pod, kind: null } };
  const refused = await sendPatch(server, `${path}/b?fieldManager=me`, 'apply', {
    ...applied,
    metadata: { name: 'b' },
  });
  t.equal(refused.status, 422, refused.text);
  t.match(refused.json.message, 'inner.kind in body must be of type string: "null"');
});

t.test('items that come twice count where the status is not written', async (t) => {
  const list = { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' };
  const status = { type: 'object', properties: { list } };
  const schema = { openAPIV3Schema: { type: 'object', properties: { status } } };
  const version = definedVersion('v1', { schema, subresources: { status: {} } });
  await established(server, customDefinition(GROUP, 'Counted', [version]));
  const path = `/apis/${GROUP}/v1/namespaces/default/counteds`;
  const counted = { apiVersion: `${GROUP}/v1`, kind: 'Counted', metadata: { name: 'a' } };
  t.equal((await server.post(path, counted)).status, 201);
  const twice = { status: { list: ['x', 'x'] } };
  const written = await sendPatch(server, `${path}/a/status`, 'merge', twice);
  t.same([written.status, written.json.status], [200, twice.status], written.text);
});

t.test('a time that is none, in metadata that is applied, says nothing', async (t) => {
  const path = `${THINGS}/timed`;
  await server.post(THINGS, thing('timed', '"v":1'));
  for (const [time, long] of [
    ['""', '1'],
    ['"A_B"', '1'],
    ['7', '1'],
    ['{}', '9007199254740993'],
  ]) {
    const times = `"creationTimestamp":${time},"deletionTimestamp":${time}`;
    const config = thing('timed', `"v":1,"w":${long}`).replace('"name"', `${times},"name"`);
    const dry = `${path}?dryRun=All&fieldManager=m`;
    const { status, json, text } = await sendPatch(server, dry, 'apply', config);
    t.equal(status, 200, text);
    t.match(json.metadata.creationTimestamp, /^2/);
    t.equal(json.metadata.deletionTimestamp, undefined);
    t.match(text, `"w":${long}`);
    const merged = await sendPatch(server, path, 'merge', `{"metadata":{${times}}}`);
    t.equal(merged.status, 422, 'otherwise it is refused');
  }
});
