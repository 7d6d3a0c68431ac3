/** LeaseCandidate (README.md#leases). */
import type { LeaseCandidate, LeaseCandidateSpec } from '#messages/coordination.v1beta1';
import { ownRelease } from '../../release/release.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import {
  FIELD_IMMUTABLE,
  invalid,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { configKey } from '../../semantics/metadata/names.ts';
import { defineKind } from '../kind.ts';
import { AGE, NAME } from '../printer-cells.ts';
import { definePrinter, text } from '../printer.ts';
import { checkStrategy, OLDEST_EMULATION } from './lease-strategy.ts';
import { compareSemanticVersions, parseVersion, type SemanticVersion } from './semantic-version.ts';

const NEEDED = "must be specified when `strategy` is 'OldestEmulationVersion'";
const ZERO: SemanticVersion = { numbers: [0n, 0n, 0n], preRelease: [] };

export const LEASE_CANDIDATE = defineKind<LeaseCandidate>({
  group: ownGroup('coordination.cluster.io'),
  version: 'v1beta1',
  kind: 'LeaseCandidate',
  plural: 'leasecandidates',
  namespaced: true,
  message: 'coordination.v1beta1.LeaseCandidate',
  nameRule: configKey,
  putCreates: true,
  unconditionalUpdate: false,
  deleteReturns: 'status',
  freeGenerateName: true,
  checksFinalizerNames: false,
  otherVersions: [
    { version: 'v1alpha2' },
    {
      version: 'v1alpha1',
      message: 'coordination.v1alpha1.LeaseCandidate',
      // The version of the program may be absent there.
      fromStored(object) {
        const { binaryVersion = '', ...spec } = (object as LeaseCandidate).spec ?? {};
        return { ...object, spec: binaryVersion === '' ? spec : { ...spec, binaryVersion } };
      },
    },
  ],
  printer: definePrinter([
    NAME,
    text('LeaseName', 'The lease that it would take.', 'spec.leaseName'),
    text('BinaryVersion', 'The version of the program.', 'spec.binaryVersion'),
    text('EmulationVersion', 'The version that it behaves like.', 'spec.emulationVersion'),
    AGE,
  ]),

  validate({ spec = {} }, stored) {
    const errors: FieldError[] = [];
    const { leaseName = '' } = spec;
    if (leaseName === '') errors.push(required('spec.leaseName'));
    checkVersions(spec, errors);
    if (stored !== undefined && leaseName !== (stored.spec?.leaseName ?? '')) {
      errors.push(invalid('spec.leaseName', leaseName, FIELD_IMMUTABLE));
    }
    return errors;
  },
});

function checkVersions(spec: LeaseCandidateSpec, errors: FieldError[]): void {
  const { binaryVersion = '', emulationVersion = '' } = spec;
  const emulated = versionOf(emulationVersion, 'spec.emulationVersion', errors);
  const hasStrategies = !ownRelease().has('oneStrategyOfCandidates');
  if (binaryVersion === '' && !hasStrategies) errors.push(required('spec.binaryVersion'));
  const binary = versionOf(binaryVersion, 'spec.binaryVersion', errors);
  const areBoth = binaryVersion !== '' && emulationVersion !== '';
  if (areBoth && compareSemanticVersions(binary, emulated) < 0) {
    const detail = 'must be greater than or equal to `emulationVersion`';
    errors.push(invalid('spec.binaryVersion', binaryVersion, detail));
  }
  if (hasStrategies) checkStrategies(spec, binary, emulated, errors);
  else checkOneStrategy(spec, emulated, errors);
}

/** That of all zeros for none, as for one that is wrong. */
function versionOf(text: string, field: string, errors: FieldError[]): SemanticVersion {
  if (text === '') return ZERO;
  const version = parseVersion(text);
  if (version === undefined) errors.push(invalid(field, text, 'must be a valid semantic version'));
  return version ?? ZERO;
}

function isZero(version: SemanticVersion): boolean {
  return compareSemanticVersions(version, ZERO) === 0;
}

function checkOneStrategy(
  { strategy = '' }: LeaseCandidateSpec,
  emulated: SemanticVersion,
  errors: FieldError[],
): void {
  if (strategy === '') {
    errors.push(required('spec.strategy'));
    return;
  }
  if (strategy === OLDEST_EMULATION && isZero(emulated)) {
    errors.push(required('spec.emulationVersion', NEEDED));
  }
  checkStrategy(strategy, 'spec.strategy', errors);
}

function checkStrategies(
  { preferredStrategies = [] }: LeaseCandidateSpec,
  binary: SemanticVersion,
  emulated: SemanticVersion,
  errors: FieldError[],
): void {
  for (const [index, strategy] of preferredStrategies.entries()) {
    if (strategy === OLDEST_EMULATION) {
      if (isZero(binary)) errors.push(required('spec.binaryVersion', NEEDED));
      if (isZero(emulated)) errors.push(required('spec.emulationVersion', NEEDED));
    }
    checkStrategy(strategy, `spec.preferredStrategies[${index}]`, errors);
  }
}
