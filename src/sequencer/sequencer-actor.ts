/** The sequencer: leases versions in blocks, and keeps the durable high-water mark. */
import { Link } from '../actors/link.ts';
import type { Answer } from '../actors/link.ts';
import { answerWith } from '../actors/answer-with.ts';
import type { Port } from '../actors/port.ts';
import { VERSION_LEASE_BLOCK } from '../limits.ts';
import { HIGH_WATER_SETTING, StoreError } from '../storage/store.ts';
import type { Settings } from '../storage/store.ts';
import { SEQUENCER_EVENTS, SEQUENCER_VERBS } from '../protocol/sequencer-protocol.ts';
import type { SequencerCalls, SequencerEvents } from '../protocol/sequencer-protocol.ts';
import type { VersionClock } from './version-clock.ts';

const PROBE = 'probe';

/** Lists of an empty store need a version, and 0 means "any". */
const FIRST_VERSION = 1;

/** Whether versions were ever leased. */
export function hasVersions(shared: Settings): boolean {
  return shared.get(HIGH_WATER_SETTING) !== undefined;
}

export interface SequencerOptions {
  /** Reads the settings of all who take versions of the clock. */
  readonly shared: () => Promise<Settings>;
  readonly clock: VersionClock;
  /** It leases when it is told to take over. */
  readonly waits?: boolean;
}

export class SequencerActor {
  readonly #options: SequencerOptions;
  #shared: Settings | undefined;
  readonly #clock: VersionClock;
  readonly #clients = new Set<Link<SequencerEvents, SequencerCalls>>();
  #leased: Promise<void>;

  constructor(options: SequencerOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#leased = Promise.resolve();
  }

  /** Leases versions until it is told to stop. Throws StoreError when the store is damaged. */
  async run(ports: readonly Port[]): Promise<void> {
    if (this.#options.waits !== true) await this.#start();
    let stop: () => void = () => undefined;
    const stopped = new Promise<void>((resolve) => (stop = resolve));
    for (const port of ports) this.#addClient(port, stop);
    await stopped;
    for (const link of this.#clients) link.close();
  }

  /** Serves a client until it closes its link; it may bring others. */
  #addClient(port: Port, stop: () => void): void {
    const link = new Link<SequencerEvents, SequencerCalls>({
      peer: 'client of the sequencer',
      port,
      sends: SEQUENCER_EVENTS,
      receives: SEQUENCER_VERBS,
      handlers: {
        lease: ({ atLeast }, _body, answer) => this.#lease(atLeast, answer),
        probe: (_request, _body, answer) => {
          const leased = this.#clock.leased();
          this.#put(PROBE, String(leased)).then(
            () => answer.reply({ leased }),
            (error: unknown) => answer.fail(error),
          );
        },
        takeOver: (_request, _body, answer) => answerWith(answer, this.#start()),
        stop: (_request, _body, answer) => {
          this.#stop().then(
            () => {
              answer.reply(undefined);
              stop();
            },
            (error: unknown) => answer.fail(error),
          );
        },
      },
      onPort: (_given, port) => this.#addClient(port, stop),
      onClose: () => this.#clients.delete(link),
    });
    this.#clients.add(link);
    link.tell('started', undefined);
  }

  /** Counts on from the stored high-water mark and leases the first block. */
  async #start(): Promise<undefined> {
    this.#shared = await this.#options.shared();
    const stored = this.#shared.get(HIGH_WATER_SETTING);
    const counter = stored === undefined ? FIRST_VERSION : Number(stored);
    if (!Number.isSafeInteger(counter) || counter < FIRST_VERSION) {
      throw new StoreError(`the stored high-water mark "${stored}" is damaged: restore a backup`);
    }
    this.#clock.start(counter);
    await this.#extend(counter + VERSION_LEASE_BLOCK);
    return undefined;
  }

  #put(name: string, value: string): Promise<void> {
    if (this.#shared !== undefined) return this.#shared.put(name, value);
    return Promise.reject(new Error('another server leases versions'));
  }

  #lease(atLeast: number, answer: Answer<{ limit: number }>): void {
    this.#leased = this.#leased
      .then(() => this.#extendFor(atLeast))
      .then(() => answer.reply({ limit: this.#clock.leased() }))
      .catch((error: unknown) => answer.fail(error));
  }

  /** Stores the exact counter: nobody takes versions any more. */
  async #stop(): Promise<void> {
    await this.#leased;
    if (this.#shared === undefined) return;
    await this.#put(HIGH_WATER_SETTING, String(this.#clock.last()));
  }

  async #extendFor(atLeast: number): Promise<void> {
    const limit = Math.max(atLeast, this.#clock.last()) + VERSION_LEASE_BLOCK;
    // Several shards ask at the same moment; one lease serves them all.
    if (this.#clock.leased() < atLeast + VERSION_LEASE_BLOCK / 2) await this.#extend(limit);
  }

  async #extend(limit: number): Promise<void> {
    await this.#put(HIGH_WATER_SETTING, String(limit));
    this.#clock.extend(limit);
  }
}
