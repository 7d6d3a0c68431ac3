/**
 * The columns that each resource type shows in a Table, in a notation of their own:
 * `Name* | Restarts:integer | Node+` is a string with the format `name`, an integer, and a string
 * that clients show in wide output only.
 */
import type { Column } from '../../src/resources/printer.ts';

const REPLICAS =
  'Name* | Desired:integer | Current:integer | Ready:integer | Age | ' +
  'Containers+ | Images+ | Selector+';
const BINDINGS = 'Name* | Role | Age | Users+ | Groups+ | ServiceAccounts+';
const WEBHOOKS = 'Name* | Webhooks:integer | Age';

/** The columns of a type without columns of its own. */
export const DEFAULT_COLUMNS = 'Name* | Created At:date';

/** By the name of the resource type; those that are not here show the default. */
export const PRINTER_COLUMNS: Readonly<Record<string, string>> = {
  componentstatuses: 'Name* | Status | Message | Error',
  configmaps: 'Name* | Data | Age',
  endpoints: 'Name* | Endpoints | Age',
  events:
    'Last Seen | Type | Reason | Object | Subobject+ | Source+ | Message | First Seen+ | Count+ | ' +
    'Name*+',
  namespaces: 'Name* | Status | Age',
  nodes:
    'Name* | Status | Roles | Age | Version | Internal-IP+ | External-IP+ | OS-Image+ | ' +
    'Kernel-Version+ | Container-Runtime+',
  persistentvolumeclaims:
    'Name* | Status | Volume | Capacity | Access Modes | StorageClass | Age | VolumeMode+',
  persistentvolumes:
    'Name* | Capacity | Access Modes | Reclaim Policy | Status | Claim | StorageClass | Reason | ' +
    'Age | VolumeMode+',
  pods:
    'Name* | Ready | Status | Restarts | Age | IP+ | Node+ | Nominated Node+ | ' +
    'Readiness Gates+',
  podtemplates: 'Name* | Containers | Images | Pod Labels',
  replicationcontrollers: REPLICAS,
  resourcequotas: 'Name* | Age | Request | Limit',
  secrets: 'Name* | Type | Data | Age',
  serviceaccounts: 'Name* | Secrets | Age',
  services: 'Name* | Type | Cluster-IP | External-IP | Port(s) | Age | Selector+',

  'controllerrevisions.apps': 'Name* | Controller | Revision | Age',
  'daemonsets.apps':
    'Name* | Desired:integer | Current:integer | Ready:integer | Up-to-date:integer | ' +
    'Available:integer | Node Selector | Age | Containers+ | Images+ | Selector+',
  'deployments.apps':
    'Name* | Ready | Up-to-date | Available | Age | Containers+ | Images+ | Selector+',
  'replicasets.apps': REPLICAS,
  'statefulsets.apps': 'Name* | Ready | Age | Containers+ | Images+',

  'cronjobs.batch':
    'Name* | Schedule | Suspend:boolean | Active:integer | Last Schedule | Age | ' +
    'Containers+ | Images+ | Selector+',
  'jobs.batch': 'Name* | Completions | Duration | Age | Containers+ | Images+ | Selector+',

  'apiservices.apiregistration.cluster.io': 'Name* | Service | Available | Age',
  'certificatesigningrequests.certificates.cluster.io':
    'Name* | Age | SignerName | Requestor | RequestedDuration | Condition',
  'clusterrolebindings.rbac.authorization.cluster.io': BINDINGS,
  'csidrivers.storage.cluster.io':
    'Name* | AttachRequired:boolean | PodInfoOnMount:boolean | StorageCapacity:boolean | ' +
    'TokenRequests | RequiresRepublish:boolean | Modes | Age',
  'csinodes.storage.cluster.io': 'Name* | Drivers:integer | Age',
  'endpointslices.discovery.cluster.io': 'Name* | AddressType | Ports | Endpoints | Age',
  'flowschemas.flowcontrol.apiserver.cluster.io':
    'Name* | PriorityLevel | MatchingPrecedence | DistinguisherMethod | Age | MissingPL',
  'horizontalpodautoscalers.autoscaling':
    'Name* | Reference | Targets | MinPods | MaxPods | Replicas | Age',
  'ingressclasses.networking.cluster.io': 'Name* | Controller | Parameters | Age',
  'ingresses.networking.cluster.io': 'Name* | Class | Hosts | Address | Ports | Age',
  'leases.coordination.cluster.io': 'Name* | Holder | Age',
  'mutatingwebhookconfigurations.admissionregistration.cluster.io': WEBHOOKS,
  'networkpolicies.networking.cluster.io': 'Name* | Pod-Selector | Age',
  'poddisruptionbudgets.policy':
    'Name* | Min Available | Max Unavailable | Allowed Disruptions:integer | Age',
  'podsecuritypolicies.policy':
    'Name* | Priv | Caps | SELinux | RunAsUser | FsGroup | SupGroup | ReadOnlyRootFs | Volumes',
  'priorityclasses.scheduling.cluster.io': 'Name* | Value:integer | Global-Default:boolean | Age',
  'prioritylevelconfigurations.flowcontrol.apiserver.cluster.io':
    'Name* | Type | AssuredConcurrencyShares | Queues | HandSize | QueueLengthLimit | Age',
  'rolebindings.rbac.authorization.cluster.io': BINDINGS,
  'runtimeclasses.node.cluster.io': 'Name* | Handler | Age',
  'storageclasses.storage.cluster.io':
    'Name* | Provisioner | ReclaimPolicy | VolumeBindingMode | AllowVolumeExpansion | Age',
  'storageversions.internal.apiserver.cluster.io':
    'Name* | CommonEncodingVersion | StorageVersions | Age',
  'validatingwebhookconfigurations.admissionregistration.cluster.io': WEBHOOKS,
  'volumeattachments.storage.cluster.io': 'Name* | Attacher* | PV | Node | Attached:boolean | Age',
};

/** The columns of a printer in the same notation. */
export function columnsText(columns: readonly Column[]): string {
  return columns.map(columnText).join(' | ');
}

function columnText({ name, type, format, priority }: Column): string {
  const mark = (format === 'name' ? '*' : '') + (priority === 1 ? '+' : '');
  return type === 'string' ? `${name}${mark}` : `${name}${mark}:${type}`;
}
