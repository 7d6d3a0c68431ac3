import type { ServedKind } from '../controllers/controller-protocol.ts';
import {
  customKey,
  groupVersionIn,
  type CustomTypeFacts,
} from '../types/custom/custom-type-facts.ts';

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
