/** Three servers that share an etcd are replaced one by one by a newer build, under load. */
import { join } from 'node:path';
import t from 'tap';
import type { Test } from 'tap';
import { expectRefusedStart } from '../support/refused-start.ts';
import { otherBuild } from '../support/other-build.ts';
import { until } from '../support/owned-objects.ts';
import { freePort, runProgram, temporaryFolder } from '../support/server-process.ts';
import { startServer, type Server } from '../support/server.ts';
import { startDouble } from '../support/etcd/start-double.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const WRITERS = 4;

/** Clients of all servers: they go to another one when one does not answer. */
class Load {
  readonly acknowledged = new Set<string>();
  readonly seen = new Map<string, number>();
  readonly #servers: readonly Server[];
  #writers: readonly Promise<void>[] = [];
  #watches: readonly Promise<void>[] = [];
  #isOver = false;

  constructor(servers: readonly Server[]) {
    this.#servers = servers;
  }

  begin(from: string): void {
    this.#writers = Array.from({ length: WRITERS }, (_, writer) => this.#write(writer));
    this.#watches = this.#servers.map((_, at) => this.#watch(at, from));
  }

  /** Resolves when all watches have told of what was written last. */
  async end(last: Server): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#writers);
    const metadata = { name: 'end' };
    await until(async () => {
      const { status } = await last.post(CONFIG_MAPS, { metadata });
      return status === 201 || status === 409;
    });
    await Promise.all(this.#watches);
  }

  #server(at: number): Server {
    return this.#servers[at % this.#servers.length] as Server;
  }

  async #write(writer: number): Promise<void> {
    for (let at = writer; !this.#isOver; at++) {
      const name = `w-${writer}-${at}`;
      const answer = await this.#server(at)
        .post(CONFIG_MAPS, { metadata: { name } })
        .catch(() => undefined);
      if (answer?.status === 201) this.acknowledged.add(name);
      else await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Follows all, at one server after the other, and goes on where it was. */
  async #watch(first: number, from: string): Promise<void> {
    let version = from;
    for (let at = first, isEnd = false; !isEnd; at++) {
      const path = `${CONFIG_MAPS}?watch=true&resourceVersion=${version}`;
      const watch = await this.#server(at)
        .watch(path)
        .catch(() => undefined);
      for (;;) {
        const event = await watch?.next().catch(() => undefined);
        if (event === undefined) break;
        const { name, resourceVersion } = event.object.metadata;
        if (event.type === 'ADDED') {
          this.seen.set(`${first} ${name}`, (this.seen.get(`${first} ${name}`) ?? 0) + 1);
          version = resourceVersion as string;
        } else if (event.type === 'ERROR') throw new Error(JSON.stringify(event.object));
        if (name === 'end') isEnd = true;
        if (isEnd) break;
      }
      watch?.close();
    }
  }
}

async function startThree(t: Test, args: readonly string[]): Promise<readonly Server[]> {
  const first = await startServer({ test: t, args });
  const others = await Promise.all([1, 2].map(() => startServer({ test: t, args })));
  return [first, ...others];
}

async function refused(t: Test, program: string, args: readonly string[], why: RegExp) {
  const flags = ['--data-dir', join(temporaryFolder(), 'data'), '--secure-port', '0'];
  const given = [...flags, '--port', String(await freePort()), ...args];
  expectRefusedStart(t, await runProgram(program, given), why);
}

t.test('servers are replaced one by one under load, and nothing is lost', async (t) => {
  const newer = otherBuild('0.2.0', 2);
  const tooNew = otherBuild('0.3.0', 3);
  const etcd = await startDouble(t);
  // Those who leave say so; the double may be slow to renew leases.
  const args = ['--store', 'etcd', '--etcd-servers', etcd.url, '--etcd-lease-ttl', '60s'];
  const servers = await startThree(t, args);
  await refused(t, tooNew, args, /format 1\) shares the etcd.*0\.3\.0 \(format 3\)/);
  const { json } = await (servers[0] as Server).get(CONFIG_MAPS);
  const load = new Load(servers);
  load.begin(json.metadata.resourceVersion as string);
  for (const server of [...servers].reverse()) {
    const before = load.acknowledged.size;
    await until(async () => load.acknowledged.size > before + 10);
    await server.stop();
    await server.restart({ args, program: newer });
    t.match((await server.get('/readyz')).text, /ok/);
  }
  const raised = /what is in etcd goes to format 2: all servers know it/;
  await until(async () =>
    servers.some(({ stderr, process }) => raised.test(stderr + process.stdout)),
  );
  await load.end(servers[1] as Server);
  for (const server of servers) {
    const { items } = (await server.get(CONFIG_MAPS)).json;
    const names = new Set(
      (items as { metadata: { name: string } }[]).map((it) => it.metadata.name),
    );
    const lost = [...load.acknowledged].filter((name) => !names.has(name));
    t.same(lost, [], `of ${load.acknowledged.size} that were acknowledged`);
    const missed = [0, 1, 2].flatMap((watch) =>
      [...names].filter((name) => load.seen.get(`${watch} ${name}`) !== 1 && name !== ROOT),
    );
    t.same(missed, [], 'each watch has told of each once');
  }
  const own = join(import.meta.dirname, '../../.build/main.js');
  await refused(t, own, args, /what is in etcd has format 2, which this server.*cannot read/);
});

/** Made before the load begins. */
const ROOT = 'kube-root-ca.crt';
