/** What a shard knows of the namespaces, pushed by the shard that owns them. */
import { namespaceTerminating, notFound } from '../semantics/status.ts';
import type { GroupResource } from '../semantics/status.ts';
import type { NamespaceState } from './upkeep-protocol.ts';

const NAMESPACES: GroupResource = { group: '', resource: 'namespaces' };

export class NamespaceReplica {
  readonly #states = new Map<string, NamespaceState['state']>();

  update(changes: readonly NamespaceState[]): void {
    for (const { name, state } of changes) {
      if (state === 'gone') this.#states.delete(name);
      else this.#states.set(name, state);
    }
  }

  isTerminating(namespace: string): boolean {
    return this.#states.get(namespace) === 'terminating';
  }

  /**
   * Throws what a create in the namespace is refused with: 404 when it does not exist, 403 with
   * cause NamespaceTerminating when it is being deleted (README.md#namespaces).
   */
  checkCreate(namespace: string, resource: GroupResource, name: string): void {
    const state = this.#states.get(namespace);
    if (state === 'active') return;
    if (state === undefined) throw notFound(NAMESPACES, namespace);
    throw namespaceTerminating(resource, name, namespace);
  }
}
