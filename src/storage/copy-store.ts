/** Copies the file of a store while it is in use. */
import { closeSync, constants, copyFileSync, openSync } from 'node:fs';
import type { RootDatabase, Transaction } from 'lmdb';
import { newestOf, readRoots, writeRoots, type Root } from './lmdb-root.ts';
import { witnessOf, writeMark } from './store-mark.ts';

type Environment = Pick<RootDatabase<Buffer, Buffer>, 'useReadTransaction' | 'resetReadTxn'>;

/** A state that is not written over until its reader is done. */
interface Held {
  readonly root: Root;
  readonly reader: Transaction;
}

/**
 * Copies a file with all that was committed to it, by sharing its blocks where the file system can.
 * `environment` has it open, here and in other threads. The copy is whole, but not on the disk.
 */
export function copyFile(environment: Environment, from: string, to: string): void {
  const descriptor = openSync(from, 'r');
  try {
    const { root, reader } = held(environment, descriptor);
    try {
      copyFileSync(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    } finally {
      reader.done();
    }
    finish(to, root);
  } finally {
    closeSync(descriptor);
  }
}

/** The newest state. One that was older when the reader began would not lose its pages either. */
function held(environment: Environment, descriptor: number): Held {
  for (;;) {
    const before = newestOf(readRoots(descriptor));
    environment.resetReadTxn();
    const reader = environment.useReadTransaction();
    const root = newestOf(readRoots(descriptor));
    if (root.record.equals(before.record)) return { root, reader };
    reader.done();
  }
}

/** Commits have gone on while the file was copied: the copy is as of the root that was held. */
function finish(file: string, root: Root): void {
  const descriptor = openSync(file, 'r+');
  try {
    writeRoots(descriptor, root);
    writeMark(descriptor, { isFlushed: false, witness: witnessOf(descriptor), root });
  } finally {
    closeSync(descriptor);
  }
}
