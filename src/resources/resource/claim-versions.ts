/** Claims in versions whose requests have no members in `exactly` (README.md#versions). */
import type {
  DeviceRequest,
  DeviceSelector,
  DeviceSubRequest,
  ExactDeviceRequest,
  ResourceClaim,
  ResourceClaimSpec,
  ResourceClaimTemplate,
} from '#messages/resource.v1';
import type {
  DeviceRequest as FlatRequest,
  ResourceClaim as FlatClaim,
  ResourceClaimSpec as FlatSpec,
  ResourceClaimTemplate as FlatTemplate,
} from '#messages/resource.v1beta1';
import type { ApiObject, KindVersion } from '../kind.ts';

/** `v1beta1` and `v1alpha3` of a kind have messages of their own, of the same form. */
export function flatVersions(
  kind: 'ResourceClaim' | 'ResourceClaimTemplate',
): readonly KindVersion[] {
  const conversions = kind === 'ResourceClaim' ? CLAIM : TEMPLATE;
  return ['v1beta1', 'v1alpha3'].map((version) => ({
    version,
    message: `resource.${version}.${kind}`,
    ...conversions,
  }));
}

const CLAIM: Pick<KindVersion, 'toStored' | 'fromStored'> = {
  toStored(object) {
    const claim = object as FlatClaim;
    return { ...claim, ...(claim.spec && { spec: storedSpec(claim.spec) }) } as ApiObject;
  },
  fromStored(object) {
    const claim = object as ResourceClaim;
    return { ...claim, ...(claim.spec && { spec: flatSpec(claim.spec) }) } as ApiObject;
  },
};

const TEMPLATE: Pick<KindVersion, 'toStored' | 'fromStored'> = {
  toStored(object) {
    const template = object as FlatTemplate;
    const { spec } = template;
    const inner = spec?.spec && { spec: storedSpec(spec.spec) };
    return { ...template, ...(spec && { spec: { ...spec, ...inner } }) } as ApiObject;
  },
  fromStored(object) {
    const template = object as ResourceClaimTemplate;
    const { spec } = template;
    const inner = spec?.spec && { spec: flatSpec(spec.spec) };
    return { ...template, ...(spec && { spec: { ...spec, ...inner } }) } as ApiObject;
  },
};

function storedSpec({ devices, ...spec }: FlatSpec): ResourceClaimSpec {
  if (devices === undefined) return spec;
  const { requests, ...others } = devices;
  return { ...spec, devices: { ...others, ...(requests && { requests: requests.map(nested) }) } };
}

function flatSpec(stored: ResourceClaimSpec): FlatSpec {
  const { devices, ...spec } = stored;
  if (devices === undefined) return stored as FlatSpec;
  const { requests, ...others } = devices;
  return { ...spec, devices: { ...others, ...(requests && { requests: requests.map(flat) }) } };
}

/** A request that says nothing but its name and alternatives has no `exactly`. */
function nested({ name, firstAvailable, ...exactly }: FlatRequest): DeviceRequest {
  const saysMore = Object.values(exactly).some((value) => {
    return value !== undefined && value !== '' && value !== 0;
  });
  return {
    ...(name !== undefined && { name }),
    ...(saysMore && { exactly }),
    ...(firstAvailable && { firstAvailable }),
  };
}

function flat({ exactly, ...request }: DeviceRequest): FlatRequest {
  return { ...request, ...exactly };
}

/** Versions in which a request has the members of `exactly` itself. */
const FLAT = /\/v1(beta1|alpha3)$/;

/** A request as it is told whole: with the members that its version always writes. */
export function shownRequest(
  { exactly, firstAvailable, ...request }: DeviceRequest,
  groupVersion: string,
): object {
  const alternatives = firstAvailable && { firstAvailable: firstAvailable.map(shownAlternative) };
  const shown = exactly && { deviceClassName: '', ...inOrder(exactly) };
  if (!FLAT.test(groupVersion)) {
    return { name: '', ...request, ...(shown && { exactly: shown }), ...alternatives };
  }
  return { name: '', ...request, deviceClassName: '', ...shown, ...alternatives };
}

export function shownAlternative(alternative: DeviceSubRequest): object {
  return { name: '', deviceClassName: '', ...inOrder(alternative) };
}

const ORDER = [
  'name',
  'deviceClassName',
  'selectors',
  'allocationMode',
  'count',
  'adminAccess',
  'tolerations',
  'capacity',
  'derivedAttributes',
];
const TOLERATION_ORDER = ['key', 'operator', 'value', 'effect', 'tolerationSeconds'];

function inOrder(wanted: ExactDeviceRequest | DeviceSubRequest): object {
  const { selectors, tolerations } = wanted;
  return orderOf(ORDER, {
    ...wanted,
    ...(selectors && { selectors: selectors.map(shownSelector) }),
    ...(tolerations && { tolerations: tolerations.map((one) => orderOf(TOLERATION_ORDER, one)) }),
  });
}

function shownSelector({ cel }: DeviceSelector): object {
  return cel === undefined ? {} : { cel: { expression: '', ...cel } };
}

/** The members in the order of their type: those that have a default are behind what was sent. */
function orderOf(order: readonly string[], value: object): object {
  const members = new Map<string, unknown>(Object.entries(value));
  return Object.fromEntries(
    order.flatMap((name) => (members.has(name) ? [[name, members.get(name)] as const] : [])),
  );
}
