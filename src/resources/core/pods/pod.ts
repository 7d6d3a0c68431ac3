/** Pod (README.md#pods). */
import type { Pod, PodSpec } from '#messages/core.v1';
import { fieldForbidden, type FieldError } from '../../../semantics/errors/field-error.ts';
import { ownRelease } from '../../../release/release.ts';
import { dnsLabel } from '../../../semantics/metadata/names.ts';
import { defineKind, specChanges } from '../../kind.ts';
import { checkImageSpace } from './containers/container.ts';
import { dropDisabledPodFields } from './disabled-pod-fields.ts';
import { EPHEMERAL_CONTAINERS } from './containers/ephemeral-containers.ts';
import { appArmorWarnings, checkSameAppArmor, syncAppArmor } from './app-armor-annotations.ts';
import {
  checkAnnotationUpdate,
  checkPodAnnotations,
  dropInitContainerAnnotations,
  MIRROR_ANNOTATION,
} from './pod-annotations.ts';
import { applyPodOnlyDefaults, applyPodSpecDefaults } from './pod-defaults.ts';
import { RESIZE } from './pod-resize.ts';
import { POD_PRINTER } from './pod-printer.ts';
import { qosClass } from './pod-qos.ts';
import {
  applyLateResourceDefaults,
  defaultsPodResourcesLate,
  keepPodResources,
} from './pod-resources.ts';
import { addGatedCondition, mergeLabelKeys } from './pod-label-keys.ts';
import { checkPodSpec } from './pod-spec.ts';
import {
  checkPodStatus,
  keepStatusMembers,
  podStatusWarnings,
  syncAddresses,
} from './pod-status.ts';
import { checkPodUpdate } from './pod-update.ts';
import { podWarnings } from './pod-warnings.ts';
import { checkSameSeccomp, syncSeccomp } from './seccomp-annotations.ts';

/** A pod is deleted with at least so much time, unless none is asked for. */
const GRACE_SECONDS_MIN = 1;

const nodeName = ({ spec }: Pod): string => spec?.nodeName ?? '';

export const POD = defineKind<Pod>({
  group: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  shortNames: ['po'],
  categories: ['all'],
  namespaced: true,
  message: 'core.v1.Pod',
  tellsEmpty: true,
  nameRule: 'dnsSubdomain',
  statusSubresource: {
    metadataWritable: true,
    keptMetadata: ['ownerReferences', 'deletionTimestamp'],
  },
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'object',
  ...(ownRelease().has('generationsOfPods') && { bumpsGeneration: specChanges }),
  checksFinalizerNames: true,
  selectableFields: {
    'spec.nodeName': nodeName,
    'spec.host': nodeName,
    'spec.restartPolicy': ({ spec }) => spec?.restartPolicy ?? '',
    'spec.schedulerName': ({ spec }) => spec?.schedulerName ?? '',
    'spec.serviceAccountName': ({ spec }) => spec?.serviceAccountName ?? '',
    'status.phase': ({ status }) => status?.phase ?? '',
    'status.podIP': ({ status }) => status?.podIP ?? '',
    // As in the reference, a known field that has no value.
    'status.podIPs': () => '',
    'status.nominatedNodeName': ({ status }) => status?.nominatedNodeName ?? '',
  },
  indexedFields: ['spec.nodeName'],
  parts: {
    ephemeralcontainers: EPHEMERAL_CONTAINERS,
    ...(ownRelease().has('resizesOfPods') && { resize: RESIZE }),
  },
  operations: ['attach', 'binding', 'eviction', 'exec', 'log', 'portforward', 'proxy'],
  printer: POD_PRINTER,

  /** A pod that is not scheduled, or has ended, is deleted at once. */
  gracePeriodSeconds({ spec = {}, status = {} }, requested) {
    if (!spec.nodeName || status.phase === 'Succeeded' || status.phase === 'Failed') return 0;
    const seconds = requested ?? Number(spec.terminationGracePeriodSeconds ?? 0);
    return seconds < 0 ? GRACE_SECONDS_MIN : seconds;
  },

  applyDefaults({ metadata, spec, status }, gates) {
    dropInitContainerAnnotations(metadata);
    if (status !== undefined) syncAddresses(status);
    if (spec === undefined) return;
    applyPodSpecDefaults(spec, gates);
    applyPodOnlyDefaults(spec, gates);
  },

  dropDisabled({ spec }, gates, stored) {
    dropDisabledPodFields(spec, stored?.spec, gates);
  },

  prepareForCreate(object, gates) {
    const { metadata, spec = {} } = object;
    object.status = { phase: 'Pending' };
    addGatedCondition(object);
    mergeLabelKeys(spec, metadata.labels, gates);
    if (ownRelease().has('seccompAnnotations')) syncSeccomp(object);
    syncAppArmor(object);
    if (defaultsPodResourcesLate(gates)) applyLateResourceDefaults(spec);
    object.status.qosClass = qosClass(spec, gates);
  },

  prepareForUpdate({ spec }, stored, gates) {
    if (spec !== undefined) keepPodResources(spec, stored.spec, gates);
  },

  validate({ metadata, spec = {} }, stored, { gates }) {
    const errors: FieldError[] = [];
    const { annotations, name = '' } = metadata;
    if (annotations) {
      checkPodAnnotations(annotations, spec, 'metadata.annotations', errors);
    }
    const isStatic = annotations?.[MIRROR_ANNOTATION] !== undefined;
    const rules = { gates, stored: stored?.spec, isPod: true, isStatic };
    checkPodSpec(spec, name, rules, 'spec', errors);
    checkTokensHaveAccount(spec, errors);
    for (const list of ['containers', 'initContainers'] as const) {
      spec[list]?.forEach((container, index) => {
        checkImageSpace(container, `spec.${list}[${index}]`, errors);
      });
    }
    return errors;
  },

  validateCreate({ metadata: { annotations }, spec = {} }) {
    const errors: FieldError[] = [];
    if ((spec.ephemeralContainers?.length ?? 0) > 0) {
      errors.push(fieldForbidden('spec.ephemeralContainers', 'cannot be set on create'));
    }
    if (spec.nodeName && (spec.schedulingGates ?? []).length > 0) {
      const detail = 'cannot be set until all schedulingGates have been cleared';
      errors.push(fieldForbidden('spec.nodeName', detail));
    }
    if (annotations) {
      checkSameSeccomp(annotations, spec, 'spec', errors);
      checkSameAppArmor(annotations, spec, 'spec', errors);
    }
    return errors;
  },

  createWarnings: (object) => [
    ...appArmorWarnings(object),
    ...hostnameWarnings(object),
    ...podWarnings(object),
  ],

  validateUpdate({ metadata, spec = {} }, { metadata: before, spec: stored = {} }) {
    const errors: FieldError[] = [];
    const field = 'metadata.annotations';
    checkAnnotationUpdate(metadata.annotations, before.annotations, field, errors);
    checkPodUpdate(spec, stored, errors);
    return errors;
  },

  prepareForStatusUpdate(object, stored) {
    const { ownerReferences, deletionTimestamp } = stored.metadata;
    object.metadata.deletionTimestamp = deletionTimestamp;
    if (ownerReferences === undefined) delete object.metadata.ownerReferences;
    else object.metadata.ownerReferences = ownerReferences;
    if (object.status !== undefined) keepStatusMembers(object.status, stored.status ?? {});
  },

  validateStatusUpdate(object, stored, _, gates) {
    const errors: FieldError[] = [];
    const field = 'metadata.annotations';
    const { annotations } = object.metadata;
    checkAnnotationUpdate(annotations, stored.metadata.annotations, field, errors);
    checkPodStatus(object, stored, gates, errors);
    return errors;
  },

  statusWarnings: ({ status }) => podStatusWarnings(status),
});

/** A pod whose name is no DNS label has a host name that others may not expect. */
function hostnameWarnings({ metadata: { name = '' } }: Pod): string[] {
  const problems = ownRelease().has('podNameWarnings') ? dnsLabel(name) : [];
  if (problems.length === 0) return [];
  const what =
    "this is used in the Pod's hostname, which can result in surprising behavior; " +
    `a DNS label is recommended: [${problems.join(' ')}]`;
  return [`metadata.name: ${what}`];
}

/** A pod with tokens in its volumes needs an account; a template need not name one yet. */
function checkTokensHaveAccount(spec: PodSpec, errors: FieldError[]): void {
  if (spec.serviceAccountName) return;
  spec.volumes?.forEach(({ projected }, index) => {
    projected?.sources?.forEach(({ serviceAccountToken }, at) => {
      if (serviceAccountToken === undefined) return;
      const field = `spec.volumes[${index}].projected.sources[${at}].serviceAccountToken`;
      const detail = 'must not be specified when serviceAccountName is not set';
      errors.push(fieldForbidden(field, detail));
    });
  });
}
