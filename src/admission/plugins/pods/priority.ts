/**
 * Priority: a pod, or a group of pods, has the priority and the preemption policy of the class that
 * it names, or of the one that is for those that name none. There is one such class at most.
 */
import type { Pod, PodSpec } from '#messages/core.v1';
import type { PriorityClass } from '#messages/scheduling.v1';
import type { FollowedType, TypeIndex } from '../../../replicas/follow-type.ts';
import { ownRelease } from '../../../release/release.ts';
import type { AdmissionContext, AdmissionPlugin } from '../../plugin.ts';
import type { Proposal } from '../../proposal.ts';
import { refused } from '../../refused.ts';

interface KnownClass {
  readonly name: string;
  readonly value: number;
  readonly preemptionPolicy: string | undefined;
}

/** The class of pods that name none, where no class is marked as the default. */
const NO_CLASS: KnownClass = { name: '', value: 0, preemptionPolicy: 'PreemptLowerPriority' };

class PriorityClasses implements TypeIndex {
  readonly #classes = new Map<string, KnownClass>();
  readonly #defaults = new Map<string, KnownClass>();
  /** Those that somebody is about to make the default one. */
  readonly #claimed = new Set<string>();

  put(object: PriorityClass): void {
    const { metadata, value = 0, preemptionPolicy, globalDefault = false } = object;
    const { name = '' } = metadata;
    const known = { name, value, preemptionPolicy };
    this.#classes.set(name, known);
    if (!globalDefault) return void this.#defaults.delete(name);
    this.#defaults.set(name, known);
    this.#claimed.delete(name);
  }

  remove({ metadata: { name = '' } }: PriorityClass): void {
    this.#classes.delete(name);
    this.#defaults.delete(name);
    this.#claimed.delete(name);
  }

  get(name: string): KnownClass | undefined {
    return this.#classes.get(name);
  }

  /** The lowest one, where several were made at the same time. */
  get default(): KnownClass | undefined {
    let lowest: KnownClass | undefined;
    for (const known of this.#defaults.values()) {
      if (lowest === undefined || known.value < lowest.value) lowest = known;
    }
    return lowest;
  }

  /** The name of one that is the default one, or is about to be; undefined for none. */
  get taken(): string | undefined {
    const [claimed] = this.#claimed;
    return this.default?.name ?? claimed;
  }

  /** A write that makes it the default one is under way. */
  claim(name: string, write: Proposal): void {
    this.#claimed.add(name);
    write.whenSettled((isDone) => {
      if (!isDone || this.#defaults.has(name)) this.#claimed.delete(name);
    });
  }
}

/** The subjects that have a class, as they are called. */
const SUBJECTS: Readonly<Record<string, string>> = {
  pods: 'pod',
  podgroups: 'pod group',
  compositepodgroups: 'composite pod group',
};

type Prioritized = Pick<PodSpec, 'priorityClassName' | 'priority' | 'preemptionPolicy'>;

export class Priority implements AdmissionPlugin {
  readonly knows: readonly FollowedType[];
  readonly #classes = new PriorityClasses();
  readonly #hasPreemptionPolicy: boolean;
  readonly #groupsHavePriority: boolean;
  readonly #groupsHavePreemptionPolicy: boolean;

  constructor({ follow, gates }: Pick<AdmissionContext, 'follow' | 'gates'>) {
    this.#hasPreemptionPolicy = gates.has('NonPreemptingPriority');
    this.#groupsHavePriority =
      ownRelease().has('prioritiesOfGroups') || gates.has('WorkloadAwarePreemption');
    this.#groupsHavePreemptionPolicy = gates.has('PodGroupPreemptionPolicy');
    this.knows = [follow('priorityclasses.scheduling.cluster.io', this.#classes)];
  }

  /** Throws StatusError 403. */
  admit(proposal: Proposal): void {
    const { operation, resource, object, oldObject } = proposal;
    if (SUBJECTS[resource] === undefined) return;
    const spec = ((object as Pod).spec ??= {});
    if (resource !== 'pods') this.#setPriorityOfGroup(spec, proposal);
    else if (operation === 'CREATE') this.#setPriority(spec, proposal);
    else keepPriority(spec, (oldObject as Pod).spec ?? {});
  }

  /** Throws StatusError 403. */
  validate(proposal: Proposal): void {
    const { operation, resource, object, dryRun } = proposal;
    if (resource !== 'priorityclasses') return;
    const { metadata, globalDefault = false } = object as PriorityClass;
    if (!globalDefault) return;
    const { taken } = this.#classes;
    if (taken === undefined) {
      if (!dryRun) this.#classes.claim(metadata.name ?? '', proposal);
    } else if (operation !== 'UPDATE' || taken !== metadata.name) {
      const why = `PriorityClass ${taken} is already marked as default. Only one default can exist`;
      throw refused(proposal, why);
    }
  }

  #setPriority(spec: PodSpec, proposal: Proposal): void {
    const { value, preemptionPolicy } = this.#namedClass(spec, proposal);
    if (spec.priority !== undefined && spec.priority !== value) {
      const why =
        `the integer value of priority (${spec.priority}) must not be provided in pod spec; ` +
        `priority admission controller computed ${value} from the given PriorityClass name`;
      throw refused(proposal, why);
    }
    spec.priority = value;
    if (this.#hasPreemptionPolicy) setPreemption(spec, preemptionPolicy, proposal);
  }

  #setPriorityOfGroup(spec: Prioritized, proposal: Proposal): void {
    if (!this.#groupsHavePriority) return;
    const { value, preemptionPolicy } = this.#namedClass(spec, proposal);
    if (spec.priority !== undefined && spec.priority !== value) {
      const why =
        `priority set in the ${SUBJECTS[proposal.resource]} (${spec.priority}) must match the ` +
        `priority computed (${value}) based on the priority class set in the spec`;
      throw refused(proposal, why);
    }
    spec.priority = value;
    if (this.#groupsHavePreemptionPolicy) setPreemption(spec, preemptionPolicy, proposal);
  }

  /** The class that it names, or is to name. */
  #namedClass(spec: Prioritized, proposal: Proposal): KnownClass {
    const { priorityClassName = '' } = spec;
    const known =
      priorityClassName === ''
        ? (this.#classes.default ?? NO_CLASS)
        : this.#classes.get(priorityClassName);
    if (known === undefined) {
      throw refused(proposal, `no PriorityClass with name ${priorityClassName} was found`);
    }
    if (known.name !== '') spec.priorityClassName = known.name;
    return known;
  }
}

function setPreemption(spec: Prioritized, policy: string | undefined, proposal: Proposal): void {
  if (policy === undefined) return;
  if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== policy) {
    const why =
      `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in ` +
      `${SUBJECTS[proposal.resource]} spec; priority admission controller computed ${policy} ` +
      'from the given PriorityClass name';
    throw refused(proposal, why);
  }
  spec.preemptionPolicy = policy;
}

/** Whoever writes a pod again need not know what was computed. */
function keepPriority(spec: PodSpec, { priority, preemptionPolicy }: PodSpec): void {
  if (priority !== undefined) spec.priority ??= priority;
  if (preemptionPolicy !== undefined) spec.preemptionPolicy ??= preemptionPolicy;
}
