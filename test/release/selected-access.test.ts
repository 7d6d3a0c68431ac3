/** Selectors in authorization, in the newest release: reviews that have some, and a node's reads. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Members } from '../support/kinds.ts';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/server-process.ts';

const REVIEWS = '/apis/authorization.cluster.io/v1/subjectaccessreviews';

const tokens = join(temporaryFolder(), 'tokens.csv');
writeFileSync(tokens, 'token-of-node,system:node:n,1,"system:nodes"\n');
const args = ['--release=1.37', '--token-auth-file', tokens];
const server = await startServer({ test: t, args });

async function review(attributes: Members) {
  const resourceAttributes = { verb: 'list', resource: 'pods', ...attributes };
  return server.post(REVIEWS, { spec: { user: 'jane', resourceAttributes } });
}

t.test('a review that names no namespace is of that of the path', async (t) => {
  const path = '/apis/authorization.cluster.io/v1/namespaces/default/localsubjectaccessreviews';
  const at = (namespace: string) => ({
    spec: { user: 'jane', resourceAttributes: { verb: 'list', resource: 'pods', namespace } },
  });
  const told = await server.post(path, at('default'));
  t.equal(told.status, 201, told.text);
  t.equal(told.json.metadata.namespace, 'default');
  t.equal((await server.post(path, at('other'))).status, 422, 'access is asked for elsewhere');
});

t.test('what of a selector is refused', async (t) => {
  const one = { key: 'a', operator: 'In', values: ['b'] };
  const at = 'spec.resourceAttributes';
  const rows: [Members, string][] = [
    [
      { fieldSelector: {} },
      `${at}.fieldSelector.requirements: Required value: when ${at}.fieldSelector is specified, ` +
        'requirements or rawSelector is required',
    ],
    [
      { labelSelector: { rawSelector: 'a=b', requirements: [one] } },
      `${at}.labelSelector.rawSelector: Invalid value: "a=b": ` +
        'may not specified at the same time as requirements',
    ],
    [
      { fieldSelector: { requirements: [{ ...one, key: '' }] } },
      `${at}.fieldSelector.requirements[0].key: Required value: must be specified`,
    ],
    [
      { labelSelector: { requirements: [{ key: 'a', operator: 'Exists', values: ['b'] }] } },
      `${at}.labelSelector.requirements[0].values: Forbidden: ` +
        "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
    ],
  ];
  for (const [attributes, why] of rows) {
    const { status, json } = await review(attributes);
    t.equal(status, 422, why);
    t.equal(json.message, `.authorization.cluster.io "" is invalid: ${why}`);
  }
});

t.test('what cannot be read of a selector is told, and counts for nothing', async (t) => {
  const unknown = { key: 'a', operator: 'Sometimes' };
  const exists = { key: 'a', operator: 'Exists' };
  const rows: [Members, string | undefined][] = [
    [{ fieldSelector: { rawSelector: 'a=b' } }, undefined],
    [{ fieldSelector: { rawSelector: 'a' } }, 'fieldSelector ignored'],
    [{ fieldSelector: { requirements: [exists] } }, 'fieldSelector ignored'],
    [{ labelSelector: { requirements: [exists, unknown] } }, 'labelSelector partially ignored'],
  ];
  for (const [attributes, what] of rows) {
    const { json } = await review(attributes);
    const told = what && `spec.resourceAttributes.${what} due to parse error`;
    t.equal(json.status.evaluationError, told, JSON.stringify(attributes));
  }
});

t.test('a node lists what is on it, and is told who has no opinion', async (t) => {
  const headers = { authorization: 'Bearer token-of-node' };
  const list = (query: string) => server.get(`/api/v1/pods${query}`, headers);
  t.equal((await list('?fieldSelector=spec.nodeName%3Dn')).status, 200);
  const all = await list('');
  t.equal(all.status, 403);
  t.match(all.json.message, /: node: can only list\/watch pods with spec.nodeName field selector$/);
});
