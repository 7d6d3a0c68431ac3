/** Collects the parts that are put into it. */
import type { Sink } from './representation.ts';

export class Parts implements Sink {
  readonly all: Uint8Array[] = [];

  add(part: Uint8Array): void {
    this.all.push(part);
  }

  addText(text: string): void {
    this.all.push(Buffer.from(text));
  }
}
