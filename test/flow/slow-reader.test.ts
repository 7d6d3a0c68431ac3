/** Clients that read slowly, or stop: nobody else waits, and the server goes on. */
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { once } from 'node:events';
import t from 'tap';
import { expectUnharmed } from '../support/expect-status.ts';
import { forgotten } from '../support/history-window.ts';
import { CONFIG_MAPS, configMap } from '../support/kinds.ts';
import { startServer } from '../support/server.ts';
import type { Server } from '../support/server.ts';

const OBJECTS = 30;
const FILLER = 'x'.repeat(600_000);

const server = await startServer({ test: t });
const forgetful = await startServer({ test: t, args: ['--watch-history', '1s'] });

/**
 * Writes all objects, in the first round anew; together they are more than sockets and rings hold.
 */
async function fill(server: Server, round: 'first' | 'second' | 'third'): Promise<void> {
  if (round === 'first') await server.delete(CONFIG_MAPS);
  for (let at = 0; at < OBJECTS; at += 1) {
    const object = configMap(`slow-${at}`, { filler: FILLER, round });
    if (round === 'first') await server.post(CONFIG_MAPS, object);
    else await server.put(`${CONFIG_MAPS}/slow-${at}`, object);
  }
}

/** Until the versions of everything replaced so far are dropped, with a history of 1 s. */
async function leaveHistory(server: Server): Promise<void> {
  const { json } = await server.put(`${CONFIG_MAPS}/slow-0`, configMap('slow-0'));
  await forgotten(server, Number(json.metadata.resourceVersion) - 1);
}

/** Sends a GET and takes only the head of its answer. */
async function openAndStall(server: Server, path: string): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${server.token}` };
  const options = { host: '127.0.0.1', port: server.port, path, headers, agent: false as const };
  const outgoing = request(options);
  outgoing.on('error', () => undefined);
  outgoing.end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  response.pause();
  return response;
}

/** Reads on to the end, or to where the connection is cut. */
async function readOn(response: IncomingMessage): Promise<{ text: string; whole: boolean }> {
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  // A cut connection is an error event and then a close, and is what some tests expect.
  response.on('error', () => undefined);
  await new Promise((resolve) => response.on('close', resolve).resume());
  return { text: Buffer.concat(chunks).toString(), whole: response.complete };
}

/** Reads on until so many lines are there, or the stream ends. */
async function readLines(response: IncomingMessage, count: number): Promise<string[]> {
  const lines: string[] = [];
  let rest: string[] = [];
  response.setEncoding('utf8');
  for await (const chunk of response as AsyncIterable<string>) {
    const parts = chunk.split('\n');
    for (const part of parts.slice(0, -1)) {
      lines.push([...rest, part].join(''));
      rest = [];
    }
    rest.push(parts.at(-1) ?? '');
    if (lines.length >= count) break;
  }
  return lines;
}

t.test('a list that is read slowly is of one version, whatever is written', async (t) => {
  await fill(server, 'first');
  const stalled = await openAndStall(server, CONFIG_MAPS);
  await fill(server, 'second');
  const { text, whole } = await readOn(stalled);
  t.equal(whole, true);
  const { items } = JSON.parse(text);
  t.equal(items.length, OBJECTS);
  t.ok(
    items.every((item: { data: { round: string } }) => item.data.round === 'first'),
    'all of the first round',
  );
});

t.test('a list that is read so slowly that its versions are gone is cut off', async (t) => {
  const server = forgetful;
  await fill(server, 'first');
  const stalled = await openAndStall(server, CONFIG_MAPS);
  await fill(server, 'second');
  await leaveHistory(server);
  const { text, whole } = await readOn(stalled);
  if (whole) t.equal(JSON.parse(text).items.length, OBJECTS, 'kept for the reader');
  else t.pass('the connection was cut: half a list does not look whole');
  await expectUnharmed(t, server);
});

t.test('a watch that is not read costs the others nothing, and loses nothing', async (t) => {
  await fill(server, 'first');
  const from = (await server.get(`${CONFIG_MAPS}?fieldSelector=metadata.name%3Dnone`)).json;
  const query = `?watch=true&resourceVersion=${from.metadata.resourceVersion}&timeoutSeconds=20`;
  const stalled = await openAndStall(server, `${CONFIG_MAPS}${query}`);
  const reading = await server.watch(`${CONFIG_MAPS}${query}`);
  await fill(server, 'second');
  const seen = await reading.take(OBJECTS);
  t.equal(seen.length, OBJECTS, 'the other watch has all of it');
  reading.close();
  const lines = await readLines(stalled, OBJECTS);
  const wrong = lines.filter((line, at) => line.trimStart() !== seen[at]?.raw);
  t.equal(lines.length, OBJECTS);
  t.same(
    wrong.map((line) => line.slice(0, 200)),
    [],
    'and the one that stalled gets the same, in order, once',
  );
  stalled.destroy();
  await expectUnharmed(t, server);
});

t.test('a watch that is not read for longer than history ends with 410', async (t) => {
  const server = forgetful;
  await fill(server, 'first');
  const from = (await server.get(`${CONFIG_MAPS}?fieldSelector=metadata.name%3Dnone`)).json;
  const query = `?watch=true&resourceVersion=${from.metadata.resourceVersion}&timeoutSeconds=30`;
  const stalled = await openAndStall(server, `${CONFIG_MAPS}${query}`);
  await fill(server, 'second');
  await fill(server, 'third');
  await leaveHistory(server);
  const { text, whole } = await readOn(stalled);
  t.equal(whole, true, 'the stream ends cleanly');
  const lines = text.trimEnd().split('\n');
  const events = lines.map((line) => JSON.parse(line));
  const versions = events
    .filter(({ type }) => type !== 'ERROR')
    .map(({ object }) => Number(object.metadata.resourceVersion));
  t.ok(
    versions.every((version, at) => at === 0 || version > (versions[at - 1] ?? 0)),
    'what it got is in order',
  );
  t.match(events.at(-1), {
    type: 'ERROR',
    object: { kind: 'Status', status: 'Failure', reason: 'Expired', code: 410 },
  });
  await expectUnharmed(t, server);
});

t.end();
