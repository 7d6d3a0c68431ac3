/** Which services have which node ports, and what is wrong with that. */
import { parseNodePortRange } from '../../resources/core/services/service-ranges.ts';
import type { PortProblem } from './repair-events.ts';

export class PortUsers {
  /** As events tell it. */
  readonly rangeText: string;
  readonly #first: number;
  readonly #last: number;
  /** The keys of services, by port. */
  readonly #users = new Map<number, Set<string>>();

  constructor(range: string) {
    const { first, last, text } = parseNodePortRange(range);
    this.rangeText = text;
    this.#first = first;
    this.#last = last;
  }

  /** A service has these ports now, and had those before. */
  change(key: string, now: readonly number[] = [], before: readonly number[] = []): void {
    for (const port of before) {
      const users = this.#users.get(port);
      users?.delete(key);
      if (users?.size === 0) this.#users.delete(port);
    }
    for (const port of now) {
      const users = this.#users.get(port) ?? new Set<string>();
      this.#users.set(port, users.add(key));
    }
  }

  /** A port of several services is that of the first one, by their names. */
  problemOf(key: string, port: number): PortProblem | undefined {
    if (port < this.#first || port > this.#last) return 'outOfRange';
    for (const other of this.#users.get(port) ?? []) if (other < key) return 'duplicate';
    return undefined;
  }
}
