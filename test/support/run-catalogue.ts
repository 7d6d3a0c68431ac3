/** Runs rows of `test/catalogue` on the kinds' own code, in the release of this process. */
import type { Test } from 'tap';
import { RANDOMNESS } from '../../src/base/randomness.ts';
import { builtInType } from '../../src/types/built-in/built-in-type.ts';
import type { ResourceType } from '../../src/types/resource-type.ts';
import type { ApiObject } from '../../src/resources/kind.ts';
import {
  prepareCreate,
  prepareUpdate,
  proposeCreate,
  proposeUpdate,
} from '../../src/types/prepare-object.ts';
import { DEFAULT_GATES } from '../../src/release/own-gates.ts';
import { KINDS } from '../../src/resources/registry.ts';
import type { ServedVersion } from '../../src/types/served-version.ts';
import type { FieldError } from '../../src/semantics/errors/field-error.ts';
import { compileValidators } from '../../src/semantics/validation/validator-compiler.ts';
import { MODEL, texts } from '../resources/kind-rules.ts';
import { catalogueDocument, membersOf, type CatalogueFile } from './catalogue.ts';
import type { KindCases } from './kind-cases.ts';
import type { TestObject } from './kinds.ts';

/** The admin's are the names that objects of some kinds write down. */
const NEW = {
  user: { name: 'admin', uid: 'admin', groups: ['system:masters', 'system:authenticated'] },
  uid: '11111111-2222-3333-4444-555555555555',
  creationTimestamp: '2024-01-01T00:00:00Z',
  random: RANDOMNESS,
};
const messages = KINDS.map(({ message }) => message);
const VALIDATORS = compileValidators(MODEL, messages);

interface Made {
  readonly object: ApiObject;
  readonly errors: readonly FieldError[];
}

class KindUnderTest {
  readonly #kind: ResourceType;
  readonly #version: ServedVersion;

  constructor({ apiVersion, kind, featureGates }: KindCases) {
    const gates = new Set([...DEFAULT_GATES, ...(featureGates ?? [])]);
    const runtimes = KINDS.filter((definition) => definition.kind === kind).map((definition) =>
      builtInType(definition, MODEL, VALIDATORS, gates),
    );
    const found = runtimes.find(({ versions }) =>
      versions.some(({ groupVersion }) => groupVersion === apiVersion),
    );
    const version = found?.versions.find(({ groupVersion }) => groupVersion === apiVersion);
    if (found === undefined || version === undefined) throw new Error(`no ${apiVersion} ${kind}`);
    this.#kind = found;
    this.#version = version;
  }

  get hasStatus(): boolean {
    return this.#kind.definition.statusSubresource !== undefined;
  }

  #decode(document: TestObject): ApiObject {
    const object = this.#version.decode(JSON.stringify(document)).object as ApiObject;
    if (this.#kind.definition.namespaced) object.metadata.namespace ??= 'default';
    else delete object.metadata.namespace;
    return object;
  }

  create(document: TestObject): Made {
    const object = this.#decode(document);
    proposeCreate(this.#kind, object);
    prepareCreate(this.#kind, object, NEW);
    const errors = this.#kind.validator.validateCreate(object, this.#version.groupVersion);
    object.metadata.resourceVersion = '7';
    return { object, errors };
  }

  update(stored: ApiObject, document: TestObject, part: string): Made {
    const object = this.#decode(document);
    object.metadata.resourceVersion ??= '7';
    const updated = proposeUpdate(this.#kind, object, stored, part);
    prepareUpdate(this.#kind, updated, stored, part);
    const { groupVersion } = this.#version;
    return {
      object: updated,
      errors: this.#kind.validator.validateUpdate(updated, stored, part, groupVersion),
    };
  }

  /** As the client sees it. */
  document(object: ApiObject): TestObject {
    const wire = Buffer.from(this.#kind.stored.codec.encode(object));
    return JSON.parse(this.#version.documentText(wire.toString()));
  }

  /** A copy, as it is read back from the store. */
  stored(object: ApiObject): ApiObject {
    const { codec } = this.#kind.stored;
    return codec.decode(`{${codec.encode(object)}`).object as ApiObject;
  }
}

/** A test for each file. */
export function runCatalogue(parent: Test, files: readonly CatalogueFile[]): void {
  for (const { name, cases } of files) {
    parent.test(name, async (t) => {
      const kind = new KindUnderTest(cases);
      const { minimal, full, minimalStored, fullStored = full } = cases;
      for (const [what, sent, expected] of [
        ['minimal', minimal, minimalStored],
        ['full', full, fullStored],
      ] as const) {
        const { object, errors } = kind.create(catalogueDocument(cases, what, sent));
        t.same(texts(errors), [], `${what}: accepted`);
        t.strictSame(membersOf(kind.document(object)), membersOf(expected), `${what}: as stored`);
        const again = kind.update(kind.stored(object), kind.document(object), '');
        t.same(texts(again.errors), [], `${what}: can be written as it was read`);
        t.strictSame(
          kind.document(again.object),
          kind.document(object),
          `${what}: unchanged by it`,
        );
        if (!kind.hasStatus) continue;
        const status = kind.update(kind.stored(object), kind.document(object), 'status');
        t.same(texts(status.errors), [], `${what}: so can its status`);
      }
      for (const [rule, change, causes] of cases.invalid) {
        const { errors } = kind.create(catalogueDocument(cases, 'invalid', minimal, change));
        t.same(texts(errors), causes, rule);
      }
      for (const [part, rows] of [
        ['', cases.updates ?? []],
        ['status', cases.statusUpdates ?? []],
      ] as const) {
        for (const [rule, first, change, causes] of rows) {
          const before = kind.create(catalogueDocument(cases, 'updated', minimal, first));
          t.same(texts(before.errors), [], `${rule}: what is updated is valid`);
          const read = kind.document(before.object);
          const sent = catalogueDocument(cases, 'updated', read, change);
          const { errors } = kind.update(kind.stored(before.object), sent, part);
          t.same(texts(errors), causes, rule);
        }
      }
    });
  }
}
