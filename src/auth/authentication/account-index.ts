/** Which accounts there are: all that a thread keeps of them, fed by a replica of their type. */
import type { ApiObject } from '../../resources/kind.ts';
import type { ServiceAccount } from '#messages/core.v1';
import { objectFacts } from './account-facts.ts';
import type { OwnerFacts } from './account-facts.ts';

export class AccountIndex {
  readonly #keepsSecrets: boolean;
  readonly #namespaces = new Map<string, Map<string, OwnerFacts>>();

  constructor(keepsSecrets: boolean) {
    this.#keepsSecrets = keepsSecrets;
  }

  put(account: ApiObject): void {
    const { namespace = '', name = '' } = account.metadata;
    let accounts = this.#namespaces.get(namespace);
    if (accounts === undefined) {
      accounts = new Map();
      this.#namespaces.set(namespace, accounts);
    }
    const { secrets = [] } = account as ServiceAccount;
    const names = this.#keepsSecrets ? secrets.map((one) => one.name ?? '') : [];
    accounts.set(name, { ...objectFacts(account), ...(names.length > 0 && { secrets: names }) });
  }

  remove({ metadata: { namespace = '', name = '' } }: ApiObject): void {
    const accounts = this.#namespaces.get(namespace);
    accounts?.delete(name);
    if (accounts?.size === 0) this.#namespaces.delete(namespace);
  }

  get(namespace: string, name: string): OwnerFacts | undefined {
    return this.#namespaces.get(namespace)?.get(name);
  }
}
