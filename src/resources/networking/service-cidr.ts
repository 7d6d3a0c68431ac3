/** ServiceCIDR (README.md#networking). */
import type { ServiceCIDR } from '#messages/networking.v1';
import { ownRelease } from '../../release/release.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import {
  addProblems,
  FIELD_IMMUTABLE,
  invalid,
  invalidPrinted,
  printStrings,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { parseIpRange } from '../../semantics/validation/ip-address.ts';
import { defineKind } from '../kind.ts';
import { AGE, NAME } from '../printer-cells.ts';
import { definePrinter, text } from '../printer.ts';
import { strictRange } from './strict-address.ts';

const CIDRS = 'spec.cidrs';
const CIDRS_MAX = 2;
const FAMILIES =
  'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64';

export const SERVICE_CIDR = defineKind<ServiceCIDR>({
  group: ownGroup('networking.cluster.io'),
  version: 'v1',
  kind: 'ServiceCIDR',
  plural: 'servicecidrs',
  namespaced: false,
  message: 'networking.v1.ServiceCIDR',
  nameRule: 'dnsSubdomain',
  statusSubresource: { metadataWritable: !ownRelease().has('metadataOfRanges') },
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'status',
  freeGenerateName: true,
  checksFinalizerNames: true,
  otherVersions: [{ version: 'v1beta1' }, { version: 'v1alpha1' }],
  printer: definePrinter([
    NAME,
    text('CIDRs', 'The ranges of addresses of services.', CIDRS, (cidrs: readonly string[] = []) =>
      cidrs.join(','),
    ),
    AGE,
  ]),

  validateCreate({ spec = {} }) {
    return rangeErrors(spec.cidrs ?? []);
  },

  validateUpdate({ spec = {} }, stored) {
    const cidrs = spec.cidrs ?? [];
    const kept = stored.spec?.cidrs ?? [];
    const changed = cidrs.findIndex((cidr, index) => index < kept.length && cidr !== kept[index]);
    const grows = kept.length === 1 && cidrs.length === CIDRS_MAX;
    const mayGrow = ownRelease().has('growingServiceRanges');
    if (!mayGrow || (cidrs.length !== kept.length && !grows)) {
      const isSame = cidrs.length === kept.length && changed === -1;
      return isSame ? [] : [invalidPrinted(CIDRS, printStrings(cidrs), FIELD_IMMUTABLE)];
    }
    const errors = cidrs.flatMap((cidr, index) => {
      const isChanged = index < kept.length && cidr !== kept[index];
      return isChanged ? [invalid(`${CIDRS}[${index}]`, cidr, FIELD_IMMUTABLE)] : [];
    });
    return grows ? [...errors, ...rangeErrors(cidrs)] : errors;
  },
});

function rangeErrors(cidrs: readonly string[]): FieldError[] {
  if (cidrs.length === 0) return [required(CIDRS, 'at least one CIDR required')];
  if (cidrs.length > CIDRS_MAX) {
    return [invalidPrinted(CIDRS, printSpec(cidrs), `may only hold up to ${CIDRS_MAX} values`)];
  }
  const [first, second] = cidrs.map((cidr) => parseIpRange(cidr)?.family);
  if (cidrs.length === CIDRS_MAX && ownRelease().has('pairedServiceRanges')) {
    const isPair = first !== undefined && second !== undefined && first !== second;
    if (!isPair) return [invalidPrinted(CIDRS, printSpec(cidrs), FAMILIES)];
  }
  const errors: FieldError[] = [];
  cidrs.forEach((cidr, index) => {
    addProblems(strictRange(cidr), `${CIDRS}[${index}]`, cidr, errors);
  });
  if (first !== undefined && first === second) {
    errors.push(invalidPrinted(CIDRS, printStrings(cidrs), FAMILIES));
  }
  return errors;
}

/** As the reference shows the specification. */
function printSpec(cidrs: readonly string[]): string {
  return ownRelease().has('jsonInErrors')
    ? `{"CIDRs":${printStrings(cidrs)}}`
    : `networking.ServiceCIDRSpec{CIDRs:${printStrings(cidrs)}}`;
}
