/**
 * Warnings to clients that write pods and templates of pods, about members that are deprecated,
 * that have no effect any more, or that say one thing twice.
 */
import type {
  Container,
  NodeSelectorTerm,
  PodSpec,
  PodTemplateSpec,
  Volume,
} from '#messages/core.v1';
import { appendAll } from '../../../base/append-all.ts';
import { deepEqual } from '../../../base/deep-equal.ts';
import { canonicalQuantity } from '../../../codec/leaves/quantity.ts';
import { ownRelease } from '../../../release/release.ts';
import type { ObjectMeta } from '../../../semantics/metadata/object-meta.ts';
import { labelValue } from '../../../semantics/metadata/names.ts';
import { ipWarnings } from '../../../semantics/validation/address-warnings.ts';
import { ownName } from '../../../semantics/dialect/own-names.ts';
import { oldLabelText } from '../nodes/node-labels.ts';
import { APP_ARMOR_TEXT, appArmorOf } from './app-armor-annotations.ts';
import { warnOfHidden, warnOfPortNames, warnOfPorts } from './containers/container-warnings.ts';
import { forEachContainer } from './containers/containers.ts';
import { APP_ARMOR_OF_CONTAINER } from './pod-annotations.ts';
import { warnOfOverlaps } from './path-warnings.ts';
import { isFraction } from '../resource-names.ts';
import { SECCOMP_OF_CONTAINER, SECCOMP_OF_POD } from './seccomp-annotations.ts';
import type { SourceMember } from '../volumes/volume-sources.ts';

const SYSCTLS = 'non-functional in v1.11+; use the "sysctls" field instead';
const ANNOTATIONS = [
  [
    ownName('scheduler.alpha.cluster.io/critical-pod'),
    'non-functional in v1.16+; use the "priorityClassName" field instead',
  ],
  [ownName('security.alpha.cluster.io/sysctls'), SYSCTLS],
  [ownName('security.alpha.cluster.io/unsafe-sysctls'), SYSCTLS],
] as const;
const RELEASE = ownRelease();
/** Whether what was to go is gone. */
const IS_GONE = RELEASE.has('goneVolumes');
const SECCOMP_ENDS = RELEASE.has('openEndOfSeccompAnnotations') ? 'a future release' : 'v1.25+';
const SECCOMP =
  (RELEASE.has('seccompAnnotations')
    ? `deprecated since v1.19, non-functional in ${SECCOMP_ENDS}; `
    : 'non-functional in v1.27+; ') + 'use the "seccompProfile" field instead';

const PLANNED = IS_GONE
  ? 'deprecated in v1.22, non-functional in v1.25+'
  : 'deprecated in v1.22, support removal is planned in v1.26';
const GLUSTER = IS_GONE
  ? 'deprecated in v1.25, non-functional in v1.26+'
  : 'deprecated in v1.25, this feature will be removed soon after in a subsequent release';
const CEPH = 'deprecated in v1.28, non-functional in v1.31+';
const GIT = RELEASE.has('gitVolumesAreOff')
  ? 'deprecated in v1.11, and disabled by default in v1.33+'
  : 'deprecated in v1.11';
type OldVolume = readonly [SourceMember, name: string, text: string];
const VOLUMES: readonly OldVolume[] = [
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'gitRepo', GIT],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'flocker', PLANNED],
  // The reference spells this member so.
  ['storageos', 'storageOS', PLANNED],
  ['quobyte', 'quobyte', PLANNED],
];
/** The reference warns of these after the others. */
const LATER_VOLUMES: readonly OldVolume[] = RELEASE.has('oldGlusterVolumes')
  ? [['glusterfs', 'glusterfs', GLUSTER]]
  : [];
const CEPH_VOLUMES: readonly OldVolume[] = RELEASE.has('oldCephVolumes')
  ? [
      ['cephfs', 'cephfs', CEPH],
      ['rbd', 'rbd', CEPH],
    ]
  : [];

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
    const path = `${at}spec.volumes[${index}]`;
    const warnOf = (old: readonly OldVolume[]): void => {
      for (const [member, name, text] of old) {
        if (volume[member]) warnings.push(`${path}.${name}: ${text}`);
      }
    };
    warnOf(VOLUMES);
    warnOf(LATER_VOLUMES);
    warnOfClaim(volume, `${path}.ephemeral.volumeClaimTemplate.spec`, warnings);
    warnOf(CEPH_VOLUMES);
  });
  if (RELEASE.has('overlappingPaths')) warnOfOverlaps(spec.volumes ?? [], warnings);
  warnOfRepeated(spec, `${at}spec`, warnings);
  warnOfFractions(spec.overhead, `${at}spec.overhead`, WHOLE_BYTES, warnings);
  const warnOfSeccomp = (key: string, context: { seccompProfile?: object } | undefined): void => {
    if (context?.seccompProfile !== undefined || annotations[key] === undefined) return;
    warnings.push(`${at}metadata.annotations[${key}]: ${SECCOMP}`);
  };
  warnOfSeccomp(SECCOMP_OF_POD, spec.securityContext);
  forEachContainer(spec, `${at}spec`, (container, path) => {
    warnOfSeccomp(SECCOMP_OF_CONTAINER + (container.name ?? ''), container.securityContext);
    if (field !== '') warnOfAppArmor(container, metadata, spec, `${at}metadata`, warnings);
    warnOfContainer(container, path, warnings);
  });
  if (RELEASE.has('warnedPorts')) warnOfPorts(spec, `${at}spec`, warnings);
  if (RELEASE.has('namedPortsWarned')) warnOfPortNames(spec, `${at}spec`, warnings);
  if (RELEASE.has('negativeGraceWarned') && Number(spec.terminationGracePeriodSeconds ?? 0) < 0) {
    const text = 'must be >= 0; negative values are invalid and will be treated as 1';
    warnings.push(`${at}spec.terminationGracePeriodSeconds: ${text}`);
  }
  if (RELEASE.has('nullSelectorsWarned')) warnOfAffinity(spec, `${at}spec.affinity`, warnings);
  warnOfAddresses(spec, `${at}spec`, warnings);
  return warnings;
}

const NULL_SELECTOR = 'a null labelSelector results in matching no pod';

function warnOfAffinity({ affinity = {} }: PodSpec, field: string, warnings: string[]): void {
  for (const member of ['podAffinity', 'podAntiAffinity'] as const) {
    const { [REQUIRED]: terms = [], [PREFERRED]: weighted = [] } = affinity[member] ?? {};
    terms.forEach(({ labelSelector }, index) => {
      const path = `${field}.${member}.${REQUIRED}[${index}].labelSelector`;
      if (labelSelector === undefined) warnings.push(`${path}: ${NULL_SELECTOR}`);
    });
    weighted.forEach(({ podAffinityTerm }, index) => {
      const path = `${field}.${member}.${PREFERRED}[${index}].podAffinityTerm.labelSelector`;
      if (podAffinityTerm?.labelSelector === undefined) warnings.push(`${path}: ${NULL_SELECTOR}`);
    });
  }
}

function warnOfAddresses(
  { dnsConfig, hostAliases = [] }: PodSpec,
  field: string,
  warnings: string[],
): void {
  dnsConfig?.nameservers?.forEach((server, index) => {
    appendAll(warnings, ipWarnings(server, `${field}.dnsConfig.nameservers[${index}]`));
  });
  hostAliases.forEach(({ ip = '' }, index) => {
    appendAll(warnings, ipWarnings(ip, `${field}.hostAliases[${index}].ip`));
  });
}

/** About the claim that an ephemeral volume makes. */
function warnOfClaim({ ephemeral }: Volume, field: string, warnings: string[]): void {
  const { resources } = ephemeral?.volumeClaimTemplate?.spec ?? {};
  if (resources === undefined || !RELEASE.has('warnedClaimsOfPods')) return;
  warnOfFractions(resources.requests, `${field}.resources.requests`, ['storage'], warnings);
  warnOfFractions(resources.limits, `${field}.resources.limits`, ['storage'], warnings);
}

/** New pods are warned as the annotation becomes a member. */
function warnOfAppArmor(
  { name = '', securityContext }: Container,
  { annotations = {} }: ObjectMeta,
  spec: PodSpec,
  field: string,
  warnings: string[],
): void {
  const key = APP_ARMOR_OF_CONTAINER + name;
  const annotation = annotations[key];
  if (!RELEASE.has('appArmorMembers')) return;
  if (annotation === undefined || securityContext?.appArmorProfile !== undefined) return;
  const ofPod = spec.securityContext?.appArmorProfile;
  if (ofPod !== undefined && deepEqual(ofPod, appArmorOf(annotation))) return;
  warnings.push(`${field}.annotations[${key}]: ${APP_ARMOR_TEXT}`);
}

function warnOfNodeLabels(spec: PodSpec, field: string, warnings: string[]): void {
  const { nodeSelector = {}, affinity, topologySpreadConstraints = [] } = spec;
  for (const key of Object.keys(nodeSelector)) {
    const text = oldLabelText(key);
    if (text !== undefined) warnings.push(`${field}.nodeSelector[${key}]: ${text}`);
  }
  const warnOf = (key: string, path: string): void => {
    const text = oldLabelText(key);
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
    const path = `${at}.${PREFERRED}[${index}].preference`;
    warnOfTerm(preference, path);
    if (RELEASE.has('warnedPreferences')) warnOfValues(preference, path, warnings);
  });
  topologySpreadConstraints.forEach(({ topologyKey = '', labelSelector }, index) => {
    const path = `${field}.topologySpreadConstraints[${index}]`;
    warnOf(topologyKey, `${path}.topologyKey`);
    if (labelSelector !== undefined || !RELEASE.has('nullSelectorsWarned')) return;
    warnings.push(`${path}.labelSelector: ${NULL_SELECTOR}`);
  });
}

/** A preference is not refused, though no node can have such a label. */
function warnOfValues(
  { matchExpressions = [] }: NodeSelectorTerm,
  field: string,
  warnings: string[],
): void {
  matchExpressions.forEach(({ values = [] }, index) => {
    values.forEach((value, place) => {
      for (const problem of labelValue(value)) {
        const path = `${field}.matchExpressions[${index}].values[${place}]`;
        warnings.push(`${path}: ${value} is invalid, ${problem}`);
      }
    });
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
  if (!RELEASE.has('nullSelectorsWarned')) {
    warnOfTwice(volumes, 'name', `${field}.volumes`, warnings);
  }
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
  if (RELEASE.has('hiddenVariables')) warnOfHidden(container.env ?? [], field, warnings);
  else warnOfTwice(container.env ?? [], 'name', `${field}.env`, warnings);
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
