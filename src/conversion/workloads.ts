/** Deployments, sets of replicas and daemons in the versions before apps/v1. */
import type { ApiObject } from '../resources/kind.ts';
import type { DefaultDifference, RemovedVersion, Report } from './manifest-version.ts';
import { annotation, isMembers, objectAt, setAnnotation } from './members.ts';

const EXTENSIONS = 'extensions/v1beta1';
const V1BETA1 = 'apps/v1beta1';
const V1BETA2 = 'apps/v1beta2';
const GONE = { removedIn: '1.16', replacement: 'apps/v1' } as const;

/** The controllers of apps/v1 read from these what the members said before. */
const ROLLBACK = 'deprecated.deployment.rollback.to';
const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

/** No limit. */
const INT32_MAX = 2 ** 31 - 1;

const ON_DELETE: DefaultDifference = {
  path: 'spec.updateStrategy.type',
  here: 'OnDelete',
  stored: 'RollingUpdate',
};

/** The default of the stored version where an object says nothing about updates. */
const NO_PARTITION: DefaultDifference = {
  path: 'spec.updateStrategy.rollingUpdate.partition',
  here: undefined,
  stored: 0,
  applies: (object) => objectAt(object, 'spec', 'updateStrategy')?.['type'] === undefined,
};

const ONE_AT_A_TIME = ['maxUnavailable', 'maxSurge'].map((name): DefaultDifference => ({
  path: `spec.strategy.rollingUpdate.${name}`,
  here: 1,
  stored: '25%',
  applies: isRolling,
}));

function isRolling(object: ApiObject): boolean {
  const type = objectAt(object, 'spec', 'strategy')?.['type'] ?? 'RollingUpdate';
  return type === 'RollingUpdate';
}

/** The oldest versions made labels and selector of the labels of the template. */
function fromTemplate(object: ApiObject, report: Report): ApiObject {
  const { metadata } = object as { metadata?: { labels?: Record<string, string> } };
  const spec = objectAt(object, 'spec');
  const labels = objectAt(object, 'spec', 'template', 'metadata', 'labels');
  if (spec !== undefined && labels !== undefined && Object.keys(labels).length > 0) {
    spec['selector'] ??= { matchLabels: { ...labels } };
    if (Object.keys(metadata?.labels ?? {}).length === 0) {
      object['metadata'] = { ...metadata, labels: { ...labels } as Record<string, string> };
    }
  }
  return needsSelector(object, report);
}

function needsSelector(object: ApiObject, report: Report): ApiObject {
  const spec = objectAt(object, 'spec');
  if (spec !== undefined && !isMembers(spec['selector'])) report('spec.selector', 'is required');
  return object;
}

/** A number that is a member before, and an annotation in apps/v1. */
function toAnnotation(object: ApiObject, value: unknown, name: string, report: Report): void {
  if (typeof value === 'number' && Number.isSafeInteger(value)) {
    setAnnotation(object, name, String(value));
  } else if (value !== undefined) {
    report(`metadata.annotations[${name}]`, 'cannot be made of what is no number');
  }
}

function takeNumber(object: ApiObject, name: string, report: Report): number | undefined {
  const text = annotation(object, name);
  if (text === undefined) return undefined;
  setAnnotation(object, name, undefined);
  if (/^-?[0-9]{1,15}$/.test(text)) return Number(text);
  report(`metadata.annotations[${name}]`, 'is no number');
  return undefined;
}

function deploymentToStored(object: ApiObject, report: Report): ApiObject {
  const spec = objectAt(object, 'spec');
  if (spec?.['rollbackTo'] !== undefined) {
    const revision = objectAt(spec, 'rollbackTo')?.['revision'] ?? 0;
    delete spec['rollbackTo'];
    toAnnotation(object, revision, ROLLBACK, report);
  }
  return fromTemplate(object, report);
}

function deploymentFromStored(object: ApiObject, report: Report): ApiObject {
  const revision = takeNumber(object, ROLLBACK, report);
  const spec = objectAt(object, 'spec');
  if (spec !== undefined && revision !== undefined) spec['rollbackTo'] = { revision };
  return object;
}

function takeGeneration(object: ApiObject, report: Report): void {
  const spec = objectAt(object, 'spec');
  const generation = spec?.['templateGeneration'];
  if (spec !== undefined) delete spec['templateGeneration'];
  toAnnotation(object, generation, TEMPLATE_GENERATION, report);
}

export const REMOVED_WORKLOADS: readonly RemovedVersion[] = [
  {
    ...GONE,
    kinds: ['DaemonSet'],
    groupVersion: EXTENSIONS,
    defaults: [ON_DELETE],
    toStored(object, report) {
      takeGeneration(object, report);
      return fromTemplate(object, report);
    },
    fromStored(object, report) {
      const generation = takeNumber(object, TEMPLATE_GENERATION, report);
      const spec = objectAt(object, 'spec');
      if (spec !== undefined && generation !== undefined) spec['templateGeneration'] = generation;
      return object;
    },
  },
  {
    ...GONE,
    kinds: ['DaemonSet'],
    groupVersion: V1BETA2,
    toStored(object, report) {
      takeGeneration(object, report);
      return needsSelector(object, report);
    },
  },
  {
    ...GONE,
    kinds: ['Deployment'],
    groupVersion: EXTENSIONS,
    defaults: [
      ...ONE_AT_A_TIME,
      { path: 'spec.progressDeadlineSeconds', here: INT32_MAX, stored: 600 },
      { path: 'spec.revisionHistoryLimit', here: INT32_MAX, stored: 10 },
    ],
    toStored: deploymentToStored,
    fromStored: deploymentFromStored,
  },
  {
    ...GONE,
    kinds: ['Deployment'],
    groupVersion: V1BETA1,
    defaults: [{ path: 'spec.revisionHistoryLimit', here: 2, stored: 10 }],
    toStored: deploymentToStored,
    fromStored: deploymentFromStored,
  },
  {
    ...GONE,
    kinds: ['StatefulSet'],
    groupVersion: V1BETA1,
    defaults: [ON_DELETE, NO_PARTITION],
    toStored: fromTemplate,
  },
  { ...GONE, kinds: ['ReplicaSet'], groupVersion: EXTENSIONS, toStored: fromTemplate },
  { ...GONE, kinds: ['ReplicaSet'], groupVersion: V1BETA1, toStored: fromTemplate },
  {
    ...GONE,
    kinds: ['Deployment', 'StatefulSet', 'ReplicaSet'],
    groupVersion: V1BETA2,
    toStored: needsSelector,
  },
];
