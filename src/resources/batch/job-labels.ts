/** Labels and a selector that make the pods of a Job its own (README.md#rules). */
import type { Job } from '#messages/batch.v1';
import { textMap } from '../../base/text/text-map.ts';
import { ownRelease } from '../../release/release.ts';
import { ownName } from '../../semantics/dialect/own-names.ts';
import {
  invalidPrinted,
  printTextMap,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { labelMatcher } from '../../semantics/selectors/label-matcher.ts';
import { toLabelSelector } from '../../semantics/selectors/object-label-selector.ts';
import { invalidSelector } from '../../semantics/metadata/label-validation.ts';

const UID_LABEL = 'controller-uid';
const NAME_LABEL = 'job-name';
const PREFIXED_UID_LABEL = ownName('batch.cluster.io/controller-uid');
const PREFIXED_NAME_LABEL = ownName('batch.cluster.io/job-name');

/** The labels of the pods of a Job, each with its value. */
function labelsOf({ metadata }: Job, arePrefixed: boolean): readonly (readonly [string, string])[] {
  const { name = '', uid = '' } = metadata;
  const plain = [
    [UID_LABEL, uid],
    [NAME_LABEL, name],
  ] as const;
  return arePrefixed ? [...plain, [PREFIXED_UID_LABEL, uid], [PREFIXED_NAME_LABEL, name]] : plain;
}

/** Makes the labels and the selector. What a client has set is left for validation. */
export function generateLabels(job: Job): void {
  const { metadata, spec = {} } = job;
  if (spec.template === undefined) return;
  const arePrefixed = ownRelease().has('prefixedJobLabels');
  const labels = ((spec.template.metadata ??= {}).labels ??= textMap());
  for (const [key, value] of labelsOf(job, arePrefixed)) labels[key] ??= value;
  const selector = (spec.selector ??= {});
  selector.matchLabels ??= textMap();
  const key = arePrefixed ? PREFIXED_UID_LABEL : UID_LABEL;
  selector.matchLabels[key] ??= metadata.uid ?? '';
}

/** Without `manualSelector` the labels and the selector must be the generated ones. */
export function checkGeneratedLabels(
  job: Job,
  stored: Job | undefined,
  errors: FieldError[],
): void {
  const { spec = {} } = job;
  if (spec.manualSelector === true || spec.selector === undefined) return;
  const labels = spec.template?.metadata?.labels;
  const expected = labelsOf(job, needsPrefixed(stored));
  for (const [key, value] of expected) {
    const field = `spec.template.metadata.labels[${key}]`;
    const actual = labels?.[key];
    if (actual === undefined) errors.push(required(field, `must be '${value}'`));
    else if (actual !== value) {
      errors.push(invalidPrinted(field, printTextMap(labels), `must be '${value}'`));
    }
  }
  const selector = toLabelSelector(spec.selector);
  if (selector === undefined || labelMatcher(selector)(Object.fromEntries(expected))) return;
  errors.push(invalidSelector('spec.selector', spec.selector, '`selector` not auto-generated'));
}

/** Jobs of older releases stay without them. */
function needsPrefixed(stored: Job | undefined): boolean {
  if (!ownRelease().has('prefixedJobLabels')) return false;
  if (stored === undefined) return true;
  const labels = stored.spec?.template?.metadata?.labels;
  return labels?.[PREFIXED_NAME_LABEL] !== undefined && labels[PREFIXED_UID_LABEL] !== undefined;
}
