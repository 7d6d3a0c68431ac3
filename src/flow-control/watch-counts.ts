/** Counts the watches that may see a write: each of them has to be served after it. */
import { parseFieldSelector, requiredValue } from '../semantics/selectors/field-selector.ts';
import type { Asked } from './classifier.ts';

type Watched = Pick<Asked, 'group' | 'resource' | 'namespace' | 'name'>;

/** Watches of pods by the value of this field see those with it alone. */
const INDEXED = { resource: 'pods', field: 'spec.nodeName' };

export class WatchCounts {
  readonly #counts = new Map<string, number>();

  /** One more watch; gives what ends it. */
  began(watched: Watched, fieldSelector: string): () => void {
    // Those of one node are few beside those of all.
    if (isOfOneNode(watched, fieldSelector)) return () => undefined;
    const key = keyOf(watched);
    this.#add(key, 1);
    return () => this.#add(key, -1);
  }

  /** Those of all objects of the type, of its namespace, and of the object alone. */
  of(written: Watched): number {
    const { namespace, name } = written;
    let count = this.#at({ ...written, namespace: '', name: '' });
    if (namespace !== '') count += this.#at({ ...written, name: '' });
    if (name !== '') count += this.#at(written);
    return count;
  }

  #at(watched: Watched): number {
    return this.#counts.get(keyOf(watched)) ?? 0;
  }

  #add(key: string, amount: number): void {
    const count = (this.#counts.get(key) ?? 0) + amount;
    if (count === 0) this.#counts.delete(key);
    else this.#counts.set(key, count);
  }
}

function keyOf({ group, resource, namespace, name }: Watched): string {
  return `${group}/${resource}/${namespace}/${name}`;
}

function isOfOneNode({ resource }: Watched, fieldSelector: string): boolean {
  if (resource !== INDEXED.resource || fieldSelector === '') return false;
  try {
    return (requiredValue(parseFieldSelector(fieldSelector), INDEXED.field) ?? '') !== '';
  } catch {
    // Such a watch is refused later.
    return false;
  }
}
