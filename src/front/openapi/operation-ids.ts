/** The parts of operation ids and tags. */
import { ownDialect } from '../../semantics/dialect/own-names.ts';

const OF_DOMAIN = `.${ownDialect().domain}`;

/** `CoreV1`, `RbacAuthorizationV1` and `core_v1`, `rbacAuthorization_v1`; `version` may be ''. */
export function groupIds(group: string, version: string): { idPrefix: string; tag: string } {
  const named = group.endsWith(OF_DOMAIN) ? group.slice(0, -OF_DOMAIN.length) : group;
  const parts = group === '' ? ['core'] : named.split(/[.-]/);
  const title = parts.map(capitalized).join('');
  const tag = title.slice(0, 1).toLowerCase() + title.slice(1);
  return {
    idPrefix: `${title}${capitalized(version)}`,
    tag: version === '' ? tag : `${tag}_${version}`,
  };
}

export function capitalized(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
