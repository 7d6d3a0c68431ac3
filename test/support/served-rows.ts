/** Lists what a server of the release of this process serves with all that it can, as rows. */
import type { ApiResource } from '../../src/front/discovery/api-resource.ts';
import { discoveredGroups } from '../../src/front/discovery/discovered-groups.ts';
import { DEFAULT_RELEASE, ownRelease } from '../../src/release/release.ts';
import { VIRTUAL_KINDS } from '../../src/resources/virtual-kinds.ts';
import { BUILT_IN_TYPES } from '../../src/types/served-types.ts';
import { RESOURCES, type Row } from './resources.ts';

const ORDINARY = 'create,delete,deletecollection,get,list,patch,update,watch';

/** The table where it holds; of other releases what discovery tells. */
export const SERVED_ROWS: readonly Row[] =
  ownRelease().minor === DEFAULT_RELEASE.minor ? RESOURCES : discoveredRows();

function discoveredRows(): readonly Row[] {
  const groups = discoveredGroups({ types: BUILT_IN_TYPES, virtualKinds: VIRTUAL_KINDS });
  return groups.flatMap(({ versions }) =>
    versions.flatMap(({ groupVersion, resources }) =>
      resources.map((resource) => rowOf(groupVersion, resource)),
    ),
  );
}

function rowOf(groupVersion: string, { name, kind, namespaced, verbs }: ApiResource): Row {
  const listed = verbs.join(',');
  // The parameters of a connection are no body.
  const isConnection = kind.endsWith('Options');
  const shown = isConnection ? `connect:${listed}` : listed === ORDINARY ? 'all' : listed;
  return [groupVersion, name, kind, namespaced ? 'namespaced' : 'cluster', shown];
}
