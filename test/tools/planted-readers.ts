/** Readers as the nesting checker is to find them: without a bound, or the end of its process. */
import type { Reader } from '../../tools/nesting/reader.ts';

function depthOf(value: unknown): number {
  return Array.isArray(value) ? 1 + Math.max(0, ...value.map(depthOf)) : 0;
}

function hold(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

const MINUTE_MS = 60_000;

export const READERS: readonly Reader[] = [
  { name: 'bounded', format: 'json', read: ({ length }) => String(length) },
  { name: 'unbounded', format: 'json', read: (text) => String(depthOf(JSON.parse(text))) },
  {
    name: 'caught',
    format: 'json',
    read: (text) => {
      try {
        return String(depthOf(JSON.parse(text)));
      } catch (error) {
        return `refused: ${(error as Error).message}`;
      }
    },
  },
  {
    name: 'aborts',
    format: 'json',
    read: () => {
      process.kill(process.pid, 'SIGABRT');
      hold(MINUTE_MS);
      return 'late';
    },
  },
  {
    name: 'endless',
    format: 'json',
    read: () => {
      hold(MINUTE_MS);
      return 'late';
    },
  },
];
