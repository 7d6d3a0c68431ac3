/** Has the webhook of a definition convert objects to other versions, and keeps the results. */
import { randomUUID } from 'node:crypto';
import { TaskLimiter } from '../../base/turns/task-limiter.ts';
import {
  CONVERSION_BATCH_CHARACTERS_MAX,
  CONVERSION_CALLS_AT_ONCE,
  CONVERSION_KEPT_MS_MAX,
  CONVERSIONS_CHARACTERS_MAX,
  WEBHOOK_MS_MAX,
} from '../../limits.ts';
import { serverFailure } from '../../semantics/errors/status.ts';
import { ConversionNeeded } from '../conversion.ts';
import type {
  Held,
  ConversionSource,
  ConversionPreparer,
  WantedConversion,
} from '../conversion.ts';
import {
  callError,
  ConversionError,
  convertedObjects,
  reviewText,
  reviewVersion,
} from './conversion-review.ts';
import type { ConversionFacts } from './definition-facts.ts';

type Webhook = NonNullable<ConversionFacts['webhook']>;

/**
 * Sends a document to a webhook, and resolves with its answer. Rejects with an Error whose message
 * says why there is none.
 */
export type CallWebhook = (target: Webhook, document: string) => Promise<string>;

/** One object in another version; asked for, until it has a text. */
interface Entry {
  readonly key: string;
  text: string | undefined;
  /** The number of users who wait for it, or are about to use it. */
  holders: number;
  /** It has been asked for. */
  pending: Promise<void>;
  /** When it became known. */
  knownMs: number;
}

const NOT_ASKED = Promise.resolve();

export class Converter implements ConversionSource, ConversionPreparer {
  readonly asks = true;
  readonly #webhook: Webhook;
  readonly #call: CallWebhook;
  readonly #calls = new TaskLimiter(CONVERSION_CALLS_AT_ONCE);
  /** In the order in which they were last used. */
  readonly #entries = new Map<string, Entry>();
  readonly #nowMs: () => number;
  #characters = 0;
  #dropping: NodeJS.Timeout | undefined;

  constructor(webhook: Webhook, call: CallWebhook, nowMs: () => number = () => performance.now()) {
    this.#webhook = webhook;
    this.#call = call;
    this.#nowMs = nowMs;
  }

  /** The text that is known of a conversion. Throws ConversionNeeded. */
  known(wanted: WantedConversion): string {
    const entry = this.#entries.get(keyOf(wanted));
    if (entry?.text === undefined || this.#isOld(entry)) {
      throw new ConversionNeeded(this, [wanted]);
    }
    this.#entries.delete(entry.key);
    this.#entries.set(entry.key, entry);
    return entry.text;
  }

  /** Asks the webhook for all unknown ones together. Rejects with StatusError 500. */
  async prepare(wanted: readonly WantedConversion[]): Promise<Held> {
    const held: Entry[] = [];
    const missing: [WantedConversion, Entry][] = [];
    for (const one of wanted) {
      const key = keyOf(one);
      let entry = this.#entries.get(key);
      if (entry !== undefined && this.#isOld(entry)) {
        this.#drop(entry);
        entry = undefined;
      }
      if (entry === undefined) {
        entry = { key, text: undefined, holders: 0, pending: NOT_ASKED, knownMs: 0 };
        this.#entries.set(key, entry);
        missing.push([one, entry]);
      }
      entry.holders++;
      held.push(entry);
    }
    const askedMs = this.#nowMs();
    for (const batch of batches(missing)) {
      const pending = this.#ask(batch, askedMs);
      for (const [, entry] of batch) entry.pending = pending;
    }
    const release = (): void => {
      for (const entry of held) entry.holders--;
      held.length = 0;
      this.#dropOldest();
      this.#dropOldLater();
    };
    const outcomes = await Promise.allSettled(held.map(({ pending }) => pending));
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed === undefined) return { release };
    release();
    throw failed.reason;
  }

  /** All of a batch are of one version, and are wanted in one. */
  async #ask(batch: readonly [WantedConversion, Entry][], askedMs: number): Promise<void> {
    try {
      const wanted = batch.map(([one]) => one);
      const texts = await this.#calls.run(() => this.#asked(wanted, askedMs));
      for (const [at, [, entry]] of batch.entries()) {
        entry.text = texts[at] ?? '';
        entry.knownMs = this.#nowMs();
        this.#characters += sizeOf(entry);
      }
    } catch (error) {
      // Who asks next asks the webhook again.
      for (const [, { key }] of batch) this.#entries.delete(key);
      if (error instanceof ConversionError) throw serverFailure(error.message);
      throw error;
    }
  }

  async #asked(wanted: readonly WantedConversion[], askedMs: number): Promise<string[]> {
    const [first, ...others] = wanted;
    if (first === undefined) return [];
    if (this.#nowMs() - askedMs > WEBHOOK_MS_MAX) {
      throw callError(first.sent, 'context deadline exceeded while other calls were under way');
    }
    const { desiredAPIVersion } = first;
    const version = reviewVersion(this.#webhook.reviewVersions);
    const review = { uid: randomUUID(), version, desiredAPIVersion };
    const document = reviewText(
      review,
      wanted.map((one) => one.document),
    );
    let answer: string;
    try {
      answer = await this.#call(this.#webhook, document);
    } catch (error) {
      throw callError(first.sent, (error as Error).message);
    }
    const sent = [first.sent, ...others.map((one) => one.sent)] as const;
    const objects = convertedObjects(answer, review, [...sent]);
    return objects.map((object, at) => (wanted[at] ?? first).textOf(object));
  }

  #dropOldest(): void {
    if (this.#characters <= CONVERSIONS_CHARACTERS_MAX) return;
    for (const entry of this.#entries.values()) {
      if (entry.holders > 0 || entry.text === undefined) continue;
      this.#drop(entry);
      if (this.#characters <= CONVERSIONS_CHARACTERS_MAX) return;
    }
  }

  /** Nothing stays for long, even if nobody asks any more. */
  #dropOldLater(): void {
    if (this.#dropping !== undefined) return;
    this.#dropping = setTimeout(() => {
      this.#dropping = undefined;
      for (const entry of this.#entries.values()) if (this.#isOld(entry)) this.#drop(entry);
      if (this.#entries.size > 0) this.#dropOldLater();
    }, CONVERSION_KEPT_MS_MAX).unref();
  }

  #drop(entry: Entry): void {
    this.#entries.delete(entry.key);
    this.#characters -= sizeOf(entry);
  }

  /** Whether an entry may go. An entry that somebody is about to use is never old. */
  #isOld({ text, holders, knownMs }: Entry): boolean {
    const ageMs = this.#nowMs() - knownMs;
    return text !== undefined && holders === 0 && ageMs > CONVERSION_KEPT_MS_MAX;
  }
}

function keyOf({ desiredAPIVersion, document }: WantedConversion): string {
  return `${desiredAPIVersion} ${document}`;
}

function sizeOf({ key, text = '' }: Entry): number {
  return key.length + text.length;
}

/** The objects of each call: of one version, wanted in one, and not too much. */
function batches(missing: readonly [WantedConversion, Entry][]): [WantedConversion, Entry][][] {
  const all: [WantedConversion, Entry][][] = [];
  const open = new Map<string, { batch: [WantedConversion, Entry][]; characters: number }>();
  for (const one of missing) {
    const [{ sent, desiredAPIVersion, document }] = one;
    const way = `${sent.apiVersion} ${desiredAPIVersion}`;
    const last = open.get(way);
    if (last && last.characters + document.length <= CONVERSION_BATCH_CHARACTERS_MAX) {
      last.batch.push(one);
      last.characters += document.length;
      continue;
    }
    const batch = [one];
    all.push(batch);
    open.set(way, { batch, characters: document.length });
  }
  return all;
}
