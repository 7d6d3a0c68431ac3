/** The example of an installation of several servers: what it gives to the programs. */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { parse } from 'yaml';
import { readCommand } from '../../src/config/config.ts';

interface Service {
  readonly image: string;
  readonly command?: string | readonly string[];
}

const FILE = new URL('../../tools/package/files/compose.yaml', import.meta.url);

t.test('each server knows its flags, and reaches etcd and the others', async (t) => {
  const { services, configs } = parse(readFileSync(FILE, 'utf8'), { merge: true }) as {
    readonly services: Readonly<Record<string, Service>>;
    readonly configs: { readonly balancer: { readonly content: string } };
  };
  const servers = Object.entries(services).filter(([name]) => name.startsWith('server-'));
  t.equal(servers.length, 3);
  for (const [name, { image, command }] of servers) {
    t.equal(image, 'shardplane');
    const read = readCommand(command as string[]);
    const { config } = read as { readonly config: { readonly etcd: object } };
    t.match(config.etcd, { peerAddress: { host: name } });
    for (const { hostname, port } of etcdServers(config.etcd)) {
      const text = String(services[hostname]?.command);
      t.ok(text.includes(`--advertise-client-urls http://${hostname}:${port}`), hostname);
    }
    t.ok(configs.balancer.content.includes(`server ${name} ${name}:6443`));
  }
});

function etcdServers(etcd: object): readonly URL[] {
  return (etcd as { readonly servers: readonly string[] }).servers.map((url) => new URL(url));
}
