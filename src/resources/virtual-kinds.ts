/**
 * Kinds that clients ask for but that are never stored (README.md#kinds-that-are-not-stored): the
 * operation of the same name answers requests to their paths.
 */
import { ownGroup } from '../semantics/dialect/own-names.ts';
import { groupVersionOf } from './kind.ts';
import { deprecationOf, deprecationText, isReleased } from './kind-lives.ts';
import { resourceKey } from './registry.ts';

export interface VirtualKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Its message, where that is of another version. */
  readonly message?: string;
  readonly plural: string;
  readonly shortNames?: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly ('create' | 'get' | 'list')[];
}

const CREATE = ['create'] as const;

const SELF_REVIEW = 'authentication.v1.SelfSubjectReview';

function review(
  word: 'authentication' | 'authorization',
  kind: string,
  { version = 'v1', namespaced = false, message = '' } = {},
): VirtualKind {
  const plural = `${kind.toLowerCase()}s`;
  const group = ownGroup(`${word}.cluster.io`);
  const of = { ...(message !== '' && { message }) };
  return { group, version, kind, ...of, plural, namespaced, verbs: CREATE };
}

const ALL: readonly VirtualKind[] = [
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
    verbs: ['get', 'list'],
  },
  review('authentication', 'SelfSubjectReview'),
  review('authentication', 'SelfSubjectReview', { version: 'v1beta1', message: SELF_REVIEW }),
  review('authentication', 'SelfSubjectReview', { version: 'v1alpha1', message: SELF_REVIEW }),
  review('authentication', 'TokenReview'),
  review('authorization', 'LocalSubjectAccessReview', { namespaced: true }),
  review('authorization', 'SelfSubjectAccessReview'),
  review('authorization', 'SelfSubjectRulesReview'),
  review('authorization', 'SubjectAccessReview'),
];

/** Those of the release. */
export const VIRTUAL_KINDS = ALL.filter(isReleased);

/** The warning to users of a deprecated version; '' for others. */
export function virtualWarning(virtual: VirtualKind): string {
  const deprecated = deprecationOf(virtual);
  if (deprecated === undefined) return '';
  return deprecationText(`${groupVersionOf(virtual)} ${virtual.kind}`, deprecated);
}

/** The operation that answers for a virtual kind, named like the keys of resource types. */
export function operationOf({ group, plural }: VirtualKind): string {
  return resourceKey({ group, plural });
}
