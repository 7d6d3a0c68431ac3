/** Which requests a rule of the laboratory is about (README.md#who-and-what). */
import { StatusError } from '../semantics/errors/status.ts';
import {
  labelMatcher,
  type LabelMatcher,
  type Labels,
} from '../semantics/selectors/label-matcher.ts';
import {
  formatLabelSelector,
  parseLabelSelector,
  type ParsedLabelSelector,
} from '../semantics/selectors/label-selector.ts';
import type { Members } from './members.ts';

/** The verbs that can be answered from the past. */
export const READS: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

/** Whether a text is a resourceVersion that a number holds exactly. */
export function isVersion(text: string): boolean {
  return /^[0-9]{1,15}$/.test(text);
}

/** A request as rules see it. */
export interface LabRequest {
  readonly user: string;
  readonly groups: readonly string[];
  readonly userAgent: string;
  /** '' where it is not known. */
  readonly address: string;
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly dryRun: boolean;
  /** What a list, watch or deletecollection demands of labels: each requirement by itself. */
  readonly selects: readonly string[];
  /** Those of the object that it names or makes; undefined where nobody has looked. */
  labels?: Labels;
}

export const WHO = ['users', 'groups', 'userAgents', 'addresses'] as const;
export const WHAT = [
  'verbs',
  'groups',
  'resources',
  'subresources',
  'namespaces',
  'names',
  'labelSelector',
  'dryRun',
] as const;

type Texts = readonly string[];

export interface Who {
  readonly users: Texts;
  readonly groups: Texts;
  readonly userAgents: Texts;
  readonly addresses: Texts;
}

/** A label selector, by what it accepts and by its requirements. */
interface LabelRule {
  readonly accepts: LabelMatcher;
  readonly requirements: Texts;
}

export interface What {
  readonly verbs: Texts;
  readonly groups: Texts;
  readonly resources: Texts;
  readonly subresources: Texts;
  readonly namespaces: Texts;
  readonly names: Texts;
  /** Undefined for objects with any labels. */
  readonly labels: LabelRule | undefined;
  /** Undefined for dry runs and others. */
  readonly dryRun: boolean | undefined;
}

/** Throws StatusError 400. */
export function readWho(members: Members): Who {
  const who = members.part('who', WHO);
  return {
    users: who.texts('users'),
    groups: who.texts('groups'),
    userAgents: who.texts('userAgents'),
    addresses: who.texts('addresses'),
  };
}

/** Throws StatusError 400. */
export function readWhat(members: Members): What {
  const what = members.part('what', WHAT);
  return {
    verbs: what.texts('verbs'),
    groups: what.texts('groups'),
    resources: what.texts('resources'),
    subresources: what.texts('subresources'),
    namespaces: what.texts('namespaces'),
    names: what.texts('names'),
    labels: readLabelRule(what),
    dryRun: what.has('dryRun') ? what.flag('dryRun') : undefined,
  };
}

function readLabelRule(what: Members): LabelRule | undefined {
  const text = what.text('labelSelector');
  if (text === '') return undefined;
  try {
    const selector = parseLabelSelector(text);
    return { accepts: labelMatcher(selector), requirements: requirementsOf(selector) };
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    throw what.wrong('labelSelector', `a label selector: ${error.message}`);
  }
}

/** The canonical text of each. */
export function requirementsOf({ requirements }: ParsedLabelSelector): Texts {
  return requirements.map((one) => formatLabelSelector({ requirements: [one] }));
}

interface Rule {
  readonly who: Who;
  readonly what: What;
}

/** Whether the rule is about the request. An empty list is about all. */
export function matches(rule: Rule, request: LabRequest): boolean {
  return matchesButLabels(rule, request) && hasLabels(rule.what, request);
}

/** Whether the labels of the object decide whether the rule is about the request. */
export function goesByLabels(rule: Rule, request: LabRequest): boolean {
  if (rule.what.labels === undefined) return false;
  const isOfOne = request.name !== '' || request.verb === 'create';
  return isOfOne && matchesButLabels(rule, request);
}

/** What asks for many objects is about those that the rule means where it demands as much. */
function hasLabels({ labels: rule }: What, { labels, selects }: LabRequest): boolean {
  if (rule === undefined) return true;
  if (labels !== undefined) return rule.accepts(labels);
  return rule.requirements.every((requirement) => selects.includes(requirement));
}

function matchesButLabels({ who, what }: Rule, request: LabRequest): boolean {
  return (
    isAmong(who.users, request.user) &&
    (who.groups.length === 0 || request.groups.some((group) => isAmong(who.groups, group))) &&
    isAmong(who.userAgents, request.userAgent) &&
    isAmong(who.addresses, request.address) &&
    isAmong(what.verbs, request.verb) &&
    isAmong(what.groups, request.group) &&
    isResource(what, request) &&
    isAmong(what.namespaces, request.namespace) &&
    isAmong(what.names, request.name) &&
    (what.dryRun === undefined || what.dryRun === request.dryRun)
  );
}

/** `pods/status` names a subresource too, as in roles. */
function isResource(what: What, { resource, subresource }: LabRequest): boolean {
  const isNamed = what.resources.some((text) => {
    const [type = '', part] = text.split('/');
    return isLike(type, resource) && (part === undefined || isLike(part, subresource));
  });
  if (what.resources.length > 0 && !isNamed) return false;
  return isAmong(what.subresources, subresource);
}

function isAmong(patterns: Texts, text: string): boolean {
  return patterns.length === 0 || patterns.some((pattern) => isLike(pattern, text));
}

/** A star stands for any letters. */
function isLike(pattern: string, text: string): boolean {
  if (!pattern.includes('*')) return pattern === text;
  const parts = pattern.split('*');
  const [first = ''] = parts;
  const last = parts.at(-1) ?? '';
  if (text.length < first.length + last.length) return false;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}
