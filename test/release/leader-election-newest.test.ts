/** Elections that the server holds, with candidates that act as those of the public client do. */
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { until } from '../support/owned-objects.ts';
import { startServer, type Server } from '../support/server.ts';

const GROUP = 'coordination.cluster.io';
const LEASES = `/apis/${GROUP}/v1/namespaces/default/leases`;
const MERGE = { 'content-type': 'application/merge-patch+json' };
const RELEASES: readonly (readonly [release: string, version: string, strategy: object])[] = [
  ['1.31', 'v1alpha1', { preferredStrategies: ['OldestEmulationVersion'] }],
  ['1.32', 'v1alpha2', { strategy: 'OldestEmulationVersion' }],
  ['1.37', 'v1beta1', { strategy: 'OldestEmulationVersion' }],
];

/** The programs that would take a lease, as far as the server sees them. */
class Candidates {
  readonly #server: Server;
  readonly #path: string;
  readonly #spec: object;

  constructor(server: Server, version: string, strategy: object) {
    this.#server = server;
    this.#path = `/apis/${GROUP}/${version}/namespaces/default/leasecandidates`;
    this.#spec = { leaseName: 'work', binaryVersion: '1.37.0', ...strategy };
  }

  async join(name: string, emulationVersion: string, renewTime = now()): Promise<number> {
    const spec = { ...this.#spec, emulationVersion, renewTime };
    const { status } = await this.#server.post(this.#path, { metadata: { name }, spec });
    return status;
  }

  /** Lets all of them answer what they are asked, until `ends`. */
  async answer(ends: AbortSignal): Promise<void> {
    while (!ends.aborted) {
      const { items } = (await this.#server.get(this.#path)).json;
      for (const { metadata, spec } of items) {
        if (spec.pingTime > spec.renewTime) await this.#renew(metadata.name, now());
      }
      await sleep(20);
    }
  }

  /** Has not shown for a minute that it lives. */
  async grow(name: string): Promise<void> {
    await this.#renew(name, micros(Date.now() - 60_000));
  }

  async #renew(name: string, renewTime: string): Promise<void> {
    await this.#server.request('PATCH', `${this.#path}/${name}`, { spec: { renewTime } }, MERGE);
  }
}

const micros = (ms: number): string => `${new Date(ms).toISOString().slice(0, -1)}000Z`;
const now = (): string => micros(Date.now());

for (const [release, version, strategy] of RELEASES) {
  t.test(`release ${release}`, async (t) => {
    const served = `${GROUP}/${version}=true`;
    const gates = ['--feature-gates', 'CoordinatedLeaderElection=true'];
    const args = ['--release', release, '--runtime-config', served, ...gates];
    const server = await startServer({
      test: t,
      args: [...args, '--coordinated-leadership-lease-duration=20s'],
    });
    const candidates = new Candidates(server, version, strategy);
    const lease = async () => (await server.get(`${LEASES}/work`)).json.spec;
    const leads = (name: string) => until(async () => (await lease())?.holderIdentity === name);
    const renew = async (): Promise<void> => {
      const spec = { renewTime: now(), leaseDurationSeconds: 3_600 };
      await server.request('PATCH', `${LEASES}/work`, { spec }, MERGE);
    };

    t.equal(await candidates.join('new', '1.36.0'), 201);
    await leads('new');
    await renew();
    t.match(await lease(), { strategy: 'OldestEmulationVersion', preferredHolder: undefined });

    await candidates.grow('new');
    await candidates.join('old', '1.35.0');
    const ends = new AbortController();
    const answering = candidates.answer(ends.signal);
    await until(async () => (await lease()).preferredHolder === 'old');
    t.equal((await lease()).holderIdentity, 'new', 'it is asked to leave, not removed');

    await server.request('PATCH', `${LEASES}/work`, { spec: { holderIdentity: '' } }, MERGE);
    await leads('old');
    ends.abort();
    await answering;
    t.equal((await lease()).preferredHolder, undefined);

    const own = `/apis/${GROUP}/v1/namespaces/cluster-system/leases/leader-election-controller`;
    await until(async () => (await server.get(own)).json.spec?.holderIdentity !== undefined);
    t.match((await server.get(own)).json.spec, { leaseDurationSeconds: 20, leaseTransitions: 0 });
  });
}

t.test('without the API of candidates nothing is elected, and the server serves', async (t) => {
  const args = ['--release', '1.37', '--feature-gates', 'CoordinatedLeaderElection=true'];
  const server = await startServer({ test: t, args });
  const spec = { strategy: 'OldestEmulationVersion' };
  const { json } = await server.post(LEASES, { metadata: { name: 'work' }, spec });
  t.same(json.spec, spec);
});
