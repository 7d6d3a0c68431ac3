/** The Store as a short readable model of the LMDB one, without a disk. */
import type { LogEntry, Moment, Removal, Settings, Store, TypeLog } from './store.ts';

class MemoryLog implements TypeLog {
  readonly #entries = new Map<number, Uint8Array>();
  #horizon = 0;

  async append(entries: readonly LogEntry[], removal?: Removal): Promise<void> {
    this.#horizon = Math.max(this.#horizon, removal?.horizon ?? 0);
    // Committed in a later turn, as a disk would.
    await new Promise((resolve) => setImmediate(resolve));
    for (const rv of Array.from(removal?.rvs ?? [])) this.#entries.delete(rv);
    for (const { rv, value } of entries) this.#entries.set(rv, new Uint8Array(value));
  }

  checkRoom(): void {
    // There is no disk.
  }

  async fill(entries: readonly LogEntry[]): Promise<void> {
    await this.append(entries);
  }

  async rewrite(entries: readonly LogEntry[]): Promise<void> {
    await this.append(entries);
  }

  read(rv: number): Uint8Array | undefined {
    return this.#entries.get(rv);
  }

  scan(afterRv: number, visit: (rv: number, value: Uint8Array) => boolean): void {
    const rvs = [...this.#entries.keys()].filter((rv) => rv > afterRv).sort((a, b) => a - b);
    for (const rv of rvs) {
      const value = this.#entries.get(rv);
      if (value !== undefined && !visit(rv, value)) return;
    }
  }

  count(): number {
    return this.#entries.size;
  }

  horizon(): number {
    return this.#horizon;
  }
}

function logIn(logs: Map<string, MemoryLog>, name: string): MemoryLog {
  let log = logs.get(name);
  if (log === undefined) {
    log = new MemoryLog();
    logs.set(name, log);
  }
  return log;
}

export class MemorySettings implements Settings {
  readonly #values = new Map<string, string>();

  get(name: string): string | undefined {
    return this.#values.get(name);
  }

  async put(name: string, value: string): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#values.set(name, value);
  }

  swap(name: string, swap: (value: string | undefined) => string): void {
    this.#values.set(name, swap(this.#values.get(name)));
  }
}

export class MemoryStore implements Store {
  readonly #logs = new Map<string, MemoryLog>();
  readonly #customLogs = new Map<string, MemoryLog>();
  readonly shared: Settings;
  readonly local: Settings = new MemorySettings();

  /** With what it has in common with another server of its cluster. */
  constructor(shared: Settings = new MemorySettings()) {
    this.shared = shared;
  }

  moment(): Moment {
    return { logs: this.#logs, customLogs: this.#customLogs };
  }

  openLog(type: string): TypeLog {
    return logIn(this.#logs, type);
  }

  openCustomLog(name: string): TypeLog {
    return logIn(this.#customLogs, name);
  }

  customLogs(): readonly string[] {
    return [...this.#customLogs.keys()].sort();
  }

  async dropLog(name: string): Promise<void> {
    this.#customLogs.delete(name);
  }

  async finishDrops(): Promise<void> {
    // Each is dropped at once.
  }

  makeLogs(): void {
    // Each is made when it is opened.
  }

  notedLogs(): readonly string[] {
    return [];
  }

  async close(): Promise<void> {}
}
