/**
 * Kinds that clients ask for but that are never stored (README.md#kinds-that-are-not-stored): the
 * operation of the same name answers requests to their paths.
 */
import { ownGroup } from '../semantics/dialect/own-names.ts';
import { resourceKey } from './registry.ts';

export interface VirtualKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly shortNames?: readonly string[];
  readonly namespaced: boolean;
  /**
   * The release that removes it; '' where that is not known; absent for a kind that is not
   * deprecated.
   */
  readonly removedIn?: string;
  readonly verbs: readonly ('create' | 'get' | 'list')[];
}

const CREATE = ['create'] as const;

function review(
  word: 'authentication' | 'authorization',
  kind: string,
  namespaced = false,
): VirtualKind {
  const plural = `${kind.toLowerCase()}s`;
  const group = ownGroup(`${word}.cluster.io`);
  return { group, version: 'v1', kind, plural, namespaced, verbs: CREATE };
}

export const VIRTUAL_KINDS: readonly VirtualKind[] = [
  {
    group: '',
    version: 'v1',
    kind: 'Binding',
    plural: 'bindings',
    namespaced: true,
    verbs: CREATE,
  },
  {
    group: '',
    version: 'v1',
    kind: 'ComponentStatus',
    plural: 'componentstatuses',
    shortNames: ['cs'],
    namespaced: false,
    removedIn: '',
    verbs: ['get', 'list'],
  },
  review('authentication', 'TokenReview'),
  review('authorization', 'LocalSubjectAccessReview', true),
  review('authorization', 'SelfSubjectAccessReview'),
  review('authorization', 'SelfSubjectRulesReview'),
  review('authorization', 'SubjectAccessReview'),
];

/** The operation that answers for a virtual kind, named like the keys of resource types. */
export function operationOf({ group, plural }: VirtualKind): string {
  return resourceKey({ group, plural });
}
