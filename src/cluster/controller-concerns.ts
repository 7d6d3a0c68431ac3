/** Which types controllers have to do with. */
import type { ControllerName } from '../controllers/controller-names.ts';
import type { ServedKind } from '../controllers/controller-protocol.ts';
import type { KindDefinition } from '../resources/kind.ts';
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

/** A type, built-in or custom, as far as it decides who has to do with it. */
export interface ConcernedType {
  /** The name of its shard. */
  readonly resource: string;
  readonly namespaced: boolean;
  readonly defaultPropagation?: KindDefinition['defaultPropagation'];
}

/** Which types each controller has to do with. */
export const CONCERNS: Readonly<Record<ControllerName, (type: ConcernedType) => boolean>> = {
  bootstrap: ({ resource }) => BOOTSTRAP_TYPES.includes(resource),
  namespace: ({ resource, namespaced }) => namespaced || resource === 'namespaces',
  // Events come and go by themselves: nothing is collected with them.
  'garbage-collector': ({ defaultPropagation }) => defaultPropagation !== 'none',
  'event-expiry': ({ resource }) => resource === 'events',
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
