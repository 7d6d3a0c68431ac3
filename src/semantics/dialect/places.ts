/**
 * The places in a document where names may stand. The place of a value follows from the names of
 * the members around it and the kind of the document. These are the same in both dialects, so a
 * document is read the same way in either direction.
 */
export const PLACE = {
  /** Nothing in it is swapped, not even names of members. */
  opaque: 0,
  /** Members are named by the API; names among them are swapped. */
  plain: 1,
  /** The root, which may be a list, a table, an event of a watch. */
  root: 2,
  documents: 3,
  rows: 4,
  /** The owned fields of a custom object, of which only those of the metadata are known. */
  customFields: 5,
  document: 6,
  documentMetadata: 7,
  metadata: 8,
  labels: 9,
  annotations: 10,
  map: 11,
  expressions: 12,
  fieldOwners: 13,
  fields: 14,
  roleReference: 15,
  namespaceSpec: 16,
  definitionVersions: 17,
  apiGroups: 18,
  status: 19,
  /** The places from here on are of strings. An object at such a place is plain. */
  group: 20,
  groupVersion: 21,
  qualified: 22,
  namespace: 23,
  manager: 24,
  user: 25,
  /** The name of an object, beside `kind: Namespace` that of a namespace. */
  name: 26,
  roleName: 27,
  objectName: 28,
  namespaceFinalizer: 29,
  applied: 30,
  message: 31,
  /** A member that gives the kind or resource which the names beside it belong to. */
  kind: 32,
  resourceNames: 33,
  expressionKey: 34,
  expressionValues: 35,
  patch: 36,
  pointer: 37,
  cells: 38,
  labelSelector: 39,
  url: 40,
  scaleStatus: 41,
  urlRequest: 42,
} as const;

type Table = ReadonlyMap<string, number>;

/** The places of members wherever the API names members. Members that are not listed are plain. */
const PLAIN: Table = new Map([
  ['apiVersion', PLACE.groupVersion],
  ['groupVersion', PLACE.groupVersion],
  ['desiredAPIVersion', PLACE.groupVersion],
  ['encodingVersion', PLACE.groupVersion],
  ['commonEncodingVersion', PLACE.groupVersion],
  ['decodableVersions', PLACE.groupVersion],
  ['group', PLACE.group],
  ['apiGroup', PLACE.group],
  ['apiGroups', PLACE.group],
  ['finalizers', PLACE.qualified],
  ['key', PLACE.qualified],
  ['topologyKey', PLACE.qualified],
  ['topologyKeys', PLACE.qualified],
  ['signerName', PLACE.qualified],
  ['provisioner', PLACE.qualified],
  ['namespace', PLACE.namespace],
  ['namespaces', PLACE.namespace],
  ['secretNamespace', PLACE.namespace],
  ['endpointsNamespace', PLACE.namespace],
  ['user', PLACE.user],
  ['username', PLACE.user],
  ['users', PLACE.user],
  ['groups', PLACE.user],
  ['name', PLACE.name],
  ['kind', PLACE.kind],
  ['resource', PLACE.kind],
  ['resources', PLACE.kind],
  ['resourceNames', PLACE.resourceNames],
  ['nonResourceURLs', PLACE.url],
  ['nonResourceAttributes', PLACE.urlRequest],
  ['metadata', PLACE.metadata],
  ['roleRef', PLACE.roleReference],
  ['labels', PLACE.labels],
  ['matchLabels', PLACE.labels],
  ['selector', PLACE.labels],
  ['nodeSelector', PLACE.labels],
  ['annotations', PLACE.annotations],
  ['matchExpressions', PLACE.expressions],
  ['matchFields', PLACE.plain],
  ['parameters', PLACE.map],
  ['volumeAttributes', PLACE.map],
  ['attachmentMetadata', PLACE.map],
  ['auditAnnotations', PLACE.map],
  ['topology', PLACE.map],
  ['deprecatedTopology', PLACE.map],
  ['options', PLACE.map],
  ['extra', PLACE.map],
]);

/** The members that have other places than in `PLAIN`, by the place of the object. */
const SPECIAL: Readonly<Record<number, Table>> = {
  [PLACE.metadata]: new Map([
    ['name', PLACE.plain],
    ['managedFields', PLACE.fieldOwners],
  ]),
  [PLACE.documentMetadata]: new Map([
    ['name', PLACE.objectName],
    ['managedFields', PLACE.fieldOwners],
  ]),
  [PLACE.fieldOwners]: new Map([
    ['manager', PLACE.manager],
    ['fieldsV1', PLACE.fields],
  ]),
  [PLACE.expressions]: new Map([
    ['key', PLACE.expressionKey],
    ['values', PLACE.expressionValues],
  ]),
  [PLACE.roleReference]: new Map([['name', PLACE.roleName]]),
  [PLACE.namespaceSpec]: new Map([['finalizers', PLACE.namespaceFinalizer]]),
  [PLACE.definitionVersions]: new Map([
    ['versions', PLACE.definitionVersions],
    ['schema', PLACE.opaque],
    ['validation', PLACE.opaque],
  ]),
  [PLACE.scaleStatus]: new Map([['selector', PLACE.labelSelector]]),
  [PLACE.urlRequest]: new Map([['path', PLACE.url]]),
  [PLACE.apiGroups]: new Map([['name', PLACE.group]]),
  [PLACE.status]: new Map([
    ['message', PLACE.message],
    ['causes', PLACE.status],
  ]),
  [PLACE.rows]: new Map([
    ['cells', PLACE.cells],
    ['object', PLACE.document],
  ]),
};

/** Members of documents of one kind. */
const OF_KIND: ReadonlyMap<string, Table> = new Map<string, Table>([
  [
    'ConfigMap',
    new Map([
      ['data', PLACE.opaque],
      ['binaryData', PLACE.opaque],
    ]),
  ],
  [
    'Secret',
    new Map([
      ['data', PLACE.opaque],
      ['stringData', PLACE.opaque],
      ['type', PLACE.qualified],
    ]),
  ],
  ['Namespace', new Map([['spec', PLACE.namespaceSpec]])],
  ['CustomResourceDefinition', new Map([['spec', PLACE.definitionVersions]])],
  [
    'Status',
    new Map([
      ['message', PLACE.message],
      ['details', PLACE.status],
    ]),
  ],
  ['Scale', new Map([['status', PLACE.scaleStatus]])],
  ['APIGroup', new Map([['name', PLACE.group]])],
]);

/**
 * Stands for the kind of any custom object: it may have the name of a kind that the API defines,
 * and is none of them. Only the metadata of such an object is known.
 */
export const CUSTOM_KIND = '*';

const DOLLAR = 0x24;
/** The directive of strategic merge patches that lists names of members. */
const RETAIN_KEYS = '$retainKeys';

/** The kinds that the API defines, by words. Only the metadata of all others is known. */
const KNOWN_KINDS = new Set(
  `APIGroup APIGroupDiscovery APIResource APIService AdmissionReview Binding CSIDriver CSINode
  CSIStorageCapacity CertificateSigningRequest ClusterRole ClusterRoleBinding ComponentStatus
  ConfigMap ControllerRevision ConversionReview CreateOptions CronJob CustomResourceDefinition
  DaemonSet DeleteOptions Deployment EndpointSlice Endpoints EphemeralContainers Event Eviction
  FlowSchema HorizontalPodAutoscaler Ingress IngressClass Job JobTemplateSpec Lease LimitRange
  LocalSubjectAccessReview MutatingWebhookConfiguration Namespace NetworkPolicy Node
  PersistentVolume PersistentVolumeClaim Pod PodDisruptionBudget PodSecurityPolicy PodTemplate
  PodTemplateSpec PriorityClass PriorityLevelConfiguration RangeAllocation ReplicaSet
  ReplicationController ResourceQuota Role RoleBinding RuntimeClass Scale Secret
  SelfSubjectAccessReview SelfSubjectRulesReview Service ServiceAccount StatefulSet Status
  StorageClass StorageVersion SubjectAccessReview Table TokenRequest TokenReview
  ValidatingWebhookConfiguration VolumeAttachment WatchEvent`.split(/\s+/),
);

/** The kind of the items of a list; other kinds as they are. `List` has items of any kind. */
export function kindOfItems(kind: string): string {
  return kind.endsWith('List') ? kind.slice(0, -4) : kind;
}

/** The place of the member of an object at a place, in a document of a kind. */
export function memberPlace(place: number, name: string, kind: string): number {
  switch (place) {
    case PLACE.opaque:
      return PLACE.opaque;
    case PLACE.root:
      return rootMember(name, kind);
    case PLACE.document:
      return documentMember(name, kind);
    case PLACE.labels:
      if (name === RETAIN_KEYS) return PLACE.qualified;
      return mapMember(name, isNamespaceLabel(name) ? PLACE.namespace : PLACE.map);
    case PLACE.annotations:
      if (name === RETAIN_KEYS) return PLACE.qualified;
      return isApplied(name) ? PLACE.applied : PLACE.map;
    case PLACE.map:
      return mapMember(name, PLACE.map);
    case PLACE.fields:
      return PLACE.fields;
    case PLACE.customFields:
      return name === 'f:metadata' ? PLACE.fields : PLACE.opaque;
    case PLACE.fieldOwners:
      if (kind === CUSTOM_KIND && name === 'fieldsV1') return PLACE.customFields;
      return specialMember(place, name);
    case PLACE.documents:
      return PLACE.document;
    default:
      return place === PLACE.plain ? plainMember(name) : specialMember(place, name);
  }
}

/** The place of the items of a list at a place. */
export function itemPlace(place: number): number {
  return place === PLACE.documents ? PLACE.document : place;
}

/** Both spellings of the label with the name of a namespace. */
export function isNamespaceLabel(key: string): boolean {
  return key === 'cluster.io/metadata.name' || key === 'kubernetes.io/metadata.name';
}

function isApplied(key: string): boolean {
  return (
    key === 'client.cluster.io/last-applied-configuration' ||
    key === 'kubectl.kubernetes.io/last-applied-configuration'
  );
}

function rootMember(name: string, kind: string): number {
  if (kind === 'APIGroupList' && name === 'groups') return PLACE.apiGroups;
  const listed = kindOfItems(kind);
  if (name === 'items' && (listed !== kind || KNOWN_KINDS.has(kind))) return PLACE.documents;
  if (name === 'rows' && KNOWN_KINDS.has(kind)) return PLACE.rows;
  if (name === 'object' && kind === 'WatchEvent') return PLACE.document;
  return documentMember(name, listed);
}

function documentMember(name: string, kind: string): number {
  if (name === 'metadata') return PLACE.documentMetadata;
  if (name === 'apiVersion') return PLACE.groupVersion;
  const special = OF_KIND.get(kind)?.get(withoutDirective(name));
  if (special !== undefined) return special;
  return KNOWN_KINDS.has(kind) ? plainMember(name) : PLACE.opaque;
}

function plainMember(name: string): number {
  return PLAIN.get(withoutDirective(name)) ?? PLACE.plain;
}

function specialMember(place: number, name: string): number {
  return SPECIAL[place]?.get(withoutDirective(name)) ?? plainMember(name);
}

/** Directives of strategic merge patches name a member behind their slash. */
function withoutDirective(name: string): string {
  return name.charCodeAt(0) === DOLLAR ? name.slice(name.indexOf('/') + 1) : name;
}

/** A selector may be a map of labels, or hold one beside expressions. */
function mapMember(name: string, place: number): number {
  if (name === 'matchLabels') return PLACE.labels;
  return name === 'matchExpressions' ? PLACE.expressions : place;
}
