/** Lease (README.md#leases). */
import type { Lease } from '#messages/coordination.v1';
import { ownRelease } from '../../release/release.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import { invalid, NOT_NEGATIVE, type FieldError } from '../../semantics/errors/field-error.ts';
import { defineKind } from '../kind.ts';
import { checkLeaseStrategy } from './lease-strategy.ts';
import { AGE, NAME } from '../printer-cells.ts';
import { definePrinter, text } from '../printer.ts';

export const LEASE = defineKind<Lease>({
  group: ownGroup('coordination.cluster.io'),
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  namespaced: true,
  message: 'coordination.v1.Lease',
  nameRule: 'dnsSubdomain',
  putCreates: true,
  unconditionalUpdate: false,
  deleteReturns: 'status',
  freeGenerateName: true,
  checksFinalizerNames: false,
  printer: definePrinter([
    NAME,
    text('Holder', 'Who holds the lease.', 'spec.holderIdentity'),
    AGE,
  ]),

  /** The bounds are here and not in `proto/` because their texts differ from every other bound. */
  validate({ spec }) {
    const errors: FieldError[] = [];
    const { leaseDurationSeconds, leaseTransitions } = spec ?? {};
    if (leaseDurationSeconds !== undefined && leaseDurationSeconds <= 0) {
      const detail = 'must be greater than 0';
      errors.push(invalid('spec.leaseDurationSeconds', leaseDurationSeconds, detail));
    }
    if (leaseTransitions !== undefined && leaseTransitions < 0) {
      const detail = ownRelease().has('spelledLeases')
        ? NOT_NEGATIVE
        : 'must to greater or equal than 0'; // as the reference spells it
      errors.push(invalid('spec.leaseTransitions', leaseTransitions, detail));
    }
    checkLeaseStrategy(spec ?? {}, errors);
    return errors;
  },
});
