/** The file of a server that runs is damaged: what it has not looked at yet is refused. */
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { damageText } from '../support/damage-text.ts';
import { CONFIG_MAPS, configMap } from '../support/kinds.ts';
import { expectRefusedStart } from '../support/refused-start.ts';
import { freePort, runToExit } from '../support/server-process.ts';
import { startServer } from '../support/server.ts';

const STARTS = 5;
const TOLD_MS = 1_500;

t.test('damage is refused with the name of the object, and all else goes on', async (t) => {
  const server = await startServer({ test: t });
  for (const name of ['whole', 'hurt']) {
    const answer = await server.post(CONFIG_MAPS, configMap(name, { text: `the text of ${name}` }));
    t.equal(answer.status, 201);
  }
  damageText(server.dataDirectory, 'the text of hurt');

  const message = /version \d+ of configmaps \(default\/hurt\) is damaged on the disk/;
  const refused = { status: 500, json: { kind: 'Status', code: 500, message } };
  t.match(await server.get(`${CONFIG_MAPS}/hurt`), refused);
  t.match(await server.get(`${CONFIG_MAPS}/hurt`), refused, 'again');
  t.match(await server.get(CONFIG_MAPS), refused, 'a list that it is in');
  t.match(await server.put(`${CONFIG_MAPS}/hurt`, configMap('hurt')), refused, 'a write of it');
  const whole = await server.get(`${CONFIG_MAPS}/whole`);
  t.match(whole, { status: 200, json: { data: { text: 'the text of whole' } } });
  // Once a second fronts are told how many objects there are, and of how many bytes.
  t.equal((await server.post(CONFIG_MAPS, configMap('later'))).status, 201);
  await sleep(TOLD_MS);
  t.equal((await server.get('/livez')).status, 200);
});

t.test('a start is refused in one line, whatever its threads are doing', async (t) => {
  const server = await startServer({ test: t });
  const answer = await server.post(CONFIG_MAPS, configMap('hurt', { text: 'the text of hurt' }));
  t.equal(answer.status, 201);
  await server.stop();
  damageText(server.dataDirectory, 'the text of hurt');
  const port = String(await freePort());
  const flags = ['--data-dir', server.dataDirectory, '--secure-port', '0', '--port', port];
  for (let start = 1; start <= STARTS; start++) {
    expectRefusedStart(t, await runToExit(flags), /\(default\/hurt\) is damaged on the disk/);
  }
});

t.end();
