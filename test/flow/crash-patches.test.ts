/**
 * Crashes at random moments while many clients patch and apply the same object. What was answered
 * is there after each restart, with its owners; what was cut off is there whole or not at all.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { CONFIG_MAPS, configMap, type TestObject } from '../support/kinds.ts';
import { sendPatch } from '../support/send-patch.ts';
import { Random, seedFrom } from '../support/random.ts';
import { startServer, type Answer, type Server } from '../support/server.ts';

const ROUNDS = Number(process.env['CRASH_ROUNDS'] ?? 2);
const CLIENTS = 12;
const ALIVE_MS_MAX = 300;
const PATH = `${CONFIG_MAPS}/shared`;
const TYPES = ['apply', 'merge', 'strategic', 'json'] as const;

t.setTimeout((ROUNDS * 10 + 60) * 1_000);

/** A client knows its two members, which nobody else writes. */
interface Client {
  readonly index: number;
  /** The value in the last answer, and the one that was sent after it. */
  acknowledged: number;
  sent: number;
  /** The version in the last answer. */
  version: number;
}

async function patchOnce(server: Server, client: Client): Promise<Answer> {
  const { index, sent } = client;
  const type = TYPES[index % TYPES.length]!;
  const members = { [`first-${index}`]: `${sent}`, [`second-${index}`]: `${sent}` };
  // Members that come and go: a new one each time, and the one before it no more.
  const more = { [`only-${index}-${sent}`]: '' };
  const old = `only-${index}-${client.acknowledged}`;
  const path = `${PATH}?fieldManager=m${index}`;
  if (type === 'apply') {
    const config = { apiVersion: 'v1', kind: 'ConfigMap', data: { ...members, ...more } };
    return sendPatch(server, path, type, config);
  }
  if (type !== 'json') {
    return sendPatch(server, path, type, { data: { ...members, [old]: null, ...more } });
  }
  const patch = Object.entries({ ...members, [old]: '', ...more }).map(([name, value]) => {
    return { op: 'add', path: `/data/${name}`, value };
  });
  return sendPatch(server, path, type, [...patch, { op: 'remove', path: `/data/${old}` }]);
}

async function patchUntil(t: Test, server: Server, client: Client, crashed: () => boolean) {
  while (!crashed()) {
    client.sent = client.acknowledged + 1;
    const answer = await patchOnce(server, client).catch(() => undefined);
    if (answer === undefined && !crashed()) t.fail('a request failed before the crash');
    if (answer === undefined) return;
    const version = Number(answer.json?.metadata?.resourceVersion);
    if (answer.status !== 200 || version <= client.version) t.fail(answer.text.slice(0, 300));
    client.version = version;
    client.acknowledged = client.sent;
  }
}

/** The client's members are those of one of its patches, not older than the last answer. */
function checkClient(t: Test, { data, metadata }: TestObject, client: Client): void {
  const { index, acknowledged, sent } = client;
  const now = Number(data[`first-${index}`] ?? 0);
  const wrong: string[] = [];
  if (now !== acknowledged && now !== sent) wrong.push(`${now} instead of ${acknowledged}`);
  if (Number(data[`second-${index}`] ?? 0) !== now) wrong.push('half of a patch');
  const mine = (names: readonly string[]): string[] =>
    names.filter((name) => name.split('-')[1] === `${index}`);
  const members = mine(Object.keys(data));
  const expected = [`first-${index}`, `second-${index}`, `only-${index}-${now}`];
  if (now > 0 && String(members.toSorted()) !== String(expected.toSorted())) {
    wrong.push(`members ${String(members)}`);
  }
  const owned: [string, string][] = metadata.managedFields.flatMap((entry: TestObject) =>
    mine(Object.keys(entry.fieldsV1['f:data'] ?? {})).map((name) => [entry.manager, name]),
  );
  const owners = owned.map(([manager, name]) => `${manager} ${name.slice('f:'.length)}`);
  const expectedOwners = members.map((name) => `m${index} ${name}`);
  if (String(owners.toSorted()) !== String(expectedOwners.toSorted())) {
    wrong.push(`owners ${String(owners)}`);
  }
  t.same(wrong, [], `client ${index} is at ${now}`);
  client.acknowledged = now;
}

t.test(`${ROUNDS} crashes under patches of one object`, async (t) => {
  const seed = seedFrom('CRASH_SEED');
  t.comment(`CRASH_SEED=${seed}`);
  const random = new Random(seed);
  const server = await startServer({ test: t });
  const made = await server.post(CONFIG_MAPS, configMap('shared'));
  t.equal(made.status, 201, made.text);
  const clients = Array.from({ length: CLIENTS }, (_, index): Client => {
    return { index, acknowledged: 0, sent: 0, version: 0 };
  });
  for (let round = 1; round <= ROUNDS; round += 1) {
    let crashed = false;
    const load = clients.map(async (client) => patchUntil(t, server, client, () => crashed));
    await sleep(50 + random.below(ALIVE_MS_MAX));
    crashed = true;
    await server.kill();
    await Promise.all(load);
    await server.restart();
    const { json, text } = await server.get(PATH);
    const version = Number(json.metadata.resourceVersion);
    const highest = Math.max(...clients.map((client) => client.version));
    t.ok(version >= highest, `version ${version} is not below ${highest}, which was answered`);
    for (const client of clients) checkClient(t, json, client);
    const { items } = (await server.get(CONFIG_MAPS)).json;
    const { kind: _kind, apiVersion: _apiVersion, ...listed } = JSON.parse(text) as TestObject;
    t.same(items, [listed], 'a list shows the same');
  }
});

t.end();
