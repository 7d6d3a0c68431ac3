/** Which representation a request is answered in; each is made when it is first asked for. */
import { assert } from '../../base/assert.ts';
import type { SchemaModel } from '../../codec/model/schema-model.ts';
import type { PrintedAs, ResourceType } from '../../types/resource-type.ts';
import { scalePrinted } from '../../types/scale-table.ts';
import {
  lazyStatusCodec,
  statusDocument,
  type StatusCodec,
} from '../../resources/status-document.ts';
import { META_GROUP } from '../../semantics/metadata/object-meta.ts';
import { PLAIN_JSON, type Form } from '../../semantics/options/answer-form.ts';
import type { Status } from '../../semantics/errors/status.ts';
import type { View } from '../../protocol/shard-protocol.ts';
import { EncodingCache } from './encoding-cache.ts';
import { jsonRepresentation } from './json.ts';
import { protobufRepresentation } from './protobuf.ts';
import type { Representation } from './representation.ts';
import { metadataOnly, neededBy, wholeObject, type Content } from './content.ts';
import { tableRepresentation, type KeptRows, type TableOptions } from './table.ts';
import { yamlRepresentation } from './yaml.ts';

/** The view of an object, or of its subresource; '' or absent for the object itself. */
interface SubresourceView extends View {
  readonly subresource?: string;
}

export class Representations {
  #kind: ResourceType;
  readonly #model: SchemaModel;
  readonly #nowMs: () => number;
  readonly #known = new Map<string, { view: SubresourceView; representation: Representation }>();
  readonly #cache: EncodingCache;
  readonly #codec: StatusCodec;
  /** The number of times that the type has changed: older kept bytes are not given any more. */
  #generation = 0;
  /** Representations in plain JSON by version: they serve nearly all requests. */
  readonly #plain: Representation[];

  constructor(kind: ResourceType, nowMs: () => number, cache: EncodingCache = new EncodingCache()) {
    this.#cache = cache;
    this.#kind = kind;
    this.#model = kind.model;
    this.#codec = lazyStatusCodec(() => kind.model);
    this.#nowMs = nowMs;
    this.#plain = kind.versions.map((_, version) => this.#make({ version }));
  }

  of(view: SubresourceView): Representation {
    const { version = 0, form, subresource } = view;
    if (form === undefined && subresource !== 'scale') {
      const plain = this.#plain[version];
      assert(plain !== undefined, `${this.#kind.key} is not served in version ${version}`);
      return plain;
    }
    const id = viewText(view);
    let known = this.#known.get(id);
    if (known === undefined) {
      known = { view, representation: this.#make(view) };
      this.#known.set(id, known);
    }
    return known.representation;
  }

  /**
   * Changes the type: whoever holds a representation writes objects as they are from now on. Bytes
   * that were kept of them are as they were.
   */
  retype(kind: ResourceType): void {
    this.#kind = kind;
    this.#generation++;
    kind.versions.forEach((_, version) => {
      const made = this.#make({ version });
      const plain = this.#plain[version];
      if (plain === undefined) this.#plain[version] = made;
      else Object.assign(plain, made);
    });
    for (const [id, { view, representation }] of this.#known) {
      // A version may have none any more; who is just being answered has the one from before.
      if (view.subresource === 'scale') this.#known.delete(id);
      else Object.assign(representation, this.#make(view));
    }
  }

  /** Nobody is going to ask for a version that was replaced, or only to catch up. */
  forget(rv: number): void {
    this.#cache.forget(rv);
  }

  /** A Status in the place of an object. */
  status(view: View, status: Status): Uint8Array {
    const { encoding } = view.form ?? PLAIN_JSON;
    return statusDocument(status, encoding, this.#codec);
  }

  #idOf(view: SubresourceView): string {
    return this.#generation === 0 ? viewText(view) : `${this.#generation}:${viewText(view)}`;
  }

  #make(view: SubresourceView): Representation {
    const { form = PLAIN_JSON } = view;
    const id = this.#idOf(view);
    if (form.encoding === 'yaml') {
      return yamlRepresentation(this.#make({ ...view, form: { ...form, encoding: 'json' } }));
    }
    if (form.as === 'Table') return tableRepresentation(id, this.#tableOptions(view, form));
    const content =
      form.as === undefined ? this.#whole(view) : this.#metadataOf(view, this.#metaVersion(form));
    if (form.encoding === 'json') return jsonRepresentation(id, content);
    return protobufRepresentation(id, content, this.#cache);
  }

  /** The object itself in a version, or its Scale. */
  #whole(view: SubresourceView): Content {
    const id = this.#idOf({ ...view, form: PLAIN_JSON });
    return wholeObject(id, this.#kind.servedAs(view), this.#cache);
  }

  #metaVersion({ metaVersion = 'v1' }: Form): string {
    return `${META_GROUP}/${metaVersion}`;
  }

  #tableOptions(view: SubresourceView, form: Form): TableOptions {
    const apiVersion = this.#metaVersion(form);
    const printed = this.#printed(view);
    const { conversion } = this.#kind.version(view.version);
    return {
      apiVersion,
      printer: printed.printer,
      printedOf: (wire) => printed.read(wire),
      held: this.#held(view, form, apiVersion),
      needed: conversion && neededBy(conversion),
      nowMs: this.#nowMs,
      rows: this.#rowsOf(view),
    };
  }

  #printed({ version, subresource }: SubresourceView): PrintedAs {
    const printed = this.#kind.printed(version);
    if (subresource !== 'scale') return printed;
    const isCustom = this.#kind.definition.message === undefined;
    return scalePrinted(this.#kind.scale(version), printed, isCustom);
  }

  /** Those that a webhook says are not kept for long. */
  #rowsOf(view: SubresourceView): KeptRows {
    if (this.#kind.version(view.version).conversion !== undefined) return NO_ROWS;
    const id = this.#idOf({ ...view, form: ROWS });
    return {
      known: (rv) => this.#cache.text(id, rv),
      keep: (rv, row) => void this.#cache.set(id, rv, row),
    };
  }

  /**
   * As it is stored, without the annotations in which an old version shows parts of the spec; where
   * a webhook converts, with the labels and annotations of the version.
   */
  #metadataOf(view: SubresourceView, apiVersion: string): Content {
    const { annotationOfSpec } = this.#kind.definition;
    const isConverted = this.#kind.version(view.version).conversion !== undefined;
    const whole = this.#whole(isConverted ? view : { ...view, version: 0 });
    return metadataOnly(whole, this.#model, apiVersion, annotationOfSpec);
  }

  /** The content of the objects that rows hold. */
  #held(view: SubresourceView, { includeObject }: Form, apiVersion: string): Content | undefined {
    if (includeObject === 'None') return undefined;
    return includeObject === 'Object' ? this.#whole(view) : this.#metadataOf(view, apiVersion);
  }
}

/** As they are kept: whatever else a Table shows of its objects. */
const ROWS: Form = { encoding: 'json', as: 'Table', includeObject: 'None' };
const NO_ROWS: KeptRows = { known: () => undefined, keep: () => {} };

function viewText({ version = 0, form = PLAIN_JSON, subresource = '' }: SubresourceView): string {
  const { encoding, as = '', metaVersion = '', includeObject = '' } = form;
  // Other subresources show the object itself.
  const scale = subresource === 'scale' ? 'scale' : '';
  return `${version}/${encoding}/${as}/${metaVersion}/${includeObject}/${scale}/`;
}
