/**
 * Warnings to clients that write pods and templates of pods, about members that are deprecated,
 * that have no effect any more, or that say one thing twice.
 */
import type { Container, NodeSelectorTerm, PodSpec, PodTemplateSpec } from '#messages/core.v1';
import { canonicalQuantity } from '../../../codec/leaves/quantity.ts';
import { ownName } from '../../../semantics/dialect/own-names.ts';
import { forEachContainer } from './containers.ts';
import { isFraction } from '../resource-names.ts';
import { SECCOMP_OF_CONTAINER, SECCOMP_OF_POD } from './seccomp-annotations.ts';
import type { SourceMember } from '../volumes/volume-sources.ts';

const NODE_LABELS: ReadonlyMap<string, string> = new Map([
  renamedLabel('beta.cluster.io/arch', 'v1.14', 'cluster.io/arch'),
  renamedLabel('beta.cluster.io/os', 'v1.14', 'cluster.io/os'),
  renamedLabel('failure-domain.beta.cluster.io/region', 'v1.17', 'topology.cluster.io/region'),
  renamedLabel('failure-domain.beta.cluster.io/zone', 'v1.17', 'topology.cluster.io/zone'),
  renamedLabel('beta.cluster.io/instance-type', 'v1.17', 'node.cluster.io/instance-type'),
]);

function renamedLabel(before: string, since: string, now: string): [name: string, text: string] {
  return [ownName(before), `deprecated since ${since}; use "${ownName(now)}" instead`];
}

const SYSCTLS = 'non-functional in v1.11+; use the "sysctls" field instead';
const ANNOTATIONS = [
  [
    ownName('scheduler.alpha.cluster.io/critical-pod'),
    'non-functional in v1.16+; use the "priorityClassName" field instead',
  ],
  [ownName('security.alpha.cluster.io/sysctls'), SYSCTLS],
  [ownName('security.alpha.cluster.io/unsafe-sysctls'), SYSCTLS],
] as const;
const SECCOMP =
  'deprecated since v1.19, non-functional in v1.25+; use the "seccompProfile" field instead';

const REMOVAL_PLANNED = 'deprecated in v1.22, support removal is planned in v1.26';
const VOLUMES: readonly (readonly [SourceMember, name: string, text: string])[] = [
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'gitRepo', 'deprecated in v1.11'],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'flocker', REMOVAL_PLANNED],
  // The reference spells this member so.
  ['storageos', 'storageOS', REMOVAL_PLANNED],
  ['quobyte', 'quobyte', REMOVAL_PLANNED],
];

const WHOLE_BYTES = ['memory', 'ephemeral-storage'] as const;
const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

/** Warnings about a pod, or about a template of pods at the path `field`. */
export function podWarnings({ metadata = {}, spec = {} }: PodTemplateSpec, field = ''): string[] {
  const at = field === '' ? '' : `${field}.`;
  const { annotations = {} } = metadata;
  const warnings: string[] = [];
  warnOfNodeLabels(spec, `${at}spec`, warnings);
  for (const [key, text] of ANNOTATIONS) {
    if (annotations[key] === undefined) continue;
    warnings.push(`${at}metadata.annotations[${key}]: ${text}`);
  }
  spec.volumes?.forEach((volume, index) => {
    for (const [member, name, text] of VOLUMES) {
      if (volume[member]) warnings.push(`${at}spec.volumes[${index}].${name}: ${text}`);
    }
  });
  warnOfRepeated(spec, `${at}spec`, warnings);
  warnOfFractions(spec.overhead, `${at}spec.overhead`, WHOLE_BYTES, warnings);
  const warnOfSeccomp = (key: string, context: { seccompProfile?: object } | undefined): void => {
    if (context?.seccompProfile !== undefined || annotations[key] === undefined) return;
    warnings.push(`${at}metadata.annotations[${key}]: ${SECCOMP}`);
  };
  warnOfSeccomp(SECCOMP_OF_POD, spec.securityContext);
  forEachContainer(spec, `${at}spec`, (container, path) => {
    warnOfSeccomp(SECCOMP_OF_CONTAINER + (container.name ?? ''), container.securityContext);
    warnOfContainer(container, path, warnings);
  });
  return warnings;
}

function warnOfNodeLabels(spec: PodSpec, field: string, warnings: string[]): void {
  const { nodeSelector = {}, affinity, topologySpreadConstraints = [] } = spec;
  for (const key of Object.keys(nodeSelector)) {
    const text = NODE_LABELS.get(key);
    if (text !== undefined) warnings.push(`${field}.nodeSelector[${key}]: ${text}`);
  }
  const warnOf = (key: string, path: string): void => {
    const text = NODE_LABELS.get(key);
    if (text !== undefined) warnings.push(`${path}: ${key} is ${text}`);
  };
  const warnOfTerm = ({ matchExpressions = [] }: NodeSelectorTerm, path: string): void => {
    matchExpressions.forEach(({ key = '' }, index) => {
      warnOf(key, `${path}.matchExpressions[${index}].key`);
    });
  };
  const { [REQUIRED]: selector = {}, [PREFERRED]: preferred = [] } = affinity?.nodeAffinity ?? {};
  const at = `${field}.affinity.nodeAffinity`;
  selector.nodeSelectorTerms?.forEach((term, index) => {
    warnOfTerm(term, `${at}.${REQUIRED}.nodeSelectorTerms[${index}]`);
  });
  preferred.forEach(({ preference = {} }, index) => {
    warnOfTerm(preference, `${at}.${PREFERRED}[${index}].preference`);
  });
  topologySpreadConstraints.forEach(({ topologyKey = '' }, index) => {
    warnOf(topologyKey, `${field}.topologySpreadConstraints[${index}].topologyKey`);
  });
}

function warnOfRepeated(spec: PodSpec, field: string, warnings: string[]): void {
  const { hostAliases = [], imagePullSecrets = [], volumes = [] } = spec;
  warnOfTwice(hostAliases, 'ip', `${field}.hostAliases`, warnings);
  warnOfTwice(imagePullSecrets, 'name', `${field}.imagePullSecrets`, warnings);
  imagePullSecrets.forEach(({ name = '' }, index) => {
    if (name !== '') return;
    warnings.push(`${field}.imagePullSecrets[${index}].name: invalid empty name ""`);
  });
  warnOfTwice(volumes, 'name', `${field}.volumes`, warnings);
}

/** Warns of each item whose value of `member` an earlier item has too. */
function warnOfTwice<Member extends string>(
  items: readonly { readonly [M in Member]?: string }[],
  member: Member,
  field: string,
  warnings: string[],
): void {
  if (items.length < 2) return;
  const seen = new Set<string>();
  items.forEach(({ [member]: value = '' }, index) => {
    if (seen.has(value)) {
      warnings.push(`${field}[${index}].${member}: duplicate ${member} ${JSON.stringify(value)}`);
    }
    seen.add(value);
  });
}

function warnOfContainer(container: Container, field: string, warnings: string[]): void {
  const { limits, requests } = container.resources ?? {};
  for (const resource of WHOLE_BYTES) {
    warnOfFractions(limits, `${field}.resources.limits`, [resource], warnings);
    warnOfFractions(requests, `${field}.resources.requests`, [resource], warnings);
  }
  warnOfTwice(container.env ?? [], 'name', `${field}.env`, warnings);
}

function warnOfFractions(
  amounts: Readonly<Record<string, string>> = {},
  field: string,
  resources: readonly string[],
  warnings: string[],
): void {
  for (const resource of resources) {
    const amount = amounts[resource];
    if (amount === undefined) continue;
    const shown = canonicalQuantity(amount);
    if (!isFraction(shown)) continue;
    const text = `fractional byte value ${JSON.stringify(shown)} is invalid, must be an integer`;
    warnings.push(`${field}[${resource}]: ${text}`);
  }
}
