/** Annotations that mean something to pods (API-FACTS 14.2). */
import { fieldForbidden, invalid, type FieldError } from '../../semantics/field-error.ts';

type Annotations = Readonly<Record<string, string>>;

/** Of a pod that a node made from a file of its own. */
export const MIRROR_ANNOTATION = 'cluster.io/config.mirror';
const DELETION_COST_ANNOTATION = 'controller.cluster.io/pod-deletion-cost';

const INTEGER = /^(?:0|-?[1-9][0-9]{0,9})$/;

/** Adds the problems of the annotations at the path `field`, of a pod or a template of pods. */
export function checkPodAnnotations(
  annotations: Annotations,
  nodeName: string | undefined,
  field: string,
  errors: FieldError[],
): void {
  const mirror = annotations[MIRROR_ANNOTATION];
  if (mirror !== undefined && !nodeName) {
    const detail = 'must set spec.nodeName if mirror pod annotation is set';
    errors.push(invalid(`${field}[${MIRROR_ANNOTATION}]`, mirror, detail));
  }
  const cost = annotations[DELETION_COST_ANNOTATION];
  if (cost === undefined || (INTEGER.test(cost) && Number(cost) === (Number(cost) | 0))) return;
  errors.push(invalid(`${field}[${DELETION_COST_ANNOTATION}]`, cost, 'must be a 32bit integer'));
}

/** Whether a pod mirrors a file is settled when it is created. */
export function checkAnnotationUpdate(
  annotations: Annotations = {},
  stored: Annotations = {},
  field: string,
  errors: FieldError[],
): void {
  const now = annotations[MIRROR_ANNOTATION];
  const before = stored[MIRROR_ANNOTATION];
  if (now === before) return;
  const change = before === undefined ? 'add' : 'remove or update';
  const detail = `may not ${change} mirror pod annotation`;
  errors.push(fieldForbidden(`${field}[${MIRROR_ANNOTATION}]`, detail));
}
