/** The files of an export: one alone, or a folder with some for each namespace and type. */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { flushNames, writeDurably } from '../../src/base/durable-file.ts';
import { yamlText } from '../../src/codec/yaml/yaml-text.ts';
import { FILE_BYTES_MAX } from '../manifest-files.ts';
import type { ApiType } from './api-types.ts';
import { rankOf, type ApiObject } from './objects.ts';
import { ToolError } from './tool-error.ts';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const BETWEEN = '---\n';
const IS_FILE = /\.ya?ml$/;

export interface ExportedFiles {
  /** All objects of a type. */
  add(type: ApiType, objects: readonly ApiObject[]): void;
  /** Puts what was added into its place. */
  finish(): void;
}

/** A name that ends in .yaml or .yml is a file. Throws ToolError where something is there. */
export function exportedFiles(to: string): ExportedFiles {
  return IS_FILE.test(to) ? new OneFile(to) : new Folder(to);
}

class OneFile implements ExportedFiles {
  readonly #to: string;
  readonly #objects: ApiObject[] = [];

  constructor(to: string) {
    if (existsSync(to)) throw new ToolError(`${to} is there already`);
    this.#to = to;
  }

  add(_type: ApiType, objects: readonly ApiObject[]): void {
    for (const object of objects) this.#objects.push(object);
  }

  finish(): void {
    const sorted = this.#objects.toSorted((a, b) => rankOf(a) - rankOf(b));
    const text = sorted.map(textOf).join(BETWEEN);
    if (Buffer.byteLength(text) > FILE_BYTES_MAX) {
      throw new ToolError(`${this.#to}: that is too much for one file, give a folder`);
    }
    writeDurably(this.#to, text, FILE_MODE);
  }
}

class Folder implements ExportedFiles {
  readonly #to: string;
  readonly #partial: string;

  constructor(to: string) {
    if (existsSync(to) && readdirSync(to).length > 0) throw new ToolError(`${to} is not empty`);
    this.#to = resolve(to);
    this.#partial = `${this.#to}.partial`;
    rmSync(this.#partial, { recursive: true, force: true });
    mkdirSync(this.#partial, { recursive: true, mode: FOLDER_MODE });
  }

  add(type: ApiType, objects: readonly ApiObject[]): void {
    const byNamespace = Map.groupBy(objects, ({ metadata: { namespace = '' } }) => namespace);
    for (const [namespace, within] of byNamespace) {
      const folder = join(this.#partial, namespace);
      mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
      for (const [at, text] of parts(within).entries()) {
        writeDurably(join(folder, fileName(type, at + 1)), text, FILE_MODE);
      }
    }
  }

  finish(): void {
    rmSync(this.#to, { recursive: true, force: true });
    renameSync(this.#partial, this.#to);
    flushNames(dirname(this.#to));
  }
}

/** Texts that can each be read again. */
function parts(objects: readonly ApiObject[]): string[] {
  const texts: string[] = [];
  let documents: string[] = [];
  let bytes = 0;
  for (const object of objects) {
    const text = textOf(object);
    const added = Buffer.byteLength(text) + BETWEEN.length;
    if (documents.length > 0 && bytes + added > FILE_BYTES_MAX) {
      texts.push(documents.join(BETWEEN));
      documents = [];
      bytes = 0;
    }
    documents.push(text);
    bytes += added;
  }
  texts.push(documents.join(BETWEEN));
  return texts;
}

/** `deployments.apps.v1.yaml`, and `deployments.apps.v1.2.yaml` after it. */
function fileName({ apiVersion, plural }: ApiType, part: number): string {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  const type = group === '' ? plural : `${plural}.${group}`;
  return `${type}.${version}${part === 1 ? '' : `.${part}`}.yaml`;
}

/** Versions and owners of fields are of no use elsewhere; uids tell owners. */
function textOf({ apiVersion, kind, metadata, ...rest }: ApiObject): string {
  const { managedFields: _owners, resourceVersion: _version, ...kept } = metadata;
  return yamlText(JSON.stringify({ apiVersion, kind, metadata: kept, ...rest }));
}
