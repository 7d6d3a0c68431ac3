/**
 * Maps an object of a custom type to its Scale, by the paths that its definition names. Errors are
 * those of the reference, which name whole paths.
 */
import { setMember } from '../../base/set-member.ts';
import { quoteText } from '../../codec/json/strict-quote.ts';
import type { ApiObject } from '../../resources/kind.ts';
import { invalid, type FieldError } from '../../semantics/errors/field-error.ts';
import { goTypeOf, goValueText } from '../../semantics/patch/go-value-text.ts';
import { badRequest, internalError, serverFailure } from '../../semantics/errors/status.ts';
import type { Scale, ScaleMapping, ScaleMembers } from '../scale-mapping.ts';
import type { ScaleFacts } from './definition-facts.ts';

/** Stands in a Scale that is patched for replicas that an object does not have. */
const NO_REPLICAS = -(2 ** 31);
const INT32_MAX = 2 ** 31 - 1;

type Members = Record<string, unknown>;

export class CustomScale implements ScaleMapping {
  readonly #paths: ScaleFacts;
  readonly #specReplicas: readonly string[];
  readonly #statusReplicas: readonly string[];
  readonly #selector: readonly string[] | undefined;

  constructor(paths: ScaleFacts) {
    this.#paths = paths;
    this.#specReplicas = pathNames(paths.specReplicasPath);
    this.#statusReplicas = pathNames(paths.statusReplicasPath);
    const { labelSelectorPath = '' } = paths;
    this.#selector = labelSelectorPath === '' ? undefined : pathNames(labelSelectorPath);
  }

  /**
   * The members in answers to reads and writes. Throws StatusError 500 where there are no replicas
   * to show.
   */
  membersOf(object: ApiObject): ScaleMembers {
    const { isFound, ...members } = this.#read(object);
    if (isFound) return members;
    const path = quoteText(this.#paths.specReplicasPath);
    throw internalError(`the spec replicas field ${path} does not exist`);
  }

  /**
   * The members that a patch is applied to: with replicas that `merge` refuses, where the object
   * has none. Throws StatusError 500.
   */
  patchedMembersOf(object: ApiObject): ScaleMembers {
    const { isFound, spec, status } = this.#read(object);
    return { spec: isFound ? spec : { replicas: NO_REPLICAS }, status };
  }

  /**
   * The stored object with the replicas of a Scale, and with the version it names. `stored` is left
   * as it is. Throws StatusError 400 where a patch has set none, 500 where they have no place.
   */
  merge(scale: Scale, stored: ApiObject): ApiObject {
    this.#read(stored);
    const replicas = scale.spec?.replicas ?? 0;
    if (replicas === NO_REPLICAS) {
      const path = quoteText(this.#paths.specReplicasPath);
      throw badRequest(`the spec replicas field ${path} cannot be empty`);
    }
    const merged = { ...stored, metadata: { ...stored.metadata } };
    // One that names no version is of the version that is stored.
    const { resourceVersion = '' } = scale.metadata;
    if (resourceVersion !== '') merged.metadata.resourceVersion = resourceVersion;
    setAt(merged, this.#specReplicas, replicas);
    return merged;
  }

  /**
   * The errors of the replicas that are asked for, through whichever endpoint an object is written.
   */
  specErrors(object: ApiObject): FieldError[] {
    return replicasErrors(object, this.#paths.specReplicasPath, this.#specReplicas);
  }

  /** The errors of the replicas and the selector that are shown as status, wherever they stand. */
  statusErrors(object: ApiObject): FieldError[] {
    const { statusReplicasPath, labelSelectorPath = '' } = this.#paths;
    const errors = replicasErrors(object, statusReplicasPath, this.#statusReplicas);
    if (this.#selector === undefined) return errors;
    const { problem } = textAt(object, this.#selector);
    return problem === '' ? errors : [...errors, invalid(labelSelectorPath, '', problem)];
  }

  #read(object: ApiObject): ScaleMembers & { readonly isFound: boolean } {
    const spec = integerAt(object, this.#specReplicas);
    const status = integerAt(object, this.#statusReplicas);
    const selector = this.#selector === undefined ? NOTHING : textAt(object, this.#selector);
    const problem = spec.problem || status.problem || selector.problem;
    if (problem !== '') throw serverFailure(problem);
    return {
      spec: { replicas: int32Of(spec.value) },
      status: { replicas: int32Of(status.value), selector: (selector.value ?? '') as string },
      isFound: spec.value !== undefined,
    };
  }
}

/** The names of a path; a dot in front is none of it. */
export function pathNames(path: string): readonly string[] {
  return path.replace(/^\./, '').split('.');
}

interface Found {
  /** Undefined for nothing. */
  readonly value: unknown;
  /** Why there cannot be such a value; '' for nothing. */
  readonly problem: string;
}

const NOTHING: Found = { value: undefined, problem: '' };

function valueAt(object: ApiObject, names: readonly string[]): Found {
  let value: unknown = object;
  for (const [at, name] of names.entries()) {
    if (value === null) return NOTHING;
    if (!isMembers(value)) {
      const path = names.slice(0, at + 1);
      return { value: undefined, problem: wrongType(path, value, 'map[string]interface{}') };
    }
    value = Object.hasOwn(value, name) ? value[name] : undefined;
    if (value === undefined) return NOTHING;
  }
  return { value, problem: '' };
}

function integerAt(object: ApiObject, names: readonly string[]): Found {
  const found = valueAt(object, names);
  if (found.value === undefined || goTypeOf(found.value) === 'int64') return found;
  return { value: undefined, problem: wrongType(names, found.value, 'int64') };
}

function textAt(object: ApiObject, names: readonly string[]): Found {
  const found = valueAt(object, names);
  if (found.value === undefined || typeof found.value === 'string') return found;
  return { value: undefined, problem: wrongType(names, found.value, 'string') };
}

function wrongType(names: readonly string[], value: unknown, expected: string): string {
  const type = value === null ? '<nil>' : goTypeOf(value);
  const found = `${goValueText(value)} is of the type ${type}`;
  return `.${names.join('.')} accessor error: ${found}, expected ${expected}`;
}

function replicasErrors(object: ApiObject, path: string, names: readonly string[]): FieldError[] {
  const { value = 0, problem } = integerAt(object, names);
  if (problem !== '') return [invalid(path, 0, problem)];
  const replicas = value as number | bigint;
  if (replicas < 0) return [invalid(path, replicas, 'should be a non-negative integer')];
  if (replicas <= INT32_MAX) return [];
  return [invalid(path, replicas, `should be less than or equal to ${INT32_MAX}`)];
}

/** Stored integers may be longer, from before the type had a Scale: their last bits are shown. */
function int32Of(value: unknown): number {
  return Number(BigInt.asIntN(32, BigInt((value ?? 0) as number | bigint)));
}

/** Sets a value in an object whose members are not to be changed: those on the way are copied. */
function setAt(object: ApiObject, names: readonly string[], value: unknown): void {
  let parent: Members = object;
  for (const [at, name] of names.slice(0, -1).entries()) {
    const child = Object.hasOwn(parent, name) ? parent[name] : undefined;
    if (child !== undefined && !isMembers(child)) {
      const path = `.${names.slice(0, at + 1).join('.')}`;
      throw serverFailure(`value cannot be set because ${path} is not a map[string]interface{}`);
    }
    const copy: Members = child === undefined ? {} : { ...child };
    setMember(parent, name, copy);
    parent = copy;
  }
  setMember(parent, names.at(-1) as string, value);
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
