/** A kind's own code as a write runs it: defaults, preparation and validation, without a server. */
import { RANDOMNESS } from '../../src/base/randomness.ts';
import { builtInType } from '../../src/types/built-in/built-in-type.ts';
import type { ResourceType } from '../../src/types/resource-type.ts';
import type { ApiObject, BuiltInKind } from '../../src/resources/kind.ts';
import {
  prepareCreate,
  prepareUpdate,
  proposeCreate,
  proposeUpdate,
} from '../../src/types/prepare-object.ts';
import type { UpdatedPart } from '../../src/types/resource-type.ts';
import { compileValidators } from '../../src/semantics/validation/validator-compiler.ts';
import type { Change } from '../support/kind-cases.ts';
import { merged, MODEL, texts } from './kind-rules.ts';

export interface Written {
  readonly object: ApiObject;
  readonly errors: readonly string[];
}

export class PreparedKind {
  /** Every object that is created has it. */
  static readonly uid = '11111111-2222-3333-4444-555555555555';
  readonly #kind: ResourceType;

  constructor(definition: BuiltInKind) {
    const validators = compileValidators(MODEL, [definition.message]);
    this.#kind = builtInType(definition, MODEL, validators);
  }

  /** A new object that is named `a` unless `members` say otherwise. */
  create(members: Change): Written {
    const object = this.#decode(merged({ metadata: { name: 'a', namespace: 'ns' } }, members));
    const creationTimestamp = '2024-01-01T00:00:00Z';
    proposeCreate(this.#kind, object);
    prepareCreate(this.#kind, object, {
      uid: PreparedKind.uid,
      creationTimestamp,
      random: RANDOMNESS,
    });
    const errors = texts(this.#kind.validator.validateCreate(object));
    object.metadata.resourceVersion = '7';
    return { object, errors };
  }

  /** `stored` as a client reads, changes and writes it. */
  update(stored: ApiObject, change: Change, part: UpdatedPart = ''): Written {
    return this.replace(stored, merged(this.#document(stored), change) as Change, part);
  }

  /** `stored` replaced by what `members` say, through the object or one of its parts. */
  replace(stored: ApiObject, members: Change, part: UpdatedPart = ''): Written {
    const before = this.#decode(this.#document(stored));
    const sent = merged({ metadata: { namespace: 'ns', resourceVersion: '7' } }, members);
    const object = proposeUpdate(this.#kind, this.#decode(sent), before, part);
    prepareUpdate(this.#kind, object, before, part);
    return { object, errors: texts(this.#kind.validator.validateUpdate(object, before, part)) };
  }

  #decode(document: unknown): ApiObject {
    return this.#kind.stored.codec.decode(JSON.stringify(document)).object as ApiObject;
  }

  #document(object: ApiObject): unknown {
    return JSON.parse(`{${this.#kind.stored.codec.encode(object)}`);
  }
}
