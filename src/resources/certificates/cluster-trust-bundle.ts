/** ClusterTrustBundle (README.md#certificates). */
import type { ClusterTrustBundle } from '#messages/certificates.v1';
import { appendAll } from '../../base/append-all.ts';
import { ownRelease } from '../../release/release.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import {
  addProblems,
  FIELD_IMMUTABLE,
  invalid,
  tooLong,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { defineKind } from '../kind.ts';
import { NAME, orNone } from '../printer-cells.ts';
import { definePrinter, text } from '../printer.ts';
import { pemBlocks, readCertificate } from './certificate-pem.ts';
import { checkSignerName } from './signer-name.ts';
import { bundleNameProblems } from './trust-bundle-name.ts';

const BUNDLE = 'spec.trustBundle';
const BUNDLE_BYTES_MAX = 1_048_576;
const OMITTED = '<value omitted>';

export const CLUSTER_TRUST_BUNDLE = defineKind<ClusterTrustBundle>({
  group: ownGroup('certificates.cluster.io'),
  version: 'v1',
  kind: 'ClusterTrustBundle',
  plural: 'clustertrustbundles',
  namespaced: false,
  message: 'certificates.v1.ClusterTrustBundle',
  // The signer decides which names are allowed.
  nameRule: () => [],
  putCreates: false,
  unconditionalUpdate: false,
  deleteReturns: 'status',
  checksFinalizerNames: true,
  selectableFields: { 'spec.signerName': ({ spec }) => spec?.signerName ?? '' },
  otherVersions: [{ version: 'v1beta1' }, { version: 'v1alpha1' }],
  printer: definePrinter([
    NAME,
    text('SignerName', 'The signer whose authorities they are.', 'spec.signerName', orNone),
  ]),

  validate({ metadata: { name = '', generateName = '' }, spec = {} }, stored) {
    const errors: FieldError[] = [];
    const { signerName = '', trustBundle = '' } = spec;
    if (generateName !== '') {
      const problems = bundleNameProblems(generateName, signerName, true);
      addProblems(problems, 'metadata.generateName', generateName, errors);
    }
    if (name !== '') {
      addProblems(bundleNameProblems(name, signerName), 'metadata.name', name, errors);
    }
    if (signerName !== '') checkSignerName(signerName, 'spec.signerName', errors);
    if (stored?.spec?.trustBundle !== trustBundle) appendAll(errors, bundleErrors(trustBundle));
    if (stored !== undefined && signerName !== (stored.spec?.signerName ?? '')) {
      errors.push(invalid('spec.signerName', signerName, FIELD_IMMUTABLE));
    }
    return errors;
  },
});

function bundleErrors(bundle: string): FieldError[] {
  const isBounded = ownRelease().has('boundedTrustBundles');
  if (isBounded && Buffer.byteLength(bundle) > BUNDLE_BYTES_MAX) {
    return [tooLong(BUNDLE, BUNDLE_BYTES_MAX)];
  }
  const problems: string[] = [];
  const places = new Map<string, number[]>();
  pemBlocks(bundle).forEach(({ type, hasHeaders, der }, index) => {
    const problem = anchorProblem(type, hasHeaders, der);
    if (problem !== '') problems.push(`entry ${index} ${problem}`);
    const text = der.toString('latin1');
    places.set(text, [...(places.get(text) ?? []), index]);
  });
  if (problems.length === 0) {
    if (places.size === 0) problems.push('at least one trust anchor must be provided');
    for (const same of places.values()) {
      if (same.length > 1) problems.push(`duplicate trust anchor (indices [${same.join(' ')}])`);
    }
  }
  return problems.map((problem) => invalid(BUNDLE, OMITTED, problem));
}

function anchorProblem(type: string, hasHeaders: boolean, der: Buffer): string {
  if (type !== 'CERTIFICATE') return `has bad block type: ${type}`;
  if (hasHeaders) return 'has PEM block headers';
  const certificate = readCertificate(der);
  if (certificate === undefined) return 'does not parse as X.509';
  return certificate.ca ? '' : 'does not have the CA bit set';
}
