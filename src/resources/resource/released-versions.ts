/** The versions of a kind of devices that the release has: the others have no messages in it. */
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import type { KindVersion } from '../kind.ts';
import { isReleased } from '../kind-lives.ts';

export const RESOURCE_GROUP = ownGroup('resource.cluster.io');

export function releasedVersions(
  kind: string,
  versions: readonly KindVersion[],
): readonly KindVersion[] {
  return versions.filter(({ version }) => isReleased({ group: RESOURCE_GROUP, version, kind }));
}
