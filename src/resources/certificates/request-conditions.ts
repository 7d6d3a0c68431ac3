/** The status of a signing request: its conditions and its certificate (README.md#certificates). */
import { serverNowMs } from '../../base/time/server-clock.ts';
import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
  CertificateSigningRequestStatus,
} from '#messages/certificates.v1';
import { deepEqual } from '../../base/deep-equal.ts';
import { ownRelease } from '../../release/release.ts';
import { utcSeconds } from '../../base/time/utc-time.ts';
import {
  duplicate,
  fieldForbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';

const FIELD = 'status.conditions';
const CERTIFICATE_FIELD = 'status.certificate';
const STATUSES = ['False', 'True', 'Unknown'] as const;
/** Types of conditions that are never removed. */
const FINAL_TYPES = ['Approved', 'Denied', 'Failed'] as const;
const APPROVAL_TYPES = ['Approved', 'Denied'] as const;

/** Sets the times of conditions that have none. */
export function setConditionTimes(
  conditions: readonly CertificateSigningRequestCondition[] = [],
  stored: readonly CertificateSigningRequestCondition[] = [],
): void {
  for (const condition of conditions) {
    condition.lastUpdateTime ??= utcSeconds(serverNowMs());
    const before = stored.find(
      ({ type, status }) => type === condition.type && status === condition.status,
    );
    condition.lastTransitionTime ??= before?.lastTransitionTime ?? utcSeconds(serverNowMs());
  }
}

/** Adds the problems of conditions, whose list is at the path `field`. */
export function checkRequestConditions(
  conditions: readonly CertificateSigningRequestCondition[],
  field: string,
  errors: FieldError[],
): void {
  const seen = new Set<string>();
  conditions.forEach(({ type = '', status = '' }, index) => {
    const path = `${field}[${index}]`;
    if (type === '') errors.push(required(`${path}.type`));
    const isFinal = FINAL_TYPES.some((one) => one === type);
    const allowed: readonly string[] = isFinal ? ['True'] : STATUSES;
    if (status === '') errors.push(required(`${path}.status`));
    else if (!allowed.includes(status)) {
      errors.push(notSupported(`${path}.status`, status, allowed));
    }
    const opposite = type === 'Approved' ? 'Denied' : 'Approved';
    if (APPROVAL_TYPES.some((one) => one === type) && seen.has(opposite)) {
      const detail = 'Approved and Denied conditions are mutually exclusive';
      const isOfAll = ownRelease().has('opposedConditions');
      errors.push(invalid(isOfAll ? field : `${path}.type`, type, detail));
    }
    if (seen.has(type)) errors.push(duplicate(`${path}.type`, type));
    seen.add(type);
  });
}

/** The errors of an update that removes an approval, a denial or a failure. */
export function removalErrors(
  object: CertificateSigningRequest,
  stored: CertificateSigningRequest,
): FieldError[] {
  return FINAL_TYPES.filter((type) => ofType(object, type).length < ofType(stored, type).length)
    .map((type) => `updates may not remove a condition of type ${JSON.stringify(type)}`)
    .map((detail) => fieldForbidden(FIELD, detail));
}

/** Only through `/approval` is a request approved or denied. */
export function approvalErrors(
  object: CertificateSigningRequest,
  stored: CertificateSigningRequest,
): FieldError[] {
  return APPROVAL_TYPES.flatMap((type) => {
    const now = ofType(object, type);
    const before = ofType(stored, type);
    const quoted = JSON.stringify(type);
    if (now.length > before.length) {
      return [fieldForbidden(FIELD, `updates may not add a condition of type ${quoted}`)];
    }
    if (now.length < before.length || deepEqual(now, before)) return [];
    return [fieldForbidden(FIELD, `updates may not modify a condition of type ${quoted}`)];
  });
}

/** A certificate is issued once. */
export function certificateErrors(
  object: CertificateSigningRequest,
  stored: CertificateSigningRequest,
): FieldError[] {
  const { certificate: before = '' } = stored.status ?? {};
  const { certificate = '' } = object.status ?? {};
  if (before === '' || certificate === before) return [];
  return [fieldForbidden(CERTIFICATE_FIELD, 'updates may not modify existing certificate content')];
}

/** The state of a request as its Table shows it: `Approved,Issued`. */
export function requestStatusText({
  conditions = [],
  certificate = '',
}: CertificateSigningRequestStatus = {}): string {
  const has = (type: string): boolean => conditions.some((condition) => condition.type === type);
  const words = [has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending'];
  if (has('Failed')) words.push('Failed');
  if (certificate !== '') words.push('Issued');
  return words.join(',');
}

function ofType(
  { status }: CertificateSigningRequest,
  type: string,
): CertificateSigningRequestCondition[] {
  return status?.conditions?.filter((condition) => condition.type === type) ?? [];
}
