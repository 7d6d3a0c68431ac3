/** The first part of a comparison: the rows of `test/catalogue`. */
import { swapDocument } from '../../src/semantics/dialect/json-edits.ts';
import { catalogueDocument, type CatalogueFile } from '../../test/support/catalogue.ts';
import type { Change, KindCases } from '../../test/support/kind-cases.ts';
import type { TestObject } from '../../test/support/kinds.ts';
import { servedPath, servedResource } from '../../test/support/served-resource.ts';
import { inClientNames } from '../../test/support/requests-in-client-names.ts';
import type { Lane } from './lane.ts';
import { Marks } from './marks.ts';
import { removeObject } from './clean-up.ts';

export async function runRows(lane: Lane, { name, cases }: CatalogueFile): Promise<void> {
  const rows = new RowRequests(lane, name, cases);
  const { minimal, full, invalid, updates = [], statusUpdates = [] } = cases;
  await rows.valid('minimal', minimal);
  await rows.valid('full', full);
  for (const [rule, change] of invalid) await rows.created(rule, minimal, change);
  for (const [rule, first, second] of updates) await rows.updated(rule, first, second, '');
  for (const [rule, first, second] of statusUpdates) {
    await rows.updated(rule, first, second, 'status');
  }
}

class RowRequests {
  readonly #lane: Lane;
  readonly #file: string;
  readonly #cases: KindCases;

  constructor(lane: Lane, file: string, cases: KindCases) {
    this.#lane = lane;
    this.#file = file;
    this.#cases = cases;
  }

  async valid(rule: string, members: Change): Promise<void> {
    const document = this.#document(members);
    if ((await this.#write(rule, 'POST', document)) === undefined) return;
    await this.#update(rule, document, (live) => live, '');
    await this.#remove(document);
  }

  async created(rule: string, ...members: readonly Change[]): Promise<void> {
    const document = this.#document(...members);
    await this.#write(rule, 'POST', document);
    await this.#remove(document);
  }

  async updated(rule: string, first: Change, second: Change, subresource: string): Promise<void> {
    const document = this.#document(this.#cases.minimal, first);
    if ((await this.#write(rule, 'POST', document)) !== undefined) {
      const { name } = document.metadata;
      const change = (live: TestObject): TestObject =>
        catalogueDocument(this.#cases, name, live, second);
      await this.#update(rule, document, change, subresource);
    }
    await this.#remove(document);
  }

  #document(...members: readonly Change[]): TestObject {
    return catalogueDocument(this.#cases, `${this.#lane.prefix}row`, ...members);
  }

  #names(subresource = ''): { kind: string; groupVersion: string; subresource: string } {
    const { kind, apiVersion } = this.#cases;
    return { kind, groupVersion: apiVersion, subresource };
  }

  #collection({ metadata }: TestObject): string {
    const { kind, apiVersion } = this.#cases;
    const { namespace = this.#lane.namespace } = metadata;
    return servedPath(servedResource(apiVersion, kind), namespace);
  }

  #path(document: TestObject): string {
    return `${this.#collection(document)}/${encodeURIComponent(document.metadata.name)}`;
  }

  /** Undefined unless both servers have accepted it, and are alike. */
  async #write(rule: string, method: 'POST', document: TestObject): Promise<true | undefined> {
    const path = this.#collection(document);
    const body = JSON.stringify(document);
    const request = { ...this.#names(), method, path, body, contentType: 'application/json' };
    const answers = await this.#lane.send(inClientNames(request), 'create', this.#origin(rule));
    return answers.every(({ status }) => status === 201) ? true : undefined;
  }

  async #update(
    rule: string,
    document: TestObject,
    change: (live: TestObject) => TestObject,
    subresource: string,
  ): Promise<void> {
    const path = this.#path(document);
    const marks = new Marks();
    const read = inClientNames({ ...this.#names(), method: 'GET', path });
    const live = await this.#lane.read(read, this.#origin(rule), marks);
    if (live === undefined) return;
    // The rows are in the neutral names; all of it is put into clients' names.
    const neutral = JSON.parse(swapDocument(this.#cases.kind, JSON.stringify(live))) as TestObject;
    const body = JSON.stringify(change(neutral));
    const at = subresource === '' ? path : `${path}/${subresource}`;
    const request = { ...this.#names(subresource), method: 'PUT', path: at, body };
    const what = subresource === '' ? 'update' : `update ${subresource}`;
    await this.#lane.send(inClientNames(request), what, this.#origin(rule), marks);
  }

  async #remove(document: TestObject): Promise<void> {
    const { path } = inClientNames({ ...this.#names(), method: 'GET', path: this.#path(document) });
    const { ours, theirs } = this.#lane.servers;
    await Promise.all([removeObject(ours, path), removeObject(theirs, path)]);
  }

  #origin(rule: string): string {
    return `${this.#file}: ${rule}`;
  }
}
