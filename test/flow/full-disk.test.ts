/** A disk that fills up: a clear failure, and nothing acknowledged is lost. */
import { spawnSync } from 'node:child_process';
import t from 'tap';
import { CONFIG_MAPS, configMap } from '../support/kinds.ts';
import { startServer } from '../support/server.ts';
import type { Answer } from '../support/server.ts';

const FILE_KIBIBYTES_MAX = 8 * 1024;
const hasBash = spawnSync('bash', ['-c', 'ulimit -f 1000']).status === 0;
const skip = hasBash ? false : 'needs bash to limit the size of files';

t.test('a full disk refuses writes, serves reads, and loses nothing', { skip }, async (t) => {
  const server = await startServer({ test: t, fileKibibytesMax: FILE_KIBIBYTES_MAX });
  const acknowledged = new Map<string, string>();
  let failure: Answer | undefined;
  for (let at = 0; at < 200 && failure === undefined; at += 1) {
    const name = `fill-${at}`;
    const answer = await server.post(CONFIG_MAPS, configMap(name, { a: 'x'.repeat(200_000) }));
    if (answer.status === 201) acknowledged.set(name, answer.text);
    else failure = answer;
  }
  t.ok(acknowledged.size > 5, `${acknowledged.size} fit`);
  t.equal(failure?.status, 500, String(failure?.text.slice(0, 300)));
  t.equal(failure?.json.kind, 'Status');
  t.match(failure?.json.message, /^Internal error occurred: the store could not commit/);

  for (const [name, text] of acknowledged) {
    const read = await server.get(`${CONFIG_MAPS}/${name}`);
    if (read.text !== text) t.fail(`${name} cannot be read any more`);
  }
  const refused = await server.post(CONFIG_MAPS, configMap('big', { a: 'x'.repeat(200_000) }));
  t.equal(refused.status, 500, 'another write fails in the same way');
  t.equal((await server.get('/readyz')).status, 500, 'readyz tells');
  t.equal((await server.get('/livez')).status, 200, 'a restart would not help');

  await server.kill();
  await server.restart({});
  for (const [name, text] of acknowledged) {
    const read = await server.get(`${CONFIG_MAPS}/${name}`);
    if (read.text !== text) t.fail(`${name} is lost`);
  }
  t.equal((await server.get(`${CONFIG_MAPS}/big`)).status, 404, 'nothing refused is there');
  t.equal((await server.post(CONFIG_MAPS, configMap('room'))).status, 201, 'there is room again');
});

t.end();
