/** PodGroupWorkloadExists: a group of pods is made from a template that there is. */
import type { PodGroup, Workload } from '#messages/scheduling.v1alpha2';
import { quoteText } from '../../../codec/json/strict-quote.ts';
import type { AdmissionContext, AdmissionPlugin } from '../../plugin.ts';
import type { Proposal } from '../../proposal.ts';
import { refused } from '../../refused.ts';

const WORKLOADS = 'workloads.scheduling.cluster.io';

export class PodGroupWorkloadExists implements AdmissionPlugin {
  readonly #objects: AdmissionContext['objects'];

  constructor({ objects }: Pick<AdmissionContext, 'objects'>) {
    this.#objects = objects;
  }

  /** Rejects with StatusError 403. */
  validate(proposal: Proposal): Promise<void> | undefined {
    const { workload } = (proposal.object as PodGroup).spec?.podGroupTemplateRef ?? {};
    if (workload === undefined) return undefined;
    const { workloadName = '', podGroupTemplateName = '' } = workload;
    return this.#check(proposal, workloadName, podGroupTemplateName);
  }

  async #check(proposal: Proposal, name: string, template: string): Promise<void> {
    const { namespace } = proposal;
    const workload = await this.#objects(WORKLOADS).get<Workload>({ namespace, name });
    const named = `Workload ${quoteText(name)}`;
    if (workload === undefined) throw refused(proposal, `PodGroup rejected: ${named} not found`);
    if (workload.metadata.deletionTimestamp !== undefined) {
      throw refused(proposal, `PodGroup rejected: ${named} is being deleted`);
    }
    const { podGroupTemplates = [] } = workload.spec ?? {};
    if (podGroupTemplates.some((known) => known.name === template)) return;
    const missing = `PodGroupTemplate ${quoteText(template)} not found in ${named}`;
    throw refused(proposal, `PodGroup rejected: ${missing}`);
  }
}
