/**
 * The names that this process gives to things (README.md#own-names): its dialect is chosen once,
 * before anything is named. Sources spell every name in the neutral dialect and take the own one
 * from here when they are loaded, so that nothing is looked up or translated later.
 */
import { assert } from '../../base/assert.ts';
import { K8S, NEUTRAL, type Dialect } from './dialect.ts';
import {
  swapApproval,
  swapGroup,
  swapGroupSuffix,
  swapGroupVersion,
  swapManager,
  swapNamespace,
  swapNamespaceFinalizer,
  swapQualified,
  swapRole,
} from './names.ts';
import { swapText } from './names-in-text.ts';

let own: Dialect = NEUTRAL;
/** Whether some name was taken already: the dialect cannot change after that. */
let isTaken = false;

/**
 * Chooses the dialect of this process or thread. It is the neutral one where nobody chooses. Must
 * be called before a module is loaded that takes a name; choosing the same again changes nothing.
 */
export function chooseDialect(domain: Dialect['domain']): void {
  const chosen = domain === K8S.domain ? K8S : NEUTRAL;
  assert(!isTaken || chosen === own, `names of ${own.domain} are in use, and not of ${domain}`);
  own = chosen;
}

/** The chosen dialect. */
export function ownDialect(): Dialect {
  isTaken = true;
  return own;
}

function ownSpelling(swap: (name: string) => string): (neutral: string) => string {
  return (neutral) => (ownDialect() === NEUTRAL ? neutral : swap(neutral));
}

/** An API group: `storage.cluster.io`. */
export const ownGroup = ownSpelling(swapGroup);
/** `storage.cluster.io/v1`. */
export const ownGroupVersion = ownSpelling(swapGroupVersion);
/** A name below a domain, of a label, an annotation or a type: `cluster.io/hostname`. */
export const ownName = ownSpelling((name) => swapApproval(swapQualified(name)));
/** The domain of such names: `cluster.io`. */
export const ownDomain = ownSpelling((domain) => swapQualified(`${domain}/`).slice(0, -1));
/** A namespace: `cluster-system`. */
export const ownNamespace = ownSpelling(swapNamespace);
/** The finalizer of namespaces: `cluster`. */
export const ownNamespaceFinalizer = ownSpelling(swapNamespaceFinalizer);
/** A cluster role: `system:certificates.cluster.io:…`. */
export const ownRole = ownSpelling(swapRole);
/** A field manager: `cluster-apiserver`. */
export const ownManager = ownSpelling(swapManager);
/** A resource type by its neutral key: `leases.coordination.cluster.io`. */
export const ownResource = ownSpelling(swapGroupSuffix);

/** A text for people, with the names that stand in it. */
export const ownText = ownSpelling(swapText);

/** The neutral spelling of a group of this dialect: that of keys, which all folders share. */
export const neutralGroup = ownSpelling(swapGroup);
