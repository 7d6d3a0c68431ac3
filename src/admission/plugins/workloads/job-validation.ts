/** JobValidation: the parallelism of a job whose pods are scheduled as a gang stays. */
import type { Job } from '#messages/batch.v1';
import type { PodGroup } from '#messages/scheduling.v1alpha2';
import { quoteText } from '../../../codec/json/strict-quote.ts';
import type { AdmissionContext, AdmissionPlugin } from '../../plugin.ts';
import type { Proposal } from '../../proposal.ts';
import { refused } from '../../refused.ts';

const GROUPS = 'podgroups.scheduling.cluster.io';
const PAGE = 500;

export class JobValidation implements AdmissionPlugin {
  readonly #objects: AdmissionContext['objects'];

  constructor({ objects }: Pick<AdmissionContext, 'objects'>) {
    this.#objects = objects;
  }

  /** Rejects with StatusError 403. */
  validate(proposal: Proposal): Promise<void> | undefined {
    const [job, before] = [proposal.object as Job, proposal.oldObject as Job];
    if (job.spec?.parallelism === before.spec?.parallelism) return undefined;
    return this.#check(proposal, before);
  }

  async #check(proposal: Proposal, before: Job): Promise<void> {
    // Where groups cannot be asked for, as where they are not served, nothing is known of gangs.
    const gang = await this.#gangOf(before).catch(() => undefined);
    if (gang === undefined) return;
    const name = quoteText(gang.metadata.name ?? '');
    const why = `cannot change parallelism for a Job referencing gang-scheduled PodGroup ${name}`;
    throw refused(proposal, why);
  }

  /** The gang that its pods are of: the one that their template names, or one of its own. */
  async #gangOf({ metadata, spec }: Job): Promise<PodGroup | undefined> {
    const { namespace = '', uid = '' } = metadata;
    const groups = this.#objects(GROUPS);
    const name = spec?.template?.spec?.schedulingGroup?.podGroupName;
    if (name !== undefined) {
      const group = await groups.get<PodGroup>({ namespace, name });
      return group !== undefined && isGang(group) ? group : undefined;
    }
    let token = '';
    do {
      const page = await groups.list<PodGroup>(namespace, PAGE, token);
      const own = page.items.find((group) => isGang(group) && isControlledBy(group, uid));
      if (own !== undefined) return own;
      token = page.continueToken;
    } while (token !== '');
    return undefined;
  }
}

function isGang({ spec = {} }: PodGroup): boolean {
  return spec.schedulingPolicy?.gang !== undefined;
}

function isControlledBy({ metadata }: PodGroup, uid: string): boolean {
  const { ownerReferences = [] } = metadata;
  return ownerReferences.some((owner) => owner.controller === true && owner.uid === uid);
}
