/** Roles of one type, by namespace and name: their rules, as they were written. */
import type { ApiObject } from '../../resources/kind.ts';
import type { PolicyRule } from '../../resources/rbac/policy-rules.ts';
import { indexKey } from '../follow-type.ts';
import type { TypeIndex } from '../follow-type.ts';

export type Rules = readonly PolicyRule[];

export class RoleTable implements TypeIndex {
  readonly #rules = new Map<string, Rules>();

  put(role: ApiObject): void {
    this.#rules.set(indexKey(role), (role as { readonly rules?: Rules | null }).rules ?? []);
  }

  remove(role: ApiObject): void {
    this.#rules.delete(indexKey(role));
  }

  /** By `namespace/name`, or `/name` of a cluster role. */
  get(key: string): Rules | undefined {
    return this.#rules.get(key);
  }
}
