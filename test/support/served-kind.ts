/** One served version of a kind on a running server, with the objects of its catalogue file. */
import { catalogueDocument, catalogueFiles } from './catalogue.ts';
import type { Change, KindCases } from './kind-cases.ts';
import type { TestObject } from './kinds.ts';
import { until } from './owned-objects.ts';
import { settled } from './settled.ts';
import { sendPatch, type PatchType } from './send-patch.ts';
import { RESOURCES } from './resources.ts';
import { RowObject } from './row-object.ts';
import { servedPath, servedResource, type ServedResource } from './served-resource.ts';
import type { Answer, Server } from './server.ts';

/** How a patch is sent. */
export interface PatchOptions {
  readonly subresource?: string;
  readonly fieldManager?: string;
  /** The `User-Agent`. */
  readonly agent?: string;
  readonly force?: boolean;
  readonly dryRun?: boolean;
}

/** Each file of `test/catalogue` on this server, with the file's name; all files or those named. */
export async function servedKinds(
  server: Server,
  only: readonly string[] = [],
): Promise<(readonly [name: string, kind: ServedKind])[]> {
  const files = await catalogueFiles(only);
  return files.map(({ name, cases }) => [name, new ServedKind(server, cases)] as const);
}

/** The first file of each version of a kind, by version and kind: `batch/v1 Job`. */
export async function eachServedKind(server: Server): Promise<ReadonlyMap<string, ServedKind>> {
  const files = await servedKinds(server);
  const byName = files.map(([, kind]) => [kind.name, kind] as const);
  return new Map([...new Map(byName.toReversed())].toReversed());
}

/** They are there until the last of their objects has gone. */
const GO_WITH_THEIR_CONTENT: ReadonlySet<string> = new Set([
  'CustomResourceDefinition',
  'Namespace',
]);

export class ServedKind {
  readonly cases: KindCases;
  readonly served: ServedResource;
  readonly #server: Server;

  constructor(server: Server, cases: KindCases) {
    this.#server = server;
    this.cases = cases;
    this.served = servedResource(cases.apiVersion, cases.kind);
  }

  /** `batch/v1 Job`. */
  get name(): string {
    return `${this.cases.apiVersion} ${this.cases.kind}`;
  }

  /** Where objects are made and listed. */
  get path(): string {
    return servedPath(this.served);
  }

  /** Whether DELETE on the collection is served. */
  get deletesCollection(): boolean {
    return this.serves('', 'deletecollection');
  }

  /** Whether a verb is served for the object ('') or a subresource of it. */
  serves(subresource: string, verb: string): boolean {
    const { groupVersion, plural } = this.served;
    const resource = subresource === '' ? plural : `${plural}/${subresource}`;
    const row = RESOURCES.find(([version, name]) => version === groupVersion && name === resource);
    return row !== undefined && (row[4] === 'all' || row[4].split(',').includes(verb));
  }

  /** As errors name the resource type: `leases.coordination.cluster.io`. */
  get resource(): string {
    const { groupVersion, plural } = this.served;
    const group = groupVersion.includes('/') ? groupVersion.split('/')[0] : '';
    return group === '' ? plural : `${plural}.${group}`;
  }

  /** A whole document: the minimal object with these members laid over it. */
  minimal(unique: string, ...members: readonly Change[]): TestObject {
    return this.document(unique, this.cases.minimal, ...members);
  }

  document(unique: string, ...members: readonly Change[]): TestObject {
    return catalogueDocument(this.cases, unique, ...members);
  }

  /** Gives the object that rows of its file begin with. */
  rowObject(): RowObject {
    const make = async (first: Change): Promise<TestObject> => {
      const { status, text, json } = await this.create(this.minimal('row', first));
      if (status !== 201) throw new Error(text);
      return json;
    };
    return new RowObject(make, (object) => this.remove(object));
  }

  pathOf({ metadata: { name } }: TestObject): string {
    return `${this.path}/${encodeURIComponent(name)}`;
  }

  /** Makes it, and answers with what is stored once controllers have said what they say of it. */
  async create(document: TestObject, query = ''): Promise<Answer> {
    const made = await this.post(document, query);
    return made.status === 201 ? this.settled(made) : made;
  }

  /** Makes it, and answers with what the request was answered. */
  post(document: TestObject, query = ''): Promise<Answer> {
    return this.#server.post(`${this.path}${query}`, document);
  }

  /** The answer, or where controllers write to what was made, what is stored then. */
  settled(made: Answer): Promise<Answer> {
    return settled(this.#server, this.pathOf(made.json), made);
  }

  read(object: TestObject): Promise<Answer> {
    return this.#server.get(this.pathOf(object));
  }

  /** Answers as `create` does. */
  async patch(
    object: TestObject,
    type: PatchType,
    body: unknown,
    { subresource = '', fieldManager = '', agent, force, dryRun }: PatchOptions = {},
  ): Promise<Answer> {
    const query = new URLSearchParams({
      ...(fieldManager !== '' && { fieldManager }),
      ...(force === true && { force: 'true' }),
      ...(dryRun === true && { dryRun: 'All' }),
    });
    const part = subresource === '' ? '' : `/${subresource}`;
    const path = `${this.pathOf(object)}${part}?${query.toString()}`;
    const answer = await sendPatch(this.#server, path, type, body, { 'user-agent': agent });
    return dryRun === true || answer.status >= 300 ? answer : this.settled(answer);
  }

  /** Gives the same objects in another version that serves them. */
  inVersion(apiVersion: string): ServedKind {
    return new ServedKind(this.#server, { ...this.cases, apiVersion });
  }

  /** The other versions that serve the same objects. */
  get otherVersions(): string[] {
    const { apiVersion, kind } = this.cases;
    const served = RESOURCES.filter(
      ([version, resource, name]) =>
        name === kind && version !== apiVersion && !resource.includes('/'),
    );
    return served.map(([version]) => version);
  }

  /** Removes it at once, whatever its grace, its finalizers or the kind's propagation say. */
  async remove(object: TestObject): Promise<void> {
    const options = { gracePeriodSeconds: 0, propagationPolicy: 'Background' };
    await this.#server.delete(this.pathOf(object), options);
    // Controllers may write it too.
    await until(async () => {
      const left = await this.read(object);
      if (left.status === 404) return true;
      const { finalizers: _held, ...metadata } = left.json.metadata;
      const released = await this.#server.put(this.pathOf(object), { ...left.json, metadata });
      if (this.cases.kind === 'Namespace') await this.#finalize(released.json);
      return released.status !== 409 && !GO_WITH_THEIR_CONTENT.has(this.cases.kind);
    });
  }

  /** Takes what a namespace waits for besides its content. */
  async #finalize(namespace: TestObject): Promise<void> {
    const { finalizers = [] } = (namespace['spec'] ?? {}) as { finalizers?: string[] };
    if (finalizers.every(isServers)) return;
    const path = `${this.pathOf(namespace)}/finalize`;
    await this.#server.put(path, {
      ...namespace,
      spec: { finalizers: finalizers.filter(isServers) },
    });
  }
}

/** The finalizer of namespaces that the server itself takes away. */
function isServers(finalizer: string): boolean {
  return finalizer === 'cluster';
}
