/**
 * The objects by which programs in the cluster find its API: the Service `default/kubernetes` with
 * its Endpoints and EndpointSlice, and the ConfigMap that tells servers behind this one how clients
 * are known. In the neutral dialect the Service is called `cluster`. System namespaces that may be
 * deleted come back too.
 */
import { isIPv6 } from 'node:net';
import { deepEqual } from '../../base/deep-equal.ts';
import { IMMORTAL_NAMESPACES, SYSTEM_NAMESPACES } from '../../resources/core/namespace.ts';
import type { ApiObject } from '../../resources/kind.ts';
import { ownName, ownNamespace } from '../../semantics/dialect/own-names.ts';
import type { ObjectName } from '../../replicas/shard-objects.ts';

/** Under what the API is known, where it is, and whom it trusts. */
export interface ApiEndpoint {
  /** The Service's name. */
  readonly service: string;
  /** Its cluster IP: the first of the range. */
  readonly serviceAddress: string;
  /** The name that a server of the other dialect gives the Service. */
  readonly otherService: string;
  /** Where others reach the server; '' where nobody does. */
  readonly address: string;
  readonly port: number;
  readonly protocol: 'https' | 'http';
  /** By what other servers know the clients of this one: see `publishedAuthentication`. */
  readonly authentication: Readonly<Record<string, string>>;
  /** By what clients know the server (PEM): that authority, or another one; '' without HTTPS. */
  readonly trusted: string;
}

/** An object that is made where it is missing. */
export interface KeptObject extends ObjectName {
  /** The resource type, as shards are named. */
  readonly resource: string;
  readonly wanted: object;
  /**
   * The object as it should be, or undefined when it is right. `isFirst` is true once after a
   * start. Where nothing mends the object it is `'replace'`.
   */
  readonly mend: (stored: ApiObject, isFirst: boolean) => object | 'replace' | undefined;
}

const AUTHORITY_SUFFIX = '-ca-file';
/** The other system namespaces cannot be deleted. */
const MORTAL_NAMESPACES = SYSTEM_NAMESPACES.filter((name) => !IMMORTAL_NAMESPACES.has(name));
const NAMESPACE = 'default';
const SERVICE_PORTS = { https: 443, http: 80 } as const;
const SKIP_MIRROR = ownName('endpointslice.cluster.io/skip-mirror');
const SERVICE_NAME = ownName('cluster.io/service-name');
const AUTHENTICATION = {
  namespace: ownNamespace('cluster-system'),
  name: 'extension-apiserver-authentication',
};

/** In the order in which they are made. */
export function bootstrapObjects(endpoint: ApiEndpoint): readonly KeptObject[] {
  return [
    ...MORTAL_NAMESPACES.map(systemNamespace),
    service(endpoint),
    // Without an address there is nothing to tell.
    ...(endpoint.address === '' ? [] : [endpoints(endpoint), endpointSlice(endpoint)]),
    authentication(endpoint),
  ];
}

function systemNamespace(name: string): KeptObject {
  const wanted = { metadata: { name } };
  return { resource: 'namespaces', namespace: '', name, wanted, mend: () => undefined };
}

/**
 * The ConfigMap keeps what others write into it: lists get longer, and so do files of authorities.
 */
function authentication({ authentication: wanted }: ApiEndpoint): KeptObject {
  const hasData = Object.keys(wanted).length > 0;
  return {
    resource: 'configmaps',
    ...AUTHENTICATION,
    wanted: { metadata: AUTHENTICATION, ...(hasData && { data: wanted }) },
    mend: (stored) => {
      const is = (stored['data'] ?? {}) as Readonly<Record<string, string>>;
      const data = { ...is };
      for (const [key, value] of Object.entries(wanted)) {
        const { [key]: there = '' } = is;
        data[key] = there === '' ? value : joined(key, there, value);
      }
      return deepEqual(data, is) ? undefined : { ...stored, data };
    },
  };
}

/** Both of what is there and what is wanted. */
function joined(key: string, there: string, wanted: string): string {
  if (key.endsWith(AUTHORITY_SUFFIX)) return there.includes(wanted) ? there : there + wanted;
  try {
    const both = [there, wanted].flatMap((list) => JSON.parse(list) as unknown);
    const all = JSON.stringify([...new Set(both)]);
    return all === JSON.stringify(JSON.parse(there)) ? there : all;
  } catch {
    // No list: somebody has written something else.
    return wanted;
  }
}

/** Those of the same Service under the name that the other dialect has for it. */
export function otherDialectsObjects({ otherService }: ApiEndpoint): readonly {
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}[] {
  const at = { namespace: NAMESPACE, name: otherService };
  return ['services', 'endpoints', 'endpointslices.discovery.cluster.io'].map((resource) => ({
    resource,
    ...at,
  }));
}

function service({ service: name, serviceAddress, port, protocol }: ApiEndpoint): KeptObject {
  const ports = [
    { name: protocol, protocol: 'TCP', port: SERVICE_PORTS[protocol], targetPort: port },
  ];
  const type = 'ClusterIP';
  return {
    resource: 'services',
    namespace: NAMESPACE,
    name,
    wanted: {
      metadata: {
        name,
        namespace: NAMESPACE,
        labels: { component: 'apiserver', provider: name },
      },
      spec: {
        ports,
        type,
        clusterIP: serviceAddress,
        ipFamilyPolicy: 'SingleStack',
        sessionAffinity: 'None',
      },
    },
    // As in the reference, what people make of it later stays until the next start.
    mend: (stored, isFirst) => {
      const spec = stored['spec'] as { ports?: unknown; type?: string } | undefined;
      const isRight = deepEqual(spec?.ports, ports) && spec?.type === type;
      return isRight || !isFirst ? undefined : { ...stored, spec: { ...spec, ports, type } };
    },
  };
}

function endpoints({ service: name, address, port, protocol }: ApiEndpoint): KeptObject {
  const subsets = [
    { addresses: [{ ip: address }], ports: [{ name: protocol, port, protocol: 'TCP' }] },
  ];
  const labels = { [SKIP_MIRROR]: 'true' };
  return {
    resource: 'endpoints',
    namespace: NAMESPACE,
    name,
    wanted: { metadata: { name, namespace: NAMESPACE, labels }, subsets },
    mend: (stored) => {
      const { metadata } = stored;
      const isRight =
        metadata.labels?.[SKIP_MIRROR] === 'true' && deepEqual(stored['subsets'], subsets);
      if (isRight) return undefined;
      return {
        ...stored,
        metadata: { ...metadata, labels: { ...metadata.labels, ...labels } },
        subsets,
      };
    },
  };
}

function endpointSlice({ service: name, address, port, protocol }: ApiEndpoint): KeptObject {
  const labels = { [SERVICE_NAME]: name };
  const addressType = isIPv6(address) ? 'IPv6' : 'IPv4';
  const told = {
    endpoints: [{ addresses: [address], conditions: { ready: true } }],
    ports: [{ name: protocol, protocol: 'TCP', port }],
  };
  return {
    resource: 'endpointslices.discovery.cluster.io',
    namespace: NAMESPACE,
    name,
    wanted: { metadata: { name, namespace: NAMESPACE, labels }, addressType, ...told },
    mend: (stored) => {
      // It is immutable.
      if (stored['addressType'] !== addressType) return 'replace';
      const { metadata } = stored;
      const is = { endpoints: stored['endpoints'], ports: stored['ports'] };
      if (deepEqual(is, told) && deepEqual(metadata.labels, labels)) return undefined;
      return { ...stored, metadata: { ...metadata, labels }, ...told };
    },
  };
}
