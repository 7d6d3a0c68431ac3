/** Files that are there after a power cut too, once the call has returned. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** Makes a file or replaces it: readers see the old one or the new one at any time. */
export function writeDurably(file: string, content: string | Uint8Array, mode: number): void {
  const temporary = `${file}.new`;
  writeFileSync(temporary, content, { mode, flush: true });
  renameSync(temporary, file);
  flushNames(dirname(file));
}

/** Makes a folder, and those that it is in, where they are missing. */
export function makeFolderDurably(folder: string, mode: number): void {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolderDurably(parent, mode);
  mkdirSync(folder, { recursive: true, mode });
  flushNames(parent);
}

/** Flushes the names in a folder, but not those in its subfolders. */
export function flushNames(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
