/**
 * Many clients patch and apply one object at once. Without a resourceVersion none of them is
 * refused or lost; with one exactly one of them wins. Watches see each change once and in order.
 */
import t, { type Test } from 'tap';
import { expectFailure } from '../support/expect-status.ts';
import { CONFIG_MAPS, configMap, type TestObject } from '../support/kinds.ts';
import { sendPatch, type PatchType } from '../support/send-patch.ts';
import type { Answer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const CLIENTS = 20;
const TURNS = 5;

const server = await sharedServer();

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function versionOf(object: TestObject): number {
  return Number(object.metadata.resourceVersion);
}

function applied(name: string, data: Record<string, string>, metadata: object = {}): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, data };
}

type Client = (client: number, turn: number) => Promise<Answer>;

/**
 * All clients take their turns at once on an object that was just made. Checks that the versions of
 * each go up, and that a watch shows what was answered with 200 and nothing else, by version.
 * Gives the object as it is in the end, and all that was answered.
 */
async function storm(
  t: Test,
  collection: string,
  object: TestObject,
  clients: number,
  client: Client,
): Promise<{ last: TestObject; answers: Answer[] }> {
  const made = await server.post(collection, object);
  t.equal(made.status, 201, made.text.slice(0, 300));
  const { name, resourceVersion } = made.json.metadata;
  const query = `fieldSelector=metadata.name%3D${name}&resourceVersion=${resourceVersion}`;
  const watch = await server.watch(`${collection}?watch=true&${query}`);
  const each = await Promise.all(
    times(clients, async (index) => {
      const answers: Answer[] = [];
      for (let turn = 0; turn < TURNS; turn += 1) answers.push(await client(index, turn));
      return answers;
    }),
  );
  const isGood = ({ status }: Answer): boolean => status === 200;
  for (const own of each) {
    const versions = own.filter(isGood).map(({ json }) => versionOf(json));
    t.same(
      versions,
      [...new Set(versions)].toSorted((a, b) => a - b),
      'versions go up',
    );
  }
  const answers = each.flat();
  const good = answers.filter(isGood).map(({ json }) => json as TestObject);
  // A subresource that is shown as another kind has only its version to compare.
  const shown = (one: TestObject): unknown =>
    one.kind === object.kind ? one : { resourceVersion: versionOf(one) };
  const expected = good.toSorted((a, b) => versionOf(a) - versionOf(b));
  const events = await watch.take(expected.length);
  t.ok(
    events.every(({ type }) => type === 'MODIFIED'),
    'only changes',
  );
  const seen = events.map((event, index) =>
    expected[index].kind === object.kind ? event.object : shown({ ...event.object, kind: '' }),
  );
  t.same(seen, expected.map(shown), 'a watch shows each change once and in order');
  const last = await server.get(`${collection}/${name}`);
  t.same(last.json, events.at(-1)?.object, 'and nothing after the last');
  watch.close();
  return { last: last.json, answers };
}

function expectAll(t: Test, answers: readonly Answer[]): void {
  const others = answers.filter(({ status }) => status !== 200);
  t.same(
    others.map(({ text }) => text.slice(0, 300)),
    [],
    'all are accepted',
  );
}

/** Managers whose entries hold the data's key, `Apply:one`. */
function ownersOf({ metadata }: TestObject, key: string): string[] {
  return metadata.managedFields
    .filter(({ fieldsV1 }: TestObject) => fieldsV1['f:data']?.[`f:${key}`] !== undefined)
    .map(({ operation, manager }: TestObject) => `${operation}:${manager}`);
}

t.test('patches of all types without a version are all there', async (t) => {
  const path = `${CONFIG_MAPS}/members`;
  const types = ['merge', 'strategic', 'json', 'apply'] as const;
  const body = (type: PatchType, key: string, value: string): unknown => {
    if (type === 'json') return [{ op: 'add', path: `/data/${key}`, value }];
    return type === 'apply' ? applied('members', { [key]: value }) : { data: { [key]: value } };
  };
  const { last, answers } = await storm(
    t,
    CONFIG_MAPS,
    configMap('members'),
    CLIENTS,
    async (client, turn) => {
      const type = types[client % types.length]!;
      const sent = body(type, `key-${client}`, `${client} ${turn}`);
      return sendPatch(server, `${path}?fieldManager=m${client}`, type, sent);
    },
  );
  expectAll(t, answers);
  const expected = times(CLIENTS, (client) => [`key-${client}`, `${client} ${TURNS - 1}`]);
  t.same(last.data, { key: 'value', ...Object.fromEntries(expected) });
});

t.test('disjoint applies of many managers are all there, and are theirs', async (t) => {
  const path = `${CONFIG_MAPS}/managers`;
  const { last, answers } = await storm(
    t,
    CONFIG_MAPS,
    configMap('managers'),
    CLIENTS,
    async (client, turn) => {
      // Members of the time before are left out, and go.
      const data = { [`key-${client}`]: `${turn}`, [`turn-${client}-${turn}`]: '' };
      return sendPatch(
        server,
        `${path}?fieldManager=m${client}`,
        'apply',
        applied('managers', data),
      );
    },
  );
  expectAll(t, answers);
  for (let client = 0; client < CLIENTS; client += 1) {
    t.equal(last.data[`key-${client}`], `${TURNS - 1}`);
    t.same(ownersOf(last, `key-${client}`), [`Apply:m${client}`]);
  }
  t.equal(Object.keys(last.data).length, 2 * CLIENTS + 1);
  t.equal(last.metadata.managedFields.length, CLIENTS + 1);
});

t.test('counting with test and replace counts every time', async (t) => {
  const path = `${CONFIG_MAPS}/counter`;
  let refused = 0;
  const { last, answers } = await storm(
    t,
    CONFIG_MAPS,
    configMap('counter', { count: '0', other: 'a' }),
    CLIENTS / 2,
    async () => {
      for (;;) {
        const { count } = (await server.get(path)).json.data;
        const answer = await sendPatch(server, path, 'json', [
          { op: 'replace', path: '/data/other', value: `after ${count}` },
          { op: 'test', path: '/data/count', value: count },
          { op: 'replace', path: '/data/count', value: String(Number(count) + 1) },
        ]);
        if (answer.status !== 422) return answer;
        refused += 1;
        if (refused > 1) continue;
        const message = 'the server rejected our request due to an error in our request';
        expectFailure(t, answer, { code: 422, reason: 'Invalid', message, details: {} });
      }
    },
  );
  expectAll(t, answers);
  t.comment(`${refused} came too late`);
  const total = (CLIENTS / 2) * TURNS;
  t.same(last.data, { count: String(total), other: `after ${total - 1}` });
});

t.test('of patches of one version exactly one wins', async (t) => {
  const made = await server.post(CONFIG_MAPS, configMap('versioned'));
  const path = `${CONFIG_MAPS}/versioned`;
  let { resourceVersion } = made.json.metadata;
  const stale =
    'Operation cannot be fulfilled on configmaps "versioned": the object has been modified; ' +
    'please apply your changes to the latest version and try again';
  for (let round = 0; round < TURNS; round += 1) {
    const metadata = { resourceVersion };
    const answers = await Promise.all(
      times(CLIENTS, async (client) => {
        const key = `key-${client}`;
        const value = `${round}`;
        const at = `${path}?fieldManager=m${client}`;
        if (client % 4 === 0) {
          return sendPatch(server, at, 'json', [
            { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion },
            { op: 'add', path: `/data/${key}`, value },
          ]);
        }
        if (client % 4 === 1) {
          const config = applied('versioned', { [key]: value }, metadata);
          return sendPatch(server, at, 'apply', config);
        }
        const type = client % 4 === 2 ? 'merge' : 'strategic';
        return sendPatch(server, at, type, { metadata, data: { [key]: value } });
      }),
    );
    const winners = answers.filter(({ status }) => status === 200);
    t.equal(winners.length, 1, `round ${round}: one wins`);
    for (const loser of answers.filter(({ status }) => status !== 200)) {
      expectFailure(t, loser, { code: 409, reason: 'Conflict', message: stale });
    }
    const now = await server.get(path);
    t.equal(now.text, winners[0]?.text, 'and what it wrote is there');
    ({ resourceVersion } = now.json.metadata);
  }
});

t.test('a field that is applied by force is the last winner’s alone', async (t) => {
  const path = `${CONFIG_MAPS}/forced`;
  const apply = async (manager: string, value: string, force: boolean): Promise<Answer> => {
    const query = `fieldManager=${manager}${force ? '&force=true' : ''}`;
    return sendPatch(server, `${path}?${query}`, 'apply', applied('forced', { shared: value }));
  };
  const { last, answers } = await storm(
    t,
    CONFIG_MAPS,
    configMap('forced'),
    CLIENTS,
    async (client, turn) => apply(`m${client}`, `${client} ${turn}`, true),
  );
  expectAll(t, answers);
  const winner = last.data.shared.split(' ')[0];
  t.same(ownersOf(last, 'shared'), [`Apply:m${winner}`]);
  const { data } = answers.find(({ json }) => versionOf(json) === versionOf(last))?.json ?? {};
  t.same(data, last.data);
  const refused = await apply('late', 'other', false);
  expectFailure(t, refused, {
    code: 409,
    reason: 'Conflict',
    message: `Apply failed with 1 conflict: conflict with "m${winner}": .data.shared`,
  });
  t.same((await server.get(path)).json, last, 'which changes nothing');
  const agreed = await apply('late', last.data.shared, false);
  // By the seconds in which they wrote, which may be two.
  const owners = ownersOf(agreed.json, 'shared').toSorted();
  t.same(owners, ['Apply:late', `Apply:m${winner}`].toSorted());
});

t.test('an object and its parts are patched at once', async (t) => {
  const path = `${DEPLOYMENTS}/parts`;
  const labels = { app: 'parts' };
  const template = {
    metadata: { labels },
    spec: { containers: [{ name: 'main', image: 'example.com/main:1' }] },
  };
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'parts' },
    spec: { replicas: 1, selector: { matchLabels: labels }, template },
  };
  const { last, answers } = await storm(t, DEPLOYMENTS, deployment, 8, async (client, turn) => {
    const count = turn + 2;
    if (client === 0) {
      return sendPatch(server, `${path}/scale`, 'merge', { spec: { replicas: count } });
    }
    if (client === 1) {
      const status = { observedGeneration: count };
      return sendPatch(server, `${path}/status`, 'merge', { status });
    }
    const name = client === 2 ? 'main' : `side-${client}`;
    const containers = [{ name, image: `example.com/${name}:${count}` }];
    return sendPatch(server, path, 'strategic', { spec: { template: { spec: { containers } } } });
  });
  expectAll(t, answers);
  t.equal(last.spec.replicas, TURNS + 1);
  t.equal(last.status.observedGeneration, TURNS + 1);
  const images = last.spec.template.spec.containers.map(({ image }: TestObject) => image);
  const names = ['main', ...times(5, (index) => `side-${index + 3}`)];
  t.same(images.toSorted(), names.map((name) => `example.com/${name}:${TURNS + 1}`).toSorted());
});

t.test('a patch that fails changes nothing, beside others that do not', async (t) => {
  const path = `${CONFIG_MAPS}/atomic`;
  const add = { op: 'add', path: '/data/half', value: 'a' };
  const failures: readonly (readonly [PatchType, number, unknown])[] = [
    ['json', 422, [add, { op: 'remove', path: '/data/none' }]],
    ['json', 422, [add, { op: 'test', path: '/data/key', value: 'other' }]],
    ['json', 422, [add, { op: 'add', path: '/data/number', value: 1 }]],
    ['merge', 422, { data: { half: 'a', 'not a key': 'b' } }],
    ['merge', 400, { data: { half: 'a' }, metadata: { name: 'other' } }],
    ['strategic', 500, { data: { half: 'a' }, metadata: { $patch: 'unknown' } }],
    ['apply', 500, { ...applied('atomic', { half: 'a' }), unknown: 1 }],
    ['apply', 409, applied('atomic', { half: 'a', key: 'other' })],
    ['apply', 422, applied('atomic', { half: 'a', 'not a key': 'b' })],
  ];
  const { last, answers } = await storm(
    t,
    CONFIG_MAPS,
    configMap('atomic'),
    failures.length + 1,
    async (client, turn) => {
      const [type, code, body] = failures[client] ?? [];
      if (type === undefined)
        return sendPatch(server, path, 'merge', { data: { whole: `${turn}` } });
      const answer = await sendPatch(server, `${path}?fieldManager=m${client}`, type, body);
      t.equal(answer.status, code, `${JSON.stringify(body)}: ${answer.text.slice(0, 300)}`);
      return answer;
    },
  );
  t.equal(answers.filter(({ status }) => status === 200).length, TURNS);
  t.same(last.data, { key: 'value', whole: `${TURNS - 1}` });
});
