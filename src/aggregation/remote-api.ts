/** The facts of an APIService whose group version another server answers for. */
import type { APIService, APIServiceCondition } from '#messages/apiregistration.v1';
import type { ApiObject } from '../resources/kind.ts';
import type { ServiceRef } from '../webhooks/service-addresses.ts';

/** The APIService of the core group. */
const CORE = 'v1.';
const AVAILABLE = 'Available';

export interface RemoteApi {
  /** That of the APIService: `v1beta1.metrics.example.com`. */
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly groupPriority: number;
  readonly versionPriority: number;
  readonly service: ServiceRef;
  /** PEM; '' for the authorities that the runtime trusts. */
  readonly authority: string;
  /** Its certificate is not looked at. */
  readonly isUnverified: boolean;
  /** Its requests are passed on. */
  readonly isAvailable: boolean;
}

/** Undefined for a group version that this server has itself. */
export function remoteApiOf(object: ApiObject): RemoteApi | undefined {
  const { spec = {}, metadata } = object as APIService & ApiObject;
  const { service, group = '', version = '', caBundle } = spec;
  if (service === undefined) return undefined;
  const { namespace = '', name = '', port = 443 } = service;
  return {
    name: metadata.name ?? '',
    group,
    version,
    groupPriority: spec.groupPriorityMinimum ?? 0,
    versionPriority: spec.versionPriority ?? 0,
    service: { namespace, name, port },
    authority: caBundle === undefined ? '' : Buffer.from(caBundle, 'base64').toString(),
    isUnverified: spec.insecureSkipTLSVerify === true,
    isAvailable: availabilityOf(object)?.status === 'True',
  };
}

/** The condition `Available`. */
export function availabilityOf(object: ApiObject): APIServiceCondition | undefined {
  const { status } = object as APIService & ApiObject;
  return status?.conditions?.find(({ type }) => type === AVAILABLE);
}

/** The path below which its requests are. */
export function rootOf({ name, group, version }: RemoteApi): string {
  return name === CORE ? '/api' : `/apis/${group}/${version}`;
}

/** The path at which its resources are listed. */
export function resourcesPath({ name, group, version }: RemoteApi): string {
  return name === CORE ? `/api/${version}` : `/apis/${group}/${version}`;
}

/** The name by which its certificate is checked. */
export function serverNameOf({ service: { name, namespace } }: RemoteApi): string {
  return `${name}.${namespace}.svc`;
}
