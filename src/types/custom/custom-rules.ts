/** The rules for objects of a custom type: those of the schema of the version of the request. */
import { assert } from '../../base/assert.ts';
import type { ApiObject, KindDefinition } from '../../resources/kind.ts';
import type { FieldError } from '../../semantics/errors/field-error.ts';
import { CustomScale } from './custom-scale.ts';
import type { CustomVersion } from './custom-version.ts';
import { finalizerWarnings } from './finalizer-warnings.ts';
import type { VersionFacts } from './definition-facts.ts';

type Rules = Required<
  Pick<
    KindDefinition,
    | 'validateCreate'
    | 'validateUpdate'
    | 'validateStatusUpdate'
    | 'createWarnings'
    | 'updateWarnings'
    | 'statusWarnings'
  >
>;

interface CheckedVersion {
  readonly version: CustomVersion;
  readonly scale: CustomScale | undefined;
}

/** `facts` are those of the versions, each at the place of its version. */
export function customRules(
  versions: readonly CustomVersion[],
  facts: readonly VersionFacts[],
): Rules {
  const checked = new Map<string, CheckedVersion>();
  versions.forEach((version, at) => {
    const scale = facts[at]?.scale;
    if (checked.has(version.groupVersion)) return;
    checked.set(version.groupVersion, { version, scale: scale && new CustomScale(scale) });
  });
  const at = (groupVersion: string): CheckedVersion => {
    const found = checked.get(groupVersion);
    assert(found !== undefined, `objects are not served in ${groupVersion}`);
    return found;
  };
  /** The errors of valid objects, which they had before. */
  const warnings = new WeakMap<ApiObject, string[]>();
  const errorsOf = (
    { version, scale }: CheckedVersion,
    object: ApiObject,
    stored?: ApiObject,
    part: '' | 'status' = '',
  ): FieldError[] => {
    const shown = version.fromStored(object);
    const before = stored && version.fromStored(stored);
    const kept: FieldError[] = [];
    const errors = version.errorsOf(shown, before, part, kept);
    if (kept.length > 0) {
      warnings.set(
        object,
        kept.map(({ field, message }) => `${field}: ${message}`),
      );
    }
    if (scale === undefined) return errors;
    return errors.concat(scale.specErrors(shown), scale.statusErrors(shown));
  };
  return {
    validateCreate: (object, groupVersion) => errorsOf(at(groupVersion), object),
    validateUpdate: (object, stored, groupVersion) => errorsOf(at(groupVersion), object, stored),
    validateStatusUpdate: (object, stored, groupVersion) =>
      errorsOf(at(groupVersion), object, stored, 'status'),
    createWarnings: ({ metadata }) => finalizerWarnings(metadata, undefined),
    updateWarnings: (object, stored) => [
      ...finalizerWarnings(object.metadata, stored.metadata),
      ...(warnings.get(object) ?? []),
    ],
    statusWarnings: (object) => warnings.get(object) ?? [],
  };
}
