/** YAML is read elsewhere, users in turns, and answered the same however long it is. */
import t from 'tap';
import type { Test } from 'tap';
import { CONFIG_MAPS } from '../support/kinds.ts';
import { sharedServer } from '../support/shared-server.ts';
import type { Answer } from '../support/server.ts';
import { OPERATION_BODY_BYTES_MAX, YAML_LOOKED_AT_BYTES } from '../../src/front/limits.ts';

const server = await sharedServer();
const YAML = { 'content-type': 'application/yaml' };
const APPLY = { 'content-type': 'application/apply-patch+yaml' };
const COMMENTS = '# nothing\n'.repeat(YAML_LOOKED_AT_BYTES / 10 + 1);

const HEAD = 'kind: ConfigMap\napiVersion: v1\nmetadata:\n  name: long-yaml\n';
const BODIES: readonly [what: string, text: string][] = [
  ['an object', `${HEAD}data:\n  yes: "1"\n  9007199254740993: "2"\n`],
  ['keys that repeat', `${HEAD}data:\n  a: "1"\n  a: "2"\ncolour: red\n`],
  ['another type of value', `${HEAD}data:\n  a: 1\n`],
  ['a list', '- kind: ConfigMap\n- apiVersion: v1\n'],
  ['what is no YAML', `${HEAD}data: ]\nimmutable: true\n`],
  ['half of a pair', `${HEAD}data:\n  a: "\\ud800"\n`],
  ['JSON', `${JSON.stringify({ metadata: { name: 'long-yaml' }, data: { a: '1' } })}\n`],
  ['flow collections', '{kind: ConfigMap, apiVersion: v1, metadata: {name: long-yaml}}\n'],
];

function sameAnswers(t: Test, short: Answer, long: Answer): void {
  const told = ({ status, text, headers }: Answer): unknown => ({
    status,
    warning: headers['warning'],
    text: text.replace(/"(uid|time|creationTimestamp|resourceVersion)": ?"[^"]*"/g, ''),
  });
  t.same(told(long), told(short));
}

for (const [what, text] of BODIES) {
  t.test(what, async (t) => {
    const long = text.replace(/\n$/, `\n${COMMENTS}`);
    for (const validation of ['Ignore', 'Warn', 'Strict']) {
      const query = `?dryRun=All&fieldValidation=${validation}`;
      const create = (body: string): Promise<Answer> =>
        server.post(`${CONFIG_MAPS}${query}`, body, YAML);
      sameAnswers(t, await create(text), await create(long));
      const apply = (body: string): Promise<Answer> =>
        server.request('PATCH', `${CONFIG_MAPS}/long-yaml${query}&fieldManager=m`, body, APPLY);
      sameAnswers(t, await apply(text), await apply(long));
    }
  });
}

t.test('what is stored of a long one is what it says', async (t) => {
  const lines = Array.from({ length: 2_000 }, (_, index) => `  key-${index}: "${index}"\n`);
  const body = `${HEAD}data:\n${lines.join('')}`;
  const made = await server.post(CONFIG_MAPS, body, YAML);
  t.equal(made.status, 201, made.text);
  const { data } = (await server.get(`${CONFIG_MAPS}/long-yaml`)).json;
  t.equal(Object.keys(data).length, 2_000);
  t.equal(data['key-1999'], '1999');
});

t.test('options of deletions', async (t) => {
  const wrong = 'gracePeriodSeconds: 0\ndryRun: ]\n';
  for (const text of ['dryRun: [All]\n', wrong, '- dryRun\n', '{dryRun: [All]}\n']) {
    const answers: Answer[] = [];
    for (const body of [text, `${text}${COMMENTS}`]) {
      for (const path of [`${CONFIG_MAPS}/long-yaml`, `${CONFIG_MAPS}?labelSelector=none`]) {
        answers.push(await server.delete(path, body, YAML));
      }
    }
    const [object, collection, long, longCollection] = answers as [Answer, Answer, Answer, Answer];
    sameAnswers(t, object, long);
    sameAnswers(t, collection, longCollection);
  }
});

const REVIEWS = '/apis/authorization.cluster.io/v1/selfsubjectaccessreviews';
const REVIEW = `kind: SelfSubjectAccessReview
apiVersion: authorization.cluster.io/v1
spec: {resourceAttributes: {verb: get, resource: pods}}
`;

t.test('a review is read as it is in JSON', async (t) => {
  const made = await server.post(REVIEWS, REVIEW, YAML);
  t.equal(made.status, 201, made.text);
  t.equal(made.json.status['allowed'], true);
  const wrong = await server.post(REVIEWS, `${REVIEW}spec: ]\n`, YAML);
  t.match(wrong.json, {
    code: 400,
    message: /^the object provided is unrecognized .*yaml: line 4/,
  });
  const strict = `${REVIEWS}?fieldValidation=Strict`;
  const twice = await server.post(strict, `${REVIEW}kind: SelfSubjectAccessReview\n`, YAML);
  t.match(twice.json, { code: 400, message: /line 4: key "kind" already set in map/ });
});

t.test('the body of a review has a bound, and so has what its aliases make', async (t) => {
  const junk = (length: number): string => `${REVIEW}junk: "${'a'.repeat(length)}"\n`;
  const json = { 'content-type': 'application/json' };
  t.equal((await server.post(REVIEWS, junk(OPERATION_BODY_BYTES_MAX - 500), YAML)).status, 201);
  t.equal((await server.post(REVIEWS, junk(OPERATION_BODY_BYTES_MAX), YAML)).status, 413);
  const text = JSON.stringify({ junk: 'a'.repeat(OPERATION_BODY_BYTES_MAX) });
  t.equal((await server.post(REVIEWS, text, json)).status, 413);
  const aliases = `${REVIEW}junk:\n- &a "${'a'.repeat(1_000)}"\n${'- *a\n'.repeat(100)}`;
  t.equal((await server.post(REVIEWS, aliases, YAML)).status, 413);
});

t.test('who sends much of it waits for their own, and others for one piece of it', async (t) => {
  const long = `${REVIEW}junk: [${'a,'.repeat(15_000)}]\n`;
  const as = (user: string) => ({ ...YAML, 'impersonate-user': user });
  const answered: string[] = [];
  const ask = async (user: string, body: string): Promise<void> => {
    const { status } = await server.post(REVIEWS, body, as(user));
    t.equal(status, 201);
    answered.push(user);
  };
  const first = Array.from({ length: 12 }, () => ask('greedy', long));
  await server.get('/livez');
  await Promise.all([...first, ask('modest', REVIEW)]);
  t.ok(answered.indexOf('modest') < answered.lastIndexOf('greedy'), answered.join(' '));
});
