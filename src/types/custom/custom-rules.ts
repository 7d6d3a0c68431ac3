/** The rules for objects of a custom type: those of the schema of the version of the request. */
import { appendAll } from '../../base/append-all.ts';
import { assert } from '../../base/assert.ts';
import type { ApiObject, KindDefinition } from '../../resources/kind.ts';
import type { FieldError } from '../../semantics/errors/field-error.ts';
import { CustomScale } from './custom-scale.ts';
import type { CustomVersion } from './custom-version.ts';
import { finalizerWarnings } from './finalizer-warnings.ts';
import type { VersionFacts } from './definition-facts.ts';

type Rules = Required<
  Pick<KindDefinition, 'validate' | 'createWarnings' | 'updateWarnings' | 'statusWarnings'>
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
  return {
    validate: (object, stored, { part, groupVersion, found }) => {
      const { version, scale } = at(groupVersion);
      const shown = version.fromStored(object);
      const before = stored && version.fromStored(stored);
      const errors = version.errorsOf(shown, before, part);
      if (scale !== undefined) {
        appendAll(errors, scale.specErrors(shown));
        appendAll(errors, scale.statusErrors(shown));
      }
      const kept: FieldError[] = [];
      appendAll(errors, version.ruleErrors(shown, before, [...found, ...errors], kept));
      if (kept.length > 0) {
        warnings.set(
          object,
          kept.map(({ field, message }) => `${field}: ${message}`),
        );
      }
      return errors;
    },
    createWarnings: ({ metadata }) => finalizerWarnings(metadata, undefined),
    updateWarnings: (object, stored) => [
      ...finalizerWarnings(object.metadata, stored.metadata),
      ...(warnings.get(object) ?? []),
    ],
    statusWarnings: (object) => warnings.get(object) ?? [],
  };
}
