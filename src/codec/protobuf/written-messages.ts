/**
 * Uses messages that were written before as templates: making a message from one takes a third of
 * the time of reading its text.
 */
import { KnownMessages } from './known-messages.ts';
import type { Trace } from './transcode-trace.ts';
import type { Transcoding } from './transcoding.ts';
import { WrittenTemplate } from './written-template.ts';

/** The templates of one type. */
export class WrittenMessages extends KnownMessages<WrittenTemplate, Transcoding> {
  /** Writes the message that is next if it is like a known one, and steps over it. */
  write(target: Transcoding): boolean {
    return this.find(target) !== undefined;
  }

  /** A message was written: its text began at `textStart`, its bytes at `start`. */
  add(target: Transcoding, textStart: number, start: number, trace: Trace<Transcoding>): void {
    if (!trace.isComplete) return;
    this.keep(target.at - textStart, () => new WrittenTemplate(target, textStart, start, trace));
  }

  protected isAt(target: Transcoding, template: WrittenTemplate): boolean {
    return template.write(target);
  }
}
