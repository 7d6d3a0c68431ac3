/**
 * Priority: a pod has the priority and the preemption policy of the class that it names, or of the
 * one that is for those that name none. There is one such class at most.
 */
import type { Pod, PodSpec } from '#messages/core.v1';
import type { PriorityClass } from '#messages/scheduling.v1';
import type { FollowedType, TypeIndex } from '../../../replicas/follow-type.ts';
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

export class Priority implements AdmissionPlugin {
  readonly knows: readonly FollowedType[];
  readonly #classes = new PriorityClasses();
  readonly #hasPreemptionPolicy: boolean;

  constructor({ follow, gates }: Pick<AdmissionContext, 'follow' | 'gates'>) {
    this.#hasPreemptionPolicy = gates.has('NonPreemptingPriority');
    this.knows = [follow('priorityclasses.scheduling.cluster.io', this.#classes)];
  }

  /** Throws StatusError 403. */
  admit(proposal: Proposal): void {
    const { operation, resource, object, oldObject } = proposal;
    if (resource !== 'pods') return;
    const spec = ((object as Pod).spec ??= {});
    if (operation === 'CREATE') this.#setPriority(spec, proposal);
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
    const { priorityClassName = '' } = spec;
    const known =
      priorityClassName === ''
        ? (this.#classes.default ?? NO_CLASS)
        : this.#classes.get(priorityClassName);
    if (known === undefined) {
      throw refused(proposal, `no PriorityClass with name ${priorityClassName} was found`);
    }
    const { name, value, preemptionPolicy } = known;
    if (name !== '') spec.priorityClassName = name;
    if (spec.priority !== undefined && spec.priority !== value) {
      throw refused(proposal, computed('integer value of priority', spec.priority, value));
    }
    spec.priority = value;
    if (preemptionPolicy === undefined || !this.#hasPreemptionPolicy) return;
    if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== preemptionPolicy) {
      const what = 'string value of PreemptionPolicy';
      throw refused(proposal, computed(what, spec.preemptionPolicy, preemptionPolicy));
    }
    spec.preemptionPolicy = preemptionPolicy;
  }
}

function computed(what: string, given: string | number, wanted: string | number): string {
  return (
    `the ${what} (${given}) must not be provided in pod spec; ` +
    `priority admission controller computed ${wanted} from the given PriorityClass name`
  );
}

/** Whoever writes a pod again need not know what was computed. */
function keepPriority(spec: PodSpec, { priority, preemptionPolicy }: PodSpec): void {
  if (priority !== undefined) spec.priority ??= priority;
  if (preemptionPolicy !== undefined) spec.preemptionPolicy ??= preemptionPolicy;
}
