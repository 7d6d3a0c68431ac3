/** Discovery of custom types, as the reference tells of them. */
import t from 'tap';
import { aggregatedDocuments } from '../../../src/front/discovery/aggregated-discovery.ts';
import {
  discoveryDocuments,
  type ApiGroupList,
  type ApiResourceList,
} from '../../../src/front/discovery/discovery-documents.ts';
import { VIRTUAL_KINDS } from '../../../src/resources/virtual-kinds.ts';
import type { DefinitionFacts } from '../../../src/types/custom/definition-facts.ts';
import { BUILT_IN_TYPES } from '../../../src/types/served-types.ts';
import { definitionOf, versionFacts } from '../../support/custom-facts.ts';

const BUILT_IN = { types: BUILT_IN_TYPES, virtualKinds: VIRTUAL_KINDS };
const VERBS = 'delete,deletecollection,get,list,patch,create,update,watch'.split(',');
const PART_VERBS = ['get', 'patch', 'update'];
const SCALE = { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' };

const PRES = definitionOf('Pre', {
  group: 'odd.example.com',
  versions: [
    versionFacts('v1', { hasStatus: true, scale: SCALE }),
    versionFacts('v1beta1'),
    versionFacts('v2', { served: false }),
  ],
});

function listOf(path: string, ...definitions: DefinitionFacts[]): ApiResourceList | undefined {
  const documents = discoveryDocuments({ ...BUILT_IN, definitions }, 'here');
  return documents.get(path) as ApiResourceList | undefined;
}

t.test('a type and its subresources', async (t) => {
  t.same(listOf('/apis/odd.example.com/v1', PRES), {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: 'odd.example.com/v1',
    resources: [
      {
        name: 'pres',
        singularName: 'pre',
        namespaced: true,
        kind: 'Pre',
        verbs: VERBS,
        storageVersionHash: '782XQUOUXWk=',
      },
      {
        name: 'pres/status',
        singularName: '',
        namespaced: true,
        kind: 'Pre',
        verbs: PART_VERBS,
      },
      {
        name: 'pres/scale',
        singularName: '',
        namespaced: true,
        group: 'autoscaling',
        version: 'v1',
        kind: 'Scale',
        verbs: PART_VERBS,
      },
    ],
  });
  const [other] = listOf('/apis/odd.example.com/v1beta1', PRES)?.resources ?? [];
  t.equal(other?.storageVersionHash, '782XQUOUXWk=', 'of the stored version');
  t.equal(listOf('/apis/odd.example.com/v2', PRES), undefined);
});

t.test('short names and categories', async (t) => {
  const names = { ...PRES.names, shortNames: ['pr'], categories: ['all'] };
  const [resource] = listOf('/apis/odd.example.com/v1', { ...PRES, names })?.resources ?? [];
  t.same([resource?.shortNames, resource?.categories], [['pr'], ['all']]);
});

t.test('what is going can be read and deleted', async (t) => {
  const path = '/apis/odd.example.com/v1';
  const [going] = listOf(path, { ...PRES, isTerminating: true })?.resources ?? [];
  t.same(going?.verbs, ['delete', 'deletecollection', 'get', 'list', 'watch']);
});

t.test('groups come after those that are built in, by their version and name', async (t) => {
  const group = (name: string, ...versions: string[]): DefinitionFacts =>
    definitionOf('Thing', {
      group: name,
      versions: versions.map((version) => versionFacts(version)),
    });
  const definitions = [
    group('b.example.com', 'v1alpha1', 'v1beta1'),
    group('c.example.com', 'v1beta1', 'v1'),
    group('a.example.com', 'v1alpha1'),
    group('d.example.com', 'v1'),
  ];
  const served = { ...BUILT_IN, definitions };
  const { groups } = discoveryDocuments(served, 'here').get('/apis') as ApiGroupList;
  t.same(
    groups.slice(-4).map(({ name, versions }) => [name, ...versions.map(({ version }) => version)]),
    [
      ['c.example.com', 'v1', 'v1beta1'],
      ['d.example.com', 'v1'],
      ['a.example.com', 'v1alpha1'],
      ['b.example.com', 'v1beta1', 'v1alpha1'],
    ],
  );
  const { items } = aggregatedDocuments(served, 'v2')['/apis'];
  t.same(
    items.slice(-4).map(({ metadata }) => metadata.name),
    ['a.example.com', 'b.example.com', 'c.example.com', 'd.example.com'],
  );
});

t.test('aggregated discovery says of which version a custom kind is', async (t) => {
  const { items } = aggregatedDocuments({ ...BUILT_IN, definitions: [PRES] }, 'v2')['/apis'];
  const responseKind = { group: 'odd.example.com', version: 'v1', kind: 'Pre' };
  t.same(items.at(-1)?.versions[0]?.resources, [
    {
      resource: 'pres',
      responseKind,
      scope: 'Namespaced',
      singularResource: 'pre',
      verbs: VERBS,
      subresources: [
        { subresource: 'status', responseKind, verbs: PART_VERBS },
        {
          subresource: 'scale',
          responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
          verbs: PART_VERBS,
        },
      ],
    },
  ]);
});

t.test('a custom type in a group version of built-in ones comes after them', async (t) => {
  const names = listOf('/apis/apps/v1', definitionOf('A', { group: 'apps' }))?.resources;
  t.equal(names?.at(-1)?.name, 'as');
});
