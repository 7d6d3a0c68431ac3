// The reference serves the same, no more and no less.
import t from 'tap';
import { groupVersionOf, type KindDefinition } from '../../src/resources/kind.ts';
import { deprecationWarning, BUILT_IN_TYPES as TYPES } from '../../src/types/served-types.ts';
import { VIRTUAL_KINDS } from '../../src/resources/virtual-kinds.ts';
import { RESOURCES } from '../support/resources.ts';

/** A resource as a row of the table has it. */
type Facts = readonly [
  path: string,
  kind: string,
  scope: string,
  shortNames: string,
  categories: string,
];

const scopeOf = ({ namespaced }: { namespaced: boolean }): string =>
  namespaced ? 'namespaced' : 'cluster';
const isSubresource = (resource: string): boolean => resource.includes('/');

function subresourcesOf(definition: KindDefinition): string[] {
  return [
    ...(definition.statusSubresource === undefined ? [] : ['status']),
    ...(definition.scaleSelector === undefined ? [] : ['scale']),
    ...Object.keys(definition.parts ?? {}),
    ...(definition.operations ?? []),
  ].sort();
}

t.test('resources, with scope, short names and categories', async (t) => {
  const expected = RESOURCES.filter(([, resource]) => !isSubresource(resource)).map(
    ([version, resource, kind, scope, , shortNames = '', categories = '']): Facts => [
      `${version}/${resource}`,
      kind,
      scope,
      shortNames,
      categories,
    ],
  );
  const stored = TYPES.map(({ groupVersion, definition }): Facts => [
    `${groupVersion}/${definition.plural}`,
    definition.kind,
    scopeOf(definition),
    (definition.shortNames ?? []).join(','),
    (definition.categories ?? []).join(','),
  ]);
  const virtual = VIRTUAL_KINDS.map((kind): Facts => [
    `${groupVersionOf(kind)}/${kind.plural}`,
    kind.kind,
    scopeOf(kind),
    (kind.shortNames ?? []).join(','),
    '',
  ]);
  const sorted = (rows: readonly Facts[]): string[] => rows.map((row) => row.join(' | ')).sort();
  t.same(sorted([...stored, ...virtual]), sorted(expected));
});

t.test('subresources', async (t) => {
  for (const { groupVersion, definition } of TYPES) {
    const prefix = `${definition.plural}/`;
    const expected = RESOURCES.filter(
      ([version, resource]) => version === groupVersion && resource.startsWith(prefix),
    ).map(([, resource]) => resource.slice(prefix.length));
    t.same(subresourcesOf(definition), expected.sort(), `${groupVersion} ${definition.kind}`);
  }
});

t.test('verbs', async (t) => {
  for (const { groupVersion, definition } of TYPES) {
    const row = RESOURCES.find(
      ([version, resource]) => version === groupVersion && resource === definition.plural,
    );
    const deletesCollection = row?.[4] === 'all';
    t.equal(definition.deletesCollection !== false, deletesCollection, definition.kind);
  }
  for (const { group, version, plural, verbs } of VIRTUAL_KINDS) {
    const row = RESOURCES.find(
      ([of, resource]) => of === groupVersionOf({ group, version }) && resource === plural,
    );
    t.equal(verbs.join(','), row?.[4], plural);
  }
});

t.test('versions that go away say so', async (t) => {
  const warnings = TYPES.map(deprecationWarning).filter((text) => text !== '');
  const gone = [
    'autoscaling/v2beta1 HorizontalPodAutoscaler is deprecated in v1.22+, unavailable in v1.25+; use autoscaling/v2 HorizontalPodAutoscaler',
    'autoscaling/v2beta2 HorizontalPodAutoscaler is deprecated in v1.23+, unavailable in v1.26+; use autoscaling/v2 HorizontalPodAutoscaler',
    'batch/v1beta1 CronJob is deprecated in v1.21+, unavailable in v1.25+; use batch/v1 CronJob',
    'discovery.cluster.io/v1beta1 EndpointSlice is deprecated in v1.21+, unavailable in v1.25+; use discovery.cluster.io/v1 EndpointSlice',
    'policy/v1beta1 PodDisruptionBudget is deprecated in v1.21+, unavailable in v1.25+; use policy/v1 PodDisruptionBudget',
    'policy/v1beta1 PodSecurityPolicy is deprecated in v1.21+, unavailable in v1.25+',
  ];
  for (const text of gone) t.ok(warnings.includes(text), text);
  const removedIn: readonly (readonly [groupVersion: string, release: string])[] = [
    ['flowcontrol.apiserver.cluster.io/v1beta1', '1.26'],
    ['events.cluster.io/v1beta1', '1.25'],
    ['node.cluster.io/v1beta1', '1.25'],
  ];
  for (const [groupVersion, release] of removedIn) {
    const types = TYPES.filter((type) => type.groupVersion === groupVersion);
    t.ok(types.length > 0, groupVersion);
    for (const { deprecated } of types) t.equal(deprecated?.removedIn, release, groupVersion);
  }
});
