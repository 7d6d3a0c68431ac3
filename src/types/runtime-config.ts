/**
 * `--runtime-config`: which versions and resources are served
 * (src/resources/README.md#versions).
 */
import type { FeatureGates } from '../release/feature-gates.ts';
import { groupVersionOf, type KindDefinition } from '../resources/kind.ts';
import { hasItsFeature, isOnByDefault } from '../resources/kind-lives.ts';
import { KINDS, resourceKey } from '../resources/registry.ts';
import { VIRTUAL_KINDS, type VirtualKind } from '../resources/virtual-kinds.ts';
import { BUILT_IN_TYPES, type ServedType } from './served-types.ts';

/** A pair that is no `<key>[=true|false]`, or a key that names nothing. */
export class RuntimeConfigError extends Error {
  override readonly name = 'RuntimeConfigError';
}

/** Versions that are off unless they are switched on. */
const ALPHA = /^v[0-9]+alpha[0-9]+$/;

/** Keys for all versions of a stage; of two that name a version the later one here counts. */
const STAGES: readonly (readonly [key: string, version: RegExp])[] = [
  ['api/all', /^/],
  ['api/ga', /^v[0-9]+$/],
  ['api/beta', /^v[0-9]+beta[0-9]+$/],
  ['api/alpha', ALPHA],
];

/** The parts of the API that are served with settings. */
export interface ServedApi {
  readonly types: readonly ServedType[];
  readonly virtualKinds: readonly VirtualKind[];
}

/** A resource in one of its versions. */
interface Switched {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
}

/**
 * Finds the built-in parts that are switched on, and whose features are. `warn` and errors are as
 * those of `enabledTypes`.
 */
export function enabledApi(
  settings: { readonly runtimeConfig: string; readonly featureGates: FeatureGates },
  warn?: (line: string) => void,
): ServedApi {
  const { runtimeConfig, featureGates } = settings;
  const types = enabledTypes(BUILT_IN_TYPES, runtimeConfig, warn);
  return {
    types: types
      .filter((type) => hasItsFeature(switchedType(type), featureGates))
      .map((type) => withServedParts(type, featureGates)),
    virtualKinds: enabledVirtualKinds(VIRTUAL_KINDS, runtimeConfig).filter((kind) =>
      hasItsFeature(kind, featureGates),
    ),
  };
}

/** Without the subresources whose features are off. */
function withServedParts(type: ServedType, gates: FeatureGates): ServedType {
  const { parts = {} } = type.definition;
  const all = Object.entries(parts);
  const served = all.filter(([, { gate }]) => gate === undefined || gates.has(gate));
  if (served.length === all.length) return type;
  return { ...type, definition: { ...type.definition, parts: Object.fromEntries(served) } };
}

/**
 * The types that comma-separated pairs leave switched on. A key is `api/all`, `api/ga`, `api/beta`
 * or `api/alpha`, or `<group>/<version>` (`v1` for the core group), which wins, or that with
 * `/<resource>`, which wins over both; without a value it means true. `warn` is told of versions
 * that this server does not have, which come and go with releases. Throws `RuntimeConfigError`,
 * also where nothing but `api/all=false` is said: there would be nothing to serve.
 */
export function enabledTypes(
  all: readonly ServedType[],
  text: string,
  warn: (line: string) => void = () => undefined,
): readonly ServedType[] {
  const switches = readSwitches(text, [...all.map(switchedType), ...VIRTUAL_KINDS], warn);
  return all.filter((type) => isEnabled(switchedType(type), switches));
}

/** Finds the kinds among those that are not stored. */
export function enabledVirtualKinds(
  all: readonly VirtualKind[],
  text: string,
): readonly VirtualKind[] {
  const resources = [...BUILT_IN_TYPES.map(switchedType), ...all];
  const switches = readSwitches(text, resources, () => undefined);
  return all.filter((kind) => isEnabled(kind, switches));
}

function switchedType({ group, version, definition: { kind, plural } }: ServedType): Switched {
  return { group, version, kind, plural };
}

/** The keys that name a resource: that of its version, and its own. */
function keysOf({ group, version, plural }: Switched): readonly [string, string] {
  const groupVersion = groupVersionOf({ group, version });
  return [groupVersion, `${groupVersion}/${plural}`];
}

function readSwitches(
  text: string,
  resources: readonly Switched[],
  warn: (line: string) => void,
): ReadonlyMap<string, boolean> {
  const switches = new Map<string, boolean>();
  if (text === '') return switches;
  const known = new Set(resources.flatMap(keysOf));
  for (const pair of text.split(',')) {
    if (pair.trim() === '') continue;
    const [key = '', value = 'true', ...more] = pair.trim().split('=');
    const isSwitch = more.length === 0 && (value === 'true' || value === 'false');
    if (isSwitch && STAGES.some(([stage]) => stage === key)) {
      switches.set(key, value === 'true');
    } else if (isSwitch && isMissingVersion(key, known)) {
      warn(`--runtime-config: this server has no version ${key}: ignored`);
    } else if (isSwitch && known.has(key)) {
      switches.set(key, value === 'true');
    } else {
      throw new RuntimeConfigError(
        `"${pair}" in --runtime-config names no version or resource that this server has ` +
          'as <group>/<version>[/<resource>]=true or =false',
      );
    }
  }
  if (switches.size === 1 && switches.get('api/all') === false) {
    throw new RuntimeConfigError('--runtime-config is only api/all=false: nothing would be served');
  }
  return switches;
}

function isEnabled(resource: Switched, switches: ReadonlyMap<string, boolean>): boolean {
  const [ofVersion, ofResource] = keysOf(resource);
  return switches.get(ofResource) ?? switches.get(ofVersion) ?? ofStages(resource, switches);
}

/**
 * The kinds that have a shard: those that are served in some version, all that are served where
 * nobody says so, since others refer to them, and those with a log already.
 */
export function runningKinds(
  enabled: readonly ServedType[],
  logs: readonly string[],
): readonly KindDefinition[] {
  const usual = BUILT_IN_TYPES.filter((type) => isOnByDefault(switchedType(type)));
  const running = new Set([...enabled, ...usual].map(({ definition }) => definition));
  return KINDS.filter((kind) => running.has(kind) || logs.includes(resourceKey(kind)));
}

/** Whether the keys for all versions of a stage leave a version switched on. */
function ofStages(resource: Switched, switches: ReadonlyMap<string, boolean>): boolean {
  const { version } = resource;
  const naming = STAGES.filter(([key, versions]) => switches.has(key) && versions.test(version));
  const [key = ''] = naming.at(-1) ?? [];
  return switches.get(key) ?? isOnByDefault(resource);
}

const VERSION = /^v[0-9]+(?:(?:alpha|beta)[0-9]+)?$/;

/** Whether a key names a version, or a resource in one, that a known group does not have. */
function isMissingVersion(key: string, known: ReadonlySet<string>): boolean {
  const [first = '', ...rest] = key.split('/');
  const isCore = VERSION.test(first);
  const version = isCore ? first : (rest.shift() ?? '');
  const isGroup = isCore || [...known].some((other) => other.startsWith(`${first}/`));
  const groupVersion = isCore ? version : `${first}/${version}`;
  return isGroup && VERSION.test(version) && rest.length < 2 && !known.has(groupVersion);
}
