/** Policies that files hold, and nobody changes through the API (README.md#policies-in-files). */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { compareTexts } from '../../../base/text/compare-texts.ts';
import { strictDecodingError } from '../../../codec/json/strict-check.ts';
import { operatorYaml } from '../../../codec/yaml/operator-yaml.ts';
import type { FeatureGates } from '../../../release/feature-gates.ts';
import type { ApiObject } from '../../../resources/kind.ts';
import { STATIC_END } from '../../../resources/admissionregistration/policy-kind.ts';
import { loadRuleEngine } from '../../../schema/rule-engine.ts';
import { ownGroupVersion } from '../../../semantics/dialect/own-names.ts';
import { fieldForbidden, invalid, type FieldError } from '../../../semantics/errors/field-error.ts';
import { proposeCreate } from '../../../types/prepare-object.ts';
import type { ResourceType } from '../../../types/resource-type.ts';
import { document, type SettingRule } from '../../check-settings.ts';
import type { PluginSettings, PluginTools } from '../../plugin.ts';
import type { StaticPolicies } from './configured-policy.ts';

const GATE = 'ManifestBasedAdmissionControlConfig';
const FOLDER = 'staticManifestsDir';
const FILES = /\.(?:ya?ml|json)$/i;
const DOCUMENT_START = /^---[^\S\n]*$/m;

/** The two sorts of policies: the kinds of their settings. */
const SETTINGS = {
  validating: 'ValidatingAdmissionPolicyConfiguration',
  mutating: 'MutatingAdmissionPolicyConfiguration',
} as const;

export type Sort = keyof typeof SETTINGS;

/** The problems of the settings of a plugin of policies. */
export function checkStaticSettings(
  sort: Sort,
  settings: PluginSettings,
  gates: FeatureGates,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  const form = ownGroupVersion('apiserver.config.cluster.io/v1');
  document(form, SETTINGS[sort], { [FOLDER]: folder(gates) })(settings, '', errors);
  return errors;
}

function folder(gates: FeatureGates): SettingRule {
  return (value = '', field, errors) => {
    if (value === '') return;
    if (!gates.has(GATE)) {
      const detail = `${FOLDER} requires the ${GATE} feature gate to be enabled`;
      errors.push(fieldForbidden(field, detail));
    } else if (typeof value !== 'string' || !isAbsolute(value)) {
      errors.push(invalid(field, value, 'must be an absolute file path'));
    } else {
      const found = statSync(value, { throwIfNoEntry: false });
      if (found === undefined) errors.push(invalid(field, value, 'unable to read: no such folder'));
      else if (!found.isDirectory()) errors.push(invalid(field, value, 'must be a directory'));
    }
  };
}

/** What the files of the folder in the settings hold. Rejects with what is wrong with a file. */
export async function readStaticPolicies(
  sort: Sort,
  settings: PluginSettings,
  tools: PluginTools,
): Promise<PluginSettings> {
  const path = (settings[FOLDER] as string | undefined) ?? '';
  if (path === '') return settings;
  // This thread checks expressions for the files alone.
  await loadRuleEngine();
  const reader = new Reader(
    await typeOf(`${sort}admissionpolicies`, tools),
    await typeOf(`${sort}admissionpolicybindings`, tools),
  );
  for (const name of readdirSync(path)
    .filter((one) => FILES.test(one))
    .sort(compareTexts)) {
    const file = join(path, name);
    if (statSync(file).isDirectory()) continue;
    for (const text of readFileSync(file, 'utf8').split(DOCUMENT_START)) reader.add(text, file);
  }
  return { ...reader.read() };
}

/** The names that the API refuses are those that files have. */
function typeOf(plural: string, { gates, typeOf: made }: PluginTools): Promise<ResourceType> {
  const resource = `${plural}.admissionregistration.cluster.io`;
  return made(resource, new Set([...gates].filter((gate) => gate !== GATE)));
}

type Named = ApiObject & {
  readonly spec?: { policyName?: string; paramKind?: object; paramRef?: object };
};

class Reader {
  readonly #policy: ResourceType;
  readonly #binding: ResourceType;
  /** By kind and name: where it stands. */
  readonly #files = new Map<string, string>();
  readonly #policies: Named[] = [];
  readonly #bindings: Named[] = [];

  constructor(policy: ResourceType, binding: ResourceType) {
    this.#policy = policy;
    this.#binding = binding;
  }

  /** Adds the policies and bindings of a document, or of the list that it is. */
  add(text: string, file: string): void {
    try {
      this.#add(operatorYaml(text), file);
    } catch (error) {
      throw new Error(`error loading ${file}: ${(error as Error).message}`, { cause: error });
    }
  }

  #add(value: unknown, file: string): void {
    if (value === null || value === undefined) return;
    const { apiVersion = '', kind = '', items = [] } = value as Partial<Record<string, unknown>>;
    const type = [this.#policy, this.#binding].find(
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
    const object = stored.decode(text).object as Named;
    proposeCreate(type, object);
    const { name = '' } = object.metadata;
    checkName(name, file, this.#files, stored.kind);
    const isPolicy = type === this.#policy;
    if (isPolicy) checkPolicy(object, stored.kind);
    else checkBinding(object);
    const [problem] = type.validator.validateCreate(object);
    if (problem !== undefined) {
      const { field, message } = problem;
      throw new Error(`${definition.kind} ${JSON.stringify(name)}: ${field}: ${message}`);
    }
    (isPolicy ? this.#policies : this.#bindings).push(object);
  }

  /** Throws for a binding whose policy no file has. */
  read(): StaticPolicies {
    const names = new Set(this.#policies.map(({ metadata }) => metadata.name));
    for (const { metadata, spec } of this.#bindings) {
      const policy = spec?.policyName;
      if (names.has(policy)) continue;
      const what = `binding ${JSON.stringify(metadata.name)} references policy`;
      throw new Error(
        `${what} ${JSON.stringify(policy)} which does not exist in the manifest directory`,
      );
    }
    return { policies: byName(this.#policies), bindings: byName(this.#bindings) } as StaticPolicies;
  }
}

function byName(objects: readonly Named[]): Named[] {
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

function checkPolicy({ metadata, spec }: Named, kind: string): void {
  if (spec?.paramKind === undefined) return;
  const what = `${kind} ${JSON.stringify(metadata.name)}`;
  throw new Error(`${what}: spec.paramKind is not supported for static manifests`);
}

function checkBinding({ metadata, spec = {} }: Named): void {
  const what = `binding ${JSON.stringify(metadata.name)}`;
  const { policyName = '', paramRef } = spec;
  if (policyName === '') throw new Error(`${what} must reference a policy (spec.policyName)`);
  if (!policyName.endsWith(STATIC_END)) {
    const [shown, end] = [JSON.stringify(policyName), JSON.stringify(STATIC_END)];
    throw new Error(`${what}: spec.policyName ${shown} must end with ${end}`);
  }
  if (paramRef !== undefined) {
    throw new Error(`${what}: spec.paramRef is not supported for static manifests`);
  }
}
