/** NamespaceExists: nothing is written in a namespace that is not there, whatever else is off. */
import { notFound } from '../../../semantics/errors/status.ts';
import type { NamespaceReplica } from '../../namespace-replica.ts';
import type { AdmissionContext, AdmissionPlugin } from '../../plugin.ts';
import type { Proposal } from '../../proposal.ts';

export class NamespaceExists implements AdmissionPlugin {
  readonly knows: readonly NamespaceReplica[];
  readonly #namespaces: NamespaceReplica;

  constructor({ namespaces }: Pick<AdmissionContext, 'namespaces'>) {
    this.#namespaces = namespaces;
    this.knows = [namespaces];
  }

  /** Throws StatusError 404. */
  validate({ namespace }: Proposal): void {
    if (namespace === '' || this.#namespaces.get(namespace) !== undefined) return;
    throw notFound({ group: '', resource: 'namespaces' }, namespace);
  }
}
