/**
 * Documents of objects that clients got, kept for whoever gets them next: as long as an object has
 * not changed its shard need not be asked. What a shard has written of a change into the cells that
 * all threads share says whether it has (src/replicas/README.md#objects).
 */
import type { AnsweredVersions } from '../replicas/answered-versions.ts';
import type { Form } from '../semantics/options/answer-form.ts';
import { PLAIN_JSON } from '../semantics/options/answer-form.ts';
import { KEPT_DOCUMENT_BYTES_MAX } from './limits.ts';
import type { ResourceRoute } from './requests/route.ts';

interface KeptDocument {
  readonly document: Uint8Array;
  /** What the cell said when it was asked for. */
  readonly mark: number;
}

/** Besides its bytes a document has a name, and a place among the others. */
const ENTRY_BYTES = 512;

function bytesOf(kept: KeptDocument | undefined): number {
  return kept === undefined ? 0 : kept.document.length + ENTRY_BYTES;
}

/** Room that the types of a front share: what was not asked for again goes first. */
export class KeptRoom {
  readonly #bytesMax: number;
  #recent = new Map<string, KeptDocument>();
  #former: ReadonlyMap<string, KeptDocument> = new Map();
  #recentBytes = 0;

  /** Keeps at most so many bytes. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get(key: string): KeptDocument | undefined {
    const recent = this.#recent.get(key);
    if (recent !== undefined) return recent;
    const former = this.#former.get(key);
    if (former !== undefined) this.set(key, former);
    return former;
  }

  set(key: string, kept: KeptDocument): void {
    this.#recentBytes += bytesOf(kept) - bytesOf(this.#recent.get(key));
    if (this.#recentBytes > this.#bytesMax / 2) {
      this.#former = this.#recent;
      this.#recent = new Map();
      this.#recentBytes = bytesOf(kept);
    }
    this.#recent.set(key, kept);
  }
}

/** The documents of one built-in type. */
export class KeptDocuments {
  readonly #room: KeptRoom;
  readonly #answered: AnsweredVersions;
  /** Of the type. */
  readonly #cell: number;

  constructor(room: KeptRoom, answered: AnsweredVersions, cell: number) {
    this.#room = room;
    this.#answered = answered;
    this.#cell = cell;
  }

  /**
   * Finds the document of a get of the newest state, or gives what keeps it when the shard has
   * answered. Undefined for what is not kept: the ages in a Table are of the moment.
   */
  find(
    route: ResourceRoute,
    form: Form,
  ): Uint8Array | ((document: Uint8Array) => void) | undefined {
    if (form.as === 'Table') return undefined;
    const { namespace, name, version, subresource } = route;
    const view = `${this.#cell} ${version}${formText(form)} ${subresource}`;
    const key = `${view} ${namespace}/${name}`;
    const mark = this.#answered.objectMark(this.#cell, name);
    const kept = this.#room.get(key);
    if (kept?.mark === mark) return kept.document;
    return (document) => {
      if (document.length > KEPT_DOCUMENT_BYTES_MAX) return;
      // A copy of its own: a part of a pooled buffer would keep all that is around it.
      this.#room.set(key, { document: new Uint8Array(document), mark });
    };
  }
}

function formText(form: Form): string {
  if (form === PLAIN_JSON) return '';
  const { encoding, as = '', metaVersion = '' } = form;
  return `${encoding} ${as} ${metaVersion}`;
}
