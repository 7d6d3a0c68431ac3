/** PodCertificateRequest (README.md#certificates). */
import type {
  PodCertificateRequest,
  PodCertificateRequestSpec,
} from '#messages/certificates.v1beta1';
import { deepEqual } from '../../base/deep-equal.ts';
import { ownRelease } from '../../release/release.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import {
  addProblems,
  FIELD_IMMUTABLE,
  invalid,
  required,
  tooLong,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { dnsSubdomain } from '../../semantics/metadata/names.ts';
import { defineKind } from '../kind.ts';
import { labelsText, NAME } from '../printer-cells.ts';
import { definePrinter, text } from '../printer.ts';
import { certificateSecondsMax, checkSaidToSigner } from './pod-certificate-limits.ts';
import { checkPodKey } from './pod-certificate-key.ts';
import { podCertificateStatusErrors, stateOf } from './pod-certificate-status.ts';
import { checkSignerName } from './signer-name.ts';

const UID_BYTES_MAX = 128;
const HOUR_SECONDS = 3600;

export const POD_CERTIFICATE_REQUEST = defineKind<PodCertificateRequest>({
  group: ownGroup('certificates.cluster.io'),
  version: 'v1beta1',
  kind: 'PodCertificateRequest',
  plural: 'podcertificaterequests',
  namespaced: true,
  message: 'certificates.v1beta1.PodCertificateRequest',
  nameRule: 'dnsSubdomain',
  statusSubresource: { metadataWritable: false },
  putCreates: false,
  unconditionalUpdate: false,
  deleteReturns: 'status',
  freeGenerateName: true,
  checksFinalizerNames: true,
  selectableFields: {
    'spec.signerName': ({ spec }) => spec?.signerName ?? '',
    'spec.podName': ({ spec }) => spec?.podName ?? '',
    'spec.nodeName': ({ spec }) => spec?.nodeName ?? '',
  },
  otherVersions: [
    { version: 'v1alpha1' },
    {
      version: 'v1',
      message: 'certificates.v1.PodCertificateRequest',
      fromStored(object) {
        const {
          pkixPublicKey: _key,
          proofOfPossession: _proof,
          ...spec
        } = (object as PodCertificateRequest).spec ?? {};
        return { ...object, spec };
      },
    },
  ],
  // prettier-ignore
  printer: definePrinter([
    NAME,
    text('PodName', 'The pod that the certificate is for.', 'spec.podName'),
    text('ServiceAccountName', 'The service account of the pod.', 'spec.serviceAccountName'),
    text('NodeName', 'The node that the pod is on.', 'spec.nodeName'),
    text('SignerName', 'Who is asked to sign.', 'spec.signerName'),
    text('State', 'What has become of the request.', 'status.conditions{type}', stateOf),
    ...(ownRelease().has('saidToSigners')
      ? [text('UnverifiedUserAnnotations', 'What the pod says to the signer.',
          'spec.unverifiedUserAnnotations', labelsText)]
      : []),
  ]),

  validateCreate({ spec = {} }) {
    const errors: FieldError[] = [];
    checkSignerName(spec.signerName ?? '', 'spec.signerName', errors);
    const said = spec.unverifiedUserAnnotations ?? {};
    checkSaidToSigner(said, 'spec.unverifiedUserAnnotations', errors);
    for (const [name, uid] of [
      ['podName', 'podUID'],
      ['serviceAccountName', 'serviceAccountUID'],
      ['nodeName', 'nodeUID'],
    ] as const) {
      addProblems(dnsSubdomain(spec[name] ?? ''), `spec.${name}`, spec[name] ?? '', errors);
      checkUid(spec[uid] ?? '', `spec.${uid}`, errors);
    }
    if (checkLifetime(spec, errors)) checkPodKey(spec, errors);
    return errors;
  },

  validateUpdate({ spec }, stored) {
    if (deepEqual(spec, stored.spec)) return [];
    return [invalid('spec', spec, FIELD_IMMUTABLE)];
  },

  // As in the reference, a status is looked at where the metadata has no errors.
  validate: (object, stored, { part, found }) =>
    part === 'status' && stored !== undefined && found.length === 0
      ? podCertificateStatusErrors(object, stored)
      : [],
});

function checkUid(uid: string, field: string, errors: FieldError[]): void {
  if (uid === '') errors.push(invalid(field, uid, 'must not be empty'));
  if (Buffer.byteLength(uid) > UID_BYTES_MAX) errors.push(tooLong(field, UID_BYTES_MAX));
}

/** Returns whether there is one at all. */
function checkLifetime(
  { signerName = '', maxExpirationSeconds: seconds }: PodCertificateRequestSpec,
  errors: FieldError[],
): boolean {
  const field = 'spec.maxExpirationSeconds';
  if (seconds === undefined) {
    errors.push(required(field, 'must be set'));
    return false;
  }
  const secondsMax = certificateSecondsMax(signerName);
  if (seconds < HOUR_SECONDS || seconds > secondsMax) {
    const detail = `must be in the range [${HOUR_SECONDS}, ${secondsMax}]`;
    errors.push(invalid(field, seconds, detail));
  }
  return true;
}
