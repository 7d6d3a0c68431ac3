/** What controllers have to do with custom types. */
import type { ControllerName } from '../controllers/controller-names.ts';
import type { ServedKind } from '../controllers/controller-protocol.ts';
import { groupVersionIn, type CustomTypeFacts } from '../types/custom/custom-type-facts.ts';

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
    resource: name,
    kind: names.kind,
    groupVersions: served.map((version) => groupVersionIn(definition, version)),
    namespaced: scope === 'Namespaced',
  };
}
