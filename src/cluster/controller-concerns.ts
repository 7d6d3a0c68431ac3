/** Which types controllers have to do with. */
import type { ControllerName } from '../controllers/controller-names.ts';
import type { ServedKind } from '../controllers/controller-protocol.ts';
import type { KindDefinition } from '../resources/kind.ts';
import { resourceKey } from '../resources/registry.ts';
import {
  customKey,
  groupVersionIn,
  type CustomTypeFacts,
} from '../types/custom/custom-type-facts.ts';

const BOOTSTRAP_TYPES = [
  'services',
  'endpoints',
  'endpointslices.discovery.cluster.io',
  'configmaps',
  'namespaces',
];

/** Which built-in types each controller has to do with. */
export const CONCERNS: Readonly<Record<ControllerName, (kind: KindDefinition) => boolean>> = {
  bootstrap: (kind) => BOOTSTRAP_TYPES.includes(resourceKey(kind)),
  namespace: (kind) => kind.namespaced || resourceKey(kind) === 'namespaces',
  // Events come and go by themselves: nothing is collected with them.
  'garbage-collector': (kind) => kind.defaultPropagation !== 'none',
  'event-expiry': (kind) => resourceKey(kind) === 'events',
};

/** Which custom types each controller has to do with. */
export const CUSTOM_CONCERNS: Readonly<Record<ControllerName, (kind: ServedKind) => boolean>> = {
  bootstrap: () => false,
  namespace: (kind) => kind.namespaced,
  'garbage-collector': () => true,
  'event-expiry': () => false,
};

/** A custom type as controllers know it. */
export function servedKind({ definition }: CustomTypeFacts): ServedKind {
  const { name, names, scope, versions } = definition;
  const served = versions.filter((version) => version.served);
  return {
    resource: customKey(name),
    kind: names.kind,
    groupVersions: served.map((version) => groupVersionIn(definition, version)),
    namespaced: scope === 'Namespaced',
  };
}
