/** `npm run import`: objects of an export, made on another server by ordinary writes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseAllDocuments } from 'yaml';
import { OptionsError } from '../flags.ts';
import { FileError, manifestFiles, readManifest } from '../manifest-files.ts';
import type { Output } from '../output.ts';
import { typePath, typesOf, type ApiType } from './api-types.ts';
import { refusalOf, type Api, type ApiAnswer } from './api.ts';
import { asNew, isMembers, OWN_STATUS, rankOf, titleOf, withoutAddresses } from './objects.ts';
import type { ApiObject } from './objects.ts';
import { Progress } from './progress.ts';
import type { SnapshotContent } from './etcd-snapshot.ts';
import { findRunning, parseWithFirst, TARGET_FLAGS, TARGET_HELP, textOf } from './target.ts';
import { exitCodeOf, ToolError } from './tool-error.ts';

const WAIT_MS = 200;
/** A server that is asked too much, or a type that is not there yet. */
const TRIES_MAX = 50;
const TOKEN_TYPE = /\/service-account-token$/;

const SNAPSHOT = 'etcd-snapshot';

const HELP = [
  'Usage: npm run import -- FOLDER|FILE [--replace] [--data-dir FOLDER | --kubeconfig FILE]',
  `       npm run import -- --${SNAPSHOT} FILE [--replace] …`,
  '',
  'Makes the objects of an export (npm run export), or of other manifests, on a running server.',
  'They get new uids, and owners are found by those; status is written as well. Objects that are',
  'there stay as they are. What cannot be made is listed, and the exit code is 1.',
  '',
  `  --${SNAPSHOT} FILE`,
  '                      of `etcdctl snapshot save`, or member/snap/db of an etcd that is stopped:',
  '                      all objects of a cluster, in its own names (--api-domain k8s.io)',
  '  --replace           objects that are there become as they are in the files',
  ...TARGET_HELP,
  '',
].join('\n');

/** Runs with arguments; returns the exit code. */
export async function runImport(args: readonly string[], output: Output): Promise<number> {
  return exitCodeOf(output, async () => {
    const flags = { replace: { value: '' }, [SNAPSHOT]: { value: 'FILE' }, ...TARGET_FLAGS };
    const { first, given } = parseWithFirst(flags, args);
    if (given['help'] === true) {
      output.write(HELP);
      return 0;
    }
    const snapshot = textOf(given, SNAPSHOT);
    if ((first === '') === (snapshot === '')) {
      throw new OptionsError(`give the FOLDER or FILE to import, or --${SNAPSHOT} FILE`);
    }
    const content =
      first === '' ? await contentOf(snapshot) : { objects: objectsIn(first), unread: [] };
    const api = findRunning(given);
    try {
      const run = new Import(api, output, given['replace'] === true);
      run.passOver(content.unread);
      await run.make(content.objects.sort((a, b) => rankOf(a) - rankOf(b)));
      return run.finish();
    } finally {
      api.close();
    }
  });
}

/** Throws ToolError for a file that is no snapshot. */
async function contentOf(snapshot: string): Promise<SnapshotContent> {
  // It needs the messages of all kinds.
  const { snapshotContent } = await import('./etcd-snapshot.ts');
  return snapshotContent(snapshot);
}

/** Throws ToolError for a file that is not of objects. */
function objectsIn(path: string): ApiObject[] {
  const objects: ApiObject[] = [];
  try {
    for (const file of manifestFiles(path)) {
      for (const document of parseAllDocuments(readManifest(file))) {
        const [error] = document.errors;
        if (error !== undefined) throw new FileError(`${file}: ${error.message.split('\n')[0]}`);
        const value: unknown = document.toJS();
        if (value === null) continue;
        if (!isObject(value)) throw new FileError(`${file}: a document is no object of the API`);
        objects.push(value);
      }
    }
  } catch (error) {
    if (error instanceof FileError) throw new ToolError(error.message);
    throw error;
  }
  return objects;
}

function isObject(value: unknown): value is ApiObject {
  if (!isMembers(value) || !isMembers(value['metadata'])) return false;
  const { apiVersion, kind, metadata } = value;
  return [apiVersion, kind, (metadata as { name?: unknown }).name].every(
    (text) => typeof text === 'string',
  );
}

class Import {
  readonly #api: Api;
  readonly #output: Output;
  readonly #progress: Progress;
  readonly #replaces: boolean;
  /** By the uids in the files, those on the server. */
  readonly #uids = new Map<string, string>();
  readonly #types = new Map<string, readonly ApiType[]>();
  #made = 0;
  #replaced = 0;
  #there = 0;
  #refused = 0;

  constructor(api: Api, output: Output, replaces: boolean) {
    this.#api = api;
    this.#output = output;
    this.#progress = new Progress(output);
    this.#replaces = replaces;
  }

  /** Says what could not be read of a snapshot. */
  passOver(unread: SnapshotContent['unread']): void {
    for (const [key, why] of unread) this.#output.write(`not made: ${key}: ${why}\n`);
    this.#refused += unread.length;
  }

  /** Owners come before what they own. */
  async make(objects: readonly ApiObject[]): Promise<void> {
    const waiting = new Set(objects.flatMap(({ metadata }) => metadata.uid ?? []));
    let left = objects;
    while (left.length > 0) {
      const later: ApiObject[] = [];
      for (const object of left) {
        const { uid = '', ownerReferences = [] } = object.metadata;
        if (ownerReferences.some((owner) => waiting.has(owner.uid))) {
          later.push(object);
          continue;
        }
        await this.#makeOne(object);
        waiting.delete(uid);
        this.#progress.tell(() => `${this.#made} of ${objects.length} objects made`);
      }
      // Owners in a circle are of no use to each other.
      if (later.length === left.length) waiting.clear();
      left = later;
    }
  }

  async #makeOne(object: ApiObject): Promise<void> {
    if (object.metadata['deletionTimestamp'] !== undefined) {
      this.#refuse(object, 'it is being deleted');
      return;
    }
    if (TOKEN_TYPE.test(String(object['type']))) {
      this.#refuse(object, 'it holds a token of the other server');
      return;
    }
    const type = await this.#typeOf(object);
    if (type === undefined) {
      this.#refuse(object, `the server has no ${object.kind} in ${object.apiVersion}`);
      return;
    }
    const path = typePath(type, object.metadata.namespace ?? '');
    const answer = await this.#create(path, asNew(object, this.#uids));
    if (answer.status === 409 && /already exists/.test(answer.body.toString())) {
      await this.#meet(type, path, object);
    } else if (answer.status >= 300) this.#refuse(object, refusalOf(answer));
    else {
      this.#made++;
      await this.#written(type, path, object, answer);
    }
  }

  async #create(path: string, object: ApiObject): Promise<ApiAnswer> {
    const answer = await this.#send('POST', path, object);
    const other = answer.status === 422 ? withoutAddresses(object) : undefined;
    return other === undefined ? answer : this.#send('POST', path, other);
  }

  /** One that is there already. */
  async #meet(type: ApiType, path: string, object: ApiObject): Promise<void> {
    const one = `${path}/${object.metadata.name}`;
    const found = await this.#send('GET', one);
    if (found.status !== 200) {
      this.#refuse(object, refusalOf(found));
      return;
    }
    const { metadata } = JSON.parse(found.body.toString()) as ApiObject;
    if (!this.#replaces) {
      this.#there++;
      this.#know(object, metadata.uid);
      return;
    }
    const made = asNew(object, this.#uids);
    made.metadata.resourceVersion = metadata.resourceVersion ?? '';
    const answer = await this.#send('PUT', one, made);
    if (answer.status >= 300) {
      this.#refuse(object, refusalOf(answer));
      return;
    }
    this.#replaced++;
    await this.#written(type, path, object, answer);
  }

  /** Its uid is known, and its status is written. */
  async #written(type: ApiType, path: string, object: ApiObject, answer: ApiAnswer): Promise<void> {
    const written = JSON.parse(answer.body.toString()) as ApiObject;
    this.#know(object, written.metadata.uid);
    if (object.kind === 'CustomResourceDefinition') this.#types.clear();
    const { status } = object;
    if (!type.hasStatus || !isMembers(status) || OWN_STATUS.includes(object.kind)) return;
    const one = `${path}/${object.metadata.name}/status`;
    const { resourceVersion: _version, ...metadata } = written.metadata;
    const told = await this.#send('PUT', one, { ...written, metadata, status });
    if (told.status >= 300) this.#output.say(`${titleOf(object)}: its status: ${refusalOf(told)}`);
  }

  #know({ metadata: { uid } }: ApiObject, now: string | undefined): void {
    if (uid !== undefined && now !== undefined) this.#uids.set(uid, now);
  }

  /** Waits for a type whose definition has just been made. */
  async #typeOf({ apiVersion, kind }: ApiObject): Promise<ApiType | undefined> {
    const isDefined = apiVersion.includes('.') && this.#made > 0;
    for (let attempt = 1; ; attempt++) {
      const types = this.#types.get(apiVersion) ?? (await this.#typesIn(apiVersion));
      const type = types.find((one) => one.kind === kind);
      if (type !== undefined || !isDefined || attempt === TRIES_MAX) return type;
      this.#types.delete(apiVersion);
      await sleep(WAIT_MS);
    }
  }

  async #typesIn(apiVersion: string): Promise<readonly ApiType[]> {
    const types = await typesOf(this.#api, apiVersion).catch((error: unknown) => {
      // There is no such version, or not yet.
      if (error instanceof ToolError) return [];
      throw error;
    });
    this.#types.set(apiVersion, types);
    return types;
  }

  async #send(method: string, path: string, object?: ApiObject): Promise<ApiAnswer> {
    for (let attempt = 1; ; attempt++) {
      const body = object === undefined ? undefined : JSON.stringify(object);
      const answer = await this.#api.request(method, path, body);
      const isBusy = answer.status === 429 || answer.status === 503;
      // A namespace that was just made may not be known to all types yet.
      if (!isBusy || attempt === TRIES_MAX) return answer;
      await sleep(WAIT_MS);
    }
  }

  #refuse(object: ApiObject, why: string): void {
    this.#refused++;
    this.#output.write(`not made: ${titleOf(object)}: ${why}\n`);
  }

  /** The exit code. */
  finish(): number {
    this.#output.write(
      `made ${this.#made} objects, replaced ${this.#replaced}; ` +
        `${this.#there} were there already, ${this.#refused} could not be made\n`,
    );
    return this.#refused === 0 ? 0 : 1;
  }
}
