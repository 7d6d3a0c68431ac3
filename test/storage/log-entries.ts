/** The suites of stores share the entries of logs. */
import type { Test } from 'tap';
import type { LogEntry, Store, TypeLog } from '../../src/storage/store.ts';

export interface StoreUnderTest {
  /** Opens a store of its own, or the same one again when given its handle. */
  readonly open: (handle: string) => Store;
  /** Gives a handle that no other test has; its data is removed after `test`. */
  readonly newHandle: (test: Test) => string;
  /** Content survives `close` and a new `open`. */
  readonly isDurable: boolean;
  /** Etcd decides what is in it: what follows from that is another. */
  readonly isInEtcd?: true;
}

export function bytesOf(text: string): Uint8Array {
  return Buffer.from(text);
}

export function textOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? undefined : Buffer.from(bytes).toString();
}

export function entriesOf(...rvs: number[]): LogEntry[] {
  return rvs.map((rv) => ({ rv, value: bytesOf(`value ${rv}`) }));
}

/** Gives what a scan visits, copied while it is valid. */
export function scanned(log: TypeLog, afterRv = 0): [number, string | undefined][] {
  const seen: [number, string | undefined][] = [];
  log.scan(afterRv, (rv, value) => {
    seen.push([rv, textOf(value)]);
    return true;
  });
  return seen;
}

export function versions(log: TypeLog, afterRv = 0): number[] {
  return scanned(log, afterRv).map(([rv]) => rv);
}
