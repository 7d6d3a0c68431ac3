/** The commands that the start suggests work as they stand. */
import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { freePort, serverCommand, temporaryFolder } from '../support/server-process.ts';
import { startServer } from '../support/server.ts';

/** Gives the output of a command. */
async function shell(command: string): Promise<string> {
  return (await promisify(execFile)('sh', ['-c', command])).stdout;
}

const folder = join(temporaryFolder(), "it's mine");
const quoted = `'${folder.replace("'", "'\\''")}`;
const secure = String(await freePort());
// In the other dialect it says commands of kubectl.
const NEUTRAL = ['--api-domain', 'cluster.io'];
const args = ['--data-dir', folder, '--secure-port', secure, ...NEUTRAL];

t.test('with HTTP', async (t) => {
  const server = await startServer({ test: t, args, dataDirectory: folder });
  const { stdout } = server.process;
  const [ready = '', kubeconfig, ...commands] = stdout.trimEnd().split('\n');
  t.match(ready, /^shardplane ready http/);
  t.equal(kubeconfig, `export KUBECONFIG=${quoted}/admin.kubeconfig'`);
  t.equal(commands.length, 3);
  t.notMatch(stdout, '\u001b', 'no colours');
  const [namespaces = '', create = '', watch = ''] = commands;
  t.match(namespaces, `http://127.0.0.1:${server.port}/`);
  t.match(await shell(`${namespaces} -sS`), /"name": "cluster-system"/);
  t.match(await shell(`${create} -sS`), /"name": "hello"/);
  t.match(await shell(`${watch} -s --max-time 1; true`), /"type":"ADDED".*"name":"hello"/);
  await server.stop();
  for (const kind of ['main', 'fronts', 'actors']) {
    const kept = readdirSync(join(dirname(serverCommand()), 'compiled', kind), { recursive: true });
    t.ok(kept.length > 1, `what was compiled for ${kind} is there for the next start`);
  }
});

t.test('with HTTPS alone', async (t) => {
  const options = { args: [...args, '--port', '0'], dataDirectory: folder };
  const server = await startServer({ test: t, ...options });
  const [, , namespaces = ''] = server.process.stdout.split('\n');
  t.match(namespaces, `--cacert ${quoted}/ca.crt'`);
  t.match(namespaces, `https://127.0.0.1:${secure}/`);
  t.match(await shell(`${namespaces} -sS`), /"name": "cluster-system"/);
  await server.stop();
});

t.test('on every address', async (t) => {
  const everywhere = ['--bind-address', '0.0.0.0', ...NEUTRAL];
  const server = await startServer({ test: t, args: everywhere });
  const [ready, , namespaces] = server.process.stdout.split('\n');
  t.match(ready, `http://0.0.0.0:${server.port}`);
  t.match(namespaces, `http://127.0.0.1:${server.port}/`, 'what clients on this machine take');
  const accept = 'text/html';
  const known = await server.get('/', { accept });
  t.match(known.text, 'First commands');
  const host = 'example.com';
  const stranger = await server.get('/', { accept, authorization: '', host });
  t.equal(stranger.status, 200);
  t.notMatch(stranger.text, server.dataDirectory, 'a name of another machine may lead here');
});

t.test('on a name: what is said is the address that is listened on', async (t) => {
  const dataDirectory = join(temporaryFolder(), 'data');
  const named = ['--bind-address', 'localhost', '--secure-port', String(await freePort())];
  const started = [...named, ...NEUTRAL, '--data-dir', dataDirectory];
  const server = await startServer({ test: t, args: started, dataDirectory });
  const kubeconfig = readFileSync(join(dataDirectory, 'admin.kubeconfig'), 'utf8');
  t.notMatch(server.process.stdout + kubeconfig, /localhost/, 'where somebody else may listen');
  t.match(kubeconfig, /server: https:\/\/(?:127\.0\.0\.1|\[::1\]):/);
  const certificate = new X509Certificate(readFileSync(join(dataDirectory, 'tls.crt')));
  t.ok(certificate.checkHost('localhost'), 'those who say the name are served');
});

t.end();
