/** Streams on the wire: each event is complete when it is sent, for the strictest reader too. */
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { CONFIG_MAPS, configMap } from '../support/kinds.ts';
import type { RawPort } from '../support/raw-exchange.ts';
import { startServer } from '../support/server.ts';
import { freePort } from '../support/server-process.ts';
import { StrictStream } from '../support/strict-stream.ts';

const [secure, sessions] = [Number(await freePort()), Number(await freePort())];
const server = await startServer({
  test: t,
  args: ['--durability=relaxed', `--secure-port=${secure}`, `--session-port=${sessions}`],
});
const PORTS: Readonly<Record<string, RawPort>> = {
  HTTP: { port: server.port },
  HTTPS: { port: secure, isSecure: true },
  'the session port': { port: sessions, isSecure: true },
};
const DEFINITIONS = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';
const WIDGETS = '/apis/shop.test/v1/namespaces/default/widgets';
const definition = {
  metadata: { name: 'widgets.shop.test' },
  spec: {
    group: 'shop.test',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
    ],
  },
};
const TABLE = ';as=Table;v=v1;g=meta.cluster.io';
const META = ';as=PartialObjectMetadata;v=v1;g=meta.cluster.io';
const JSON_TYPE = 'application/json';
const PROTOBUF = 'application/vnd.cluster.protobuf';
const widget = (name: string): object => ({
  apiVersion: 'shop.test/v1',
  kind: 'Widget',
  metadata: { name },
});

interface Form {
  readonly collection: string;
  readonly accept: string;
  readonly object: (name: string) => object;
}
const FORMS: Readonly<Record<string, Form>> = {
  JSON: { collection: CONFIG_MAPS, accept: JSON_TYPE, object: configMap },
  'a table': { collection: CONFIG_MAPS, accept: JSON_TYPE + TABLE, object: configMap },
  protobuf: { collection: CONFIG_MAPS, accept: PROTOBUF, object: configMap },
  'metadata in protobuf': { collection: CONFIG_MAPS, accept: PROTOBUF + META, object: configMap },
  'JSON of a custom type': { collection: WIDGETS, accept: JSON_TYPE, object: widget },
};

await server.post(DEFINITIONS, definition);
while ((await server.get(WIDGETS)).status !== 200) await sleep(20);

function open(port: RawPort, path: string, accept = JSON_TYPE): StrictStream {
  return new StrictStream(port, path, [
    `Authorization: Bearer ${server.token}`,
    `Accept: ${accept}`,
  ]);
}

async function now(collection: string): Promise<string> {
  return (await server.get(collection)).json.metadata.resourceVersion;
}

/** Whole events in what a client was given. */
function eventsIn(body: Buffer, accept: string): number {
  if (!accept.startsWith(PROTOBUF)) return body.toString().split('\n').length - 1;
  let events = 0;
  for (let at = 0; at + 4 <= body.length;) {
    at += 4 + body.readUInt32BE(at);
    if (at <= body.length) events++;
  }
  return events;
}

let made = 0;
for (const [portName, port] of Object.entries(PORTS)) {
  for (const [formName, { collection, accept, object }] of Object.entries(FORMS)) {
    t.test(`each event in ${formName} over ${portName} is whole before the next`, async (t) => {
      const version = await now(collection);
      const path = `${collection}?watch=true&resourceVersion=${version}`;
      const watch = open(port, path, accept);
      await watch.until(() => watch.raw.includes('\r\n\r\n'), 'head');
      for (let event = 1; event <= 3; event++) {
        const name = `whole-${made++}`;
        await server.post(collection, object(name));
        await watch.until((body) => eventsIn(body, accept) === event, `event ${event}`);
        t.ok(watch.body.includes(name), `event ${event}`);
      }
      watch.close();
    });
  }
}

t.test(
  'the bytes after an event are the end of its chunk, and the begin of the next',
  async (t) => {
    for (const [accept, begun] of [
      [JSON_TYPE, ' '],
      [PROTOBUF, '\0'],
    ] as const) {
      const path = `${CONFIG_MAPS}?watch=true&resourceVersion=${await now(CONFIG_MAPS)}`;
      const watch = open(PORTS['HTTP']!, path, accept);
      await watch.until(() => watch.raw.includes('\r\n\r\n'), 'head');
      await server.post(CONFIG_MAPS, configMap(`whole-${made++}`));
      await watch.until((body) => eventsIn(body, accept) === 1, 'event');
      t.match(watch.raw.toString('latin1'), new RegExp(`\r\n1\r\n${begun}$`));
      watch.close();
    }
  },
);

const BOOKMARKS = 'allowWatchBookmarks=true';

t.test('a watch that may have bookmarks ends with one, and with nothing after it', async (t) => {
  for (const [accept, version] of [
    [JSON_TYPE, await now(CONFIG_MAPS)],
    [JSON_TYPE, '0'],
    [PROTOBUF, await now(CONFIG_MAPS)],
  ] as const) {
    const query = `watch=true&${BOOKMARKS}&timeoutSeconds=1&resourceVersion=${version}`;
    const watch = open(PORTS['HTTP']!, `${CONFIG_MAPS}?${query}`, accept);
    await watch.until(() => watch.ended, 'end');
    if (accept === PROTOBUF) {
      let at = 0;
      while (at < watch.body.length) at += 4 + watch.body.readUInt32BE(at);
      t.equal(at, watch.body.length, 'whole frames');
    } else {
      const lines = watch.body.toString().split('\n');
      t.equal(lines.pop(), '', 'whole lines');
      t.same(JSON.parse(lines.at(-1) ?? '').type, 'BOOKMARK');
    }
  }
});

t.test('one that may have none ends with the blank of the event that did not come', async (t) => {
  const query = `watch=true&timeoutSeconds=1&resourceVersion=${await now(CONFIG_MAPS)}`;
  const watch = open(PORTS['HTTP']!, `${CONFIG_MAPS}?${query}`);
  await watch.until(() => watch.ended, 'end');
  t.equal(watch.body.toString(), ' ');
});

t.test('watches of a type that goes end with a bookmark after the last object', async (t) => {
  const query = `watch=true&${BOOKMARKS}&resourceVersion=${await now(WIDGETS)}`;
  const watch = open(PORTS['HTTP']!, `${WIDGETS}?${query}`);
  await watch.until(() => watch.raw.includes('\r\n\r\n'), 'head');
  await server.delete(`${DEFINITIONS}/widgets.shop.test`);
  await watch.until(() => watch.ended, 'end');
  const lines = watch.body.toString().split('\n');
  t.equal(lines.pop(), '', 'whole lines');
  const types = lines.map((line) => JSON.parse(line).type as string);
  t.ok(types.includes('DELETED'));
  t.equal(types.at(-1), 'BOOKMARK');
});

t.test('so do those of a server that stops', async (t) => {
  const query = `watch=true&${BOOKMARKS}&resourceVersion=${await now(CONFIG_MAPS)}`;
  const watch = open(PORTS['HTTP']!, `${CONFIG_MAPS}?${query}`);
  await watch.until(() => watch.raw.includes('\r\n\r\n'), 'head');
  await server.post(CONFIG_MAPS, configMap('last'));
  await watch.until((body) => eventsIn(body, JSON_TYPE) === 1, 'event');
  const stopped = server.stop();
  await watch.until(() => watch.ended, 'end');
  t.equal((await stopped).code, 0);
  const lines = watch.body.toString().split('\n');
  t.equal(lines.pop(), '', 'whole lines');
  t.equal(JSON.parse(lines.at(-1) ?? '').type, 'BOOKMARK');
});
