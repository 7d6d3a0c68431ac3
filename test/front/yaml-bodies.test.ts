import t from 'tap';
import { MailboxFullError } from '../../src/actors/link.ts';
import { readYaml } from '../../src/codec/yaml/read-yaml.ts';
import type { YamlJob } from '../../src/codec/yaml/read-yaml.ts';
import type { Exchange } from '../../src/front/exchange.ts';
import { Query } from '../../src/front/requests/query.ts';
import { YamlBodies, yamlJob } from '../../src/front/requests/yaml-bodies.ts';
import { YAML_BODY_BYTES_MAX } from '../../src/limits.ts';
import { YAML_LOOKED_AT_BYTES, YAML_USER_BYTES_MAX } from '../../src/front/limits.ts';
import { newGate, turns } from '../support/gate.ts';

const YAML = 'application/yaml';
const APPLY = 'application/apply-patch+yaml';

interface Sent {
  readonly method?: string;
  readonly contentType?: string;
  readonly query?: string;
}

function jobOf(body: string, sent: Sent = {}): YamlJob | undefined {
  const { method = 'post', contentType = YAML, query } = sent;
  const exchange = { head: { method, contentType }, query: new Query(query) };
  return yamlJob(exchange as unknown as Exchange, Buffer.from(body));
}

t.test('what is YAML by its type and is no JSON is read, however short', async (t) => {
  t.ok(jobOf('a: 1'));
  t.ok(jobOf('a: 1', { contentType: 'Application/YAML; charset=utf-8' }));
  t.ok(jobOf('a: 1', { method: 'patch', contentType: APPLY }));
  t.ok(jobOf('[1]'), 'a list is no object');
  t.notOk(jobOf('a: 1', { contentType: 'application/json' }));
  t.notOk(jobOf('a: 1', { contentType: '' }));
  t.notOk(jobOf(' '.repeat(YAML_BODY_BYTES_MAX + 1)), 'it is refused by its length');
});

t.test('a JSON object is left to others, who read the short ones that only begin so', async (t) => {
  const long = (text: string): string => text + ' '.repeat(YAML_LOOKED_AT_BYTES);
  t.notOk(jobOf('{"a":1}'));
  t.notOk(jobOf(long('{"a":1}')));
  t.notOk(jobOf('{a: 1}'));
  t.ok(jobOf(long('{a: 1}')));
});

t.test(
  'strict checks of an object speak of what is written, those of a patch do not',
  async (t) => {
    for (const validation of ['Warn', 'Strict']) {
      const query = `fieldValidation=${validation}`;
      t.match(jobOf('{"a":1}', { query }), { strict: true });
      t.match(jobOf('a: 1', { method: 'patch', contentType: APPLY, query }), { strict: true });
      t.notOk(jobOf('{"a":1}', { method: 'patch', contentType: APPLY, query }));
    }
    t.match(jobOf('a: 1', { query: 'fieldValidation=Ignore' }), { strict: false });
  },
);

t.test('one is read at a time, as it came, and not where its client is gone', async (t) => {
  const gate = newGate<void>();
  const jobs: YamlJob[] = [];
  const bodies = new YamlBodies({
    fronts: 1,
    readYaml: async (job) => {
      jobs.push(job);
      await gate.promise;
      return readYaml(job);
    },
  });
  const read = (text: string, isWanted = true) =>
    bodies.read('jane', { body: Buffer.from(text), strict: true }, () => isWanted);
  const all = [read('a: 1\na: 2'), read('a: 1', false), read('a: [')];
  await turns();
  t.equal(jobs.length, 1);
  gate.open();
  const [repeated, unwanted, wrong] = await Promise.all(all);
  t.same(repeated, {
    json: '{"a":2}',
    error: '',
    problems: ['line 2: key "a" already set in map'],
  });
  t.equal(unwanted, undefined);
  t.match(wrong, { json: '', error: /^yaml: line 1/ });
  t.equal(jobs.length, 2);
});

t.test('who has too much that waits is refused, and others are not', async (t) => {
  const gate = newGate<void>();
  const bodies = new YamlBodies({ fronts: 1, readYaml: () => gate.promise.then(() => undefined) });
  const read = (user: string) =>
    bodies.read(user, { body: Buffer.alloc(YAML_USER_BYTES_MAX), strict: false });
  const waiting = [read('jane'), read('jane')];
  await t.rejects(read('jane'), MailboxFullError);
  waiting.push(read('joe'));
  gate.open();
  await Promise.all(waiting);
});
