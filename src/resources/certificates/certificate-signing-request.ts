/**
 * CertificateSigningRequest (README.md#certificates and src/semantics/README.md#field-selectors).
 */
import type { CertificateSigningRequest } from '#messages/certificates.v1';
import {
  duplicate,
  invalid,
  notSupported,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { durationText } from '../../semantics/age-text.ts';
import { ownRelease } from '../../release/release.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import { keptExtra } from '../../semantics/user.ts';
import { dropDisabledMember } from '../disabled-members.ts';
import { defineKind } from '../kind.ts';
import { AGE, NAME, NONE, orNone } from '../printer-cells.ts';
import { definePrinter, text } from '../printer.ts';
import { certificateProblem, requestProblem } from './certificate-pem.ts';
import {
  approvalErrors,
  certificateErrors,
  checkRequestConditions,
  removalErrors,
  requestStatusText,
  setConditionTimes,
} from './request-conditions.ts';
import { checkSignerName } from './signer-name.ts';
import { LEGACY_SIGNER } from './signer-names.ts';
import { USAGES } from './usages.ts';

const EXPIRATION_SECONDS_MIN = 600;

export const CERTIFICATE_SIGNING_REQUEST = defineKind<CertificateSigningRequest>({
  group: ownGroup('certificates.cluster.io'),
  version: 'v1',
  kind: 'CertificateSigningRequest',
  plural: 'certificatesigningrequests',
  shortNames: ['csr'],
  namespaced: false,
  message: 'certificates.v1.CertificateSigningRequest',
  nameRule: 'pathSegment',
  statusSubresource: { metadataWritable: true, keeps: [['status', 'conditions']] },
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'status',
  checksFinalizerNames: true,
  selectableFields: { 'spec.signerName': ({ spec }) => spec?.signerName ?? '' },
  indexedFields: ['spec.signerName'],
  resetFields: [['spec']],
  parts: {
    approval: {
      readable: true,
      owns: [['metadata'], ['status']],
      keeps: [['status', 'certificate']],
      merge(object, stored) {
        const { conditions = [] } = object.status ?? {};
        setConditionTimes(conditions, stored.status?.conditions);
        return { ...stored, metadata: object.metadata, status: { ...stored.status, conditions } };
      },
      validateUpdate: removalErrors,
    },
  },
  // prettier-ignore
  printer: definePrinter([
    NAME,
    AGE,
    text('SignerName', 'Who is asked to sign.', 'spec.signerName', orNone),
    text('Requestor', 'The user who made the request.', 'spec.username'),
    text('RequestedDuration', 'How long the certificate is to be valid.', 'spec.expirationSeconds',
      (seconds?: number) => (seconds === undefined ? NONE : durationText(seconds * 1000))),
    text('Condition', 'What has become of the request.', 'status', requestStatusText),
  ]),

  dropDisabled({ spec }, gates, stored) {
    dropDisabledMember(gates, 'CSRDuration', spec, stored?.spec, 'expirationSeconds');
  },

  /** Only the server says who asks: what the client sent is overwritten. */
  prepareForCreate({ spec }) {
    if (spec === undefined) return;
    for (const member of ['username', 'uid', 'groups', 'extra'] as const) delete spec[member];
  },

  recordUser(object, { name, uid, groups, extra }) {
    object.spec = { ...object.spec, username: name, groups: [...groups] };
    if (uid !== '') object.spec.uid = uid;
    if (extra !== undefined) object.spec.extra = keptExtra(extra);
  },

  /** The request itself never changes. */
  prepareForUpdate(object, { spec }) {
    if (spec !== undefined) object.spec = spec;
  },

  prepareForStatusUpdate({ status }, { status: stored }) {
    setConditionTimes(status?.conditions, stored?.conditions);
  },

  validate({ spec = {}, status = {} }) {
    const errors: FieldError[] = [];
    const problem = requestProblem(spec.request ?? '');
    if (problem !== '') errors.push(invalid('spec.request', spec.request ?? '', problem));
    checkUsages(spec.usages ?? [], errors);
    const { signerName = '', expirationSeconds: expiration } = spec;
    if (signerName === LEGACY_SIGNER) {
      const detail = 'the legacy signerName is not allowed via this API version';
      errors.push(invalid('spec.signerName', signerName, detail));
    } else {
      checkSignerName(signerName, 'spec.signerName', errors);
    }
    if (expiration !== undefined && expiration < EXPIRATION_SECONDS_MIN) {
      const detail = 'may not specify a duration less than 600 seconds (10 minutes)';
      errors.push(invalid('spec.expirationSeconds', expiration, detail));
    }
    checkRequestConditions(status.conditions ?? [], 'status.conditions', errors);
    const certificate = certificateProblem(status.certificate ?? '');
    if (certificate !== '') {
      errors.push(invalid('status.certificate', '<certificate data>', certificate));
    }
    return errors;
  },

  validateStatusUpdate(object, stored) {
    return [
      ...removalErrors(object, stored),
      ...approvalErrors(object, stored),
      ...certificateErrors(object, stored),
    ];
  },
});

function checkUsages(usages: readonly string[], errors: FieldError[]): void {
  const missing = ownRelease().has('briefRequestErrors') ? '' : 'usages must be provided';
  if (usages.length === 0) errors.push(required('spec.usages', missing));
  usages.forEach((usage, index) => {
    const field = `spec.usages[${index}]`;
    if (!USAGES.includes(usage)) errors.push(notSupported(field, usage, USAGES));
    if (usages.indexOf(usage) < index) errors.push(duplicate(field, usage));
  });
}
