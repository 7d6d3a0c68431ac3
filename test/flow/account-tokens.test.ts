/** Secrets with the tokens of service accounts, as release 1.23 keeps them. */
import t from 'tap';
import { until } from '../support/owned-objects.ts';
import { startServer } from '../support/server.ts';
import { SERVER_DIALECT } from '../support/wire-names.ts';

const NAMESPACE = '/api/v1/namespaces/default';
const ACCOUNTS = `${NAMESPACE}/serviceaccounts`;
const SECRETS = `${NAMESPACE}/secrets`;
const TYPE = 'cluster.io/service-account-token';
const REVIEWS = '/apis/authentication.cluster.io/v1/tokenreviews';

const server = await startServer({ test: t, args: ['--controllers', 'serviceaccount-token'] });

async function account(name: string): Promise<string> {
  const { status, text, json } = await server.post(ACCOUNTS, { metadata: { name } });
  if (status !== 201) throw new Error(text);
  return json.metadata.uid;
}

/** A Secret for an account, made by a person. */
async function ask(name: string, of: string): Promise<void> {
  const annotations = { 'cluster.io/service-account.name': of };
  const { status, text } = await server.post(SECRETS, {
    metadata: { name, annotations },
    type: TYPE,
  });
  if (status !== 201) throw new Error(text);
}

/** The names of the Secrets that the account refers to, once there are some that `is` takes. */
async function secretsOf(
  name: string,
  is: (names: readonly string[]) => boolean = (names) => names.length > 0,
): Promise<readonly string[]> {
  let names: readonly string[] = [];
  await until(async () => {
    const { secrets = [] } = (await server.get(`${ACCOUNTS}/${name}`)).json;
    names = secrets.map((secret: { name: string }) => secret.name);
    return is(names);
  });
  return names;
}

async function filledIn(name: string) {
  let secret = (await server.get(`${SECRETS}/${name}`)).json;
  await until(async () => {
    secret = (await server.get(`${SECRETS}/${name}`)).json;
    return secret.data?.token !== undefined;
  });
  return secret;
}

function textOf(base64: string): string {
  return Buffer.from(base64, 'base64').toString();
}

async function userOf(token: string): Promise<string | undefined> {
  const { json } = await server.post(REVIEWS, { spec: { token } });
  return json.status.user?.username;
}

async function goes(name: string): Promise<void> {
  await until(async () => (await server.get(`${SECRETS}/${name}`)).status === 404);
}

t.test('an account gets a token, and only one', async (t) => {
  const uid = await account('robot');
  const [name = '', ...more] = await secretsOf('robot');
  t.same(more, []);
  t.match(name, /^robot-token-[a-z0-9]{5}$/);
  const { type, metadata, data } = (await server.get(`${SECRETS}/${name}`)).json;
  t.equal(type, TYPE);
  t.same(metadata.annotations, {
    'cluster.io/service-account.name': 'robot',
    'cluster.io/service-account.uid': uid,
  });
  t.equal(textOf(data.namespace), 'default');
  const token = textOf(data.token);
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  // Tokens are signed as they are, so that no name in them is translated on the way.
  const prefix = `${SERVER_DIALECT.tokenClaims}/serviceaccount`;
  t.match(claims, {
    [`${prefix}/namespace`]: 'default',
    [`${prefix}/secret.name`]: name,
    [`${prefix}/service-account.name`]: 'robot',
    [`${prefix}/service-account.uid`]: uid,
    sub: 'system:serviceaccount:default:robot',
  });
  t.equal(claims.exp, undefined, 'it does not end by itself');
  t.equal(await userOf(token), 'system:serviceaccount:default:robot');
  // Events of one's own writes change nothing.
  await account('other');
  await secretsOf('other');
  t.equal((await server.get(`${ACCOUNTS}/robot`)).json.secrets.length, 1);
});

t.test('a Secret that somebody made is filled in, and what is not named stays', async (t) => {
  const uid = await account('asked');
  const [own = ''] = await secretsOf('asked');
  await ask('mine', 'asked');
  const { metadata, data } = await filledIn('mine');
  t.equal(metadata.annotations['cluster.io/service-account.uid'], uid);
  t.equal(await userOf(textOf(data.token)), 'system:serviceaccount:default:asked');
  t.same(await secretsOf('asked'), [own], 'the account does not name it');
});

t.test('a token that is deleted counts no more, and another one takes its place', async (t) => {
  await account('renewed');
  const [first = ''] = await secretsOf('renewed');
  const token = textOf((await server.get(`${SECRETS}/${first}`)).json.data.token);
  await server.delete(`${SECRETS}/${first}`);
  const later = await secretsOf('renewed', (names) => names.length > 0 && !names.includes(first));
  t.equal(later.length, 1);
  t.equal(await userOf(token), undefined);
});

t.test('tokens go with their account', async (t) => {
  await account('leaving');
  const [own = ''] = await secretsOf('leaving');
  await ask('of-leaving', 'leaving');
  await filledIn('of-leaving');
  await ask('of-nobody', 'nobody');
  await goes('of-nobody');
  const token = textOf((await server.get(`${SECRETS}/of-leaving`)).json.data.token);
  await server.delete(`${ACCOUNTS}/leaving`);
  await goes(own);
  await goes('of-leaving');
  await account('leaving');
  await secretsOf('leaving');
  t.equal(await userOf(token), undefined, 'not of another account of that name');
});

t.test('what happened while the server was away is made up for', async (t) => {
  const [before = ''] = await secretsOf('robot');
  await server.stop();
  await server.restart({ args: ['--controllers', ''] });
  await account('late');
  await ask('of-robot', 'robot');
  await server.delete(`${ACCOUNTS}/other`);
  const others = (await server.get(SECRETS)).json.items.filter(
    ({ metadata }: { metadata: { name: string } }) => metadata.name.startsWith('other-token-'),
  );
  t.equal(others.length, 1);
  await server.stop();
  await server.restart({ args: ['--controllers', 'serviceaccount-token'] });
  await secretsOf('late');
  await filledIn('of-robot');
  await goes(others[0].metadata.name);
  t.same(await secretsOf('robot'), [before]);
});
