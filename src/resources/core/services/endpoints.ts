/** Endpoints: the addresses behind a service (README.md#services). */
import type { Endpoints, EndpointSubset } from '#messages/core.v1';
import { deepEqual } from '../../../base/deep-equal.ts';
import { ownRelease } from '../../../release/release.ts';
import { ownName } from '../../../semantics/dialect/own-names.ts';
import { required, type FieldError } from '../../../semantics/errors/field-error.ts';
import { ipWarnings } from '../../../semantics/validation/address-warnings.ts';
import { parseIp } from '../../../semantics/validation/ip-address.ts';
import {
  addressRules,
  checkIp,
  checkNonSpecialIp,
  checkPortNumber,
  type AddressRules,
} from '../../../semantics/validation/network-validation.ts';
import { defineKind } from '../../kind.ts';
import { ENDPOINTS_PRINTER } from './endpoints-printer.ts';

const MANAGER_LABEL = ownName('endpoints.cluster.io/managed-by');
const ADDRESS_LISTS = ['addresses', 'notReadyAddresses'] as const;

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

  validate({ subsets = [] }, stored, { gates }) {
    const errors: FieldError[] = [];
    const rules = addressRules(gates);
    subsets.forEach((subset, index) => checkSubset(subset, `subsets[${index}]`, rules, errors));
    const mayStay = stored !== undefined && ownRelease().has('unchangedSubsets');
    return mayStay && deepEqual(subsets, stored.subsets ?? []) ? [] : errors;
  },

  // There may be thousands.
  ...(ownRelease().has('addressWarnings')
    ? { createWarnings: addressesWarnings, updateWarnings: addressesWarnings }
    : {}),
});

/** The controller of Endpoints writes addresses as they should be. */
function addressesWarnings({ metadata, subsets = [] }: Endpoints): string[] {
  if (metadata.labels?.[MANAGER_LABEL] === 'endpoints-controller') return [];
  return subsets.flatMap((subset, index) =>
    ADDRESS_LISTS.flatMap((member) =>
      (subset[member] ?? []).flatMap(({ ip = '' }, at) =>
        ipWarnings(ip, `subsets[${index}].${member}[${at}].ip`),
      ),
    ),
  );
}

function checkSubset(
  subset: EndpointSubset,
  field: string,
  rules: AddressRules,
  errors: FieldError[],
): void {
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
      checkIp(ip, ipField, errors, rules);
      checkNonSpecialIp(parseIp(ip), ip, ipField, errors);
    });
  }
  ports.forEach(({ name = '', port = 0 }, index) => {
    const portField = `${field}.ports[${index}]`;
    if (name === '' && ports.length > 1) errors.push(required(`${portField}.name`));
    checkPortNumber(port, `${portField}.port`, errors);
  });
}
