/** Containers that are added to a running pod, to look into it. */
import type { EphemeralContainer, Pod, PodSpec } from '#messages/core.v1';
import { deepEqual } from '../../../../base/deep-equal.ts';
import {
  duplicate,
  fieldForbidden,
  notFound,
  required,
  type FieldError,
} from '../../../../semantics/errors/field-error.ts';
import type { KindPart } from '../../../kind.ts';
import { ownRelease } from '../../../../release/release.ts';
import { MIRROR_ANNOTATION } from '../pod-annotations.ts';
import type { ContainerRules } from './container-rules.ts';
import { checkContainer, checkImageSpace, checkOldContainer } from './container.ts';

const NOT_ALLOWED = 'cannot be set for an Ephemeral Container';
/** Members that ephemeral containers may not have. */
const NOT_EPHEMERAL = [
  'ports',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
  'restartPolicy',
  'restartPolicyRules',
  'resizePolicy',
] as const;

/** Adds the problems of the containers that a pod was given while it ran. */
export function checkEphemeralContainers(
  { ephemeralContainers = [], containers = [], initContainers = [] }: PodSpec,
  rules: ContainerRules,
  field: string,
  errors: FieldError[],
): void {
  const others = new Set([...containers, ...initContainers].map(({ name = '' }) => name));
  if (ownRelease().has('commonMembersFirst')) {
    checkPlainly(ephemeralContainers, others, rules, field, errors);
    return;
  }
  const names = new Set(others);
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
    checkOldContainer(container, rules, at, errors);
    checkImageSpace(container, at, errors);
    if (names.has(name)) errors.push(duplicate(`${at}.name`, name));
    names.add(name);
    checkAllowed(container, at, errors);
  });
}

/** `others` are the names of the containers that the pod began with. */
function checkPlainly(
  ephemeralContainers: readonly EphemeralContainer[],
  others: ReadonlySet<string>,
  rules: ContainerRules,
  field: string,
  errors: FieldError[],
): void {
  const names = new Set(others);
  ephemeralContainers.forEach((container, index) => {
    const { name = '', targetContainerName: target = '' } = container;
    const at = `${field}[${index}]`;
    if (name === '') errors.push(required(`${at}.name`));
    checkContainer(container, rules, at, errors);
    checkImageSpace(container, at, errors);
    if (names.has(name)) errors.push(duplicate(`${at}.name`, name));
    names.add(name);
    if (target !== '' && !others.has(target)) {
      errors.push(notFound(`${at}.targetContainerName`, target));
    }
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
  ...(ownRelease().has('ownersOfPodParts') && { ownsSent: true }),
  countsChanges: true,

  merge({ spec = {} }, stored) {
    const merged = { ...stored.spec };
    if (spec.ephemeralContainers === undefined) delete merged.ephemeralContainers;
    else merged.ephemeralContainers = spec.ephemeralContainers;
    stored.spec = merged;
    return stored;
  },

  validateUpdate({ spec = {} }, { metadata, spec: stored = {} }) {
    const isStatic = metadata.annotations?.[MIRROR_ANNOTATION] !== undefined;
    if (isStatic && ownRelease().has('staticPodsStayAsTheyAre')) {
      return [fieldForbidden('', 'static pods do not support ephemeral containers')];
    }
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
