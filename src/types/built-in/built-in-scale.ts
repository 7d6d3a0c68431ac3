/** Maps a built-in kind to its Scale: `spec.replicas` and `status.replicas`. */
import type { ApiObject, KindDefinition } from '../../resources/kind.ts';
import { invalid, invalidObject, NOT_NEGATIVE } from '../../semantics/errors/field-error.ts';
import { conflict } from '../../semantics/errors/status.ts';
import type { ScaleMapping, ScaleMembers } from '../scale-mapping.ts';

/** The members that scalable kinds have in common. */
interface Scalable extends ApiObject {
  spec?: { replicas?: number };
  status?: { replicas?: number };
}

/** `selectorOf` gives the selector of an object of the kind in its text form. */
export function builtInScale(
  { group, plural }: Pick<KindDefinition, 'group' | 'plural'>,
  selectorOf: NonNullable<KindDefinition['scaleSelector']>,
): ScaleMapping {
  const membersOf = (object: ApiObject): ScaleMembers => {
    const { spec, status } = object as Scalable;
    return {
      spec: { replicas: spec?.replicas ?? 0 },
      status: { replicas: status?.replicas ?? 0, selector: selectorOf(object) },
    };
  };
  return {
    membersOf,
    patchedMembersOf: membersOf,
    merge: (scale, stored) => {
      const replicas = scale.spec?.replicas ?? 0;
      const { uid, resourceVersion, name = '' } = scale.metadata;
      if (replicas < 0) {
        const errors = [invalid('spec.replicas', replicas, NOT_NEGATIVE)];
        throw invalidObject('autoscaling', 'Scale', name, errors);
      }
      const { name: storedName = '', uid: storedUid = '' } = stored.metadata;
      if (uid !== undefined && uid !== '' && uid !== storedUid) {
        const failed = `UID in precondition: ${uid}, UID in object meta: ${storedUid}`;
        const resource = { group, resource: `${plural}/scale` };
        throw conflict(resource, storedName, `Precondition failed: ${failed}`);
      }
      return {
        ...stored,
        metadata: { ...stored.metadata, uid, resourceVersion },
        spec: { ...(stored as Scalable).spec, replicas },
      };
    },
  };
}
