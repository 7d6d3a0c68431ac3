/** Discovery and routing tell the same: of every verb on every resource, with and without names. */
import t from 'tap';
import type { ApiResource } from '../../../src/front/discovery/api-resource.ts';
import { discoveredGroups } from '../../../src/front/discovery/discovered-groups.ts';
import { OPERATIONS } from '../../../src/front/operations/operations.ts';
import { Router } from '../../../src/front/requests/route.ts';
import type { Route, Verb } from '../../../src/front/requests/route.ts';
import { enabledTypes } from '../../../src/types/runtime-config.ts';
import { BUILT_IN_TYPES } from '../../../src/types/served-types.ts';
import { VIRTUAL_KINDS } from '../../../src/resources/virtual-kinds.ts';
import { StatusError } from '../../../src/semantics/errors/status.ts';

interface Ask {
  readonly method: string;
  readonly onItem: boolean;
  readonly watching?: true;
}

/** How each verb is asked for: of objects, and of subresources, which are below an object. */
const ASKS: readonly (readonly [Verb, Ask])[] = [
  ['create', { method: 'post', onItem: false }],
  ['delete', { method: 'delete', onItem: true }],
  ['deletecollection', { method: 'delete', onItem: false }],
  ['get', { method: 'get', onItem: true }],
  ['list', { method: 'get', onItem: false }],
  ['patch', { method: 'patch', onItem: true }],
  ['update', { method: 'put', onItem: true }],
  ['watch', { method: 'get', onItem: false, watching: true }],
];
const PART_ASKS: readonly (readonly [Verb, Ask])[] = ASKS.filter(([, { onItem }]) => onItem).concat(
  [['create', { method: 'post', onItem: true }]],
);

const SETTINGS = ['', 'v1/pods=false,policy/v1beta1=false,batch/v1=false,batch/v1/jobs'];

function pathOf(groupVersion: string, { name, namespaced }: ApiResource, onItem: boolean): string {
  const [plural, subresource] = name.split('/');
  const root = groupVersion.includes('/') ? `/apis/${groupVersion}` : `/api/${groupVersion}`;
  const collection = `${root}${namespaced ? '/namespaces/ns' : ''}/${plural}`;
  if (!onItem) return collection;
  return subresource === undefined ? `${collection}/x` : `${collection}/x/${subresource}`;
}

/** Where it leads, or undefined when it is refused. */
function resolved(router: Router, ask: Ask, path: string): Route | undefined {
  try {
    return router.resolve(ask.method, path, ask.watching === true);
  } catch (error) {
    if (error instanceof StatusError) return undefined;
    throw error;
  }
}

function isServed(route: Route | undefined, verb: Verb, isVirtual: boolean): boolean {
  if (route === undefined) return false;
  if (route.verb !== 'operation') return route.verb === verb;
  // A virtual kind's operation serves the verbs that its routes let through.
  return (
    isVirtual ||
    OPERATIONS.get(route.operation)?.methods.some((one) => one === route.method) === true
  );
}

for (const settings of SETTINGS) {
  const types = enabledTypes(BUILT_IN_TYPES, settings);
  const router = new Router(types, VIRTUAL_KINDS);
  for (const { versions } of discoveredGroups({ types, virtualKinds: VIRTUAL_KINDS })) {
    for (const { groupVersion, resources } of versions) {
      t.test(`${groupVersion} with "${settings}"`, async (t) => {
        for (const resource of resources) {
          const { name, verbs } = resource;
          const isVirtual = VIRTUAL_KINDS.some(({ plural }) => plural === name);
          for (const [verb, ask] of name.includes('/') ? PART_ASKS : ASKS) {
            const route = resolved(router, ask, pathOf(groupVersion, resource, ask.onItem));
            t.equal(isServed(route, verb, isVirtual), verbs.includes(verb), `${verb} ${name}`);
          }
        }
      });
    }
  }
}

t.test('what is routed is told of', async (t) => {
  const types = BUILT_IN_TYPES;
  const told = new Set<string>();
  for (const { versions } of discoveredGroups({ types, virtualKinds: VIRTUAL_KINDS })) {
    for (const { groupVersion, resources } of versions) {
      for (const { name } of resources) told.add(`${groupVersion} ${name}`);
    }
  }
  for (const { groupVersion, definition } of types) {
    const { plural, statusSubresource, scaleSelector, parts = {}, operations = [] } = definition;
    const subresources = [
      ...(statusSubresource === undefined ? [] : ['status']),
      ...(scaleSelector === undefined ? [] : ['scale']),
      ...Object.keys(parts),
      ...operations,
    ];
    for (const name of [plural, ...subresources.map((one) => `${plural}/${one}`)]) {
      t.ok(told.delete(`${groupVersion} ${name}`), `${groupVersion} ${name}`);
    }
  }
  t.equal(told.size, VIRTUAL_KINDS.length, 'the rest are virtual kinds');
});
