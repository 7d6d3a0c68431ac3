/** Annotations that mean something to pods (README.md#pods). */
import type { PodSpec } from '#messages/core.v1';
import { ownRelease } from '../../../release/release.ts';
import { ownName } from '../../../semantics/dialect/own-names.ts';
import { forEachContainer } from './containers/containers.ts';
import { checkSeccompAnnotations } from './seccomp-annotations.ts';
import { fieldForbidden, invalid, type FieldError } from '../../../semantics/errors/field-error.ts';
import type { ObjectMeta } from '../../../semantics/metadata/object-meta.ts';

type Annotations = Readonly<Record<string, string>>;

/** Marks a static pod: the node agent made it from a file. */
export const MIRROR_ANNOTATION = ownName('cluster.io/config.mirror');
/** Prefix of the annotation; the name of the container follows. */
export const APP_ARMOR_OF_CONTAINER = ownName('container.apparmor.security.beta.cluster.io/');
const APP_ARMOR_PROFILES: ReadonlySet<string> = new Set(['', 'runtime/default', 'unconfined']);
const DELETION_COST_ANNOTATION = ownName('controller.cluster.io/pod-deletion-cost');

const OF_INIT_CONTAINERS = ['alpha', 'beta'].flatMap((stage) => [
  ownName(`pod.${stage}.cluster.io/init-containers`),
  ownName(`pod.${stage}.cluster.io/init-container-statuses`),
]);
const DROPS_INIT_CONTAINERS = ownRelease().has('droppedInitContainerAnnotations');

const INTEGER = /^(?:0|-?[1-9][0-9]{0,9})$/;

/** Adds the problems of the annotations at the path `field`, of a pod or a template of pods. */
export function checkPodAnnotations(
  annotations: Annotations,
  spec: PodSpec,
  field: string,
  errors: FieldError[],
): void {
  const mirror = annotations[MIRROR_ANNOTATION];
  if (mirror !== undefined && !spec.nodeName) {
    const detail = 'must set spec.nodeName if mirror pod annotation is set';
    errors.push(invalid(`${field}[${MIRROR_ANNOTATION}]`, mirror, detail));
  }
  const cost = annotations[DELETION_COST_ANNOTATION];
  if (cost !== undefined && !(INTEGER.test(cost) && Number(cost) === (Number(cost) | 0))) {
    errors.push(invalid(`${field}[${DELETION_COST_ANNOTATION}]`, cost, 'must be a 32bit integer'));
  }
  checkSeccompAnnotations(annotations, field, errors);
  checkAppArmor(annotations, spec, field, errors);
}

/** Drops, in place, the annotations that init containers once were. */
export function dropInitContainerAnnotations(metadata: ObjectMeta): void {
  const { annotations } = metadata;
  if (annotations === undefined || !DROPS_INIT_CONTAINERS) return;
  let isDropped = false;
  for (const name of OF_INIT_CONTAINERS) {
    if (annotations[name] === undefined) continue;
    delete annotations[name];
    isDropped = true;
  }
  if (isDropped && Object.keys(annotations).length === 0) delete metadata.annotations;
}

/** Profiles of AppArmor, by container. */
function checkAppArmor(
  annotations: Annotations,
  spec: PodSpec,
  field: string,
  errors: FieldError[],
): void {
  for (const key of Object.keys(annotations)) {
    if (!key.startsWith(APP_ARMOR_OF_CONTAINER)) continue;
    const name = key.slice(APP_ARMOR_OF_CONTAINER.length);
    const profile = annotations[key] ?? '';
    let found = false;
    forEachContainer(spec, '', (container) => (found ||= (container.name ?? '') === name));
    if (!found) errors.push(invalid(`${field}[${key}]`, name, 'container not found'));
    if (APP_ARMOR_PROFILES.has(profile) || profile.startsWith('localhost/')) continue;
    const detail = `invalid AppArmor profile name: ${JSON.stringify(profile)}`;
    errors.push(invalid(`${field}[${key}]`, profile, detail));
  }
}

/** An update may change neither the mirror annotation nor the AppArmor profiles. */
export function checkAnnotationUpdate(
  annotations: Annotations = {},
  stored: Annotations = {},
  field: string,
  errors: FieldError[],
): void {
  for (const key of Object.keys(stored)) {
    const what = settledAnnotation(key);
    if (what === '' || annotations[key] === stored[key]) continue;
    errors.push(fieldForbidden(`${field}[${key}]`, `may not remove or update ${what}`));
  }
  for (const key of Object.keys(annotations)) {
    const what = settledAnnotation(key);
    if (what === '' || stored[key] !== undefined) continue;
    errors.push(fieldForbidden(`${field}[${key}]`, `may not add ${what}`));
  }
}

function settledAnnotation(key: string): string {
  if (key.startsWith(APP_ARMOR_OF_CONTAINER)) return 'AppArmor annotations';
  return key === MIRROR_ANNOTATION ? 'mirror pod annotation' : '';
}
