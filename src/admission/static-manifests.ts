/**
 * Objects that files hold, and nobody changes through the API: policies and configurations of
 * webhooks (README.md#objects-in-files).
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { compareTexts } from '../base/text/compare-texts.ts';
import { strictDecodingError } from '../codec/json/strict-check.ts';
import { operatorYaml } from '../codec/yaml/operator-yaml.ts';
import type { FeatureGates } from '../release/feature-gates.ts';
import type { ApiObject } from '../resources/kind.ts';
import { STATIC_END } from '../resources/admissionregistration/policy-kind.ts';
import { loadRuleEngine } from '../schema/rule-engine.ts';
import { fieldForbidden, invalid } from '../semantics/errors/field-error.ts';
import { proposeCreate } from '../types/prepare-object.ts';
import type { ResourceType } from '../types/resource-type.ts';
import type { SettingRule } from './check-settings.ts';
import type { ManifestFiles, Manifests, PluginSettings, PluginTools } from './plugin.ts';

/** The gate with which files are read. */
export const MANIFESTS_GATE = 'ManifestBasedAdmissionControlConfig';

const FOLDER = 'staticManifestsDir';
const FILES = /\.(?:ya?ml|json)$/i;
const DOCUMENT_START = /^---[^\S\n]*$/m;

/** The rule for the setting that names the folder. */
export function manifestsFolder(gates: FeatureGates): Readonly<Record<string, SettingRule>> {
  const rule: SettingRule = (value = '', field, errors) => {
    if (value === '') return;
    if (!gates.has(MANIFESTS_GATE)) {
      const detail = `${FOLDER} requires the ${MANIFESTS_GATE} feature gate to be enabled`;
      errors.push(fieldForbidden(field, detail));
    } else if (typeof value !== 'string' || !isAbsolute(value)) {
      errors.push(invalid(field, value, 'must be an absolute file path'));
    } else {
      const found = statSync(value, { throwIfNoEntry: false });
      if (found === undefined) errors.push(invalid(field, value, 'unable to read: no such folder'));
      else if (!found.isDirectory()) errors.push(invalid(field, value, 'must be a directory'));
    }
  };
  return { [FOLDER]: rule };
}

/**
 * Settings with what `read` makes of the files of the folder that they name in the place of its
 * name; none where they name none.
 */
export async function withManifests(
  settings: PluginSettings,
  read: (from: ManifestFiles) => Promise<Manifests>,
): Promise<PluginSettings> {
  const folder = (settings[FOLDER] as string | undefined) ?? '';
  return folder === '' ? {} : { manifests: await read(readFolder(folder)) };
}

/** Reads the files of a folder. Throws with what cannot be read. */
export function readFolder(folder: string): ManifestFiles {
  const all = createHash('sha256');
  const files: { file: string; content: string }[] = [];
  for (const name of namesIn(folder)) {
    const file = join(folder, name);
    if (statSync(file).isDirectory()) continue;
    const bytes = readFileSync(file);
    if (bytes.length === 0) continue;
    // What moves from one file to the next is a change too.
    all.update(bytes).update('\0');
    files.push({ file, content: bytes.toString('utf8') });
  }
  return { folder, files, hash: files.length === 0 ? '' : `sha256:${all.digest('hex')}` };
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => FILES.test(name))
      .sort(compareTexts);
  } catch (error) {
    const what = `failed to read manifest directory ${JSON.stringify(folder)}`;
    throw new Error(`${what}: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * The objects that files hold, by the names of their types in the API (`plurals`). `check` throws
 * for an object that files may not hold. Rejects with what is wrong with a file.
 */
export async function readManifests(
  plurals: readonly string[],
  { folder, hash, files }: ManifestFiles,
  tools: PluginTools,
  check: (object: ApiObject, type: ResourceType, file: string) => void,
): Promise<Manifests> {
  // This thread checks expressions for the files alone.
  await loadRuleEngine();
  const types = await Promise.all(plurals.map((plural) => typeOf(plural, tools)));
  const reader = new Reader(types, check);
  for (const { file, content } of files) {
    for (const text of content.split(DOCUMENT_START)) reader.add(text, file);
  }
  return { folder, hash, objects: reader.objects };
}

/** The names that the API refuses are those that files have. */
function typeOf(plural: string, { gates, typeOf: made }: PluginTools): Promise<ResourceType> {
  const resource = `${plural}.admissionregistration.cluster.io`;
  return made(resource, new Set([...gates].filter((gate) => gate !== MANIFESTS_GATE)));
}

class Reader {
  readonly #types: readonly ResourceType[];
  readonly #check: (object: ApiObject, type: ResourceType, file: string) => void;
  /** By kind and name: where it stands. */
  readonly #files = new Map<string, string>();
  readonly #objects = new Map<ResourceType, ApiObject[]>();

  constructor(
    types: readonly ResourceType[],
    check: (object: ApiObject, type: ResourceType, file: string) => void,
  ) {
    this.#types = types;
    this.#check = check;
  }

  /** Adds the objects of a document, or of the list that it is. */
  add(text: string, file: string): void {
    try {
      this.#add(operatorYaml(text), file);
    } catch (error) {
      throw new Error(`error loading ${file}: ${(error as Error).message}`, { cause: error });
    }
  }

  /** Those of each type. */
  get objects(): (readonly ApiObject[])[] {
    return this.#types.map((type) => byName(this.#objects.get(type) ?? []));
  }

  #add(value: unknown, file: string): void {
    if (value === null || value === undefined) return;
    const { apiVersion = '', kind = '', items = [] } = value as Partial<Record<string, unknown>>;
    const type = this.#types.find(
      ({ stored }) =>
        stored.groupVersion === apiVersion &&
        [stored.kind, stored.listKind].includes(kind as string),
    );
    if (type === undefined && !(apiVersion === 'v1' && kind === 'List')) {
      throw new Error(`unsupported resource type ${String(apiVersion)}, Kind=${String(kind)}`);
    }
    if (type !== undefined && kind === type.stored.kind) {
      this.#addObject(type, value as object, file);
      return;
    }
    for (const item of items as readonly object[]) {
      this.#add(type === undefined ? item : { apiVersion, kind: type.stored.kind, ...item }, file);
    }
  }

  #addObject(type: ResourceType, value: object, file: string): void {
    const { stored, definition } = type;
    const text = JSON.stringify(value);
    const problems = stored.strictProblems(text);
    if (problems.length > 0) throw new Error(strictDecodingError([], problems));
    const object = stored.decode(text).object as ApiObject;
    proposeCreate(type, object);
    const { name = '' } = object.metadata;
    checkName(name, file, this.#files, stored.kind);
    this.#check(object, type, file);
    const [problem] = type.validator.validateCreate(object);
    if (problem !== undefined) {
      const { field, message } = problem;
      throw new Error(`${definition.kind} ${JSON.stringify(name)}: ${field}: ${message}`);
    }
    const known = this.#objects.get(type);
    if (known === undefined) this.#objects.set(type, [object]);
    else known.push(object);
  }
}

function byName(objects: readonly ApiObject[]): ApiObject[] {
  return objects.toSorted((a, b) => compareTexts(a.metadata.name ?? '', b.metadata.name ?? ''));
}

function checkName(name: string, file: string, files: Map<string, string>, kind: string): void {
  const [shown, where] = [JSON.stringify(name), JSON.stringify(file)];
  if (name === '') throw new Error(`resource in file ${where} must have a name`);
  if (!name.endsWith(STATIC_END)) {
    const end = JSON.stringify(STATIC_END);
    throw new Error(`${shown} in file ${where} must have a name ending with ${end}`);
  }
  const before = files.get(`${kind} ${name}`);
  if (before !== undefined) {
    const previous = `(previously seen in ${JSON.stringify(before)})`;
    throw new Error(`duplicate name ${shown} found in file ${where} ${previous}`);
  }
  files.set(`${kind} ${name}`, file);
}
