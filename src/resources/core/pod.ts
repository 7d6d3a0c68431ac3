/** Pod (API-FACTS 13.3, 13.4 and 14.2). */
import { fieldForbidden, type FieldError } from '../../semantics/field-error.ts';
import { defineKind, type ApiObject } from '../kind.ts';
import { checkImageSpace } from './container.ts';
import { EPHEMERAL_CONTAINERS } from './ephemeral-containers.ts';
import { checkAnnotationUpdate, checkPodAnnotations } from './pod-annotations.ts';
import { applyPodOnlyDefaults, applyPodSpecDefaults } from './pod-defaults.ts';
import { POD_PRINTER } from './pod-printer.ts';
import { qosClass } from './pod-qos.ts';
import { checkPodSpec, type PodSpec } from './pod-spec.ts';
import { checkPodStatus, joinAddresses, type PodStatus } from './pod-status.ts';
import { checkPodUpdate } from './pod-update.ts';

export interface Pod extends ApiObject {
  spec?: PodSpec;
  status?: PodStatus;
}

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
  nameRule: 'dnsSubdomain',
  statusSubresource: { metadataWritable: true, keptMetadata: ['ownerReferences'] },
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'object',
  checksFinalizerNames: true,
  selectableFields: {
    'spec.nodeName': nodeName,
    'spec.host': nodeName,
    'spec.restartPolicy': ({ spec }) => spec?.restartPolicy ?? '',
    'spec.schedulerName': ({ spec }) => spec?.schedulerName ?? '',
    'spec.serviceAccountName': ({ spec }) => spec?.serviceAccountName ?? '',
    'status.phase': ({ status }) => status?.phase ?? '',
    'status.podIP': ({ status }) => status?.podIP ?? '',
    // A known name without a value, as in the reference.
    'status.podIPs': () => '',
    'status.nominatedNodeName': ({ status }) => status?.nominatedNodeName ?? '',
  },
  indexedFields: ['spec.nodeName'],
  parts: { ephemeralcontainers: EPHEMERAL_CONTAINERS },
  operations: ['attach', 'binding', 'eviction', 'exec', 'log', 'portforward', 'proxy'],
  printer: POD_PRINTER,

  /** A pod that runs nowhere, or has ended, has nothing to finish. */
  gracePeriodSeconds({ spec = {}, status = {} }, requested) {
    if (!spec.nodeName || status.phase === 'Succeeded' || status.phase === 'Failed') return 0;
    const seconds = requested ?? Number(spec.terminationGracePeriodSeconds ?? 0);
    return seconds < 0 ? GRACE_SECONDS_MIN : seconds;
  },

  applyDefaults({ spec }) {
    if (spec === undefined) return;
    applyPodSpecDefaults(spec);
    applyPodOnlyDefaults(spec);
  },

  prepareForCreate(object) {
    object.status = { phase: 'Pending', qosClass: qosClass(object.spec ?? {}) };
  },

  validate({ metadata, spec = {} }) {
    const errors: FieldError[] = [];
    const { annotations, name = '' } = metadata;
    if (annotations) {
      checkPodAnnotations(annotations, spec.nodeName, 'metadata.annotations', errors);
    }
    checkPodSpec(spec, name, 'spec', errors);
    for (const list of ['containers', 'initContainers'] as const) {
      spec[list]?.forEach((container, index) => {
        checkImageSpace(container, `spec.${list}[${index}]`, errors);
      });
    }
    return errors;
  },

  validateCreate({ spec = {} }) {
    if ((spec.ephemeralContainers?.length ?? 0) === 0) return [];
    return [fieldForbidden('spec.ephemeralContainers', 'cannot be set on create')];
  },

  validateUpdate({ metadata, spec = {} }, { metadata: before, spec: stored = {} }) {
    const errors: FieldError[] = [];
    const field = 'metadata.annotations';
    checkAnnotationUpdate(metadata.annotations, before.annotations, field, errors);
    checkPodUpdate(spec, stored, errors);
    return errors;
  },

  prepareForStatusUpdate(object, stored) {
    const { ownerReferences } = stored.metadata;
    if (ownerReferences === undefined) delete object.metadata.ownerReferences;
    else object.metadata.ownerReferences = ownerReferences;
    if (object.status) joinAddresses(object.status);
  },

  validateStatusUpdate({ metadata, status = {} }, { metadata: before, spec, status: stored = {} }) {
    const errors: FieldError[] = [];
    const field = 'metadata.annotations';
    checkAnnotationUpdate(metadata.annotations, before.annotations, field, errors);
    checkPodStatus(status, stored, spec?.restartPolicy, errors);
    return errors;
  },
});
