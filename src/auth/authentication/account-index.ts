/** Which accounts there are: all that a thread keeps of them, fed by a replica of their type. */
import type { ApiObject } from '../../resources/kind.ts';
import { objectFacts } from './account-facts.ts';
import type { ObjectFacts } from './account-facts.ts';

export class AccountIndex {
  readonly #namespaces = new Map<string, Map<string, ObjectFacts>>();

  put(account: ApiObject): void {
    const { namespace = '', name = '' } = account.metadata;
    let accounts = this.#namespaces.get(namespace);
    if (accounts === undefined) {
      accounts = new Map();
      this.#namespaces.set(namespace, accounts);
    }
    accounts.set(name, objectFacts(account));
  }

  remove({ metadata: { namespace = '', name = '' } }: ApiObject): void {
    const accounts = this.#namespaces.get(namespace);
    accounts?.delete(name);
    if (accounts?.size === 0) this.#namespaces.delete(namespace);
  }

  get(namespace: string, name: string): ObjectFacts | undefined {
    return this.#namespaces.get(namespace)?.get(name);
  }
}
