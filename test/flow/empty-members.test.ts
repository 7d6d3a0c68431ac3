/** Empty lists and maps are told from none, as the reference does. */
import t from 'tap';
import { sendPatch } from '../support/send-patch.ts';
import { sharedServer } from '../support/shared-server.ts';

const server = await sharedServer();

t.test('who sends an empty list that is always there owns it, in each version', async (t) => {
  for (const version of ['v1', 'v1beta1']) {
    const path = `/apis/discovery.cluster.io/${version}/namespaces/default/endpointslices?dryRun=All`;
    const slice = { metadata: { name: 'a' }, addressType: 'IPv4' };
    const ownedOf = async (lists: object): Promise<string[]> => {
      const { json } = await server.post(path, { ...slice, ...lists });
      return Object.keys(json.metadata.managedFields[0].fieldsV1);
    };
    t.same(await ownedOf({ endpoints: null }), ['f:addressType'], version);
    t.same(
      await ownedOf({ endpoints: [], ports: [] }),
      ['f:addressType', 'f:endpoints', 'f:ports'],
      version,
    );
  }
});

t.test('an empty list or map counts as a change where the reference compares so', async (t) => {
  const webhook = {
    name: 'a.example.com',
    clientConfig: { url: 'https://127.0.0.1:1/' },
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  };
  const webhooks = '/apis/admissionregistration.cluster.io/v1/validatingwebhookconfigurations';
  const policies = '/apis/networking.cluster.io/v1/namespaces/default/networkpolicies';
  const empty = { spec: { podSelector: { matchLabels: {} } } };
  for (const [path, object, change, counts] of [
    [policies, { spec: { podSelector: {} } }, { spec: { egress: [] } }, true],
    [policies, { spec: { podSelector: {} } }, empty, true],
    [policies, { spec: { podSelector: {} } }, { metadata: { labels: {} } }, false],
    [webhooks, { webhooks: [webhook] }, { webhooks: [{ ...webhook, rules: [] }] }, true],
    [webhooks, { webhooks: [webhook] }, { webhooks: [webhook] }, false],
    [webhooks, {}, { webhooks: [] }, true],
  ] as const) {
    const made = await server.post(path, { metadata: { name: 'emptied' }, ...object });
    const { generation, managedFields } = made.json.metadata;
    t.equal(generation, 1, made.text);
    const { json } = await sendPatch(server, `${path}/emptied`, 'merge', change);
    t.equal(json.metadata.generation, counts ? 2 : 1, JSON.stringify(change));
    t.same(json.metadata.managedFields, managedFields, 'nobody owns what is not shown');
    const { apiVersion, kind } = json;
    const config = { apiVersion, kind, metadata: { name: 'emptied' }, ...object, ...change };
    const applied = await sendPatch(
      server,
      `${path}/emptied?fieldManager=m&force=true`,
      'apply',
      config,
    );
    t.equal(applied.json.metadata.generation, counts ? 3 : 1, applied.text);
    await server.delete(`${path}/emptied`);
  }
});
