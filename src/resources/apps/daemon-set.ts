/** DaemonSet (API-FACTS 3.5 and 13.3). */
import { deepEqual } from '../../base/deep-equal.ts';
import { textMap } from '../../base/text-map.ts';
import { invalid, notSupported, required, type FieldError } from '../../semantics/field-error.ts';
import {
  checkIntOrPercent,
  checkNotMoreThanWhole,
  intOrPercentNumber,
  type IntOrString,
} from '../../semantics/int-or-percent.ts';
import type { ObjectMeta } from '../../semantics/object-meta.ts';
import { applyPodTemplateDefaults, checkPodTemplate } from '../core/pod-template.ts';
import { defineKind, specChanges, type ApiObject } from '../kind.ts';
import {
  checkCollisionCount,
  checkDisksShareable,
  checkRunsAlways,
  checkTemplateSelected,
  checkWorkloadSelector,
  type WorkloadSpec,
} from '../workload.ts';
import { DAEMON_SET_PRINTER } from './daemon-set-printer.ts';

interface RollingUpdate {
  maxUnavailable?: IntOrString;
  maxSurge?: IntOrString;
}

interface UpdateStrategy {
  type?: string;
  rollingUpdate?: RollingUpdate;
}

interface DaemonSetStatus {
  currentNumberScheduled?: number;
  desiredNumberScheduled?: number;
  numberReady?: number;
  updatedNumberScheduled?: number;
  numberAvailable?: number;
  collisionCount?: number;
}

export interface DaemonSet extends ApiObject {
  spec?: WorkloadSpec & { updateStrategy?: UpdateStrategy };
  status?: DaemonSetStatus;
}

/** How many templates there have been, for clients that know no `generation`. */
const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

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
  printer: DAEMON_SET_PRINTER,

  applyDefaults({ spec }) {
    if (spec?.template !== undefined) applyPodTemplateDefaults(spec.template);
    if (spec?.updateStrategy?.type !== 'RollingUpdate') return;
    const rollingUpdate = (spec.updateStrategy.rollingUpdate ??= {});
    rollingUpdate.maxUnavailable ??= 1;
    rollingUpdate.maxSurge ??= 0;
  },

  prepareForCreate({ metadata }) {
    setTemplateGeneration(metadata, templateGenerationOf(metadata));
  },

  prepareForUpdate(object, stored) {
    const generation = templateGenerationOf(stored.metadata);
    const changes = !deepEqual(object.spec?.template, stored.spec?.template);
    setTemplateGeneration(object.metadata, changes ? generation + 1 : generation);
  },

  prepareForStatusUpdate(object, stored) {
    setTemplateGeneration(object.metadata, templateGenerationOf(stored.metadata));
  },

  /** That a selector is missing shows as a template that is not selected. */
  validate({ spec = {} }) {
    const errors: FieldError[] = [];
    const { selector, template = {}, updateStrategy = {} } = spec;
    checkTemplateSelected(spec, errors);
    checkWorkloadSelector(selector, 'empty selector is invalid for daemonset', errors);
    checkPodTemplate(template, 'spec.template', errors);
    checkDisksShareable(template, errors);
    checkRunsAlways(template, 'DaemonSet', errors);
    checkUpdateStrategy(updateStrategy, errors);
    return errors;
  },

  validateStatusUpdate({ status = {} }, { status: stored = {} }) {
    const errors: FieldError[] = [];
    checkCollisionCount(status, stored, errors);
    return errors;
  },
});

/** At least 1, also for a text that is no number. */
function templateGenerationOf({ annotations }: ObjectMeta): number {
  const text = annotations?.[TEMPLATE_GENERATION] ?? '';
  return /^[0-9]{1,15}$/.test(text) ? Math.max(1, Number(text)) : 1;
}

function setTemplateGeneration(metadata: ObjectMeta, generation: number): void {
  const annotations = textMap(metadata.annotations ?? {});
  annotations[TEMPLATE_GENERATION] = String(generation);
  metadata.annotations = annotations;
}

function checkUpdateStrategy(strategy: UpdateStrategy, errors: FieldError[]): void {
  switch (strategy.type) {
    case 'OnDelete':
      return;
    case 'RollingUpdate':
      checkRollingUpdate(strategy.rollingUpdate ?? {}, 'spec.updateStrategy.rollingUpdate', errors);
      return;
    default:
      errors.push(notSupported('spec.updateStrategy', strategy, ['RollingUpdate', 'OnDelete']));
  }
}

/** Pods are replaced either before or after their successors start, never both. */
function checkRollingUpdate(
  { maxUnavailable = 0, maxSurge = 0 }: RollingUpdate,
  field: string,
  errors: FieldError[],
): void {
  checkIntOrPercent(maxUnavailable, `${field}.maxUnavailable`, errors);
  checkIntOrPercent(maxSurge, `${field}.maxSurge`, errors);
  checkNotMoreThanWhole(maxUnavailable, `${field}.maxUnavailable`, errors);
  checkNotMoreThanWhole(maxSurge, `${field}.maxSurge`, errors);
  const hasUnavailable = intOrPercentNumber(maxUnavailable) !== 0;
  const hasSurge = intOrPercentNumber(maxSurge) !== 0;
  if (hasUnavailable && hasSurge) {
    const detail = 'may not be set when maxUnavailable is non-zero';
    errors.push(invalid(`${field}.maxSurge`, maxSurge, detail));
  } else if (!hasUnavailable && !hasSurge) {
    errors.push(required(`${field}.maxUnavailable`, 'cannot be 0 when maxSurge is 0'));
  }
}
