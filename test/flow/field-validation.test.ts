/** `fieldValidation`: members that a kind does not have, or that come twice. */
import t from 'tap';
import { expectFailure } from '../support/expect-status.ts';
import { CONFIG_MAPS } from '../support/kinds.ts';
import { sharedServer } from '../support/shared-server.ts';

const server = await sharedServer();
const BODY =
  '{"metadata":{"name":"NAME","colour":"red","labels":{"a":"1","a":"2"}},' +
  '"data":{"k":"v"},"size":1,"data":{"k":"w"}}';
const PROBLEMS = [
  'unknown field "metadata.colour"',
  'duplicate field "metadata.labels.a"',
  'unknown field "size"',
  'duplicate field "data"',
];

const body = (name: string): string => BODY.replace('NAME', name);

for (const query of ['', '?fieldValidation=', '?fieldValidation=Ignore']) {
  t.test(`POST${query} drops what it does not know`, async (t) => {
    const name = `ignore-${query.length}`;
    const answer = await server.post(`${CONFIG_MAPS}${query}`, body(name));
    t.equal(answer.status, 201, answer.text);
    t.equal(answer.headers['warning'], undefined);
    t.same(answer.json.data, { k: 'w' });
    t.equal(answer.json.size, undefined);
  });
}

t.test('Warn writes, and says what it dropped', async (t) => {
  const warnings = PROBLEMS.map((text) => `299 - "${text.replaceAll('"', '\\"')}"`).join(', ');
  const made = await server.post(`${CONFIG_MAPS}?fieldValidation=Warn`, body('warned'));
  t.equal(made.status, 201, made.text);
  t.equal(made.headers['warning'], warnings);
  const updated = await server.put(`${CONFIG_MAPS}/warned?fieldValidation=Warn`, body('warned'));
  t.equal(updated.status, 200);
  t.equal(updated.headers['warning'], warnings);
  const clean = await server.post(`${CONFIG_MAPS}?fieldValidation=Warn`, {
    metadata: { name: 'clean' },
  });
  t.equal(clean.headers['warning'], undefined, 'there is nothing to say');
  const dry = await server.post(`${CONFIG_MAPS}?fieldValidation=Warn&dryRun=All`, body('dry'));
  t.equal(dry.headers['warning'], warnings, 'a dry run says it too');
});

t.test('Strict refuses', async (t) => {
  const message =
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: ' +
    PROBLEMS.join(', ');
  const made = await server.post(`${CONFIG_MAPS}?fieldValidation=Strict`, body('strict'));
  expectFailure(t, made, { code: 400, reason: 'BadRequest', message });
  t.equal((await server.get(`${CONFIG_MAPS}/strict`)).status, 404);
  await server.post(CONFIG_MAPS, { metadata: { name: 'strict' } });
  const path = `${CONFIG_MAPS}/strict?fieldValidation=Strict`;
  expectFailure(t, await server.put(path, body('strict')), { code: 400, message });
  t.equal((await server.put(path, { metadata: { name: 'strict' } })).status, 200);
});

t.test('YAML is told its lines', async (t) => {
  const yaml = 'metadata:\n  name: yaml\ndata:\n  k: a\n  k: b\nsize: 1\n';
  const headers = { 'content-type': 'application/yaml' };
  const strict = await server.post(`${CONFIG_MAPS}?fieldValidation=Strict`, yaml, headers);
  expectFailure(t, strict, {
    code: 400,
    message:
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: ' +
      'yaml: unmarshal errors:\n  line 5: key "k" already set in map, unknown field "size"',
  });
  const warned = await server.post(`${CONFIG_MAPS}?fieldValidation=Warn`, yaml, headers);
  t.equal(warned.status, 201, warned.text);
  t.match(warned.headers['warning'], 'line 5: key \\"k\\" already set in map');
  t.match(warned.headers['warning'], '299 - "unknown field \\"size\\""');
});

t.test('any other value is refused', async (t) => {
  const answer = await server.post(`${CONFIG_MAPS}?fieldValidation=strict`, body('other'));
  expectFailure(t, answer, {
    code: 422,
    reason: 'Invalid',
    message:
      'CreateOptions.meta.cluster.io "" is invalid: fieldValidation: Unsupported value: ' +
      '"strict": supported values: "", "Ignore", "Strict", "Warn"',
  });
});
