/** Endpoints: the addresses behind a service (README.md#services). */
import type { Endpoints, EndpointSubset } from '#messages/core.v1';
import { required, type FieldError } from '../../../semantics/errors/field-error.ts';
import { parseIp } from '../../../semantics/validation/ip-address.ts';
import {
  checkIp,
  checkNonSpecialIp,
  checkPortNumber,
} from '../../../semantics/validation/network-validation.ts';
import { defineKind } from '../../kind.ts';
import { ENDPOINTS_PRINTER } from './endpoints-printer.ts';

export const ENDPOINTS = defineKind<Endpoints>({
  group: '',
  version: 'v1',
  kind: 'Endpoints',
  plural: 'endpoints',
  shortNames: ['ep'],
  namespaced: true,
  message: 'core.v1.Endpoints',
  nameRule: 'dnsSubdomain',
  putCreates: true,
  unconditionalUpdate: true,
  deleteReturns: 'status',
  checksFinalizerNames: true,
  printer: ENDPOINTS_PRINTER,

  validate({ subsets = [] }) {
    const errors: FieldError[] = [];
    subsets.forEach((subset, index) => checkSubset(subset, `subsets[${index}]`, errors));
    return errors;
  },
});

function checkSubset(subset: EndpointSubset, field: string, errors: FieldError[]): void {
  const { addresses = [], notReadyAddresses = [], ports = [] } = subset;
  if (addresses.length === 0 && notReadyAddresses.length === 0) {
    errors.push(required(field, 'must specify `addresses` or `notReadyAddresses`'));
  }
  for (const [member, list] of [
    ['addresses', addresses],
    ['notReadyAddresses', notReadyAddresses],
  ] as const) {
    list.forEach(({ ip = '' }, index) => {
      const ipField = `${field}.${member}[${index}].ip`;
      checkIp(ip, ipField, errors);
      checkNonSpecialIp(parseIp(ip), ip, ipField, errors);
    });
  }
  ports.forEach(({ name = '', port = 0 }, index) => {
    const portField = `${field}.ports[${index}]`;
    if (name === '' && ports.length > 1) errors.push(required(`${portField}.name`));
    checkPortNumber(port, `${portField}.port`, errors);
  });
}
