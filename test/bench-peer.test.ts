/** A comparison with another server runs: here the other one is a second server of our own. */
import t from 'tap';
import { checkBenchmark } from './support/run-benchmark.ts';
import { freePort, launchServer } from './support/server-process.ts';

t.test('another server is compared with over TLS, in each form', async (t) => {
  const port = String(await freePort());
  const peer = await launchServer({ args: ['--api-domain', 'k8s.io', '--secure-port', port] });
  t.teardown(() => peer.dispose());
  const url = `https://127.0.0.1:${port}`;
  const args = ['--peer', url, '--peer-token', peer.token, '--peer-insecure'];
  await checkBenchmark(t, 'main.ts', 30, [...args, '--peer-pids', String(peer.pid)]);
});

t.end();
