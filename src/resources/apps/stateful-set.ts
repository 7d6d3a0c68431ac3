/** StatefulSet (README.md#workloads). */
import type { StatefulSet, StatefulSetSpec, StatefulSetUpdateStrategy } from '#messages/apps.v1';
import type { PodTemplateSpec } from '#messages/core.v1';
import { deepEqual } from '../../base/deep-equal.ts';
import type { FeatureGates } from '../../release/feature-gates.ts';
import { ownRelease } from '../../release/release.ts';
import {
  addProblems,
  FIELD_IMMUTABLE,
  fieldForbidden,
  invalid,
  invalidPrinted,
  NOT_NEGATIVE,
  notSupported,
  printPart,
  required,
  showsJson,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { invalidSelector } from '../../semantics/metadata/label-validation.ts';
import { dnsLabel } from '../../semantics/metadata/names.ts';
import { labelSelectorText } from '../../semantics/selectors/object-label-selector.ts';
import {
  checkIntOrPercent,
  checkNotMoreThanWhole,
  intOrPercentNumber,
  invalidShare,
  type IntOrString,
} from '../../semantics/validation/int-or-percent.ts';
import { dropDisabledPodFields } from '../core/pods/disabled-pod-fields.ts';
import {
  applyPodTemplateDefaults,
  checkPodTemplate,
  checkTemplateMetadata,
} from '../core/pods/pod-template.ts';
import { checkClaimSpec } from '../core/volumes/persistent-volume-claim-spec.ts';
import { claimSpecWarnings } from '../core/volumes/volume-warnings.ts';
import { checkVolumes } from '../core/volumes/volume.ts';
import { dropDisabledMember } from '../disabled-members.ts';
import { defineKind, specChanges } from '../kind.ts';
import { AGE, containers, NAME, readyText } from '../printer-cells.ts';
import { definePrinter, text } from '../printer.ts';
import {
  checkCollisionCount,
  checkReplicaCounts,
  checkRunsAlways,
  checkTemplateSelected,
  changedTemplateWarnings,
  checkWorkloadSelector,
  printStrategy,
  templateWarnings,
} from '../workload.ts';

export const STATEFUL_SET = defineKind<StatefulSet>({
  group: 'apps',
  version: 'v1',
  kind: 'StatefulSet',
  plural: 'statefulsets',
  shortNames: ['sts'],
  categories: ['all'],
  namespaced: true,
  message: 'apps.v1.StatefulSet',
  nameRule: ownRelease().has('labelsForNamesOfSets') ? 'dnsLabel' : 'dnsSubdomain',
  freeName: true,
  ...(ownRelease().has('keptNamesOfSets') && { freeGenerateName: true }),
  statusSubresource: { metadataWritable: true },
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'status',
  bumpsGeneration: specChanges,
  checksFinalizerNames: true,
  scaleSelector: ({ spec }) => labelSelectorText(spec?.selector),
  // prettier-ignore
  printer: definePrinter([
    NAME,
    text('Ready', 'How many of its pods are ready, of how many.',
      'status.readyReplicas spec.replicas', readyText),
    AGE,
    ...containers('spec.template.spec.containers'),
  ]),

  applyDefaults({ spec }, gates) {
    if (spec === undefined) return;
    if (spec.template !== undefined) applyPodTemplateDefaults(spec.template, gates);
    const strategy = (spec.updateStrategy ??= {});
    if ((strategy.type ?? '') === '') {
      strategy.type = 'RollingUpdate';
      // With the type given, the partition may stay absent.
      strategy.rollingUpdate ??= { partition: 0 };
    }
    if (strategy.type === 'RollingUpdate' && gates.has('MaxUnavailableStatefulSet')) {
      if (strategy.rollingUpdate !== undefined) strategy.rollingUpdate.maxUnavailable ??= 1;
    }
    if (!gates.has('StatefulSetAutoDeletePVC')) return;
    const policy = (spec.persistentVolumeClaimRetentionPolicy ??= {});
    policy.whenDeleted ||= 'Retain';
    policy.whenScaled ||= 'Retain';
  },

  dropDisabled({ spec }, gates, stored) {
    const { spec: before } = stored ?? {};
    const policy = 'persistentVolumeClaimRetentionPolicy';
    dropDisabledMember(gates, 'StatefulSetAutoDeletePVC', spec, before, policy);
    // On update the rules for immutable members decide.
    if (spec !== undefined && stored === undefined && !gates.has('StatefulSetMinReadySeconds')) {
      delete spec.minReadySeconds;
    }
    dropDisabledPodFields(spec?.template?.spec, stored?.spec?.template?.spec, gates);
  },

  validate({ spec = {} }, stored, { gates }) {
    const errors: FieldError[] = [];
    const { selector, template = {} } = spec;
    checkPolicies(spec, stored?.spec, gates, errors);
    checkWorkloadSelector(selector, 'empty selector is invalid for statefulset', errors);
    if (checkTemplateSelected(spec, errors)) {
      checkTemplate(spec, stored?.spec, gates, errors);
    } else {
      errors.push(invalidSelector('spec.selector', selector, ''));
    }
    checkRunsAlways(template, 'StatefulSet', errors);
    return errors;
  },

  validateCreate({ spec: { volumeClaimTemplates = [], serviceName = '' } = {} }) {
    const errors: FieldError[] = [];
    if (ownRelease().has('checkedClaimTemplates')) {
      volumeClaimTemplates.forEach(({ spec = {} }, index) => {
        const at = `spec.volumeClaimTemplates[${index}].spec`;
        checkClaimSpec(spec, at, errors);
        const { volumeMode: mode } = spec;
        if (mode === undefined || VOLUME_MODES.includes(mode)) return;
        errors.push(notSupported(`${at}.volumeMode`, mode, VOLUME_MODES));
      });
    }
    if (serviceName !== '' && ownRelease().has('openHistoryOfSets')) {
      addProblems(dnsLabel(serviceName), 'spec.serviceName', serviceName, errors);
    }
    return errors;
  },

  validateUpdate({ spec = {} }, { spec: stored = {} }, _, gates) {
    if (ownRelease().has('fixedMembersOfSets')) return fixedMemberErrors(spec, stored);
    const free = freeMembers(gates);
    if (deepEqual(fixedPart(spec, free), fixedPart(stored, free))) return [];
    const names = free.map((name) => `'${name}'`);
    const detail =
      `updates to statefulset spec for fields other than ${names.slice(0, -1).join(', ')} and ` +
      `${names.at(-1)} are forbidden`;
    return [fieldForbidden('spec', detail)];
  },

  createWarnings: (object) => [
    ...templateWarnings(object),
    ...claimsWarnings(object, ''),
    ...historyWarnings(object),
  ],

  updateWarnings: (object, stored) => [
    ...changedTemplateWarnings(object, stored),
    // The reference spells this path so.
    ...claimsWarnings(object, '.Spec'),
    ...historyWarnings(object),
  ],

  validateStatusUpdate({ status = {} }, { status: stored = {} }) {
    const errors: FieldError[] = [];
    const counts = [
      'readyReplicas',
      'currentReplicas',
      'updatedReplicas',
      'availableReplicas',
    ] as const;
    checkReplicaCounts(status, counts, 'status.readyReplicas', errors);
    checkCollisionCount(status, stored, errors);
    return errors;
  },
});

/** The members of the specification that updates may change. */
function freeMembers(gates: FeatureGates): readonly string[] {
  const release = ownRelease();
  return [
    'replicas',
    ...(release.has('ordinalsOfSets') ? ['ordinals'] : []),
    'template',
    'updateStrategy',
    ...(release.has('openHistoryOfSets') ? ['revisionHistoryLimit'] : []),
    'persistentVolumeClaimRetentionPolicy',
    ...(gates.has('StatefulSetMinReadySeconds') ? ['minReadySeconds'] : []),
  ];
}

/** The members that an update may not change. */
function fixedPart(spec: StatefulSetSpec, free: readonly string[]): object {
  return Object.fromEntries(Object.entries(spec).filter(([name]) => !free.includes(name)));
}

function fixedMemberErrors(spec: StatefulSetSpec, stored: StatefulSetSpec): FieldError[] {
  const errors: FieldError[] = [];
  if (!deepEqual(spec.selector, stored.selector)) {
    errors.push(invalidSelector('spec.selector', spec.selector, FIELD_IMMUTABLE));
  }
  const { volumeClaimTemplates = [] } = spec;
  if (!deepEqual(volumeClaimTemplates, stored.volumeClaimTemplates ?? [])) {
    errors.push(invalid('spec.volumeClaimTemplates', volumeClaimTemplates, FIELD_IMMUTABLE));
  }
  for (const member of ['serviceName', 'podManagementPolicy'] as const) {
    const value = spec[member] ?? '';
    if (value === (stored[member] ?? '')) continue;
    errors.push(invalid(`spec.${member}`, value, FIELD_IMMUTABLE));
  }
  return errors;
}

const POLICIES = ['Retain', 'Delete'] as const;

function checkPolicies(
  spec: StatefulSetSpec,
  stored: StatefulSetSpec | undefined,
  gates: FeatureGates,
  errors: FieldError[],
): void {
  const { podManagementPolicy, updateStrategy = {}, ordinals } = spec;
  if (podManagementPolicy !== 'OrderedReady' && podManagementPolicy !== 'Parallel') {
    const detail = "must be 'OrderedReady' or 'Parallel'";
    errors.push(invalid('spec.podManagementPolicy', podManagementPolicy, detail));
  }
  const mayRecreate =
    gates.has('StatefulSetRecreateStrategy') || stored?.updateStrategy?.type === 'Recreate';
  checkStrategy(updateStrategy, mayRecreate, errors);
  const policy = spec.persistentVolumeClaimRetentionPolicy;
  for (const member of policy === undefined ? [] : (['whenDeleted', 'whenScaled'] as const)) {
    const value = policy?.[member] ?? '';
    if (POLICIES.some((one) => one === value)) continue;
    const field = `spec.persistentVolumeClaimRetentionPolicy.${member}`;
    errors.push(notSupported(field, value, POLICIES));
  }
  if ((ordinals?.start ?? 0) < 0) {
    errors.push(invalid('spec.ordinals.start', ordinals?.start, NOT_NEGATIVE));
  }
}

function checkStrategy(
  strategy: StatefulSetUpdateStrategy,
  mayRecreate: boolean,
  errors: FieldError[],
): void {
  const { type, rollingUpdate } = strategy;
  const field = 'spec.updateStrategy.rollingUpdate';
  if (type === 'OnDelete' || (type === 'Recreate' && mayRecreate)) {
    if (rollingUpdate === undefined) return;
    const printed = showsJson()
      ? printPart(rollingUpdate, ['Partition', 'MaxUnavailable'])
      : JSON.stringify(rollingUpdate);
    const detail = "only allowed for updateStrategy 'RollingUpdate'";
    errors.push(invalidPrinted(field, printed, detail));
  } else if (type === 'RollingUpdate') {
    const { maxUnavailable } = rollingUpdate ?? {};
    if (maxUnavailable !== undefined) {
      checkMaxUnavailable(maxUnavailable, `${field}.maxUnavailable`, errors);
    }
  } else {
    const detail = mayRecreate
      ? "must be 'RollingUpdate', 'OnDelete', or 'Recreate'"
      : "must be 'RollingUpdate' or 'OnDelete'";
    errors.push(invalidPrinted('spec.updateStrategy', printStrategy(strategy), detail));
  }
}

function checkMaxUnavailable(value: IntOrString, field: string, errors: FieldError[]): void {
  checkIntOrPercent(value, field, errors);
  if (intOrPercentNumber(value) === 0) errors.push(invalidShare(field, value, 'cannot be 0'));
  checkNotMoreThanWhole(value, field, errors);
}

/** Where only volumes are checked, the claim templates add more of them. */
function checkTemplate(
  spec: StatefulSetSpec,
  stored: StatefulSetSpec | undefined,
  gates: FeatureGates,
  errors: FieldError[],
): void {
  const { template = {} } = spec;
  if (!ownRelease().has('plainUpdatesOfSets')) {
    checkTemplateMetadata(template, 'spec.template', errors);
    checkVolumes(template.spec?.volumes ?? [], '', 'spec.template.spec.volumes', errors);
    return;
  }
  const before: FieldError[] = [];
  if (stored !== undefined) checkWholeTemplate(stored, gates, before);
  if (before.length > 0) checkTemplateMetadata(template, 'spec.template', errors);
  else checkWholeTemplate(spec, gates, errors, stored?.template);
}

const VOLUME_MODES = ['Block', 'Filesystem'];

/** About the claims that the set makes; the path of each ends so. */
function claimsWarnings(
  { spec: { volumeClaimTemplates = [] } = {} }: StatefulSet,
  end: string,
): string[] {
  if (!ownRelease().has('fractionalClaims')) return [];
  return volumeClaimTemplates.flatMap(({ spec = {} }, index) =>
    claimSpecWarnings(spec, `spec.volumeClaimTemplates[${index}]${end}`),
  );
}

/** A pod as the set will make it: with a host name of its own, and a volume for each claim. */
function checkWholeTemplate(
  { template = {}, volumeClaimTemplates = [] }: StatefulSetSpec,
  gates: FeatureGates,
  errors: FieldError[],
  stored?: PodTemplateSpec,
): void {
  const { subdomain: _subdomain, hostname: _hostname, volumes = [], ...pod } = template.spec ?? {};
  const names = new Set(volumeClaimTemplates.map(({ metadata: { name = '' } }) => name));
  const claims = [...names].map((name) => ({
    name,
    persistentVolumeClaim: { claimName: name },
  }));
  const others = volumes.filter(({ name = '' }) => !names.has(name));
  const all = [...claims, ...others];
  const spec = all.length > 0 ? { ...pod, volumes: all } : pod;
  [...names].forEach((name, index) => {
    checkClaimVolume(name, `spec.template.spec.volumes[${index}]`, errors);
  });
  checkPodTemplate({ ...template, spec }, gates, 'spec.template', errors, stored);
}

function historyWarnings({ spec }: StatefulSet): string[] {
  if ((spec?.revisionHistoryLimit ?? 0) >= 0 || !ownRelease().has('openHistoryOfSets')) return [];
  const what = 'a negative value retains all historical revisions; a value >= 0 is recommended';
  return [`spec.revisionHistoryLimit: ${what}`];
}

/** The rules of a volume that the schema has for those that clients send. */
function checkClaimVolume(name: string, field: string, errors: FieldError[]): void {
  if (name === '') {
    errors.push(required(`${field}.persistentVolumeClaim.claimName`));
    errors.push(required(`${field}.name`));
    return;
  }
  addProblems(dnsLabel(name), `${field}.name`, name, errors);
}
