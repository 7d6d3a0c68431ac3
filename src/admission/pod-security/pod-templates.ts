/** The types that are checked, and their templates of pods. Loaded in every thread: only types. */
import type { ApiObject } from '../../resources/kind.ts';
import type { ProposedWrite } from '../proposal.ts';
import type { CheckedPod } from './pod-check.ts';

interface Templated {
  readonly template?: CheckedPod;
}

const OF_SPEC = ({ spec }: ApiObject): CheckedPod | undefined => (spec as Templated)?.template;

/** By group and type: what the object makes its pods of, if it says so. */
const TEMPLATES: Readonly<Record<string, (object: ApiObject) => CheckedPod | undefined>> = {
  '/podtemplates': (object) => object['template'] as CheckedPod | undefined,
  '/replicationcontrollers': OF_SPEC,
  'apps/replicasets': OF_SPEC,
  'apps/deployments': OF_SPEC,
  'apps/statefulsets': OF_SPEC,
  'apps/daemonsets': OF_SPEC,
  'batch/jobs': OF_SPEC,
  'batch/cronjobs': ({ spec }) => {
    const { jobTemplate } = (spec ?? {}) as { jobTemplate?: { spec?: Templated } };
    return jobTemplate?.spec?.template;
  },
};

/** Subresources of a pod that change what runs in it. */
const POD_SUBRESOURCES: ReadonlySet<string> = new Set(['', 'ephemeralcontainers']);

/** Whether a write may make a pod what it may not be, or a namespace ask for something else. */
export function concernsPodSecurity(write: ProposedWrite): boolean {
  const { operation, group, resource, subresource } = write;
  if (operation !== 'CREATE' && operation !== 'UPDATE') return false;
  if (group === '' && resource === 'pods') return POD_SUBRESOURCES.has(subresource);
  if (subresource !== '') return false;
  const type = `${group}/${resource}`;
  return type === '/namespaces' || Object.hasOwn(TEMPLATES, type);
}

export function templateOf(
  { group, resource }: ProposedWrite,
  object: ApiObject,
): CheckedPod | undefined {
  return TEMPLATES[`${group}/${resource}`]?.(object);
}
