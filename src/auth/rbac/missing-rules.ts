/** Finds and describes the rules that a user lacks to give them to others (README.md#grants). */
import type { PolicyRule } from '#messages/rbac.v1';
import { appendAll } from '../../base/append-all.ts';
import { quoteText } from '../../codec/json/strict-quote.ts';
import type { Rules } from './role-table.ts';
import { urlCovers } from './rule-allows.ts';

const SUBRESOURCE = /^[^/]*(\/.*)$/s;

/**
 * The parts of `given` that no single rule of `held` covers: each of one verb, and of one resource
 * of one group or one path, and of one name where there are names.
 */
export function missingRules(held: Rules, given: Rules): PolicyRule[] {
  return given.flatMap(partsOf).filter((part) => !held.some((rule) => coversPart(rule, part)));
}

/** One line for each resource, or path and verb, sorted. */
export function describeRules(parts: Rules): string {
  const lines = new Set(compacted(parts).map(describeRule));
  return [...lines].sort(compareBytes).join('\n');
}

/** As Go sorts texts. */
function compareBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

function partsOf(rule: PolicyRule): PolicyRule[] {
  const { verbs = [], apiGroups = [], resources = [], resourceNames = [] } = rule;
  const names = resourceNames.length === 0 ? [{}] : resourceNames.map(nameOnly);
  const parts: PolicyRule[] = [];
  for (const group of apiGroups) {
    for (const resource of resources) {
      for (const verb of verbs) {
        for (const name of names) {
          parts.push({ apiGroups: [group], resources: [resource], verbs: [verb], ...name });
        }
      }
    }
  }
  for (const url of rule.nonResourceURLs ?? []) {
    for (const verb of verbs) parts.push({ nonResourceURLs: [url], verbs: [verb] });
  }
  return parts;
}

function nameOnly(name: string): Pick<PolicyRule, 'resourceNames'> {
  return { resourceNames: [name] };
}

function coversPart(rule: PolicyRule, part: PolicyRule): boolean {
  const names = rule.resourceNames ?? [];
  return (
    hasAll(rule.verbs, part.verbs) &&
    hasAll(rule.apiGroups, part.apiGroups) &&
    (part.resources ?? []).every((resource) => coversResource(rule.resources, resource)) &&
    (part.nonResourceURLs ?? []).every((url) => coversUrl(rule.nonResourceURLs, url)) &&
    // All names are more than any.
    (names.length === 0 || coversNames(names, part.resourceNames))
  );
}

function coversNames(held: readonly string[], given: readonly string[] | undefined): boolean {
  return given !== undefined && given.every((name) => held.includes(name));
}

function hasAll(held: readonly string[] = [], given: readonly string[] = []): boolean {
  return held.includes('*') || given.every((value) => held.includes(value));
}

function coversResource(held: readonly string[] = [], given: string): boolean {
  if (held.includes('*') || held.includes(given)) return true;
  const [, subresource] = SUBRESOURCE.exec(given) ?? [];
  return subresource !== undefined && held.includes(`*${subresource}`);
}

function coversUrl(held: readonly string[] = [], given: string): boolean {
  return held.some((url) => urlCovers(url, given));
}

/** Parts of the same resource, and name, become one rule with all their verbs. */
function compacted(parts: Rules): PolicyRule[] {
  const verbsOf = new Map<string, string[]>();
  const rules: PolicyRule[] = [];
  for (const part of parts) {
    const { verbs = [], ...what } = part;
    const key = JSON.stringify(what);
    const known = part.nonResourceURLs === undefined ? verbsOf.get(key) : undefined;
    if (known !== undefined) {
      appendAll(known, verbs);
      continue;
    }
    const all = [...verbs];
    verbsOf.set(key, all);
    rules.push({ ...what, verbs: all });
  }
  return rules;
}

function describeRule(rule: PolicyRule): string {
  const members: readonly (readonly [string, readonly string[] | undefined])[] = [
    ['APIGroups', rule.apiGroups],
    ['Resources', rule.resources],
    ['NonResourceURLs', rule.nonResourceURLs],
    ['ResourceNames', rule.resourceNames],
    ['Verbs', rule.verbs],
  ];
  const shown = members.flatMap(([name, values]) =>
    values === undefined ? [] : [`${name}:${quotedList(values)}`],
  );
  return `{${shown.join(', ')}}`;
}

/** `["a" "b"]`. */
export function quotedList(values: readonly string[]): string {
  return `[${values.map(quoteText).join(' ')}]`;
}
