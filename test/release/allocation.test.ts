/**
 * Services are given addresses and ports at these times, in the oldest release and in the newest.
 */
import t from 'tap';
import { startAdmissionWebhook } from '../support/admission-webhook.ts';
import { Hooked } from '../support/hooked.ts';
import { until } from '../support/owned-objects.ts';
import { startServer } from '../support/server.ts';

const webhook = await startAdmissionWebhook(t);
const SERVICES = {
  operations: ['*'],
  apiGroups: [''],
  apiVersions: ['v1'],
  resources: ['services'],
};
const MERGE = { 'content-type': 'application/merge-patch+json' };
const ADDRESS = '10.96.0.77';
const PORT = 31_777;
const CHOSEN = {
  type: 'NodePort',
  clusterIP: ADDRESS,
  ports: [{ name: 'web', port: 80, nodePort: PORT }],
};

interface Seen {
  readonly clusterIP?: string;
  readonly ports: readonly { readonly nodePort?: number }[];
}

const RANGE = '--service-cluster-ip-range=10.96.0.0/16';
const SERVERS = await Promise.all(
  ['1.23', '1.37'].map(async (release) => {
    const args = [`--release=${release}`, RANGE];
    return { release, server: await startServer({ test: t, args }) };
  }),
);

for (const { release, server } of SERVERS) {
  t.test(`${release}: who only looks sees addresses, which a refusal frees`, async (t) => {
    const here = new Hooked(server, webhook, `hooked-${release.replace('.', '-')}`);
    await here.begin();
    const services = `/api/v1/namespaces/${here.namespace}/services`;
    const refuse = () => ({ allowed: false, status: { code: 403, message: 'not this one' } });
    const refusing = await here.register(t, 'Validating', {
      look: { behaviour: refuse, rules: [SERVICES] },
    });
    const service = (name: string, spec: object) => ({ metadata: { name }, spec });
    const any = { type: 'NodePort', ports: [{ port: 80 }] };

    t.equal((await server.post(services, service('any', any))).status, 403);
    t.equal((await server.post(services, service('chosen', CHOSEN))).status, 403);
    const seen = here.requests('look').map(({ object }) => object['spec'] as unknown as Seen);
    t.match(seen, [
      { clusterIP: /^10\.96\./, ports: [{ nodePort: Number }] },
      { clusterIP: ADDRESS, ports: [{ nodePort: PORT }] },
    ]);
    await refusing();

    t.equal((await server.post(services, service('chosen', CHOSEN))).status, 201, 'all is free');
    t.match(await server.post(services, service('again', CHOSEN)), { status: 422 });
    const headless = { clusterIP: 'None', ports: [{ port: 80 }] };
    await server.post(services, service('headless', headless));
    const refusingUpdates = await here.register(t, 'Validating', {
      changes: { behaviour: refuse, rules: [SERVICES] },
    });
    const ports = [{ name: 'web', port: 80, nodePort: PORT + 1 }];
    const change = { spec: { ports } };
    const moved = await server.request('PATCH', `${services}/chosen`, change, MERGE);
    t.equal(moved.status, 403);
    await refusingUpdates();
    const other = { type: 'NodePort', ports };
    t.equal((await server.post(services, service('other', other))).status, 201);
    const { json } = await server.get(`${services}/chosen`);
    t.equal(json.spec.ports[0].nodePort, PORT, 'who was refused has its own');
    t.equal((await server.post(services, service('more', CHOSEN))).status, 422, 'alone');
  });

  t.test(`${release}: a dry run takes nothing`, async (t) => {
    const services = '/api/v1/namespaces/default/services';
    const service = { metadata: { name: 'dry' }, spec: { ...CHOSEN, clusterIP: '10.96.0.78' } };
    service.spec.ports = [{ name: 'web', port: 80, nodePort: PORT + 2 }];
    const query = `${services}?dryRun=All`;
    t.equal((await server.post(query, service)).status, 201);
    t.equal((await server.post(query, service)).status, 201);
    t.equal((await server.post(services, service)).status, 201);
  });

  t.test(`${release}: metrics tell what was given`, async (t) => {
    const metrics = async (): Promise<string> => (await server.get('/metrics')).text;
    const [cidr, prefix] = ['cidr="10.96.0.0/16"', 'kube_apiserver_clusterip_allocator'];
    const scoped = (scope: string) => (release === '1.23' ? cidr : `${cidr},scope="${scope}"`);
    const refused = `${prefix}_allocation_errors_total{${scoped('static')}} `;
    await until(async () => (await metrics()).includes(refused));
    const told = await metrics();
    t.match(told, new RegExp(`${prefix}_allocated_ips{${cidr}} [1-9]`));
    t.match(told, new RegExp(`${prefix}_available_ips{${cidr}} 65[45]`));
    const ports = 'kube_apiserver_nodeport_allocator';
    const isNew = release !== '1.23';
    const asked = new RegExp(`${ports}_allocation_total{scope="static"} [1-9]`);
    t.equal(asked.test(told), isNew);
    t.ok(told.includes(`${prefix}_allocation_total{${scoped('dynamic')}} `));
    t.equal(told.includes(`${prefix}_allocation_duration_seconds_bucket{${cidr}`), isNew);
  });

  const outlive = release === '1.37';
  t.test(`${release}: Endpoints ${outlive ? 'stay' : 'go'} with their service`, async (t) => {
    const at = (plural: string): string => `/api/v1/namespaces/default/${plural}`;
    const metadata = { name: 'gone' };
    const spec = { ports: [{ port: 80 }] };
    await server.post(at('services'), { metadata, spec });
    t.equal((await server.post(at('endpoints'), { metadata })).status, 201);
    t.equal((await server.delete(`${at('services')}/gone?dryRun=All`)).status, 200);
    t.equal((await server.get(`${at('endpoints')}/gone`)).status, 200);
    t.equal((await server.delete(`${at('services')}/gone`)).status, 200);
    t.equal((await server.get(`${at('endpoints')}/gone`)).status, outlive ? 200 : 404);
  });
}
