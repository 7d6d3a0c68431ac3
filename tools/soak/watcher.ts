/**
 * One watch as clients keep it: list, watch from the list's version, go on from the last version
 * when the stream ends, list again when that version is gone. It is
 *
 * - away: not connected, until a timer ends;
 * - listing, then connecting: until the head of the answer is here;
 * - open, and for some clients now and then stalled;
 * - ended.
 */
import { Connection } from './connection.ts';
import type { Gate } from './gate.ts';
import { Ledger } from './ledger.ts';
import type { Target } from './target.ts';
import type { RunParts, WatchGroup } from './watch-group.ts';

export interface WatcherParts extends RunParts {
  readonly target: Target;
  readonly connectGate: Gate;
  readonly bookmarks: boolean;
  readonly random: () => number;
}

const NEWLINE = 0x0a;
const BLANK = 0x20;
const LINE_BYTES_MAX = 8 * 1024 * 1024;
const REFUSAL_BYTES_MAX = 16 * 1024;
const BACKOFF_MS_FIRST = 100;
const BACKOFF_MS_MAX = 5_000;
/** Clients of this API ask for so long: the server ends the stream then, and they go on. */
const TIMEOUT_SECONDS_LEAST = 300;

export class Watcher {
  readonly group: WatchGroup;
  readonly ledger: Ledger;
  /** Whether it stops reading now and then, and so says nothing about lag. */
  readonly stalls: boolean;
  readonly #parts: WatcherParts;
  readonly #name: string;
  #connection: Connection | undefined;
  #state: 'away' | 'listing' | 'connecting' | 'open' | 'ended' = 'away';
  #stalled = false;
  #inGate = false;
  #timer: NodeJS.Timeout | undefined;
  #backoffMs = BACKOFF_MS_FIRST;
  /** '' when it has to list. */
  #version = '';
  #cursor = 0;
  /** The start of a line whose rest has not come. */
  #rest: Buffer | undefined;
  #status = 0;
  #refusal = '';
  #openedAt = 0;
  #onFirstOpen: (() => void) | undefined;

  constructor(number: number, group: WatchGroup, stalls: boolean, parts: WatcherParts) {
    this.group = group;
    this.stalls = stalls;
    this.#parts = parts;
    const { scope } = group;
    this.#name = `watch ${number} ${scope.path}${scope.query === '' ? '' : '?'}${scope.query}`;
    this.ledger = new Ledger(this.#name, scope, parts.writers, parts.log, parts.findings);
  }

  /** Whether it was open at least once. */
  get hasStarted(): boolean {
    return this.#openedAt > 0;
  }

  /** Resolves when the watch is open for the first time. */
  async start(): Promise<void> {
    return new Promise((resolve) => {
      this.#onFirstOpen = resolve;
      this.#begin();
    });
  }

  /** Leaves, and comes back after a while: from its last version, or with a new list. */
  disconnect(awayMs: number, listAnew: boolean): void {
    if (this.#state !== 'open') return;
    this.#parts.counters.reconnects += 1;
    if (listAnew) this.#version = '';
    this.#goAway(awayMs);
  }

  /** Comes back at once, if it is away. */
  comeBack(): void {
    if (this.#state !== 'away' || !this.hasStarted) return;
    clearTimeout(this.#timer);
    this.#begin();
  }

  /** Stops reading for this long. */
  stall(milliseconds: number): void {
    if (this.#state !== 'open' || this.#stalled) return;
    this.#parts.counters.stalls += 1;
    this.#stalled = true;
    this.#connection?.pause();
    this.#timer = setTimeout(() => this.endStall(), milliseconds);
  }

  endStall(): void {
    if (!this.#stalled) return;
    this.#stalled = false;
    this.#connection?.resume();
  }

  end(): void {
    this.#drop();
    this.#state = 'ended';
  }

  #begin(): void {
    const task = this.#version === '' ? this.#listThenConnect() : this.#connect();
    task.catch((error: unknown) => this.#retry(`a list failed: ${(error as Error).message}`));
  }

  async #listThenConnect(): Promise<void> {
    this.#state = 'listing';
    const list = await this.group.list();
    if (this.#state !== 'listing') return;
    this.#version = list.version;
    this.ledger.adopt(list);
    await this.#connect();
  }

  async #connect(): Promise<void> {
    const { target, connectGate, bookmarks, random } = this.#parts;
    this.#state = 'connecting';
    await connectGate.enter();
    if (this.#state !== 'connecting') {
      connectGate.leave();
      return;
    }
    this.#inGate = true;
    this.#rest = undefined;
    this.#connection = new Connection(target, {
      onHead: (status) => this.#onHead(status),
      onBody: (buffer, from, to) => this.#onBody(buffer, from, to),
      onEnd: () => this.#onEnd(),
      onClose: (reason) => this.#onClose(reason),
    });
    const { path, query } = this.group.scope;
    const timeout = TIMEOUT_SECONDS_LEAST + Math.floor(random() * TIMEOUT_SECONDS_LEAST);
    const version = encodeURIComponent(this.#version);
    const wanted = `watch=true&resourceVersion=${version}&timeoutSeconds=${timeout}`;
    const marks = bookmarks ? '&allowWatchBookmarks=true' : '';
    const selectors = query === '' ? '' : `&${query}`;
    this.#connection.request('GET', `${path}?${wanted}${marks}${selectors}`, undefined, '');
  }

  #onHead(status: number): void {
    this.#leaveGate();
    this.#status = status;
    this.#refusal = '';
    if (status !== 200) return;
    const { counters } = this.#parts;
    this.#state = 'open';
    counters.open += 1;
    counters.openMax = Math.max(counters.open, counters.openMax);
    this.#openedAt = performance.now();
    this.#onFirstOpen?.();
    this.#onFirstOpen = undefined;
  }

  #onBody(buffer: Buffer, from: number, to: number): void {
    if (this.#status !== 200) {
      if (this.#refusal.length < REFUSAL_BYTES_MAX) {
        this.#refusal += buffer.toString('utf8', from, to);
      }
      return;
    }
    const now = performance.now();
    let at = from;
    if (this.#rest !== undefined) {
      const end = buffer.indexOf(NEWLINE, from);
      const until = end < 0 || end >= to ? to : end;
      const line: Buffer = Buffer.concat([this.#rest, buffer.subarray(from, until)]);
      this.#rest = until === to ? line : undefined;
      at = until + 1;
      if (until < to) this.#onLine(line, 0, line.length, now);
      else if (line.length > LINE_BYTES_MAX) this.#retry('a watch sent a line without an end');
    }
    while (at < to && this.#state === 'open') {
      const end = buffer.indexOf(NEWLINE, at);
      if (end < 0 || end >= to) {
        this.#rest = Buffer.from(buffer.subarray(at, to));
        return;
      }
      this.#onLine(buffer, at, end, now);
      at = end + 1;
    }
  }

  #onLine(buffer: Buffer, from: number, to: number, now: number): void {
    let start = from;
    while (start < to && (buffer[start] ?? 0) <= BLANK) start += 1;
    if (start === to) return;
    const { memo } = this.group;
    const event = memo.read(buffer, start, to, this.#cursor, now);
    this.#cursor = memo.cursor;
    const { counters, findings, log } = this.#parts;
    switch (event.kind) {
      case 'change': {
        counters.events += 1;
        this.#version = event.version;
        this.#backoffMs = BACKOFF_MS_FIRST;
        this.ledger.take(event);
        if (event.index < 0 || this.stalls) return;
        const answeredAt = log.answeredAt(event.slot, event.seq);
        if (answeredAt >= this.#openedAt) counters.addLag(Math.max(0, now - answeredAt));
        return;
      }
      case 'foreign':
        counters.foreign += 1;
        this.#version = event.version;
        return;
      case 'bookmark':
        counters.bookmarks += 1;
        this.#version = event.version;
        return;
      case 'error':
        this.#onError(event.code, event.message);
        return;
      case 'broken':
        findings.add('wrongContent', this.#name, () => event.problem);
    }
  }

  #onError(code: number, message: string): void {
    this.#version = '';
    if (code === 410) {
      this.#parts.counters.gone += 1;
      this.#goAway(0);
    } else {
      this.#retry(`a watch got the error ${code}: ${message}`);
    }
  }

  #onEnd(): void {
    if (this.#status === 410) {
      this.#onError(410, this.#refusal);
    } else if (this.#status !== 200) {
      this.#retry(`a watch was refused with ${this.#status}: ${this.#refusal}`);
    } else {
      this.#parts.counters.endedByServer += 1;
      this.#checkRest();
      this.#goAway(this.#backOff());
    }
  }

  #onClose(reason: string): void {
    this.#retry(`a watch broke: ${reason}`);
  }

  /** A stream that ends well does not end within a line. */
  #checkRest(): void {
    const rest = this.#rest?.toString('utf8').trim() ?? '';
    if (rest === '') return;
    const { findings } = this.#parts;
    findings.add('wrongContent', this.#name, () => `the stream ended in ${rest.slice(0, 80)}`);
  }

  #retry(message: string): void {
    if (this.#state === 'ended') return;
    this.#parts.counters.addError(message);
    this.#goAway(this.#backOff());
  }

  #backOff(): number {
    const wait = this.#backoffMs;
    this.#backoffMs = Math.min(BACKOFF_MS_MAX, wait * 2);
    return wait * (0.5 + this.#parts.random());
  }

  #goAway(milliseconds: number): void {
    this.#drop();
    this.#state = 'away';
    this.#timer = setTimeout(() => this.#begin(), milliseconds);
  }

  #drop(): void {
    clearTimeout(this.#timer);
    this.#leaveGate();
    if (this.#state === 'open') this.#parts.counters.open -= 1;
    this.#stalled = false;
    this.#rest = undefined;
    this.#connection?.destroy();
    this.#connection = undefined;
  }

  #leaveGate(): void {
    if (this.#inGate) this.#parts.connectGate.leave();
    this.#inGate = false;
  }
}
