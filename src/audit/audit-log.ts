/** Events as lines of a file, or of stdout. */
import { LostEvents, truncated, type AuditBackend } from './audit-backend.ts';
import type { AuditEvent } from './audit-event.ts';
import { EventBatches } from './event-batches.ts';
import type { LogFile } from './log-file.ts';
import type { AuditLogSettings } from './settings.ts';

export class AuditLog implements AuditBackend {
  readonly #settings: AuditLogSettings;
  readonly #file: Pick<LogFile, 'append' | 'close'>;
  readonly lost: LostEvents;
  readonly #batches: EventBatches | undefined;

  constructor(
    settings: AuditLogSettings,
    file: Pick<LogFile, 'append' | 'close'>,
    logError: (text: string) => void,
  ) {
    this.#settings = settings;
    this.#file = file;
    this.lost = new LostEvents('log', logError);
    if (settings.mode !== 'batch') return;
    this.#batches = new EventBatches({
      settings: settings.batch,
      deliveredMax: Infinity,
      deliveriesMax: 1,
      deliver: async (events) => void this.#write(events),
      onLost: (events, why) => this.lost.add(events, why),
    });
  }

  take(event: AuditEvent): boolean {
    const { mode } = this.#settings;
    const shown = truncated(event, this.#settings, this.lost);
    if (shown === undefined) return true;
    if (this.#batches === undefined) return this.#write([shown]) || mode === 'blocking';
    this.#batches.add(shown);
    return true;
  }

  flush(): void {
    const events = this.#batches?.takeAll() ?? [];
    if (events.length > 0) this.#write(events);
  }

  async close(): Promise<void> {
    this.flush();
    await this.#batches?.close();
    this.lost.tell();
    this.#file.close();
  }

  #write(events: readonly AuditEvent[]): boolean {
    const { format, version } = this.#settings;
    const lines = events.map(
      (event) => `${format === 'legacy' ? event.legacyText : event.json(version)}\n`,
    );
    try {
      this.#file.append(lines.join(''));
      return true;
    } catch (error) {
      this.lost.add(events.length, (error as Error).message);
      return false;
    }
  }
}
