/** Containers that are added to a running pod, to look into it (README.md#pods). */
import type { EphemeralContainer, Pod, PodSpec } from '#messages/core.v1';
import { deepEqual } from '../../../base/deep-equal.ts';
import {
  duplicate,
  fieldForbidden,
  notFound,
  required,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';
import type { KindPart } from '../../kind.ts';
import { checkContainer, checkImageSpace } from './container.ts';
import type { Volumes } from '../volumes/volume.ts';

const NOT_ALLOWED = 'cannot be set for an Ephemeral Container';
/** Members that ephemeral containers may not have. */
const NOT_EPHEMERAL = [
  'ports',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const;

/** Adds the problems of the containers that a pod was given while it ran. */
export function checkEphemeralContainers(
  { ephemeralContainers = [], containers = [], initContainers = [] }: PodSpec,
  volumes: Volumes,
  field: string,
  errors: FieldError[],
): void {
  const names = new Set([...containers, ...initContainers].map(({ name = '' }) => name));
  ephemeralContainers.forEach((container, index) => {
    const { name = '', targetContainerName: target = '' } = container;
    const at = `${field}[${index}]`;
    if (target !== '' && !names.has(target)) {
      errors.push(notFound(`${at}.targetContainerName`, target));
    }
    if (name === '') {
      errors.push(required(at, 'ephemeralContainer requires a name'));
      return;
    }
    checkContainer(container, volumes, at, errors);
    checkImageSpace(container, at, errors);
    if (names.has(name)) errors.push(duplicate(`${at}.name`, name));
    names.add(name);
    checkAllowed(container, at, errors);
  });
}

function checkAllowed(container: EphemeralContainer, field: string, errors: FieldError[]): void {
  for (const member of NOT_EPHEMERAL) {
    if (container[member] !== undefined) {
      errors.push(fieldForbidden(`${field}.${member}`, NOT_ALLOWED));
    }
  }
  const { limits, requests } = container.resources ?? {};
  if (limits !== undefined || requests !== undefined) {
    errors.push(fieldForbidden(`${field}.resources`, NOT_ALLOWED));
  }
  container.volumeMounts?.forEach((mount, index) => {
    for (const member of ['subPath', 'subPathExpr'] as const) {
      if ((mount[member] ?? '') === '') continue;
      errors.push(fieldForbidden(`${field}.volumeMounts[${index}].${member}`, NOT_ALLOWED));
    }
  });
}

/** The subresource `ephemeralcontainers`: it adds containers; none ever goes or changes. */
export const EPHEMERAL_CONTAINERS: KindPart<Pod> = {
  readable: true,

  merge({ spec = {} }, stored) {
    const merged = { ...stored.spec };
    if (spec.ephemeralContainers === undefined) delete merged.ephemeralContainers;
    else merged.ephemeralContainers = spec.ephemeralContainers;
    stored.spec = merged;
    return stored;
  },

  validateUpdate({ spec = {} }, { spec: stored = {} }) {
    const errors: FieldError[] = [];
    const field = 'spec.ephemeralContainers';
    for (const before of stored.ephemeralContainers ?? []) {
      const now = spec.ephemeralContainers?.find(({ name }) => name === before.name);
      const what = `existing ephemeral containers ${JSON.stringify(before.name ?? '')}`;
      if (now === undefined) {
        errors.push(fieldForbidden(field, `${what} may not be removed\n`));
      } else if (!deepEqual(before, now)) {
        errors.push(fieldForbidden(field, `${what} may not be changed\n`));
      }
    }
    return errors;
  },
};
