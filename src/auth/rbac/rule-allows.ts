/** Whether one rule of a role covers what is to be done (README.md#rules). */
import type { PolicyRule } from '#messages/rbac.v1';
import { trimEndOf } from '../../base/text/trim-end.ts';
import type { AccessAttributes } from '../authorizer.ts';

/** Whether one rule covers what is asked for. `pods` does not cover `pods/log`. */
export function ruleAllows(rule: PolicyRule, asked: AccessAttributes): boolean {
  if (!covers(rule.verbs, asked.verb)) return false;
  if (!asked.isResource) return urlsCover(rule.nonResourceURLs, asked.path);
  return (
    covers(rule.apiGroups, asked.group) &&
    resourcesCover(rule.resources, asked) &&
    namesCover(rule.resourceNames, asked.name)
  );
}

// Loops, and not `some`: a decision looks at many rules, and a callback for each costs more.
function covers(values: readonly string[] = [], asked: string): boolean {
  for (const value of values) if (value === asked || value === '*') return true;
  return false;
}

function resourcesCover(
  resources: readonly string[] = [],
  { resource, subresource }: AccessAttributes,
): boolean {
  for (const covered of resources) {
    if (covered === '*') return true;
    if (subresource === '') {
      if (covered === resource) return true;
    } else if (covered.endsWith(subresource)) {
      const type = covered.slice(0, -subresource.length);
      if (type === '*/' || type === `${resource}/`) return true;
    }
  }
  return false;
}

/** No names are all names; a request without a name is then never covered. */
function namesCover(names: readonly string[] = [], name: string): boolean {
  return names.length === 0 || names.includes(name);
}

function urlsCover(urls: readonly string[] = [], path: string): boolean {
  for (const url of urls) if (urlCovers(url, path)) return true;
  return false;
}

/** Whether a path that rules name, which may end with `*`, stands for another one. */
export function urlCovers(url: string, path: string): boolean {
  if (url === '*' || url === path) return true;
  return url.endsWith('*') && path.startsWith(trimEndOf(url, '*'));
}
