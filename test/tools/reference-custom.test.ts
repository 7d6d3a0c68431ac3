/** The part of `npm run check:reference` that is about definitions, between two of our servers. */
import t from 'tap';
import { startServer } from '../support/server.ts';
import { ApiClient } from '../../tools/reference/api-client.ts';
import { servedCollections } from '../../tools/reference/custom-requests.ts';
import {
  installDefinitions,
  removeDefinitions,
  runCustomRequests,
} from '../../tools/reference/custom-types.ts';
import { Findings, groupsText } from '../../tools/reference/findings.ts';
import { Lane } from '../../tools/reference/lane.ts';
import { ServerGone } from '../../tools/reference/server-gone.ts';

const TEXT = { type: 'string' } as const;
const SPEC = {
  type: 'object',
  required: ['host'],
  properties: {
    host: { ...TEXT, pattern: '^[a-z.]+$', maxLength: 20 },
    paused: { type: 'boolean', default: false },
    port: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, TEXT] },
    replicas: { type: 'integer', minimum: 0, maximum: 5 },
    since: { ...TEXT, format: 'date-time', nullable: true },
    mode: { ...TEXT, enum: ['a', 'b'] },
    rest: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    list: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: { type: 'object', required: ['name'], properties: { name: TEXT, value: TEXT } },
    },
  },
} as const;
const STATUS = { type: 'object', additionalProperties: TEXT } as const;
const version = (name: string, storage: boolean) => ({
  name,
  served: true,
  storage,
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: SPEC, status: STATUS } } },
  subresources: { status: {} },
  additionalPrinterColumns: [{ name: 'Host', type: 'string', jsonPath: '.spec.host' }],
});
const DEFINITION = {
  origin: 'a test',
  document: {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'sites.compared.example.com' },
    spec: {
      group: 'compared.example.com',
      scope: 'Namespaced',
      names: { plural: 'sites', kind: 'Site' },
      versions: [version('v1', true), version('v1beta1', false)],
    },
  },
};

const args = [
  '--api-domain',
  'k8s.io',
  '--controllers=-namespace,-garbage-collector,-event-expiry',
];
const servers = await Promise.all([startServer({ test: t, args }), startServer({ test: t, args })]);
const [ours, theirs] = servers.map(
  ({ port, token }) => new ApiClient(`http://127.0.0.1:${port}`, token),
) as [ApiClient, ApiClient];
t.teardown(() => {
  ours.close();
  theirs.close();
});

t.test('two servers of ours agree about a custom type, and nothing is left on them', async (t) => {
  const findings = new Findings();
  const lane = new Lane({ ours, theirs }, 'cmp-custom', findings);
  await lane.open();
  const installed = await installDefinitions(lane, [DEFINITION]);
  t.equal(installed.length, 1);
  await t.rejects(installDefinitions(lane, [DEFINITION]), ServerGone, 'it is there already');
  const collections = installed.flatMap((one) => servedCollections(one, lane.namespace));
  t.same(
    collections.map(({ groupVersion }) => groupVersion),
    ['compared.example.com/v1', 'compared.example.com/v1beta1'],
  );
  const run = { seed: 1, requests: 60, name: 'a test', collections, isEnded: () => false };
  await runCustomRequests(lane, run);
  await removeDefinitions(lane, installed);
  await lane.close();
  t.ok(findings.compared > 60, `${findings.compared} answers compared`);
  t.equal(groupsText(findings.groups), '');
  for (const server of servers) {
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    t.same((await server.get(path)).json.items, []);
  }
});
