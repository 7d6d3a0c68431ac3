/** Service (README.md#services). */
import type { Service } from '#messages/core.v1';
import type { FieldError } from '../../../semantics/errors/field-error.ts';
import { ownRelease } from '../../../release/release.ts';
import { addressRules } from '../../../semantics/validation/network-validation.ts';
import { defineKind, type BuiltInKind } from '../../kind.ts';
import { ServiceAddresses } from './service-addresses.ts';
import { ServiceAllocator } from './service-allocator.ts';
import { checkClusterIpUpdate, clusterIpErrors } from './service-cluster-ips.ts';
import { ServiceEndpoints } from './service-endpoints.ts';
import { applyServiceDefaults, prepareNewService, prepareServiceUpdate } from './service-links.ts';
import { applyIpModes, balancerWarnings, serviceStatusErrors } from './service-load-balancer.ts';
import { SERVICE_PRINTER } from './service-printer.ts';
import {
  parseClusterIpRanges,
  parseNodePortRange,
  serviceFamilies,
  serviceRanges,
  type ServiceFamilies,
} from './service-ranges.ts';
import { sameStrings } from './service-spec.ts';
import { checkServiceUpdate, serviceErrors } from './service-validation.ts';
import { serviceWarnings } from './service-warnings.ts';

const RELEASE = ownRelease();
const ENDPOINTS_GO = !RELEASE.has('endpointsOutliveServices');

const DEFAULT_FAMILIES: ServiceFamilies = ['IPv4'];

/** The rules of a cluster whose services have addresses of these families. */
function ofFamilies(
  families: ServiceFamilies,
): Pick<BuiltInKind<Service>, 'prepareForCreate' | 'prepareForUpdate' | 'validateFirst'> {
  return {
    prepareForCreate(object) {
      if (object.spec !== undefined) prepareNewService(object.spec, families);
      object.status = { loadBalancer: {} };
    },

    prepareForUpdate: (service, stored) => prepareServiceUpdate(service, stored, families),

    validateFirst({ spec = {} }, stored, gates) {
      const rules = addressRules(gates, stored?.spec?.clusterIPs);
      return clusterIpErrors(spec, stored?.spec, families, rules);
    },
  };
}

const DEFINITION: BuiltInKind<Service> = {
  group: '',
  version: 'v1',
  kind: 'Service',
  plural: 'services',
  shortNames: ['svc'],
  categories: ['all'],
  namespaced: true,
  message: 'core.v1.Service',
  nameRule: 'dns1035Label',
  relaxedName: { gate: 'RelaxedServiceNameValidation', rule: 'dnsLabel' },
  ...(RELEASE.has('freeServiceNames') ? { freeName: true, freeGenerateName: true } : {}),
  statusSubresource: { metadataWritable: true },
  putCreates: true,
  unconditionalUpdate: true,
  deleteReturns: 'object',
  checksFinalizerNames: true,
  operations: ['proxy'],
  ...(RELEASE.has('selectableServices')
    ? {
        selectableFields: {
          'spec.clusterIP': ({ spec }: Service) => spec?.clusterIP ?? '',
          'spec.type': ({ spec }: Service) => spec?.type ?? '',
        },
      }
    : {}),
  printer: SERVICE_PRINTER,

  configured({ serviceClusterIpRange }) {
    const own = serviceFamilies(serviceClusterIpRange);
    return sameStrings(own, DEFAULT_FAMILIES)
      ? undefined
      : defineKind<Service>({ ...DEFINITION, ...ofFamilies(own) });
  },

  newAllocator({ serviceClusterIpRange, serviceNodePortRange }, gates, others) {
    const held =
      gates.has('MultiCIDRServiceAllocator') &&
      ServiceAddresses.of(others, serviceRanges(serviceClusterIpRange));
    return new ServiceAllocator(
      parseClusterIpRanges(serviceClusterIpRange),
      parseNodePortRange(serviceNodePortRange),
      {
        keepsLow: {
          addresses: gates.has('ServiceIPStaticSubrange'),
          ports: gates.has('ServiceNodePortStaticSubrange'),
        },
        ...(held && { held }),
        ...(ENDPOINTS_GO && { endpoints: new ServiceEndpoints(others) }),
      },
    );
  },

  applyDefaults(object, gates) {
    if (object.spec !== undefined) applyServiceDefaults(object.spec);
    applyIpModes(object, gates);
  },

  ...ofFamilies(DEFAULT_FAMILIES),

  validate: serviceErrors,

  validateUpdate({ spec = {} }, { spec: stored = {} }) {
    const errors: FieldError[] = [];
    checkClusterIpUpdate(spec, stored, errors);
    checkServiceUpdate(spec, stored, errors);
    return errors;
  },

  validateStatusUpdate: (object, stored, _, gates) => serviceStatusErrors(object, stored, gates),

  createWarnings: serviceWarnings,

  updateWarnings: serviceWarnings,

  statusWarnings: ({ status }) => balancerWarnings(status?.loadBalancer),
};

export const SERVICE = defineKind<Service>(DEFINITION);
