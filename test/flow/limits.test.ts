/** Bounds: one step inside is accepted, one step outside is refused. */
import t from 'tap';
import { expectFailure, expectUnharmed } from '../support/expect-status.ts';
import { CONFIG_MAPS, configMap, kindNamed, minimalObject, typePath } from '../support/kinds.ts';
import { sharedServer } from '../support/shared-server.ts';

const server = await sharedServer();
const MEBIBYTE = 1024 * 1024;

t.test('a ConfigMap holds 1 MiB of values', async (t) => {
  const fits = await server.post(CONFIG_MAPS, configMap('full', { a: 'x'.repeat(MEBIBYTE) }));
  t.equal(fits.status, 201, fits.text.slice(0, 200));
  const read = await server.get(`${CONFIG_MAPS}/full`);
  t.equal(read.text, fits.text, 'all of it comes back');
  const over = await server.post(CONFIG_MAPS, configMap('over', { a: 'x'.repeat(MEBIBYTE + 1) }));
  expectFailure(t, over, {
    code: 422,
    reason: 'Invalid',
    message: /^ConfigMap "over" is invalid: .*Too long: must have at most 1048576 bytes$/,
  });
  const both = {
    ...configMap('over', { a: 'x'.repeat(MEBIBYTE) }),
    binaryData: { b: 'MQ==' },
  };
  expectFailure(t, await server.post(CONFIG_MAPS, both), { code: 422, reason: 'Invalid' });
  const bytes = configMap('over', { a: 'é'.repeat(MEBIBYTE / 2 + 1) });
  expectFailure(t, await server.post(CONFIG_MAPS, bytes), { code: 422, reason: 'Invalid' });
  await expectUnharmed(t, server);
});

t.test('a Secret holds 1 MiB of values', async (t) => {
  const secret = kindNamed('Secret');
  const full = Buffer.alloc(MEBIBYTE, 'x').toString('base64');
  const over = Buffer.alloc(MEBIBYTE + 1, 'x').toString('base64');
  const path = typePath(secret);
  const fits = await server.post(path, minimalObject(secret, 'full', { data: { a: full } }));
  t.equal(fits.status, 201, fits.text.slice(0, 200));
  const refused = await server.post(path, minimalObject(secret, 'over', { data: { a: over } }));
  expectFailure(t, refused, {
    code: 422,
    reason: 'Invalid',
    message: /^Secret "over" is invalid: data: Too long: must have at most 1048576 bytes$/,
  });
});

t.test('a Secret type may be long', async (t) => {
  const secret = kindNamed('Secret');
  const type = 'example.com/'.padEnd(70_000, 'x');
  const answer = await server.post(typePath(secret), minimalObject(secret, 'typed', { type }));
  t.equal(answer.status, 201, answer.text.slice(0, 200));
  t.equal(answer.json.type, type);
  await expectUnharmed(t, server);
});

t.test('a body of exactly 3 MiB is read', async (t) => {
  const start = '{"metadata":{"name":"spacious"},';
  const end = '"data":{}}';
  const spaces = ' '.repeat(3 * MEBIBYTE - start.length - end.length);
  const answer = await server.post(CONFIG_MAPS, start + spaces + end);
  t.equal(answer.status, 201, answer.text.slice(0, 200));
  const chunked = { 'content-length': undefined, 'transfer-encoding': 'chunked' };
  const body = (start + spaces + end).replace('spacious', 'chunked!');
  const again = await server.post(CONFIG_MAPS, body.replace('chunked!', 'chunked1'), chunked);
  t.equal(again.status, 201, 'in chunks too');
});

t.test('annotations of 256 KiB together', async (t) => {
  const value = 'v'.repeat(262_144 - 'example.com/a'.length);
  const annotated = (name: string, text: string): unknown =>
    configMap(name, {}, { annotations: { 'example.com/a': text } });
  t.equal((await server.post(CONFIG_MAPS, annotated('annotated', value))).status, 201);
  expectFailure(t, await server.post(CONFIG_MAPS, annotated('over-annotated', `${value}v`)), {
    code: 422,
    reason: 'Invalid',
    message:
      'ConfigMap "over-annotated" is invalid: ' +
      'metadata.annotations: Too long: must have at most 262144 bytes',
  });
});

t.test('names: 253 letters, 63 for a Namespace and a label value', async (t) => {
  const long = 'a'.repeat(253);
  t.equal((await server.post(CONFIG_MAPS, configMap(long))).status, 201);
  t.equal((await server.get(`${CONFIG_MAPS}/${long}`)).status, 200);
  const namespaces = '/api/v1/namespaces';
  t.equal((await server.post(namespaces, { metadata: { name: 'n'.repeat(63) } })).status, 201);
  const refused = await server.post(namespaces, { metadata: { name: 'n'.repeat(64) } });
  expectFailure(t, refused, {
    code: 422,
    message: /must be no more than 63 characters/,
  });
  const labels = (value: string): unknown =>
    configMap(`label-${value.length}`, {}, { labels: { a: value } });
  t.equal((await server.post(CONFIG_MAPS, labels('v'.repeat(63)))).status, 201);
  expectFailure(t, await server.post(CONFIG_MAPS, labels('v'.repeat(64))), {
    code: 422,
    message: /metadata\.labels: Invalid value: "v{64}": must be no more than 63 characters/,
  });
  const cronJob = kindNamed('CronJob');
  t.equal(
    (await server.post(typePath(cronJob), minimalObject(cronJob, 'c'.repeat(52)))).status,
    201,
  );
  expectFailure(t, await server.post(typePath(cronJob), minimalObject(cronJob, 'c'.repeat(53))), {
    code: 422,
    message: /must be no more than 52 characters$/,
  });
});

t.test('long paths and headers', async (t) => {
  const longName = await server.get(`${CONFIG_MAPS}/${'a'.repeat(3_000)}`);
  t.ok([404, 414].includes(longName.status), `${longName.status}`);
  const longPath = await server.get(`/${'a'.repeat(100_000)}`).catch(() => undefined);
  t.ok(longPath === undefined || [404, 414, 431].includes(longPath.status));
  await expectUnharmed(t, server);
});

t.test('seventy thousand labels are stored, or refused with a reason', async (t) => {
  const labels = Object.fromEntries(Array.from({ length: 70_000 }, (_, at) => [`l${at}`, '']));
  const answer = await server.post(CONFIG_MAPS, configMap('labelled', {}, { labels }));
  t.ok([201, 413, 422].includes(answer.status), `${answer.status} ${answer.text.slice(0, 200)}`);
  if (answer.status === 201) t.equal(Object.keys(answer.json.metadata.labels).length, 70_000);
  await expectUnharmed(t, server);
});

t.test('a thousand labels, keys and list entries', async (t) => {
  const entries = Array.from({ length: 1_000 }, (_, at) => [`key-${at}`, `value-${at}`]);
  const map = Object.fromEntries(entries);
  const answer = await server.post(CONFIG_MAPS, configMap('many', map, { labels: map }));
  t.equal(answer.status, 201, answer.text.slice(0, 200));
  t.same(answer.json.data, map);
  t.same(answer.json.metadata.labels, map);
});

t.end();
