/** DeviceTaintRule (README.md#classes-and-slices). */
import { serverNowMs } from '../../base/time/server-clock.ts';
import type { DeviceTaintRule, DeviceTaintSelector } from '#messages/resource.v1';
import { deepEqual } from '../../base/deep-equal.ts';
import { utcSeconds } from '../../base/time/utc-time.ts';
import { ageSince } from '../../semantics/age-text.ts';
import { ownRelease } from '../../release/release.ts';
import { tooMany, type FieldError } from '../../semantics/errors/field-error.ts';
import { checkConditions } from '../../semantics/validation/condition-validation.ts';
import type { FeatureGates } from '../../release/feature-gates.ts';
import { defineKind, specChanges } from '../kind.ts';
import { AGE, NAME } from '../printer-cells.ts';
import { definePrinter, text } from '../printer.ts';
import { checkClassName, checkDriver, checkLabelOf, checkPool } from './device-names.ts';
import { checkSelectors } from './device-selectors.ts';
import { checkTaint, setTaintTimes } from './device-taints.ts';
import { RESOURCE_GROUP, releasedVersions } from './released-versions.ts';

const CONDITIONS_MAX = 8;

export const DEVICE_TAINT_RULE = defineKind<DeviceTaintRule>({
  group: RESOURCE_GROUP,
  version: 'v1',
  kind: 'DeviceTaintRule',
  plural: 'devicetaintrules',
  namespaced: false,
  message: 'resource.v1.DeviceTaintRule',
  nameRule: 'dnsSubdomain',
  freeGenerateName: true,
  ...(ownRelease().has('statusOfTaintRules') && {
    statusSubresource: { metadataWritable: false },
  }),
  putCreates: false,
  unconditionalUpdate: false,
  deleteReturns: 'status',
  bumpsGeneration: specChanges,
  checksFinalizerNames: true,
  otherVersions: releasedVersions('DeviceTaintRule', [
    { version: 'v1beta2', unconditionalUpdate: true, deleteReturns: 'object' },
    { version: 'v1alpha3', unconditionalUpdate: true, deleteReturns: 'object' },
  ]),
  // prettier-ignore
  printer: definePrinter([
    NAME,
    text('Key', 'The key of the taint.', 'spec.taint.key'),
    text('Value', 'The value of the taint.', 'spec.taint.value'),
    text('Effect', 'What becomes of those that do not tolerate it.', 'spec.taint.effect'),
    text('TimeAdded', 'How long ago the taint was added.', 'spec.taint.timeAdded',
      (time?: string) => (time === undefined ? '' : ageSince(time))),
    AGE,
  ]),

  applyDefaults({ spec }) {
    if (spec?.taint !== undefined) setTaintTimes([spec.taint]);
  },

  /** The time is that of the effect, unless the client says another one. */
  prepareForUpdate({ spec }, stored) {
    const taint = spec?.taint;
    const before = stored.spec?.taint;
    if (!ownRelease().has('statusOfTaintRules') || taint === undefined) return;
    const hasNewEffect = taint.effect !== before?.effect;
    if (hasNewEffect && taint.timeAdded === before?.timeAdded) {
      taint.timeAdded = utcSeconds(serverNowMs());
    }
  },

  validate({ spec = {} }, stored, { gates }) {
    const errors: FieldError[] = [];
    const { deviceSelector, taint = {} } = spec;
    if (deviceSelector !== undefined) {
      checkSelector(deviceSelector, stored?.spec?.deviceSelector, errors, gates);
    }
    checkTaint(taint, 'spec.taint', errors, stored?.spec?.taint);
    return errors;
  },

  validateStatusUpdate({ status = {} }) {
    const errors: FieldError[] = [];
    const { conditions = [] } = status;
    checkConditions(conditions, 'status.conditions', errors);
    if (conditions.length > CONDITIONS_MAX) {
      errors.push(tooMany('status.conditions', conditions.length, CONDITIONS_MAX));
    }
    return errors;
  },
});

function checkSelector(
  { deviceClassName, driver, pool, device, selectors = [] }: DeviceTaintSelector,
  stored: DeviceTaintSelector | undefined,
  errors: FieldError[],
  gates: FeatureGates,
): void {
  const field = 'spec.deviceSelector';
  if (deviceClassName !== undefined) {
    checkClassName(deviceClassName, `${field}.deviceClassName`, errors);
  }
  if (driver !== undefined) checkDriver(driver, `${field}.driver`, errors);
  if (pool !== undefined) checkPool(pool, `${field}.pool`, errors);
  if (device !== undefined) checkLabelOf(device, `${field}.device`, errors);
  const isKept = stored !== undefined && deepEqual(stored.selectors ?? [], selectors);
  checkSelectors(selectors, `${field}.selectors`, errors, gates, isKept);
}
