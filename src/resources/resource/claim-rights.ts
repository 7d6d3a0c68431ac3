/**
 * Checks what claims may say in marked namespaces alone, and the rights that writers of their
 * status need: to bind claims, and to tell of devices of a driver (README.md#claims).
 */
import type {
  AllocatedDeviceStatus,
  AllocationResult,
  DeviceRequest,
  DeviceRequestAllocationResult,
  ResourceClaim,
} from '#messages/resource.v1';
import { deepEqual } from '../../base/deep-equal.ts';
import { compareTexts } from '../../base/text/compare-texts.ts';
import { ownRelease } from '../../release/release.ts';
import { fieldForbidden, type FieldError } from '../../semantics/errors/field-error.ts';
import { ownGroup, ownName } from '../../semantics/dialect/own-names.ts';
import type { User } from '../../semantics/user.ts';
import type { NeededRight, RightsWrite } from '../write-context.ts';
import { deviceId } from './claim-status.ts';

const ACCOUNT = 'system:serviceaccount:';
const NODE_NAME = ownName('authentication.cluster.io/node-name');

export function rightsOfClaimStatus(
  { metadata, status = {} }: ResourceClaim,
  { status: before = {} }: ResourceClaim,
  { part, verb, user, gates }: RightsWrite,
): readonly NeededRight[] {
  if (part !== 'status' || !gates.has('DRAResourceClaimGranularStatusAuthorization')) return [];
  const rights: NeededRight[] = [];
  const isBound =
    !deepEqual(status.allocation, before.allocation) ||
    !deepEqual(status.reservedFor ?? [], before.reservedFor ?? []);
  if (isBound) {
    rights.push({
      field: 'status.allocation',
      purpose:
        'changing status.allocation or status.reservedFor requires ' +
        `resource="resourceclaims/binding", verb="${verb}" permission`,
      verbs: [verb],
      subresource: 'binding',
      namespace: '',
      name: '',
    });
  }
  if (!gates.has('DRAResourceClaimDeviceStatus') || status.allocation === undefined) return rights;
  const isOnNode = isAccountOn(user, nodeOf(status.allocation));
  const verbs = [...(isOnNode ? [`associated-node:${verb}`] : []), `arbitrary-node:${verb}`];
  for (const name of changedDrivers(status.devices ?? [], before.devices ?? [])) {
    rights.push({
      field: 'status.devices',
      purpose:
        'changing status.devices requires resource="resourceclaims/driver", ' +
        `verb="[${verbs.join(' ')}]" permission`,
      verbs,
      subresource: 'driver',
      namespace: metadata.namespace ?? '',
      name,
    });
  }
  return rights;
}

/** The drivers whose devices are told of anew, otherwise, or no more. */
function changedDrivers(
  devices: readonly AllocatedDeviceStatus[],
  before: readonly AllocatedDeviceStatus[],
): readonly string[] {
  const left = new Map(before.map((device) => [deviceId(device), device]));
  const drivers = new Set<string>();
  for (const device of devices) {
    const id = deviceId(device);
    if (!deepEqual(left.get(id), device)) drivers.add(device.driver ?? '');
    left.delete(id);
  }
  for (const { driver = '' } of left.values()) drivers.add(driver);
  return [...drivers].sort(compareTexts);
}

/** The node that the devices are on, where the allocation names one alone. */
function nodeOf({ nodeSelector }: AllocationResult): string {
  const [term, ...more] = nodeSelector?.nodeSelectorTerms ?? [];
  const [field, ...others] = term?.matchFields ?? [];
  if (more.length + others.length + (term?.matchExpressions?.length ?? 0) > 0) return '';
  const [name = '', ...names] = field?.values ?? [];
  const isOne = field?.key === 'metadata.name' && field.operator === 'In' && names.length === 0;
  return isOne ? name : '';
}

function isAccountOn({ name, extra = {} }: User, node: string): boolean {
  const { [NODE_NAME]: nodes = [] } = extra;
  return node !== '' && name.startsWith(ACCOUNT) && nodes.length === 1 && nodes[0] === node;
}

/** Access of administrators is for namespaces that are marked for it alone. */
const IS_CHECKED = ownRelease().has('adminAccessInMarkedNamespaces');
const LABEL = ownRelease().has('devicesMarkedByName')
  ? ownName('resource.cluster.io/admin-access')
  : `${ownGroup('resource.cluster.io')}/admin-access`;

type Labels = Readonly<Record<string, string>>;

/** Checks a claim or a template: both tell of it at the path in a claim. */
export function adminRequestErrors(requests: readonly DeviceRequest[], labels: Labels) {
  const index = requests.findIndex(({ exactly }) => exactly?.adminAccess === true);
  return errorsAt(index, 'spec.devices.requests', labels);
}

/** Checks an allocation: one that was granted stays. */
export function adminResultErrors(
  results: readonly DeviceRequestAllocationResult[],
  before: readonly DeviceRequestAllocationResult[],
  labels: Labels,
): FieldError[] {
  const isAdmin = ({ adminAccess }: DeviceRequestAllocationResult): boolean => adminAccess === true;
  if (before.some(isAdmin)) return [];
  return errorsAt(results.findIndex(isAdmin), 'status.allocation.devices.results', labels);
}

function errorsAt(index: number, list: string, labels: Labels): FieldError[] {
  if (!IS_CHECKED || index === -1 || labels[LABEL] === 'true') return [];
  const detail =
    `admin access to devices requires the \`${LABEL}: true\` label ` +
    'on the containing namespace';
  return [fieldForbidden(`${list}[${index}].adminAccess`, detail)];
}
