/** The lives of versions of kinds, as the reference tells them. */
import { API_VERSIONS } from './data/api-versions.ts';
import type { VersionLife } from './life.ts';

/** `groupVersion` is in neutral names. */
export function versionLife(groupVersion: string, kind: string): VersionLife {
  return API_VERSIONS[`${groupVersion} ${kind}`] ?? {};
}
