/** DaemonSet (README.md#workloads). */
import type { DaemonSet, DaemonSetUpdateStrategy, RollingUpdateDaemonSet } from '#messages/apps.v1';
import { deepEqual } from '../../base/deep-equal.ts';
import { textMap } from '../../base/text/text-map.ts';
import { DecodeError } from '../../codec/json/go-errors.ts';
import { quoteText } from '../../codec/json/strict-quote.ts';
import {
  notSupportedPrinted,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import {
  checkIntOrPercent,
  checkNotMoreThanWhole,
  intOrPercentNumber,
  invalidShare,
} from '../../semantics/validation/int-or-percent.ts';
import type { ObjectMeta } from '../../semantics/metadata/object-meta.ts';
import { dropDisabledPodFields } from '../core/pods/disabled-pod-fields.ts';
import { applyPodTemplateDefaults, checkPodTemplate } from '../core/pods/pod-template.ts';
import type { FeatureGates } from '../../release/feature-gates.ts';
import { ownRelease } from '../../release/release.ts';
import { defineKind, specChanges } from '../kind.ts';
import {
  checkCollisionCount,
  checkDisksShareable,
  checkRunsAlways,
  checkTemplateSelected,
  checkWorkloadSelector,
  printStrategy,
  templateWarnings,
} from '../workload.ts';
import { DAEMON_SET_PRINTER } from './daemon-set-printer.ts';

/**
 * Counts the changes of the template, for clients that do not know `generation`. The reference
 * keeps it in the spec, and shows it as an annotation in this version only.
 */
const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

const INTEGER = /^[+-]?[0-9]{1,200}$/;

export const DAEMON_SET = defineKind<DaemonSet>({
  group: 'apps',
  version: 'v1',
  kind: 'DaemonSet',
  plural: 'daemonsets',
  shortNames: ['ds'],
  categories: ['all'],
  namespaced: true,
  message: 'apps.v1.DaemonSet',
  nameRule: 'dnsSubdomain',
  statusSubresource: { metadataWritable: true },
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'status',
  bumpsGeneration: specChanges,
  checksFinalizerNames: true,
  ...(ownRelease().has('plainUpdatesOfSets') && { freeGenerateName: true }),
  annotationOfSpec: TEMPLATE_GENERATION,
  printer: DAEMON_SET_PRINTER,

  afterDecoding({ metadata: { annotations } }) {
    const text = annotations?.[TEMPLATE_GENERATION];
    if (text === undefined) return;
    const isNumber = INTEGER.test(text);
    if (isNumber && BigInt.asIntN(64, BigInt(text)) === BigInt(text)) return;
    const problem = isNumber ? 'value out of range' : 'invalid syntax';
    throw new DecodeError(`strconv.ParseInt: parsing ${quoteText(text)}: ${problem}`);
  },

  applyDefaults({ metadata, spec }, gates) {
    // A client that creates the object, or writes it without the annotation, comes to own it.
    metadata.annotations ??= textMap({});
    metadata.annotations[TEMPLATE_GENERATION] ??= '0';
    if (spec?.template !== undefined) applyPodTemplateDefaults(spec.template, gates);
    if (spec?.updateStrategy !== undefined) applyStrategyDefaults(spec.updateStrategy);
  },

  dropDisabled({ spec }, gates, stored) {
    const before = stored?.spec?.updateStrategy?.rollingUpdate;
    const rollingUpdate = spec?.updateStrategy?.rollingUpdate;
    const isUsed = before?.maxSurge !== undefined && before.maxSurge !== 0;
    if (rollingUpdate !== undefined && !gates.has('DaemonSetUpdateSurge') && !isUsed) {
      rollingUpdate.maxSurge = 0;
    }
    dropDisabledPodFields(spec?.template?.spec, stored?.spec?.template?.spec, gates);
  },

  prepareForCreate({ metadata }) {
    setTemplateGeneration(metadata, templateGenerationOf(metadata));
  },

  prepareForUpdate(object, stored) {
    const generation = templateGenerationOf(stored.metadata);
    const next = templateChanges(object, stored) ? generation + 1 : generation;
    setTemplateGeneration(object.metadata, next);
  },

  prepareForStatusUpdate(object, stored) {
    setTemplateGeneration(object.metadata, templateGenerationOf(stored.metadata));
  },

  /** A missing selector is reported as a template that is not selected. */
  validate({ spec = {} }, stored, { gates }) {
    const errors: FieldError[] = [];
    const { selector, template = {}, updateStrategy = {} } = spec;
    checkTemplateSelected(spec, errors);
    const empty = 'empty selector is invalid for daemonset';
    checkWorkloadSelector(selector, empty, errors, stored?.spec?.selector);
    checkPodTemplate(template, gates, 'spec.template', errors, stored?.spec?.template);
    checkDisksShareable(template, gates, errors);
    checkRunsAlways(template, 'DaemonSet', errors);
    checkUpdateStrategy(updateStrategy, gates, errors);
    return errors;
  },

  createWarnings: templateWarnings,

  updateWarnings(object, stored) {
    return templateChanges(object, stored) ? templateWarnings(object) : [];
  },

  validateStatusUpdate({ status = {} }, { status: stored = {} }) {
    const errors: FieldError[] = [];
    checkCollisionCount(status, stored, errors);
    return errors;
  },
});

function applyStrategyDefaults(strategy: DaemonSetUpdateStrategy): void {
  const counts = strategy.type === 'RollingUpdate';
  if (counts) strategy.rollingUpdate ??= {};
  const { rollingUpdate } = strategy;
  if (rollingUpdate === undefined) return;
  // Both members are always there, also where they do not count.
  rollingUpdate.maxUnavailable ??= counts ? 1 : 0;
  rollingUpdate.maxSurge ??= 0;
}

function templateChanges(object: DaemonSet, stored: DaemonSet): boolean {
  return !deepEqual(object.spec?.template, stored.spec?.template);
}

/** At least 1. */
function templateGenerationOf({ annotations }: ObjectMeta): number {
  const text = annotations?.[TEMPLATE_GENERATION] ?? '';
  return /^[+]?[0-9]{1,15}$/.test(text) ? Math.max(1, Number(text)) : 1;
}

function setTemplateGeneration(metadata: ObjectMeta, generation: number): void {
  const annotations = textMap(metadata.annotations ?? {});
  annotations[TEMPLATE_GENERATION] = String(generation);
  metadata.annotations = annotations;
}

function checkUpdateStrategy(
  strategy: DaemonSetUpdateStrategy,
  gates: FeatureGates,
  errors: FieldError[],
): void {
  switch (strategy.type) {
    case 'OnDelete':
      return;
    case 'RollingUpdate':
      checkRollingUpdate(strategy.rollingUpdate ?? {}, gates, errors);
      return;
    default:
      errors.push(
        notSupportedPrinted('spec.updateStrategy', printStrategy(strategy), [
          'RollingUpdate',
          'OnDelete',
        ]),
      );
  }
}

/** Pods are replaced either before or after their successors start, never both. */
function checkRollingUpdate(
  { maxUnavailable = 0, maxSurge = 0 }: RollingUpdateDaemonSet,
  gates: FeatureGates,
  errors: FieldError[],
): void {
  const field = 'spec.updateStrategy.rollingUpdate';
  const hasUnavailable = intOrPercentNumber(maxUnavailable) !== 0;
  if (!gates.has('DaemonSetUpdateSurge')) {
    checkIntOrPercent(maxUnavailable, `${field}.maxUnavailable`, errors);
    if (!hasUnavailable) {
      errors.push(invalidShare(`${field}.maxUnavailable`, maxUnavailable, 'cannot be 0'));
    }
    checkNotMoreThanWhole(maxUnavailable, `${field}.maxUnavailable`, errors);
    return;
  }
  checkIntOrPercent(maxUnavailable, `${field}.maxUnavailable`, errors);
  checkIntOrPercent(maxSurge, `${field}.maxSurge`, errors);
  checkNotMoreThanWhole(maxUnavailable, `${field}.maxUnavailable`, errors);
  checkNotMoreThanWhole(maxSurge, `${field}.maxSurge`, errors);
  const hasSurge = intOrPercentNumber(maxSurge) !== 0;
  if (hasUnavailable && hasSurge) {
    const detail = 'may not be set when maxUnavailable is non-zero';
    errors.push(invalidShare(`${field}.maxSurge`, maxSurge, detail));
  } else if (!hasUnavailable && !hasSurge) {
    errors.push(required(`${field}.maxUnavailable`, 'cannot be 0 when maxSurge is 0'));
  }
}
