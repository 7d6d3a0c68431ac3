/** A part of a comparison: seeded policies, and objects that are held against them. */
import { setTimeout } from 'node:timers/promises';
import { Random } from '../../../test/support/random.ts';
import type { ApiClient } from '../api-client.ts';
import type { Lane, LaneRequest } from '../lane.ts';
import { ServerGone } from '../server-gone.ts';
import { heldObject, policyCase, type PolicyCase } from './policy-cases.ts';

const OBJECTS_PER_POLICY = 10;
/** Whose policies an object is held against, so that all are there at once. */
const LABEL = 'policy';
const POLICIES = '/apis/admissionregistration.k8s.io/v1';
const KNOWN_MS_MAX = 60_000;
const ASK_AGAIN_MS = 500;

export interface PolicyRun {
  readonly seed: number;
  /** How often an object is held against a policy. */
  readonly requests: number;
  /** The origin that examples name. */
  readonly name: string;
  readonly isEnded: () => boolean;
}

export async function runPolicies(lane: Lane, run: PolicyRun): Promise<void> {
  const random = new Random(run.seed);
  const count = Math.ceil(run.requests / OBJECTS_PER_POLICY);
  for (const data of [{ max: '3' }, undefined]) {
    const metadata = { name: data === undefined ? 'empty' : 'params', labels: { is: 'param' } };
    const body = JSON.stringify({ metadata, ...(data && { data }) });
    await lane.send(configMaps(lane, body, ''), 'create', run.name);
  }
  const made: (readonly [string, PolicyCase])[] = [];
  for (let at = 0; at < count && !run.isEnded(); at += 1) {
    const name = `${lane.prefix}p${at}`;
    const one = policyCase(random);
    if (await makePolicy(lane, name, one, run.name)) made.push([name, one]);
  }
  await makeSentinels(lane, run.name);
  for (const [name, one] of made) {
    for (let at = 0; at < OBJECTS_PER_POLICY && !run.isEnded(); at += 1) {
      const { kind, document } = heldObject(random, { [LABEL]: name });
      const group = kind === 'Deployment' ? 'apps/v1' : 'v1';
      const request = asked(lane, kind, group, JSON.stringify(document));
      await lane.look(request, `${one.sort} policy`, `${run.name} ${JSON.stringify(one)}`);
    }
  }
}

/** Whether both servers have it, with its binding. */
async function makePolicy(
  lane: Lane,
  name: string,
  { sort, spec, binding }: PolicyCase,
  origin: string,
): Promise<boolean> {
  const matchConstraints = {
    matchPolicy: 'Equivalent',
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': lane.namespace } },
    objectSelector: { matchLabels: { [LABEL]: name } },
    resourceRules: [
      {
        apiGroups: ['*'],
        apiVersions: ['*'],
        operations: ['CREATE'],
        resources: ['configmaps', 'deployments'],
      },
    ],
  };
  const metadata = { name };
  const kind = `${sort === 'validating' ? 'Validating' : 'Mutating'}AdmissionPolicy`;
  const documents = [
    [kind, `${sort}admissionpolicies`, { metadata, spec: { matchConstraints, ...spec } }],
    [
      `${kind}Binding`,
      `${sort}admissionpolicybindings`,
      { metadata, spec: { policyName: name, ...binding } },
    ],
  ] as const;
  for (const [its, plural, document] of documents) {
    const request: LaneRequest = {
      kind: its,
      groupVersion: 'admissionregistration.k8s.io/v1',
      subresource: '',
      method: 'POST',
      path: `${POLICIES}/${plural}`,
      body: JSON.stringify(document),
    };
    const answers = await lane.send(request, 'create', `${origin} ${JSON.stringify(document)}`);
    if (answers.some(({ status }) => status !== 201)) return false;
  }
  return true;
}

/** Makes the last policies, and waits until both servers hold objects against them. */
async function makeSentinels(lane: Lane, origin: string): Promise<void> {
  const validations = [{ expression: 'false', message: 'known' }];
  const expression = `[JSONPatch{op: 'add', path: '/metadata/labels/known', value: 'so'}]`;
  const mutations = [{ patchType: 'JSONPatch', jsonPatch: { expression } }];
  const sentinels: readonly [string, PolicyCase][] = [
    [
      'refuses',
      { sort: 'validating', spec: { validations }, binding: { validationActions: ['Deny'] } },
    ],
    [
      'changes',
      { sort: 'mutating', spec: { mutations, reinvocationPolicy: 'Never' }, binding: {} },
    ],
  ];
  for (const [what, one] of sentinels) {
    const name = `${lane.prefix}${what}`;
    await makePolicy(lane, name, one, origin);
    for (const server of Object.values(lane.servers)) await isKnown(server, lane, name);
  }
}

async function isKnown(server: ApiClient, lane: Lane, name: string): Promise<void> {
  const metadata = { name: 'sentinel', labels: { [LABEL]: name } };
  const request = configMaps(lane, JSON.stringify({ metadata }), '?dryRun=All');
  for (let waited = 0; waited < KNOWN_MS_MAX; waited += ASK_AGAIN_MS) {
    const { status, json } = await server.ask(request);
    if (status !== 201 || json?.metadata.labels.known !== undefined) return;
    await setTimeout(ASK_AGAIN_MS);
  }
  throw new ServerGone('a server does not hold objects against its policies');
}

function configMaps(lane: Lane, body: string, query: string): LaneRequest {
  return { ...asked(lane, 'ConfigMap', 'v1', body), path: pathOf(lane, 'ConfigMap') + query };
}

function asked(lane: Lane, kind: string, groupVersion: string, body: string): LaneRequest {
  const path = `${pathOf(lane, kind)}?dryRun=All`;
  return { kind, groupVersion, subresource: '', method: 'POST', path, body, isRepeatable: true };
}

function pathOf({ namespace }: Lane, kind: string): string {
  const root = kind === 'Deployment' ? '/apis/apps/v1' : '/api/v1';
  return `${root}/namespaces/${namespace}/${kind.toLowerCase()}s`;
}
