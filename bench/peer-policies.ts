/** Measures what policies cost writes, here and at a peer, where both have them. */
import { setTimeout } from 'node:timers/promises';
import type { BenchTarget } from './bench-target.ts';
import { requestCost, warmUpOf } from './comparison.ts';
import { makeNamespace, measureSides, newNamespace, sideRow, type Sides } from './peer-sides.ts';
import type { ResultRow } from './report.ts';

const POLICIES = 100;
const CONNECTIONS = 16;
const PATH = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolic';
/** After so long a reference holds writes against new policies, and no more against old ones. */
const KNOWN_MS = 3_000;

interface Situation {
  readonly name: string;
  /** The rest of the specification; undefined for none. */
  readonly spec: object | undefined;
}

const rules = (resource: string): object => ({
  resourceRules: [
    { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: [resource] },
  ],
});
const HOLDS = [{ expression: `object.metadata.name.startsWith('cm-') && object.data.size() < 9` }];

const SITUATIONS: readonly Situation[] = [
  { name: 'no policy', spec: undefined },
  {
    name: `${POLICIES} policies for another type`,
    spec: { matchConstraints: rules('secrets'), validations: HOLDS },
  },
  {
    name: `${POLICIES} policies with other labels`,
    spec: {
      matchConstraints: { ...rules('configmaps'), objectSelector: { matchLabels: { no: 'one' } } },
      validations: HOLDS,
    },
  },
  {
    name: `${POLICIES} policies whose condition is false`,
    spec: {
      matchConstraints: rules('configmaps'),
      matchConditions: [{ name: 'c', expression: `request.name == 'none'` }],
      validations: HOLDS,
    },
  },
  {
    name: `${POLICIES} policies that match`,
    spec: { matchConstraints: rules('configmaps'), validations: HOLDS },
  },
];

/** Creates ConfigMaps in each situation; no rows where one of the servers has no policies. */
export async function policyCosts(sides: Sides): Promise<ResultRow[]> {
  const { options, own, peer } = sides;
  for (const side of [own, peer]) {
    if ((await side.fetch(`${PATH}ies`)).status !== 200) return [];
  }
  const namespace = newNamespace('policies');
  for (const side of [own, peer]) await makeNamespace(side, namespace);
  const nextObjects = new Map<BenchTarget, number>();
  const rows: ResultRow[] = [];
  for (const { name, spec } of SITUATIONS) {
    if (spec !== undefined) for (const side of [own, peer]) await makePolicies(side, spec);
    await setTimeout(KNOWN_MS);
    const costs = await measureSides(sides, async (side, round) => {
      const measured = await side.closedLoop({
        verb: 'create',
        kind: 'configmap',
        connections: CONNECTIONS,
        namespace,
        firstObject: nextObjects.get(side) ?? 0,
        warmUpSeconds: warmUpOf(options, round),
        seconds: options.roundSeconds,
      });
      nextObjects.set(side, measured.result.nextObject);
      return requestCost(measured);
    });
    if (spec !== undefined) for (const side of [own, peer]) await removePolicies(side);
    rows.push(sideRow(`create of a ConfigMap, ${CONNECTIONS} connections: ${name}`, sides, costs));
  }
  return rows;
}

async function makePolicies(side: BenchTarget, spec: object): Promise<void> {
  for (let at = 0; at < POLICIES; at += 1) {
    const metadata = { name: nameOf(at) };
    const bound = { policyName: nameOf(at), validationActions: ['Deny'] };
    for (const [plural, its] of [
      ['ies', spec],
      ['ybindings', bound],
    ] as const) {
      const body = JSON.stringify({ metadata, spec: its });
      await side.expectStatus(201, PATH + plural, { method: 'POST', body });
    }
  }
}

async function removePolicies(side: BenchTarget): Promise<void> {
  for (let at = 0; at < POLICIES; at += 1) {
    for (const plural of ['ybindings', 'ies']) {
      await side.expectStatus(200, `${PATH}${plural}/${nameOf(at)}`, { method: 'DELETE' });
    }
  }
}

function nameOf(at: number): string {
  return `bench-${at}`;
}
