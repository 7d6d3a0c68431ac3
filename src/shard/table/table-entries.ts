/** The entries of the table: the facts that it holds of an object. */
import { RecentMap } from '../../base/recent-map.ts';
import type { RecordHeader } from '../../storage/record.ts';
import type { TableEntry } from './table-entry.ts';

/** So many sets of each kind are known; what is longer each object holds for itself. */
export const SHARED_VALUES = 2_048;
const SHARED_LENGTH_MAX = 512;

/** The members of a record that an entry is made of. */
export type EntryFacts = Pick<RecordHeader, 'key' | 'labels' | 'fields' | 'owners' | 'awaits'>;

/**
 * Makes the entries of a table. Labels and selectable fields are alike in many objects, such as the
 * pods of a workload: those that were met lately are not held again.
 */
export class TableEntries {
  readonly #labels = new RecentMap<string, TableEntry['labels']>(SHARED_VALUES);
  readonly #fields = new RecentMap<string, TableEntry['fields']>(SHARED_VALUES);
  readonly #texts = new RecentMap<string, string>(SHARED_VALUES);
  readonly #withOwners: boolean;
  /** Records after each other may have the very same labels: those of the last one. */
  #lastLabels: { readonly read: TableEntry['labels']; readonly shared: TableEntry['labels'] } = {
    read: undefined,
    shared: undefined,
  };

  /** `withOwners`: somebody collects garbage. */
  constructor(withOwners: boolean) {
    this.#withOwners = withOwners;
  }

  /** Objects without owners have no members for it: that is most of them. */
  of({ key, labels, fields, owners, awaits = 0 }: EntryFacts, rv: number): TableEntry {
    const entry = {
      key,
      rv,
      labels: this.#sharedLabels(labels),
      fields: this.#sharedFields(fields),
    };
    if (!this.#withOwners || (owners === undefined && awaits === 0)) return entry;
    return { ...entry, ...(owners && { owners }), ...(awaits > 0 && { awaits }) };
  }

  #sharedLabels(labels: TableEntry['labels']): TableEntry['labels'] {
    if (labels === this.#lastLabels.read) return this.#lastLabels.shared;
    if (labels === undefined) return undefined;
    let text = '';
    for (const name in labels) text += `${name}\0${labels[name]}\0`;
    const shared = known(this.#labels, text, () => labels);
    this.#lastLabels = { read: labels, shared };
    return shared;
  }

  /** Where not all are alike those that are. */
  #sharedFields(fields: TableEntry['fields']): TableEntry['fields'] {
    return known(this.#fields, fields.join('\0'), () =>
      fields.map((value) => known(this.#texts, value, () => value)),
    );
  }
}

function known<T>(values: RecentMap<string, T>, text: string, make: () => T): T {
  const found = values.get(text);
  if (found !== undefined) return found;
  const made = make();
  if (text.length <= SHARED_LENGTH_MAX) values.set(text, made);
  return made;
}
