/** Labels of nodes that had another name before, and warnings to who selects nodes by them. */
import type { NodeSelectorTerm } from '#messages/core.v1';
import type { LabelSelector } from '#messages/meta.v1';
import { ownRelease } from '../../../release/release.ts';
import { ownName } from '../../../semantics/dialect/own-names.ts';

/** Old labels with the names that they have now. */
const RENAMED = [
  ['beta.cluster.io/arch', 'v1.14', 'cluster.io/arch'],
  ['beta.cluster.io/os', 'v1.14', 'cluster.io/os'],
  ['failure-domain.beta.cluster.io/region', 'v1.17', 'topology.cluster.io/region'],
  ['failure-domain.beta.cluster.io/zone', 'v1.17', 'topology.cluster.io/zone'],
  ['beta.cluster.io/instance-type', 'v1.17', 'node.cluster.io/instance-type'],
] as const;

const MORE = [
  ['app.cluster.io/created-by', 'deprecated since v1.9'],
  [
    'scheduler.alpha.cluster.io/preferAvoidPods',
    'deprecated since v1.22; use Taints and Tolerations instead',
  ],
  ['node-role.cluster.io/master', `use "${ownName('node-role.cluster.io/control-plane')}" instead`],
] as const;

const NEW_NAMES: ReadonlyMap<string, string> = new Map(
  RENAMED.map(([before, , now]) => [ownName(before), ownName(now)]),
);

const TEXTS: ReadonlyMap<string, string> = new Map([
  ...RENAMED.map(([before, since, now]): [string, string] => {
    return [ownName(before), `deprecated since ${since}; use "${ownName(now)}" instead`];
  }),
  ...(ownRelease().has('moreOldNodeLabels')
    ? MORE.map(([name, text]): [string, string] => [ownName(name), text])
    : []),
]);

/** Warns of a label of nodes that is deprecated; undefined for others. */
export function oldLabelText(label: string): string | undefined {
  return TEXTS.get(label);
}

/** The name that a label of nodes has now, where it had another one. */
export function newLabelName(label: string): string | undefined {
  return NEW_NAMES.get(label);
}

/** Warnings about a term at the path `field`. */
export function termWarnings({ matchExpressions = [] }: NodeSelectorTerm, field: string): string[] {
  return expressionWarnings(matchExpressions, field);
}

/** Warnings about a selector of nodes at the path `field`. */
export function nodeSelectorWarnings(
  { matchLabels = {}, matchExpressions = [] }: LabelSelector,
  field: string,
): string[] {
  const ofLabels = Object.keys(matchLabels).flatMap((label) => {
    const text = oldLabelText(label);
    return text === undefined ? [] : [`${field}.matchLabels.${label}: ${text}`];
  });
  return [...expressionWarnings(matchExpressions, field), ...ofLabels];
}

function expressionWarnings(
  expressions: readonly { readonly key?: string }[],
  field: string,
): string[] {
  return expressions.flatMap(({ key = '' }, index) => {
    const text = oldLabelText(key);
    return text === undefined ? [] : [`${field}.matchExpressions[${index}].key: ${key} is ${text}`];
  });
}
