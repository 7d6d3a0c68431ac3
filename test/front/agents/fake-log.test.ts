/** The log of a container where nothing runs. */
import { once } from 'node:events';
import t from 'tap';
import { fakeLog, type FakePod } from '../../../src/front/agents/fake-log.ts';

const POD: FakePod = { metadata: { namespace: 'default', name: 'pod', uid: 'one' } };

t.test('nobody asks for the pod any more when who followed has left', async (t) => {
  // What waits for the pod keeps no process alive.
  const alive = setInterval(() => undefined, 1_000);
  t.teardown(() => clearInterval(alive));
  const log = fakeLog(POD, 'main', 'follow=true', () => Promise.resolve(POD));
  const [said] = (await once(log, 'data')) as [Buffer];
  t.match(said.toString(), 'main of default/pod');
  log.destroy();
  await once(log, 'close');
});

t.end();
