/**
 * The two dialects, and what servers of them do differently besides the names that
 * README.md#names lists.
 */
export interface Dialect {
  /** Of API groups: `storage.<domain>`; what `--api-domain` names. */
  readonly domain: 'cluster.io' | 'k8s.io';
  /** The media type of binary bodies. */
  readonly protobufType: string;
  /** What a watch from a version that is too old gets: HTTP 410, or 200 and an ERROR event. */
  readonly expiredWatch: 'refused' | 'streamed';
  /** The member with the private claims of service account tokens. */
  readonly tokenClaims: string;
  /** What the Service of this server's own API is called, in the namespace `default`. */
  readonly apiService: 'cluster' | 'kubernetes';
  /** The program that API services are of, in the names of definitions. */
  readonly aggregator: string;
}

/** The one in which the sources spell names. */
export const NEUTRAL: Dialect = {
  domain: 'cluster.io',
  protobufType: 'application/vnd.cluster.protobuf',
  expiredWatch: 'refused',
  tokenClaims: 'cluster.io',
  apiService: 'cluster',
  aggregator: 'cluster-aggregator',
};

/** What widely used clients speak. */
export const K8S: Dialect = {
  domain: 'k8s.io',
  protobufType: 'application/vnd.kubernetes.protobuf',
  expiredWatch: 'streamed',
  tokenClaims: 'kubernetes.io',
  apiService: 'kubernetes',
  aggregator: 'kube-aggregator',
};

/** The other one of the two. */
export function otherDialect(dialect: Dialect): Dialect {
  return dialect === NEUTRAL ? K8S : NEUTRAL;
}
