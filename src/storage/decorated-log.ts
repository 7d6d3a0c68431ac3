/** A log around another one, to which all goes as it is that a decorator does not change. */
import type { LogEntry, Removal, TypeLog } from './store.ts';

export abstract class DecoratedLog implements TypeLog {
  /** As it is stored. */
  protected readonly log: TypeLog;

  constructor(log: TypeLog) {
    this.log = log;
  }

  /** A record as it is read: the same array where that is how it is stored. */
  asRead(record: Uint8Array): Uint8Array {
    return record;
  }

  append(entries: readonly LogEntry[], removal?: Removal): Promise<void> {
    return this.log.append(entries, removal);
  }

  checkRoom(bytes: number): void {
    this.log.checkRoom(bytes);
  }

  fill(entries: readonly LogEntry[]): Promise<void> {
    return this.log.fill(entries);
  }

  rewrite(entries: readonly LogEntry[]): Promise<void> {
    return this.log.rewrite(entries);
  }

  read(rv: number): Uint8Array | undefined {
    const record = this.log.read(rv);
    return record && this.asRead(record);
  }

  scan(afterRv: number, visit: (rv: number, value: Uint8Array) => boolean): void {
    this.log.scan(afterRv, (rv, record) => visit(rv, this.asRead(record)));
  }

  count(): number {
    return this.log.count();
  }

  horizon(): number {
    return this.log.horizon();
  }
}
