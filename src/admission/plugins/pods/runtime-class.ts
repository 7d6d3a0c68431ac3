/**
 * RuntimeClass: a pod has the overhead of the class that it names, and goes where the nodes have
 * that class.
 */
import type { Pod, PodSpec } from '#messages/core.v1';
import type { RuntimeClass as ClassObject } from '#messages/node.v1';
import { textMap } from '../../../base/text/text-map.ts';
import { compareQuantities } from '../../../codec/leaves/quantity.ts';
import { quoteText } from '../../../codec/json/strict-quote.ts';
import type { FollowedType, TypeIndex } from '../../../replicas/follow-type.ts';
import type { ResourceList } from '../../../resources/core/resource-names.ts';
import type { AdmissionContext, AdmissionPlugin } from '../../plugin.ts';
import type { Proposal } from '../../proposal.ts';
import { refused } from '../../refused.ts';
import { mergeTolerations } from './toleration-sets.ts';

type KnownClass = Pick<ClassObject, 'overhead' | 'scheduling'>;

const OTHER_OVERHEAD = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";
const OWN_OVERHEAD =
  'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead';

class RuntimeClasses implements TypeIndex {
  readonly #classes = new Map<string, KnownClass>();

  put({ metadata: { name = '' }, overhead, scheduling }: ClassObject): void {
    this.#classes.set(name, { ...(overhead && { overhead }), ...(scheduling && { scheduling }) });
  }

  remove({ metadata: { name = '' } }: ClassObject): void {
    this.#classes.delete(name);
  }

  get(name: string): KnownClass | undefined {
    return this.#classes.get(name);
  }
}

export class RuntimeClass implements AdmissionPlugin {
  readonly knows: readonly FollowedType[];
  readonly #classes = new RuntimeClasses();
  readonly #hasOverhead: boolean;

  constructor({ follow, gates }: Pick<AdmissionContext, 'follow' | 'gates'>) {
    this.#hasOverhead = gates.has('PodOverhead');
    this.knows = [follow('runtimeclasses.node.cluster.io', this.#classes)];
  }

  /** Throws StatusError 403. */
  admit(proposal: Proposal): void {
    const spec = ((proposal.object as Pod).spec ??= {});
    const { overhead, scheduling } = this.#classOf(spec, proposal);
    if (overhead && this.#hasOverhead) setOverhead(spec, overhead.podFixed, proposal);
    if (scheduling) setScheduling(spec, scheduling, proposal);
  }

  /** Throws StatusError 403. */
  validate(proposal: Proposal): void {
    const { spec = {} } = proposal.object as Pod;
    const { overhead } = this.#classOf(spec, proposal);
    if (!this.#hasOverhead) return;
    if (overhead === undefined) {
      if (spec.overhead !== undefined) throw refused(proposal, OWN_OVERHEAD);
    } else if (!sameAmounts(spec.overhead, overhead.podFixed)) {
      throw refused(proposal, OTHER_OVERHEAD);
    }
  }

  /** The facts of the pod's class: none where it has no class. */
  #classOf({ runtimeClassName }: PodSpec, proposal: Proposal): KnownClass {
    if (runtimeClassName === undefined) return {};
    const known = this.#classes.get(runtimeClassName);
    if (known !== undefined) return known;
    const name = quoteText(runtimeClassName);
    throw refused(proposal, `pod rejected: RuntimeClass ${name} not found`);
  }
}

function setOverhead(spec: PodSpec, amounts: ResourceList | undefined, proposal: Proposal): void {
  if (spec.overhead !== undefined && !sameAmounts(spec.overhead, amounts)) {
    throw refused(proposal, OTHER_OVERHEAD);
  }
  if (amounts === undefined) delete spec.overhead;
  else spec.overhead = textMap(amounts);
}

function sameAmounts(a: ResourceList = {}, b: ResourceList = {}): boolean {
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  return names.every((name) => {
    if (!Object.hasOwn(b, name)) return false;
    return compareQuantities(a[name] ?? '0', b[name] ?? '0') === 0;
  });
}

function setScheduling(
  spec: PodSpec,
  { nodeSelector, tolerations = [] }: NonNullable<KnownClass['scheduling']>,
  proposal: Proposal,
): void {
  for (const key of Object.keys(nodeSelector ?? {}).sort()) {
    const wanted = nodeSelector?.[key] ?? '';
    const asked = spec.nodeSelector?.[key];
    if (asked !== undefined && asked !== wanted) {
      throw refused(proposal, selectorConflict(key, wanted, asked));
    }
  }
  if (nodeSelector) spec.nodeSelector = textMap({ ...spec.nodeSelector, ...nodeSelector });
  // The class is shared by many pods, and pods are changed.
  const copies = tolerations.map((toleration) => ({ ...toleration }));
  spec.tolerations = mergeTolerations(spec.tolerations ?? [], copies);
}

function selectorConflict(key: string, wanted: string, asked: string): string {
  return (
    `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${wanted}; ` +
    `pod.spec.nodeSelector[${key}] = ${asked}`
  );
}
