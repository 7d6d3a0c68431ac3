/** The quotas of each namespace, as far as writes are looked at by them. */
import type { ResourceQuota, ScopedResourceSelectorRequirement } from '#messages/core.v1';
import type { TypeIndex } from '../../../replicas/follow-type.ts';
import type { Amounts } from '../../../quota/amounts.ts';
import { scopeRequirements } from '../../../quota/scopes.ts';
import { compareTexts } from '../../../base/text/compare-texts.ts';

export interface KnownQuota {
  readonly name: string;
  readonly uid: string;
  /** The names of what it limits: none before its first count. */
  readonly limited: readonly string[];
  /** The names of what it is to limit, once that is counted. */
  readonly wanted: readonly string[];
  /** The names of what has been counted. */
  readonly counted: ReadonlySet<string>;
  readonly scopes: readonly ScopedResourceSelectorRequirement[];
}

const NONE: Amounts = Object.freeze({});

export class QuotaIndex implements TypeIndex {
  /** The quotas of each namespace that has any, in the order of their names. */
  readonly #known = new Map<string, KnownQuota[]>();

  put({ metadata, spec = {}, status }: ResourceQuota): void {
    const { namespace = '', name = '', uid = '' } = metadata;
    const known = {
      name,
      uid,
      limited: Object.keys(status?.hard ?? NONE),
      wanted: Object.keys(spec.hard ?? NONE),
      counted: new Set(Object.keys(status?.used ?? NONE)),
      scopes: scopeRequirements(spec),
    };
    const others = this.in(namespace).filter((one) => one.name !== name);
    const all = [...others, known].sort((a, b) => compareTexts(a.name, b.name));
    this.#known.set(namespace, all);
  }

  remove({ metadata: { namespace = '', name = '' } }: ResourceQuota): void {
    const others = this.in(namespace).filter((one) => one.name !== name);
    if (others.length > 0) this.#known.set(namespace, others);
    else this.#known.delete(namespace);
  }

  /** In the order of their names. */
  in(namespace: string): readonly KnownQuota[] {
    return this.#known.get(namespace) ?? [];
  }
}
