/** Webhooks in files, and what webhooks are asked about in the newest release. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { compareTexts } from '../../src/base/text/compare-texts.ts';
import { startAdmissionWebhook } from '../support/admission-webhook.ts';
import { expectRefusedStart } from '../support/refused-start.ts';
import { runToExit } from '../support/server-process.ts';
import { startServer } from '../support/server.ts';

const GROUP = 'admissionregistration.cluster.io';
const root = mkdtempSync(join(tmpdir(), 'shardplane-static-webhooks-'));
t.teardown(() => rmSync(root, { recursive: true }));
const manifests = join(root, 'manifests');
const settings = join(root, 'settings.yaml');
mkdirSync(manifests);
writeFileSync(
  settings,
  JSON.stringify({
    apiVersion: 'apiserver.config.cluster.io/v1',
    kind: 'AdmissionConfiguration',
    plugins: [
      {
        name: 'ValidatingAdmissionWebhook',
        configuration: {
          apiVersion: 'apiserver.config.cluster.io/v1',
          kind: 'WebhookAdmissionConfiguration',
          staticManifestsDir: manifests,
        },
      },
    ],
  }),
);
const args = ['--release=1.37', `--admission-control-config-file=${settings}`];

/** Of what is written here; controllers write, too. */
const SEEN = ['configmaps', 'validatingadmissionpolicies', 'selfsubjectaccessreviews'];

function configuration(name: string, clientConfig: object, resources = ['*']): object {
  const rules = [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources }];
  const hook = { name: 'a.example.com', sideEffects: 'None', admissionReviewVersions: ['v1'] };
  return {
    apiVersion: `${GROUP}/v1`,
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name },
    webhooks: [{ ...hook, clientConfig, rules }],
  };
}

t.test('webhooks in files are asked before all others, and about policies too', async (t) => {
  const webhook = await startAdmissionWebhook(t);
  const refuse = webhook.at('file', ({ request }) =>
    request.name === 'bad' ? { allowed: false, status: { message: 'no' } } : {},
  );
  writeFileSync(
    join(manifests, 'hooks.json'),
    JSON.stringify(configuration('hooks.static.cluster.io', refuse)),
  );
  const server = await startServer({ test: t, args });
  const stored = configuration('stored', webhook.at('stored'), SEEN);
  t.equal(
    (await server.post(`/apis/${GROUP}/v1/validatingwebhookconfigurations`, stored)).status,
    201,
  );
  t.equal(webhook.requests('file').at(-1)?.name, 'stored', 'one in a file is asked about it');
  const maps = '/api/v1/namespaces/default/configmaps';
  const refused = await server.post(maps, { metadata: { name: 'bad' } });
  t.same(
    [refused.status, refused.json.message],
    [400, 'admission webhook "a.example.com" denied the request: no'],
  );
  t.equal((await server.post(maps, { metadata: { name: 'good' } })).status, 201);
  t.same(
    webhook
      .requests('stored')
      .map(({ name = '' }) => name)
      .toSorted(compareTexts),
    ['bad', 'good'],
  );
  const policy = {
    metadata: { name: 'p' },
    spec: {
      matchConstraints: {
        resourceRules: [
          { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] },
        ],
      },
      validations: [{ expression: 'true' }],
    },
  };
  const made = await server.post(`/apis/${GROUP}/v1/validatingadmissionpolicies`, policy);
  t.equal(made.status, 201);
  t.equal(webhook.requests('file').at(-1)?.name, 'p');
  t.equal(webhook.requests('stored').length, 2, 'one of the API is not asked about policies');
  const access = { spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } };
  const reviews = '/apis/authorization.cluster.io/v1/selfsubjectaccessreviews';
  t.equal((await server.post(reviews, access)).status, 201);
  t.equal(webhook.requests('stored').length, 2, 'nobody is asked about reviews');
  const own = configuration('own.static.cluster.io', { url: 'https://127.0.0.1:1/' });
  const named = await server.post(`/apis/${GROUP}/v1/validatingwebhookconfigurations`, own);
  t.equal(named.status, 422, 'the API has no names of files');
});

t.test('a file with a webhook of a service keeps the server from starting', async (t) => {
  const service = { namespace: 'a', name: 'b' };
  const wrong = configuration('hooks.static.cluster.io', { service });
  writeFileSync(join(manifests, 'hooks.json'), JSON.stringify(wrong));
  const exit = await runToExit([...args, '--data-dir', join(root, 'data')]);
  expectRefusedStart(t, exit, /hooks\.json.*clientConfig\.service is not supported for static/);
});
