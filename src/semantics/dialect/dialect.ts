import { swapDocumentBytes } from './document-bytes.ts';
import { swapText } from './names-in-text.ts';
import { swapDocument, swapJsonPatch } from './json-edits.ts';
import {
  swapGroup,
  swapGroupVersion,
  swapManager,
  swapNamespace,
  swapObjectName,
  swapUser,
} from './names.ts';
import { swapFieldSelector, swapLabelSelector } from './selectors.ts';

/**
 * The names of vendors in what clients send and see (README.md#names). What is stored is always in
 * the neutral dialect; a server speaks one dialect, and translates at its edges only.
 *
 * Every translation is a swap, its own inverse: the same function goes in and out. So whatever a
 * client writes comes back to it byte for byte, whether it is a name that both sides know or not.
 */
export interface Dialect {
  /** Of API groups: `storage.<domain>`. */
  readonly domain: 'cluster.io' | 'k8s.io';
  /** The media type of binary bodies. */
  readonly protobufType: string;
  /** What a watch from a version that is too old gets: HTTP 410, or 200 and an ERROR event. */
  readonly expiredWatch: 'refused' | 'streamed';
  /** The member with the private claims of service account tokens. */
  readonly tokenClaims: string;
  /** What the Service of this server's own API is called, in the namespace `default`. */
  readonly apiService: 'cluster' | 'kubernetes';
  /** An API group: `storage.cluster.io`; others are left as they are. */
  group(group: string): string;
  /** `storage.cluster.io/v1`. */
  groupVersion(groupVersion: string): string;
  /** The name of a namespace: `cluster-system`. */
  namespace(name: string): string;
  /**
   * A field manager: the command line client is known by its name
   * (src/semantics/fields/README.md#apply).
   */
  manager(name: string): string;
  /** The name of an object of a kind: some are namespaces, some are named after API groups. */
  objectName(kind: string, name: string): string;
  /** The name of a user or of a group of users: `system:serviceaccount:cluster-system:default`. */
  user(name: string): string;
  /**
   * JSON text of a whole document of a kind, or of its stored members, which lack the first brace.
   * The same string when there is nothing to translate.
   */
  document(kind: string, text: string): string;
  /** The same for UTF-8 bytes: the same array when there is nothing to translate. */
  bytes(kind: string, utf8: Uint8Array): Uint8Array;
  /** A JSON patch of an object of a kind: its pointers name members. */
  jsonPatch(kind: string, text: string): string;
  /** What people read: messages, warnings, descriptions. */
  text(text: string): string;
  labelSelector(text: string): string;
  /** Of a list or watch of a kind. */
  fieldSelector(kind: string, text: string): string;
}

const same = (text: string): string => text;
const sameOfKind = (_kind: string, text: string): string => text;

/** What is stored; nothing to translate. */
export const NEUTRAL: Dialect = {
  domain: 'cluster.io',
  protobufType: 'application/vnd.cluster.protobuf',
  expiredWatch: 'refused',
  tokenClaims: 'cluster.io',
  apiService: 'cluster',
  group: same,
  groupVersion: same,
  namespace: same,
  manager: same,
  objectName: sameOfKind,
  user: same,
  document: sameOfKind,
  bytes: (_kind, utf8) => utf8,
  jsonPatch: sameOfKind,
  text: same,
  labelSelector: same,
  fieldSelector: sameOfKind,
};

/** What widely used clients speak. */
export const K8S: Dialect = {
  domain: 'k8s.io',
  protobufType: 'application/vnd.kubernetes.protobuf',
  expiredWatch: 'streamed',
  tokenClaims: 'kubernetes.io',
  apiService: 'kubernetes',
  group: swapGroup,
  groupVersion: swapGroupVersion,
  namespace: swapNamespace,
  manager: swapManager,
  objectName: swapObjectName,
  user: swapUser,
  document: swapDocument,
  bytes: swapDocumentBytes,
  jsonPatch: swapJsonPatch,
  text: swapText,
  labelSelector: swapLabelSelector,
  fieldSelector: swapFieldSelector,
};

/** The dialect of a domain, as `--api-domain` names it. */
export function dialectOf(domain: string): Dialect | undefined {
  return [NEUTRAL, K8S].find((dialect) => dialect.domain === domain);
}
