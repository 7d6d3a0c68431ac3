/**
 * NamespaceLifecycle: nothing is made in a namespace that is not there or is being deleted, and
 * those that the server needs stay (src/shard/README.md#namespaces).
 */
import { IMMORTAL_NAMESPACES } from '../../../resources/core/namespace.ts';
import { forbidden } from '../../../semantics/errors/status.ts';
import type { NamespaceReplica } from '../../namespace-replica.ts';
import type { AdmissionContext, AdmissionPlugin } from '../../plugin.ts';
import type { Proposal } from '../../proposal.ts';

export class NamespaceLifecycle implements AdmissionPlugin {
  readonly knows: readonly NamespaceReplica[];
  readonly #namespaces: NamespaceReplica;

  constructor({ namespaces }: Pick<AdmissionContext, 'namespaces'>) {
    this.#namespaces = namespaces;
    this.knows = [this.#namespaces];
  }

  /** Throws StatusError 403 or 404. */
  admit(proposal: Proposal): void {
    const { operation, group, resource, namespace, name } = proposal;
    if (group === '' && resource === 'namespaces') {
      if (operation !== 'DELETE' || !IMMORTAL_NAMESPACES.has(name)) return;
      throw forbidden(proposal.groupResource, name, 'this namespace may not be deleted');
    }
    if (operation !== 'CREATE' || namespace === '') return;
    this.#namespaces.checkCreate(namespace, proposal.groupResource, proposal.shownName);
  }
}
