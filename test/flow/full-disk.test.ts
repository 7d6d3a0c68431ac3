/** A disk that fills up: a clear failure, and nothing acknowledged is lost. */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import t from 'tap';
import { CONFIG_MAPS, configMap } from '../support/kinds.ts';
import { startServer } from '../support/server.ts';
import type { Answer } from '../support/server.ts';

const FILE_KIBIBYTES_MAX = 8 * 1024;
/** So many in a row, each after a flush: the disk is full. */
const REFUSALS = 3;
const FLUSHED_MS = 300;
/** A text that no compression shortens: pages that come free one by one have no room for it. */
const noise = (): string => randomBytes(150_000).toString('base64');
const hasBash = spawnSync('bash', ['-c', 'ulimit -f 1000']).status === 0;
const skip = hasBash ? false : 'needs bash to limit the size of files';

t.test('a full disk refuses writes, serves reads, and loses nothing', { skip }, async (t) => {
  const server = await startServer({ test: t, fileKibibytesMax: FILE_KIBIBYTES_MAX });
  const acknowledged = new Map<string, string>();
  const refused: string[] = [];
  let failure: Answer | undefined;
  let refusals = 0;
  for (let at = 0; at < 200 && refusals < REFUSALS; at += 1) {
    const name = `fill-${at}`;
    const answer = await server.post(CONFIG_MAPS, configMap(name, { a: noise() }));
    if (answer.status === 201) {
      acknowledged.set(name, answer.text);
      refusals = 0;
    } else {
      failure ??= answer;
      refused.push(name);
      refusals += 1;
      // Pages that older states of the store have used come free when it is flushed.
      await setTimeout(FLUSHED_MS);
    }
  }
  t.ok(acknowledged.size > 5, `${acknowledged.size} fit`);
  t.equal(failure?.status, 500, String(failure?.text.slice(0, 300)));
  t.equal(failure?.json.kind, 'Status');
  t.match(failure?.json.message, /^Internal error occurred: the store could not commit/);

  for (const [name, text] of acknowledged) {
    const read = await server.get(`${CONFIG_MAPS}/${name}`);
    if (read.text !== text) t.fail(`${name} cannot be read any more`);
  }
  t.equal(refusals, REFUSALS, 'other writes fail in the same way');
  t.equal((await server.get('/readyz')).status, 500, 'readyz tells');
  t.equal((await server.get('/livez')).status, 200, 'a restart would not help');

  await server.kill();
  await server.restart({});
  for (const [name, text] of acknowledged) {
    const read = await server.get(`${CONFIG_MAPS}/${name}`);
    if (read.text !== text) t.fail(`${name} is lost`);
  }
  for (const name of refused) {
    t.equal((await server.get(`${CONFIG_MAPS}/${name}`)).status, 404, 'nothing refused is there');
  }
  t.equal((await server.post(CONFIG_MAPS, configMap('room'))).status, 201, 'there is room again');
});

t.end();
