/** Discovery in two documents: the same as the many tell, in another shape. */
import t from 'tap';
import {
  AGGREGATED_VERSIONS,
  aggregatedDocuments,
  aggregatedMediaType,
} from '../../../src/front/discovery/aggregated-discovery.ts';
import type { ApiGroupDiscoveryList } from '../../../src/front/discovery/aggregated-discovery.ts';
import { discoveredGroups } from '../../../src/front/discovery/discovered-groups.ts';
import { enabledTypes } from '../../../src/types/runtime-config.ts';
import { BUILT_IN_TYPES as TYPES } from '../../../src/types/served-types.ts';
import { VIRTUAL_KINDS } from '../../../src/resources/virtual-kinds.ts';

const DOCUMENTS = aggregatedDocuments({ types: TYPES, virtualKinds: VIRTUAL_KINDS }, 'v2');

/** Each resource and subresource as `group/version name kind scope verbs`. */
function linesOf({ items }: ApiGroupDiscoveryList): string[] {
  return items.flatMap(({ metadata: { name = '' }, versions }) =>
    versions.flatMap(({ version, resources }) =>
      resources.flatMap(({ resource, responseKind, scope, verbs, subresources = [] }) => [
        [`${name}/${version}`, resource, responseKind.kind, scope, ...verbs].join(' '),
        ...subresources.map((part) =>
          [
            `${name}/${version}`,
            `${resource}/${part.subresource}`,
            part.responseKind.kind,
            scope,
            ...part.verbs,
          ].join(' '),
        ),
      ]),
    ),
  );
}

t.test('all that the lists of resources have, in their order', async (t) => {
  const expected = discoveredGroups({ types: TYPES, virtualKinds: VIRTUAL_KINDS }).flatMap(
    (group) =>
      group.versions.flatMap(({ version, resources }) =>
        resources.map(({ name, kind, namespaced, verbs }) => {
          const scope = namespaced ? 'Namespaced' : 'Cluster';
          return [`${group.name}/${version}`, name, kind, scope, ...verbs].join(' ');
        }),
      ),
  );
  t.same([...linesOf(DOCUMENTS['/api']), ...linesOf(DOCUMENTS['/apis'])], expected);
});

t.test('the core group is at /api, all others are at /apis', async (t) => {
  const names = ({ items }: ApiGroupDiscoveryList): unknown[] =>
    items.map(({ metadata }) => metadata.name);
  t.same(names(DOCUMENTS['/api']), [undefined]);
  t.equal(names(DOCUMENTS['/apis']).length, 20);
  t.notOk(names(DOCUMENTS['/apis']).includes(undefined));
});

t.test('documents as they are written', async (t) => {
  const leases = TYPES.filter(({ definition }) => definition.kind === 'Lease');
  const accounts = TYPES.filter(({ definition }) => definition.kind === 'ServiceAccount');
  const both = aggregatedDocuments(
    { types: [...leases, ...accounts], virtualKinds: [] },
    'v2beta1',
  );
  const verbs = '["create","delete","deletecollection","get","list","patch","update","watch"]';
  t.equal(
    JSON.stringify(both['/apis']),
    '{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.cluster.io/v2beta1",' +
      '"metadata":{},"items":[{"metadata":{"name":"coordination.cluster.io",' +
      '"creationTimestamp":null},"versions":[{"version":"v1","resources":[' +
      '{"resource":"leases","responseKind":{"group":"","version":"","kind":"Lease"},' +
      `"scope":"Namespaced","singularResource":"lease","verbs":${verbs}}],` +
      '"freshness":"Current"}]}]}',
  );
  t.equal(
    JSON.stringify(both['/api']),
    '{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.cluster.io/v2beta1",' +
      '"metadata":{},"items":[{"metadata":{"creationTimestamp":null},' +
      '"versions":[{"version":"v1","resources":[' +
      '{"resource":"serviceaccounts","responseKind":{"group":"","version":"",' +
      '"kind":"ServiceAccount"},"scope":"Namespaced","singularResource":"serviceaccount",' +
      `"verbs":${verbs},"shortNames":["sa"],"subresources":[{"subresource":"token",` +
      '"responseKind":{"group":"authentication.cluster.io","version":"v1",' +
      '"kind":"TokenRequest"},"verbs":["create"]}]}],"freshness":"Current"}]}]}',
  );
});

t.test('its versions differ in their name alone', async (t) => {
  for (const version of AGGREGATED_VERSIONS) {
    const documents = aggregatedDocuments({ types: TYPES, virtualKinds: VIRTUAL_KINDS }, version);
    for (const path of ['/api', '/apis'] as const) {
      const { apiVersion, ...members } = documents[path];
      const { apiVersion: _, ...expected } = DOCUMENTS[path];
      t.equal(apiVersion, `apidiscovery.cluster.io/${version}`);
      t.strictSame(members, expected, `${path} ${version}`);
    }
  }
});

t.test('the answer repeats what was asked for', async (t) => {
  t.equal(
    aggregatedMediaType('application/json', 'v2'),
    'application/json;g=apidiscovery.cluster.io;v=v2;as=APIGroupDiscoveryList',
  );
});

t.test('only what is served', async (t) => {
  const types = enabledTypes(TYPES, 'v1=false,batch/v1=false,batch/v1beta1=false');
  const documents = aggregatedDocuments({ types, virtualKinds: [] }, 'v2');
  t.same(documents['/api'].items, []);
  t.notMatch(JSON.stringify(documents['/apis']), /"name":"batch"/);
});
