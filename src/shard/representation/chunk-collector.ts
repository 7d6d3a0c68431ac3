/** Collects the chunks that are written to it. */
import type { Sink } from './representation.ts';

export class ChunkCollector implements Sink {
  readonly all: Uint8Array[] = [];

  add(part: Uint8Array): void {
    this.all.push(part);
  }

  addText(text: string): void {
    this.all.push(Buffer.from(text));
  }
}
