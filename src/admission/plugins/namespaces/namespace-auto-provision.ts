/** NamespaceAutoProvision: a create in a namespace that is not there makes it first. */
import type { NamespaceReplica } from '../../namespace-replica.ts';
import { StatusError } from '../../../semantics/errors/status.ts';
import type { AdmissionContext, AdmissionPlugin } from '../../plugin.ts';
import type { Proposal } from '../../proposal.ts';
import { refused } from '../../refused.ts';

type Context = Pick<AdmissionContext, 'namespaces' | 'objects'>;

export class NamespaceAutoProvision implements AdmissionPlugin {
  readonly knows: readonly NamespaceReplica[];
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
    this.knows = [context.namespaces];
  }

  /** Throws and rejects with StatusError 403. A dry run makes none. */
  admit(proposal: Proposal): Promise<void> | undefined {
    const { namespace, dryRun } = proposal;
    if (dryRun || namespace === '') return undefined;
    if (this.#context.namespaces.get(namespace) !== undefined) return undefined;
    return this.#make(proposal);
  }

  async #make(proposal: Proposal): Promise<void> {
    const { namespace: name } = proposal;
    const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    try {
      await this.#context.objects('namespaces').create({ namespace: '', name }, object);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      // Somebody else has made it meanwhile.
      if (error.code === 409) return;
      throw error.code === 403 ? error : refused(proposal, error.message);
    }
  }
}
