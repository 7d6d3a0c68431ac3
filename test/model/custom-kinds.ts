/** The types that histories are of, as requests name them. */
import { kindNamed } from '../support/kinds.ts';
import type { KindUnderTest } from '../support/kinds.ts';

export const GROUP = 'history.example.com';

/** In the versions in which it is always served. */
const WIDGETS = [customKind('Widget', 'v1'), customKind('Widget', 'v2')] as const;

let asked = 0;

/** A type as the next request names it: a custom one in one version after the other. */
export function kindOf(type: string): KindUnderTest {
  if (type !== 'Widget') return kindNamed(type);
  asked += 1;
  return WIDGETS[asked % 2 === 0 ? 0 : 1];
}

/** A type as objects are written: always in the same version. */
export function writtenKind(type: string): KindUnderTest {
  return type === 'Widget' ? WIDGETS[0] : kindNamed(type);
}

export function customKind(kind: string, version: string): KindUnderTest {
  const plural = `${kind.toLowerCase()}s`;
  const apiVersion = `${GROUP}/${version}`;
  const resource = `${plural}.${GROUP}`;
  return { kind, apiVersion, resource, plural, namespaced: true, hasStatus: false, manifest: '' };
}
