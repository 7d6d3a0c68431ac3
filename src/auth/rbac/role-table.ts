/** Roles of one type, by namespace and name: their rules, as they were written. */
import type { PolicyRule } from '#messages/rbac.v1';
import type { ApiObject } from '../../resources/kind.ts';
import { indexKey } from '../../replicas/follow-type.ts';
import type { TypeIndex } from '../../replicas/follow-type.ts';

export type Rules = readonly PolicyRule[];

/** Lists of verbs, groups and resources that rules have in common: so many are looked for. */
const SHARED_LISTS_MAX = 1_000;

export class RoleTable implements TypeIndex {
  readonly #rules = new Map<string, Rules>();
  /** By their texts. */
  readonly #lists = new Map<string, string[]>();

  put(role: ApiObject): void {
    const { rules } = role as { readonly rules?: Rules | null };
    this.#rules.set(
      indexKey(role),
      (rules ?? []).map((rule) => this.#compact(rule)),
    );
  }

  remove(role: ApiObject): void {
    this.#rules.delete(indexKey(role));
  }

  /** By `namespace/name`, or `/name` of a cluster role. */
  get(key: string): Rules | undefined {
    return this.#rules.get(key);
  }

  /** Shares equal lists: of thousands of roles most say the same of different objects. */
  #compact({
    verbs,
    apiGroups,
    resources,
    resourceNames,
    nonResourceURLs,
  }: PolicyRule): PolicyRule {
    return {
      ...(verbs !== undefined && { verbs: this.#shared(verbs) }),
      ...(apiGroups !== undefined && { apiGroups: this.#shared(apiGroups) }),
      ...(resources !== undefined && { resources: this.#shared(resources) }),
      ...(resourceNames !== undefined && { resourceNames }),
      ...(nonResourceURLs !== undefined && { nonResourceURLs: this.#shared(nonResourceURLs) }),
    };
  }

  #shared(list: string[]): string[] {
    const text = JSON.stringify(list);
    const known = this.#lists.get(text);
    if (known !== undefined) return known;
    // Roles that share a list already go on sharing it.
    if (this.#lists.size >= SHARED_LISTS_MAX) this.#lists.clear();
    this.#lists.set(text, list);
    return list;
  }
}
