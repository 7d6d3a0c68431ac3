/** The parameters of a binding, read where they are (README.md#parameters). */
import type { ParamKind, ParamRef } from '#messages/admissionregistration.v1';
import { appendAll } from '../../../base/append-all.ts';
import { LinkClosedError } from '../../../actors/link.ts';
import type { ApiObject } from '../../../resources/kind.ts';
import { selecting } from '../../match-criteria.ts';
import type { AdmissionContext } from '../../plugin.ts';
import type { NamedType, ServedKindIndex } from '../../served-kinds.ts';

const PAGE_OBJECTS = 500;

/** Why parameters cannot be had: the failure policy decides. */
export class ParamsError extends Error {
  override readonly name = 'ParamsError';
}

/** An object, or undefined where an expression is to see `null`. */
export type Param = ApiObject | undefined;

export class PolicyParams {
  readonly #objects: AdmissionContext['objects'];
  readonly #kinds: ServedKindIndex;

  constructor(objects: AdmissionContext['objects'], kinds: ServedKindIndex) {
    this.#objects = objects;
    this.#kinds = kinds;
  }

  /**
   * All objects with which a policy is to be evaluated for a write in that namespace; one undefined
   * where it has no parameters. Rejects with ParamsError.
   */
  async collect(
    paramKind: ParamKind | undefined,
    paramRef: ParamRef | undefined,
    namespace: string,
  ): Promise<readonly Param[]> {
    if (paramKind === undefined || paramRef === undefined) return [undefined];
    const { apiVersion = '', kind = '' } = paramKind;
    const type = this.#kinds.find(apiVersion, kind);
    if (type === undefined) {
      const shown = `&ParamKind{APIVersion:${apiVersion},Kind:${kind},}`;
      throw new ParamsError(`paramKind kind \`${shown}\` not known`);
    }
    const found = await this.#found(type, paramRef, namespaceOf(type, paramRef, namespace));
    if (found.length === 0 && paramRef.parameterNotFoundAction === 'Deny') {
      throw new ParamsError(
        'no params found for policy binding with `Deny` parameterNotFoundAction',
      );
    }
    return found.map((object) => shown(type, object as Document, { apiVersion, kind }));
  }

  async #found(
    type: NamedType,
    { name = '', selector }: ParamRef,
    namespace: string,
  ): Promise<readonly ApiObject[]> {
    const objects = this.#objects(type.shard);
    try {
      if (name !== '') {
        const object = await objects.get({ namespace, name }, type.place);
        return object === undefined ? [] : [object];
      }
      const selects = selecting(selector);
      const all: ApiObject[] = [];
      let token = '';
      do {
        const page = await objects.list(namespace, PAGE_OBJECTS, token, type.place);
        appendAll(all, page.items);
        token = page.continueToken;
      } while (token !== '');
      return all.filter(({ metadata }) => selects?.(metadata.labels) ?? true);
    } catch (error) {
      // The type went while it was asked.
      if (error instanceof LinkClosedError) return [];
      throw error;
    }
  }
}

type Document = ApiObject & { readonly apiVersion?: string; readonly kind?: string };

/**
 * As expressions see it: built-in ones without kind and version, as in the reference. Throws
 * ParamsError for one of a custom type that its shard shows in another version.
 */
function shown(
  { isCustom }: NamedType,
  { apiVersion, kind, ...object }: Document,
  as: { readonly apiVersion: string; readonly kind: string },
): ApiObject {
  if (!isCustom) return object;
  if (apiVersion !== undefined && apiVersion !== as.apiVersion) {
    throw new ParamsError(`params are shown as ${apiVersion}, Kind=${kind}`);
  }
  return { ...object, ...as };
}

/** Throws ParamsError. */
function namespaceOf({ namespaced }: NamedType, ref: ParamRef, namespace: string): string {
  const asked = ref.namespace ?? '';
  if (!namespaced) {
    if (asked === '') return '';
    throw new ParamsError(
      'paramRef.namespace must not be provided for a cluster-scoped `paramKind`',
    );
  }
  const chosen = asked === '' ? namespace : asked;
  if (chosen !== '') return chosen;
  throw new ParamsError(
    'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
  );
}
