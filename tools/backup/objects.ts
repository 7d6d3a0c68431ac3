/** Objects as they are exported and imported. */
export interface Members {
  [name: string]: unknown;
}

export interface OwnerReference extends Members {
  readonly uid: string;
}

export interface ApiObject extends Members {
  apiVersion: string;
  kind: string;
  metadata: Members & {
    name: string;
    namespace?: string;
    uid?: string;
    resourceVersion?: string;
    ownerReferences?: OwnerReference[];
    labels?: Record<string, string>;
  };
}

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `Pod shop/web`. */
export function titleOf({ kind, metadata: { namespace, name } }: ApiObject): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

/** What others need before they can be made, and what would refuse others: 0 is made first. */
export function rankOf({ kind }: ApiObject): number {
  const at = FIRST.indexOf(kind);
  if (at >= 0) return at;
  return LAST.includes(kind) ? FIRST.length + 1 : FIRST.length;
}

const FIRST = [
  'Namespace',
  'CustomResourceDefinition',
  'PriorityClass',
  'StorageClass',
  'RuntimeClass',
  'IngressClass',
  'ClusterRole',
  'ServiceAccount',
  'ConfigMap',
  'Secret',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'Node',
];

const LAST = [
  'LimitRange',
  'ResourceQuota',
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
];

/** Kinds of which the server itself keeps the status. */
export const OWN_STATUS = ['Namespace', 'CustomResourceDefinition', 'APIService'];

/** The members that a server gives to each object. */
const SERVERS_OWN = [
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'selfLink',
  'managedFields',
];
/** Labels that a Job gives to its Pods, and selects them by. */
const JOB_LABEL = /(?:^|\/)(?:controller-uid|job-name)$/;

/** An object as it can be made elsewhere; its owners are those in `uids`, by their uids here. */
export function asNew(object: ApiObject, uids: ReadonlyMap<string, string>): ApiObject {
  const made = structuredClone(object);
  const { metadata } = made;
  for (const name of SERVERS_OWN) delete metadata[name];
  const owners = (metadata.ownerReferences ?? []).flatMap((owner) => {
    const uid = uids.get(owner.uid);
    return uid === undefined ? [] : [{ ...owner, uid }];
  });
  delete metadata.ownerReferences;
  if (owners.length > 0) metadata.ownerReferences = owners;
  const spec = isMembers(made['spec']) ? made['spec'] : {};
  if (made.kind === 'Job') asNewJob(made, spec);
  if (made.kind === 'Pod') delete spec['ephemeralContainers'];
  if (made.kind === 'PersistentVolume' && isMembers(spec['claimRef'])) {
    delete spec['claimRef']['uid'];
    delete spec['claimRef']['resourceVersion'];
  }
  return made;
}

/** The server makes the selector of a Job of its uid. */
function asNewJob(job: ApiObject, spec: Members): void {
  if (spec['manualSelector'] === true) return;
  delete spec['selector'];
  const template = isMembers(spec['template']) ? spec['template'] : {};
  for (const metadata of [job.metadata, template['metadata']]) {
    const labels = isMembers(metadata) ? metadata['labels'] : undefined;
    if (!isMembers(labels)) continue;
    for (const name of Object.keys(labels)) if (JOB_LABEL.test(name)) delete labels[name];
  }
}

/** Addresses of a Service may be taken elsewhere. */
export function withoutAddresses(object: ApiObject): ApiObject | undefined {
  if (object.kind !== 'Service' || !isMembers(object['spec'])) return undefined;
  const { clusterIP, clusterIPs, ...spec } = object['spec'];
  if (clusterIP === undefined && clusterIPs === undefined) return undefined;
  return { ...object, spec };
}
