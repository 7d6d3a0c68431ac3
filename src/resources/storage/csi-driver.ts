/** CSIDriver (README.md#storage). */
import type { CSIDriver, TokenRequest } from '#messages/storage.v1';
import { deepEqual } from '../../base/deep-equal.ts';
import type { FeatureGates } from '../../release/feature-gates.ts';
import { ownRelease } from '../../release/release.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import {
  duplicate,
  FIELD_IMMUTABLE,
  invalid,
  notSupported,
  tooLong,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { checkTokenSeconds } from '../../semantics/options/token-seconds.ts';
import { DRIVER_NAME_BYTES_MAX } from '../core/volumes/persistent-volume-sources.ts';
import { defineKind } from '../kind.ts';
import { CSI_DRIVER_PRINTER } from './csi-driver-printer.ts';

const UPDATE_PERIOD_SECONDS_MIN = 10;
const LIFECYCLE_MODES = ['Persistent', 'Ephemeral'];
/** The members of a driver whose changes raise the generation, where not all do. */
const COUNTED_MEMBERS = ['tokenRequests', 'requiresRepublish'] as const;

export const CSI_DRIVER = defineKind<CSIDriver>({
  group: ownGroup('storage.cluster.io'),
  version: 'v1',
  kind: 'CSIDriver',
  plural: 'csidrivers',
  namespaced: false,
  message: 'storage.v1.CSIDriver',
  nameRule: 'dnsSubdomain',
  putCreates: false,
  unconditionalUpdate: false,
  deleteReturns: 'object',
  freeGenerateName: true,
  checksFinalizerNames: true,
  printer: CSI_DRIVER_PRINTER,

  applyDefaults({ spec }) {
    if (spec === undefined || (spec.volumeLifecycleModes ?? []).length > 0) return;
    spec.volumeLifecycleModes = ['Persistent'];
  },

  /** A new driver has no generation yet. */
  prepareForUpdate({ metadata, spec = {} }, { metadata: { generation = 0 }, spec: stored = {} }) {
    const isSame = ownRelease().has('changeableDrivers')
      ? deepEqual(spec, stored)
      : COUNTED_MEMBERS.every((member) => deepEqual(spec[member], stored[member]));
    if (!isSame) metadata.generation = generation + 1;
  },

  validate({ spec = {} }) {
    const errors: FieldError[] = [];
    checkTokenRequests(spec.tokenRequests ?? [], 'spec.tokenRequests', errors);
    for (const mode of spec.volumeLifecycleModes ?? []) {
      if (LIFECYCLE_MODES.includes(mode)) continue;
      errors.push(notSupported('spec.volumeLifecycleModes', mode, LIFECYCLE_MODES));
    }
    const { nodeAllocatableUpdatePeriodSeconds: period, serviceAccountTokenInSecrets } = spec;
    if (period !== undefined && period < UPDATE_PERIOD_SECONDS_MIN) {
      const detail = `must be greater than or equal to ${UPDATE_PERIOD_SECONDS_MIN} seconds`;
      errors.push(invalid('spec.nodeAllocatableUpdatePeriodSeconds', period, detail));
    }
    if (serviceAccountTokenInSecrets !== undefined && !spec.tokenRequests?.length) {
      const detail = 'serviceAccountTokenInSecrets is set but no tokenRequests are specified';
      const field = 'spec.serviceAccountTokenInSecrets';
      errors.push(invalid(field, serviceAccountTokenInSecrets, detail));
    }
    return errors;
  },

  createWarnings: tokenWarnings,

  updateWarnings(object, stored, gates) {
    const isSame = deepEqual(object.spec?.tokenRequests, stored.spec?.tokenRequests);
    return isSame ? [] : tokenWarnings(object, gates);
  },

  /** The name of the object is the name of the driver. */
  validateCreate({ metadata: { name = '' } }) {
    if (Buffer.byteLength(name) <= DRIVER_NAME_BYTES_MAX) return [];
    return [tooLong('metadata.name', DRIVER_NAME_BYTES_MAX)];
  },

  /** The schema has the other immutable members; the reference misspells the path of this one. */
  validateUpdate({ spec }, { spec: stored }) {
    if (spec?.attachRequired === stored?.attachRequired) return [];
    return [invalid('spec.attachedRequired', spec?.attachRequired, FIELD_IMMUTABLE)];
  },
});

function tokenWarnings({ spec = {} }: CSIDriver, gates: FeatureGates): string[] {
  const isAsked = gates.has('CSIServiceAccountTokenSecrets') && !!spec.tokenRequests?.length;
  if (!isAsked || spec.serviceAccountTokenInSecrets !== undefined) return [];
  return [
    'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true ' +
      'to prevent possible logging of tokens in volume attributes',
  ];
}

/** One request per audience, each for a sensible time. */
function checkTokenRequests(
  requests: readonly TokenRequest[],
  field: string,
  errors: FieldError[],
): void {
  const audiences = new Set<string>();
  requests.forEach(({ audience = '', expirationSeconds: seconds }, index) => {
    if (audiences.has(audience)) {
      errors.push(duplicate(`${field}[${index}].audience`, audience));
      return;
    }
    audiences.add(audience);
    if (seconds === undefined) return;
    checkTokenSeconds(seconds, `${field}[${index}].expirationSeconds`, errors);
  });
}
