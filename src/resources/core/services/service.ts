/** Service (README.md#services). */
import type { Service } from '#messages/core.v1';
import type { FieldError } from '../../../semantics/errors/field-error.ts';
import { defineKind } from '../../kind.ts';
import { ServiceAllocator } from './service-allocator.ts';
import { checkClusterIpUpdate, clusterIpErrors } from './service-cluster-ips.ts';
import { applyServiceDefaults, prepareNewService, prepareServiceUpdate } from './service-links.ts';
import { loadBalancerErrors } from './service-load-balancer.ts';
import { SERVICE_PRINTER } from './service-printer.ts';
import { parseClusterIpRange, parseNodePortRange } from './service-ranges.ts';
import { checkServiceUpdate, serviceErrors } from './service-validation.ts';

export const SERVICE = defineKind<Service>({
  group: '',
  version: 'v1',
  kind: 'Service',
  plural: 'services',
  shortNames: ['svc'],
  categories: ['all'],
  namespaced: true,
  message: 'core.v1.Service',
  nameRule: 'dns1035Label',
  statusSubresource: { metadataWritable: true },
  putCreates: true,
  unconditionalUpdate: true,
  deleteReturns: 'object',
  checksFinalizerNames: true,
  operations: ['proxy'],
  printer: SERVICE_PRINTER,

  newAllocator({ serviceClusterIpRange, serviceNodePortRange }) {
    return new ServiceAllocator(
      parseClusterIpRange(serviceClusterIpRange),
      parseNodePortRange(serviceNodePortRange),
    );
  },

  applyDefaults({ spec }) {
    if (spec !== undefined) applyServiceDefaults(spec);
  },

  prepareForCreate(object) {
    if (object.spec !== undefined) prepareNewService(object.spec);
    object.status = { loadBalancer: {} };
  },

  prepareForUpdate: prepareServiceUpdate,

  validateFirst({ spec = {} }, stored) {
    return clusterIpErrors(spec, stored?.spec);
  },

  validate: serviceErrors,

  validateUpdate({ spec = {} }, { spec: stored = {} }) {
    const errors: FieldError[] = [];
    checkClusterIpUpdate(spec, stored, errors);
    checkServiceUpdate(spec, stored, errors);
    return errors;
  },

  validateStatusUpdate({ status }) {
    return loadBalancerErrors(status?.loadBalancer);
  },
});
