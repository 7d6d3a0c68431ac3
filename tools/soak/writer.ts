/**
 * One writer: it owns some slots and does their planned writes one after the other, each until it
 * is known to be stored. When an answer does not come it looks at what is stored; what is sent
 * twice names the version that it replaces, so it cannot be done twice.
 */
import { ConnectionError } from './api-client.ts';
import type { Answer, ApiClient } from './api-client.ts';
import type { Counters } from './counters.ts';
import type { Findings } from './findings.ts';
import type { Pacer } from './pacer.ts';
import type { ApiObject, Operation, Plan } from './plan.ts';
import type { WriteLog } from './write-log.ts';

export interface WriterParts {
  readonly client: ApiClient;
  readonly plan: Plan;
  readonly log: WriteLog;
  readonly findings: Findings;
  readonly counters: Counters;
  readonly pacer: Pacer;
  readonly random: () => number;
}

/** The server refuses what it must take: there is no point in going on. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

const RETRY_MS_FIRST = 100;
const RETRY_MS_MAX = 5_000;
const ATTEMPTS_AT_END_MAX = 5;
const METHODS = { create: 'POST', update: 'PUT', delete: 'DELETE' } as const;

export class Writer {
  readonly #number: number;
  readonly #slots: number[];
  readonly #parts: WriterParts;
  readonly #versions = new Map<number, string>();
  #writerSeq = 0;
  #stopping = false;

  constructor(number: number, slots: readonly number[], parts: WriterParts) {
    this.#number = number;
    this.#slots = [...slots];
    this.#parts = parts;
  }

  /** Makes all its objects. Rejects with `RefusedError`. */
  async seed(): Promise<void> {
    // A copy, since a lost slot leaves the list.
    const slots = this.#slots.slice();
    for (const slot of slots) {
      if (this.#stopping) return;
      await this.#write(slot);
    }
  }

  /** Writes until `stop`. Rejects with `RefusedError`. */
  async run(): Promise<void> {
    const { pacer, random } = this.#parts;
    while (!this.#stopping && this.#slots.length > 0) {
      await pacer.next();
      if (this.#stopping) return;
      const slot = this.#slots[Math.floor(random() * this.#slots.length)] ?? 0;
      await this.#write(slot);
    }
  }

  /** It finishes the write that it is at. */
  stop(): void {
    this.#stopping = true;
  }

  async #write(slot: number): Promise<void> {
    const { plan, log, counters } = this.#parts;
    const seq = (log.stored[slot] ?? 0) + 1;
    const operation = plan.operation(slot, seq);
    this.#writerSeq += 1;
    const marker = { slot, seq, writer: this.#number, writerSeq: this.#writerSeq };
    const sentAt = performance.now();
    log.send(slot, seq);
    let retryMs = RETRY_MS_FIRST;
    let maybeDone = false;
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.#send(operation, slot, plan, marker);
      if (answer !== undefined && answer.status >= 200 && answer.status < 300) {
        if (operation === 'delete') this.#versions.delete(slot);
        else this.#keepVersion(slot, JSON.parse(answer.text) as ApiObject);
        break;
      }
      this.#checkRefusal(operation, answer);
      counters.retriedWrites += 1;
      await pause(answer?.retryAfterMs || retryMs);
      retryMs = Math.min(RETRY_MS_MAX, retryMs * 2);
      if (answer?.status === 429) continue;
      maybeDone ||= answer === undefined || answer.status >= 500;
      const found = await this.#look(slot, seq, operation, maybeDone);
      if (found === 'lost') return;
      if (found === 'done') break;
      // The run ends and the server does not come back: whether it was done stays unknown.
      if (this.#stopping && attempt >= ATTEMPTS_AT_END_MAX) return;
    }
    const now = performance.now();
    counters.writeTime.add(now - sentAt);
    log.answer(slot, seq, now);
  }

  async #send(
    operation: Operation,
    slot: number,
    plan: Plan,
    marker: Parameters<Plan['body']>[0],
  ): Promise<Answer | undefined> {
    const version = this.#versions.get(slot) ?? '';
    const path = operation === 'create' ? this.#collection(slot) : this.#object(slot);
    const body =
      operation === 'delete'
        ? JSON.stringify({
            kind: 'DeleteOptions',
            apiVersion: 'v1',
            preconditions: { resourceVersion: version },
          })
        : plan.body(marker, operation === 'update' ? version : '');
    return this.#request(METHODS[operation], path, body);
  }

  /** Undefined when there was no answer. */
  async #request(method: string, path: string, body?: string): Promise<Answer | undefined> {
    const { client, counters } = this.#parts;
    try {
      return await client.request(method, path, body);
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      counters.addError(`a writer had no answer: ${error.message}`);
      return undefined;
    }
  }

  #checkRefusal(operation: Operation, answer: Answer | undefined): void {
    if (answer === undefined) return;
    const { status, text } = answer;
    this.#parts.counters.addError(`a ${operation} was answered ${status}: ${text}`);
    // It may be the answer to an earlier attempt of the same write, or pass.
    if (status >= 500 || [404, 408, 409, 429].includes(status)) return;
    throw new RefusedError(`the server answers a ${operation} with ${status}: ${text}`);
  }

  /**
   * Looks whether write `seq` is stored, or still the one before. `maybeDone`: an attempt had no
   * clear answer.
   */
  async #look(
    slot: number,
    seq: number,
    operation: Operation,
    maybeDone: boolean,
  ): Promise<'done' | 'open' | 'lost' | 'unknown'> {
    const { plan } = this.#parts;
    const answer = await this.#request('GET', this.#object(slot));
    if (answer === undefined) return 'unknown';
    if (answer.status === 404) {
      if (operation === 'delete' && maybeDone) return 'done';
      return operation === 'create' ? 'open' : this.#lose(slot, seq, 'it is not there');
    }
    if (answer.status !== 200) return 'unknown';
    const object = JSON.parse(answer.text) as ApiObject;
    const stored = plan.markerOf(object)?.seq;
    this.#keepVersion(slot, object);
    if (stored === seq && operation !== 'delete') return 'done';
    // The object that a create finds is of writes that a delete has ended.
    if (stored === seq - 1 && operation !== 'create') return 'open';
    return this.#lose(slot, seq, `it is of write ${stored}`);
  }

  #lose(slot: number, seq: number, what: string): 'lost' {
    const { findings, log, plan } = this.#parts;
    const name = `${plan.namespaceOf(slot)}/${plan.nameOf(slot)}`;
    const detail = `${name} write ${seq - 1} was answered, and then ${what}`;
    findings.add('lostWrite', `writer ${this.#number}`, () => detail);
    log.abandon(slot);
    this.#slots.splice(this.#slots.indexOf(slot), 1);
    return 'lost';
  }

  #keepVersion(slot: number, object: ApiObject): void {
    this.#versions.set(slot, String(object.metadata?.resourceVersion));
  }

  #collection(slot: number): string {
    const { plan } = this.#parts;
    const { groupPath, name } = plan.options.resource;
    return `${groupPath}/namespaces/${plan.namespaceOf(slot)}/${name}`;
  }

  #object(slot: number): string {
    return `${this.#collection(slot)}/${this.#parts.plan.nameOf(slot)}`;
  }
}

async function pause(milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, Math.min(milliseconds, RETRY_MS_MAX)));
}
