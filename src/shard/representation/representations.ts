/** Which representation a request is answered in; each is made when it is first asked for. */
import { assert } from '../../base/assert.ts';
import { decodeUtf8 } from '../../codec/text-body.ts';
import type { SchemaModel } from '../../codec/schema-model.ts';
import type { ApiObject } from '../../resources/kind.ts';
import type { KindRuntime } from '../../resources/kind-runtime.ts';
import { DEFAULT_PRINTER } from '../../resources/printer.ts';
import {
  lazyStatusCodec,
  statusDocument,
  type StatusCodec,
} from '../../resources/status-document.ts';
import { NEUTRAL, type Dialect } from '../../semantics/dialect/dialect.ts';
import { PLAIN_JSON, type Form } from '../../semantics/form.ts';
import { translatedStatus, type Status } from '../../semantics/status.ts';
import type { View } from '../shard-protocol.ts';
import { EncodedForms } from './encoded-forms.ts';
import { jsonRepresentation } from './json.ts';
import { protobufRepresentation } from './protobuf.ts';
import type { Representation } from './representation.ts';
import { metadataOnly, wholeObject, type Shape } from './shape.ts';
import { tableRepresentation, type TableOptions } from './table.ts';
import { yamlRepresentation } from './yaml.ts';

/** What is shown, and how; the subresource is '' or absent for the object itself. */
interface Shown extends View {
  readonly subresource?: string;
}

export class Representations {
  readonly #kind: KindRuntime;
  readonly #model: SchemaModel;
  readonly #dialect: Dialect;
  readonly #nowMs: () => number;
  readonly #known = new Map<string, Representation>();
  readonly #forms = new EncodedForms();
  readonly #codec: StatusCodec;
  /** Of each version, in plain JSON: nearly all requests. */
  readonly #plain: readonly Representation[];

  constructor(kind: KindRuntime, dialect: Dialect, nowMs: () => number) {
    this.#kind = kind;
    this.#model = kind.model;
    this.#codec = lazyStatusCodec(() => kind.model);
    this.#dialect = dialect;
    this.#nowMs = nowMs;
    this.#plain = kind.versions.map((_, version) => this.#make({ version }));
  }

  of(shown: Shown): Representation {
    const { version = 0, form, subresource, internal } = shown;
    if (form === undefined && subresource !== 'scale' && internal !== true) {
      const plain = this.#plain[version];
      assert(plain !== undefined, `${this.#kind.key} is not served in version ${version}`);
      return plain;
    }
    const id = idOf(shown);
    let known = this.#known.get(id);
    if (known === undefined) {
      known = this.#make(shown);
      this.#known.set(id, known);
    }
    return known;
  }

  /** A Status in the place of an object. */
  status(view: View, status: Status): Uint8Array {
    const { encoding } = view.form ?? PLAIN_JSON;
    return statusDocument(translatedStatus(status, this.#dialectOf(view)), encoding, this.#codec);
  }

  #make(shown: Shown): Representation {
    const { form = PLAIN_JSON } = shown;
    const id = idOf(shown);
    if (form.encoding === 'yaml') {
      return yamlRepresentation(this.#make({ ...shown, form: { ...form, encoding: 'json' } }));
    }
    if (form.as === 'Table') return tableRepresentation(id, this.#tableOptions(shown, form));
    const whole = this.#whole(shown);
    const shape =
      form.as === undefined
        ? whole
        : metadataOnly(whole, this.#model, this.#metaVersion(shown, form));
    if (form.encoding === 'json') return jsonRepresentation(id, shape);
    return protobufRepresentation(id, shape, this.#forms);
  }

  /** The object itself in a version, or its Scale. */
  #whole(shown: Shown): Shape {
    const id = idOf({ ...shown, form: PLAIN_JSON });
    return wholeObject(id, this.#kind.shown(shown), this.#dialectOf(shown), this.#forms);
  }

  /** Whoever asks from within the server speaks its own dialect. */
  #dialectOf({ internal }: View): Dialect {
    return internal === true ? NEUTRAL : this.#dialect;
  }

  #metaVersion(shown: Shown, { metaVersion = 'v1' }: Form): string {
    return `${this.#dialectOf(shown).group('meta.cluster.io')}/${metaVersion}`;
  }

  #tableOptions(shown: Shown, form: Form): TableOptions {
    const { definition, stored } = this.#kind;
    const dialect = this.#dialectOf(shown);
    const apiVersion = this.#metaVersion(shown, form);
    // Printers know the stored kind, whatever version is asked for.
    const asStored = this.#whole(shown.internal === true ? { internal: true } : {});
    const decode = (members: Uint8Array): ApiObject =>
      stored.codec.decode(`{${decodeUtf8(members)}`).object as ApiObject;
    return {
      apiVersion,
      printer: (shown.subresource === 'scale' ? undefined : definition.printer) ?? DEFAULT_PRINTER,
      objectOf: (wire, rv) => {
        const members = asStored.members(wire, rv);
        const translated = members === wire ? undefined : decode(members);
        return { object: decode(wire), translated };
      },
      held: this.#held(form, this.#whole(shown), apiVersion),
      translateText: (text) => dialect.text(text),
      nowMs: this.#nowMs,
    };
  }

  /** What rows hold of their objects. */
  #held({ includeObject }: Form, whole: Shape, apiVersion: string): Shape | undefined {
    if (includeObject === 'None') return undefined;
    return includeObject === 'Object' ? whole : metadataOnly(whole, this.#model, apiVersion);
  }
}

function idOf({ version = 0, form = PLAIN_JSON, subresource = '', internal }: Shown): string {
  const { encoding, as = '', metaVersion = '', includeObject = '' } = form;
  // Other subresources show the object itself.
  const scale = subresource === 'scale' ? 'scale' : '';
  const from = internal === true ? 'internal' : '';
  return `${[version, encoding, as, metaVersion, includeObject, scale, from].join('/')}/`;
}
