/**
 * 64 writers of ten types in one namespace, with crashes: at no time is there more than its quotas
 * allow, and in the end they say what there is. `QUOTA_ROUNDS=40` makes it a long run.
 */
import { isDeepStrictEqual } from 'node:util';
import t from 'tap';
import { until } from '../support/owned-objects.ts';
import { Random, seedFrom } from '../support/random.ts';
import { startServer } from '../support/server.ts';
import type { Server } from '../support/server.ts';

const ROUNDS = Number(process.env['QUOTA_ROUNDS'] ?? 1);
const WRITERS = 64;
/** In each round, until it ends with a crash. */
const WRITES = 400;
const HARD = 12;
const NAMESPACE = 'default';
const QUOTAS = `/api/v1/namespaces/${NAMESPACE}/resourcequotas`;
const DEFINITIONS = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';

t.setTimeout((ROUNDS * 20 + 120) * 1_000);

type Amounts = Readonly<Record<string, string>>;

interface Counted {
  /** The path of the collection. */
  readonly path: string;
  /** As a quota calls the number of them. */
  readonly name: string;
  readonly body: object;
}

const inGroup = (groupVersion: string, plural: string): string =>
  `/apis/${groupVersion}/namespaces/${NAMESPACE}/${plural}`;
const inCore = (plural: string): string => `/api/v1/namespaces/${NAMESPACE}/${plural}`;

const labels = { app: 'a' };
const container = { name: 'a', image: 'a:1', resources: { requests: { cpu: '100m' } } };
const template = { metadata: { labels }, spec: { containers: [container] } };
const ports = [1, 2].map((port) => ({ port, name: `p${port}` }));
const resources = { requests: { storage: '1Gi' } };

const TYPES: readonly Counted[] = [
  { path: inCore('configmaps'), name: 'configmaps', body: {} },
  { path: inCore('secrets'), name: 'count/secrets', body: {} },
  { path: inCore('services'), name: 'services', body: { spec: { type: 'NodePort', ports } } },
  { path: inCore('pods'), name: 'pods', body: { spec: template.spec } },
  {
    path: inCore('persistentvolumeclaims'),
    name: 'persistentvolumeclaims',
    body: { spec: { accessModes: ['ReadWriteOnce'], resources } },
  },
  {
    path: inCore('replicationcontrollers'),
    name: 'replicationcontrollers',
    body: { spec: { selector: labels, template } },
  },
  { path: inCore('endpoints'), name: 'count/endpoints', body: {} },
  {
    path: inGroup('coordination.cluster.io/v1', 'leases'),
    name: 'count/leases.coordination.cluster.io',
    body: {},
  },
  {
    path: inGroup('apps/v1', 'deployments'),
    name: 'count/deployments.apps',
    body: { spec: { selector: { matchLabels: labels }, template } },
  },
  { path: inGroup('example.com/v1', 'widgets'), name: 'count/widgets.example.com', body: {} },
];

const WIDGETS = {
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
    ],
  },
};

/** Half of the types have two quotas, of which the other is tighter in something. */
const FIRST = Object.fromEntries(TYPES.map(({ name }) => [name, String(HARD)]));
const SECOND = {
  'services.nodeports': '18',
  'requests.cpu': '1',
  'requests.storage': '8Gi',
  'count/configmaps': '10',
  'count/pods': '11',
};
const MOST: Readonly<Record<string, number | undefined>> = {
  services: 9,
  pods: 10,
  persistentvolumeclaims: 8,
  configmaps: 10,
};

/** One of many: makes objects of its own names, deletes them, and does both in vain at times. */
class Writer {
  readonly #server: Server;
  readonly #random: Random;
  readonly #name: string;
  /** The last object of each type that anybody made. */
  readonly #newest: Map<Counted, string>;
  readonly #made: { readonly type: Counted; readonly name: string }[] = [];
  #count = 0;
  /** The type of which this writer has just deleted one, so that there is room for another. */
  #freed: Counted | undefined;

  constructor(server: Server, random: Random, name: string, newest: Map<Counted, string>) {
    this.#server = server;
    this.#random = random;
    this.#name = name;
    this.#newest = newest;
  }

  /** One write; resolves with its status, and with 0 when there is no server. */
  async write(): Promise<number> {
    try {
      return await this.#writeAny();
    } catch {
      return 0;
    }
  }

  async #writeAny(): Promise<number> {
    const random = this.#random;
    if (this.#made.length > 0 && random.below(3) === 0) return this.#deleteAny();
    const type = this.#freed ?? (TYPES[random.below(TYPES.length)] as Counted);
    // An object that is there already is counted first, and given back.
    const again = this.#freed === undefined ? undefined : this.#newest.get(type);
    this.#freed = undefined;
    const name = again ?? `${this.#name}-${this.#count++}`;
    const kind = type.path.includes('widgets') && { apiVersion: 'example.com/v1', kind: 'Widget' };
    const object = { ...kind, metadata: { name }, ...type.body };
    const dryRun = random.below(8) === 0 ? '?dryRun=All' : '';
    const { status } = await this.#server.post(type.path + dryRun, object);
    if (status === 201 && dryRun === '') {
      this.#made.push({ type, name });
      this.#newest.set(type, name);
    }
    return status;
  }

  async #deleteAny(): Promise<number> {
    const random = this.#random;
    const [{ type, name } = {}] = this.#made.splice(random.below(this.#made.length), 1);
    const { status } = await this.#server.delete(`${type?.path}/${name}`);
    if (random.below(2) === 0) this.#freed = type;
    return status;
  }
}

async function numberOf(server: Server, { path }: Counted): Promise<number> {
  const { json } = await server.get(path);
  return json.items.length;
}

interface Quota {
  readonly status?: { readonly used?: Amounts };
}

async function used(server: Server): Promise<Amounts> {
  const { json } = await server.get(QUOTAS);
  return Object.assign({}, ...json.items.map(({ status }: Quota) => status?.used));
}

t.test('quotas hold under many writers and crashes', async (t) => {
  const seed = seedFrom('QUOTA_SEED');
  t.comment(`QUOTA_SEED=${seed}`);
  const args = ['--controllers', '*,-bootstrap,-serviceaccount-token,-root-ca-cert-publisher'];
  const rules = ['--disable-admission-plugins', 'ServiceAccount'];
  const server = await startServer({ test: t, args: [...args, ...rules] });
  await server.post(DEFINITIONS, WIDGETS);
  await until(async () => (await server.get(inGroup('example.com/v1', 'widgets'))).status === 200);
  for (const [name, hard] of Object.entries({ first: FIRST, second: SECOND })) {
    await server.post(QUOTAS, { metadata: { name }, spec: { hard } });
  }
  const names = [...Object.keys(FIRST), ...Object.keys(SECOND)];
  await until(async () => {
    const known = await used(server);
    return names.every((name) => known[name] !== undefined);
  });
  const newest = new Map<Counted, string>();
  const writers = Array.from(
    { length: WRITERS },
    (_, index) => new Writer(server, new Random(seed + index), `w${index}`, newest),
  );
  const check = async (): Promise<void> => {
    for (const type of TYPES) {
      const number = await numberOf(server, type);
      const limit = MOST[type.name] ?? HARD;
      if (number > limit) t.fail(`${number} ${type.name} of ${limit}: QUOTA_SEED=${seed}`);
    }
  };
  const statuses = new Map<number, number>();
  let writes = 0;
  for (let round = 0; round <= ROUNDS; round++) {
    const end = writes + WRITES;
    const run = async (writer: Writer): Promise<void> => {
      for (let status = 1; status > 0 && writes < end; writes++) {
        status = await writer.write();
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    const running = writers.map(run);
    await check();
    await Promise.race(running);
    if (round < ROUNDS) await server.kill();
    await Promise.all(running);
    if (round < ROUNDS) await server.restart();
    await check();
  }
  for (const status of [200, 201, 403, 409]) t.ok(statuses.get(status), `there were ${status}`);
  const wanted: Record<string, string> = {};
  for (const type of TYPES) wanted[type.name] = String(await numberOf(server, type));
  let said: Amounts = {};
  await until(async () => {
    const all = await used(server);
    said = Object.fromEntries(TYPES.map(({ name }) => [name, all[name] ?? '']));
    return isDeepStrictEqual(said, wanted);
  }).catch(() => undefined);
  t.same(said, wanted, 'what is used is what is there');
  t.equal(server.stderr, '');
});
