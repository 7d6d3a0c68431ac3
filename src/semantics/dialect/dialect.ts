/**
 * The two dialects, and the differences of servers that speak them besides the names that
 * README.md#names lists.
 */
export interface Dialect {
  /** The domain of API groups, `storage.<domain>`; `--api-domain` names it. */
  readonly domain: 'cluster.io' | 'k8s.io';
  /** The media type of binary bodies. */
  readonly protobufType: string;
  /** The answer to a watch from a version that is too old: HTTP 410, or 200 and an ERROR event. */
  readonly expiredWatch: 'refused' | 'streamed';
  /** The member with the private claims of service account tokens. */
  readonly tokenClaims: string;
  /** The name of the Service of this server's own API, in the namespace `default`. */
  readonly apiService: 'cluster' | 'kubernetes';
  /** The program that serves API services, as part of the names of OpenAPI definitions. */
  readonly aggregator: string;
  /** The headers by which flow control says what it took a request for. */
  readonly flowHeaders: { readonly schema: string; readonly level: string };
}

/** The dialect in which the sources spell names. */
export const NEUTRAL: Dialect = {
  domain: 'cluster.io',
  protobufType: 'application/vnd.cluster.protobuf',
  expiredWatch: 'refused',
  tokenClaims: 'cluster.io',
  apiService: 'cluster',
  aggregator: 'cluster-aggregator',
  flowHeaders: {
    schema: 'X-Cluster-PF-FlowSchema-UID',
    level: 'X-Cluster-PF-PriorityLevel-UID',
  },
};

/** The dialect of widely used clients. */
export const K8S: Dialect = {
  domain: 'k8s.io',
  protobufType: 'application/vnd.kubernetes.protobuf',
  expiredWatch: 'streamed',
  tokenClaims: 'kubernetes.io',
  apiService: 'kubernetes',
  aggregator: 'kube-aggregator',
  flowHeaders: {
    schema: 'X-Kubernetes-PF-FlowSchema-UID',
    level: 'X-Kubernetes-PF-PriorityLevel-UID',
  },
};

/** Returns the other dialect of the two. */
export function otherDialect(dialect: Dialect): Dialect {
  return dialect === NEUTRAL ? K8S : NEUTRAL;
}
