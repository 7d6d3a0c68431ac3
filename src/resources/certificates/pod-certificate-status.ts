/** Rules for what a signer writes into a PodCertificateRequest. */
import { serverNowMs } from '../../base/time/server-clock.ts';
import type { Condition } from '#messages/meta.v1';
import type {
  PodCertificateRequest,
  PodCertificateRequestSpec,
} from '#messages/certificates.v1beta1';
import type { PodCertificateRequestStatus } from '#messages/certificates.v1';
import type { X509Certificate } from 'node:crypto';
import { deepEqual } from '../../base/deep-equal.ts';
import { ownManager } from '../../semantics/dialect/own-names.ts';
import {
  invalid,
  invalidOmitted,
  notSupported,
  required,
  tooLong,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { checkConditions } from '../../semantics/validation/condition-validation.ts';
import { pemBlocks, readCertificate } from './certificate-pem.ts';
import { readRequest } from './certificate-request.ts';
import { readPublicKey } from './pod-certificate-key.ts';

const CHAIN = 'status.certificateChain';
const CHAIN_BYTES_MAX = 102_400;
const TYPES = ['Denied', 'Failed', 'Issued'] as const;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const CLOCK_SKEW_MS = 5 * MINUTE_MS;
const REFRESH_MARGIN_MS = 10 * MINUTE_MS;
const EXACTLY_ONE = 'There may be at most one condition with type "Issued", "Denied", or "Failed"';

/** The state of a request as people see it. */
export function stateOf(conditions: readonly Condition[] = []): string {
  const known = conditions.findLast(({ type }) => TYPES.some((one) => one === type));
  return known?.type ?? 'Pending';
}

/** The problems of a write through `/status`. */
export function podCertificateStatusErrors(
  object: PodCertificateRequest,
  { status: stored = {} }: PodCertificateRequest,
): FieldError[] {
  const { spec = {}, status = {} } = object;
  const errors = conditionErrors(status.conditions ?? []);
  if (errors.length > 0) return errors;
  const changes = !deepEqual(status, stored);
  if (decisionOf(stored) !== undefined) {
    const detail = 'immutable after PodCertificateRequest is issued, denied, or failed';
    return changes ? [invalidOmitted('status', detail)] : [];
  }
  switch (decisionOf(status)) {
    case undefined: {
      const detail = 'status is immutable unless transitioning to "Issued", "Denied", or "Failed"';
      return changes ? [invalidOmitted('status', detail)] : [];
    }
    case 'Issued':
      return chainErrors(spec, status);
    default: {
      const { conditions: _conditions, ...rest } = status;
      if (Object.values(rest).every((value) => value === undefined || value === '')) return [];
      const detail =
        'non-condition status fields must be empty when denying or failing the ' +
        'PodCertificateRequest';
      return [invalidOmitted('status', detail)];
    }
  }
}

function decisionOf({ conditions = [] }: PodCertificateRequestStatus): string | undefined {
  return conditions.find(({ type = '', status }) => status === 'True' && isKnown(type))?.type;
}

function isKnown(type: string): boolean {
  return TYPES.some((one) => one === type);
}

function conditionErrors(conditions: readonly Condition[]): FieldError[] {
  const errors: FieldError[] = [];
  let known = 0;
  conditions.forEach(({ type = '', status = '' }, index) => {
    // The reference writes the place so.
    const field = `status.conditions.[${index}]`;
    if (!isKnown(type)) {
      errors.push(notSupported(`${field}.type`, type, ['Issued', 'Denied', 'Failed']));
      return;
    }
    known += 1;
    if (known > 1) errors.push(invalid(`${field}.type`, type, EXACTLY_ONE));
    if (status !== 'True') errors.push(notSupported(`${field}.status`, status, ['True']));
  });
  checkConditions(conditions, 'status.conditions', errors);
  return errors;
}

function chainErrors(
  spec: PodCertificateRequestSpec,
  status: PodCertificateRequestStatus,
): FieldError[] {
  const { certificateChain: chain = '' } = status;
  if (Buffer.byteLength(chain) > CHAIN_BYTES_MAX) return [tooLong(CHAIN, CHAIN_BYTES_MAX)];
  const refuse = (detail: string): FieldError[] => [invalid(CHAIN, chain, detail)];
  const [first, ...others] = pemBlocks(chain);
  if (first === undefined) {
    return refuse('issued certificate chain must contain at least one certificate');
  }
  if (first.type !== 'CERTIFICATE') {
    return refuse('issued certificate chain must consist entirely of CERTIFICATE PEM blocks');
  }
  const leaf = readCertificate(first.der);
  if (leaf === undefined) return refuse('leaf certificate does not parse as valid X.509');
  if (!isOfKey(leaf, spec)) {
    return refuse('leaf certificate was not issued to the requested public key');
  }
  const errors = timeErrors(leaf, spec, status);
  if (errors.length > 0) return errors;
  for (const { type, der } of others) {
    if (type !== 'CERTIFICATE') {
      return refuse('issued certificate chain must consist entirely of CERTFICATE PEM blocks');
    }
    if (readCertificate(der) === undefined) {
      return refuse('intermediate certificate does not parse as valid X.509');
    }
  }
  return [];
}

function isOfKey(
  { publicKey }: X509Certificate,
  { stubPKCS10Request = '', pkixPublicKey = '' }: PodCertificateRequestSpec,
): boolean {
  const der =
    stubPKCS10Request === ''
      ? Buffer.from(pkixPublicKey, 'base64')
      : readRequest(Buffer.from(stubPKCS10Request, 'base64')).key.whole;
  return readPublicKey(der)?.equals(publicKey) === true;
}

function timeErrors(
  leaf: X509Certificate,
  { maxExpirationSeconds = 0 }: PodCertificateRequestSpec,
  { notBefore, notAfter, beginRefreshAt }: PodCertificateRequestStatus,
): FieldError[] {
  const issued = 'must be present and consistent with the issued certificate';
  const inRange = 'must be present and in the range [notbefore+10min, notafter-10min]';
  if (notBefore === undefined || notAfter === undefined || beginRefreshAt === undefined) {
    return [
      ...(notBefore === undefined ? [required('status.notBefore', issued)] : []),
      ...(notAfter === undefined ? [required('status.notAfter', issued)] : []),
      ...(beginRefreshAt === undefined ? [required('status.beginRefreshAt', inRange)] : []),
    ];
  }
  const refuse = (member: string, value: unknown, detail: string): FieldError[] => [
    invalid(`status.${member}`, value, detail),
  ];
  const [begin, end, refresh] = [notBefore, notAfter, beginRefreshAt].map((time) =>
    Date.parse(time),
  ) as [number, number, number];
  if (begin !== Date.parse(leaf.validFrom)) {
    const detail = 'must be set to the NotBefore time encoded in the leaf certificate';
    return refuse('notBefore', notBefore, detail);
  }
  if (Math.abs(begin - serverNowMs()) >= CLOCK_SKEW_MS) {
    const server = ownManager('cluster-apiserver');
    const detail = `must be set to within 5 minutes of ${server}'s current time`;
    return refuse('notBefore', notBefore, detail);
  }
  if (end !== Date.parse(leaf.validTo)) {
    const detail = 'must be set to the NotAfter time encoded in the leaf certificate';
    return refuse('notAfter', notAfter, detail);
  }
  const lifetimeMs = end - begin;
  if (lifetimeMs < HOUR_MS) {
    return refuse(
      'certificateChain',
      lifetimeMs * 1e6,
      'leaf certificate lifetime must be >= 1 hour',
    );
  }
  if (lifetimeMs > maxExpirationSeconds * 1000) {
    const bound = `spec.maxExpirationSeconds (${maxExpirationSeconds})`;
    const detail = `leaf certificate lifetime must be <= ${bound}`;
    return refuse('certificateChain', lifetimeMs * 1e6, detail);
  }
  if (refresh < begin + REFRESH_MARGIN_MS) {
    const detail = 'must be at least 10 minutes after status.notBefore';
    return refuse('beginRefreshAt', beginRefreshAt, detail);
  }
  if (refresh > end - REFRESH_MARGIN_MS) {
    const detail = 'must be at least 10 minutes before status.notAfter';
    return refuse('beginRefreshAt', beginRefreshAt, detail);
  }
  return [];
}
