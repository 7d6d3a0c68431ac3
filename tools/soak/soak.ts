/** One run from its first request to its report. */
import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { ApiClient, ConnectionError } from './api-client.ts';
import { Counters } from './counters.ts';
import { Findings } from './findings.ts';
import { Gate } from './gate.ts';
import { Ledger } from './ledger.ts';
import { readList } from './list-state.ts';
import type { ListState } from './list-state.ts';
import { createNamespaces, deleteNamespaces } from './namespaces.ts';
import type { SoakOptions } from './options.ts';
import { Pacer } from './pacer.ts';
import { Plan } from './plan.ts';
import { Progress } from './progress.ts';
import type { Output } from './progress.ts';
import { randomFrom } from './random.ts';
import { makeReport } from './report.ts';
import type { Report } from './report.ts';
import { soakResource } from './resource-types.ts';
import { Scope } from './scope.ts';
import type { Target } from './target.ts';
import { WatcherSet } from './watcher-set.ts';
import { WriteLog } from './write-log.ts';
import { RefusedError, Writer } from './writer.ts';

const LISTS_AT_A_TIME = 8;
const CONNECTS_AT_A_TIME = 64;
const TICK_MS = 100;
/** New objects and watches are waited for as long as there is one every now and then. */
const GROWING_MS_MAX = 30_000;
const LAST_LIST_ATTEMPTS_MAX = 5;
/** After the last event that was expected: for what should not come. */
const SETTLE_MS = 250;
/** Something still comes, but it must end some time: this many times the grace. */
const GRACES_MAX = 10;

export class Soak {
  readonly #options: SoakOptions;
  readonly #target: Target;
  readonly #client: ApiClient;
  readonly #plan: Plan;
  readonly #log: WriteLog;
  readonly #counters = new Counters();
  readonly #findings: Findings;
  readonly #progress: Progress;
  readonly #pacer: Pacer;
  readonly #writers: readonly Writer[];
  readonly #watchers: WatcherSet;
  readonly #startedAt = new Date();
  #isInterrupted = false;
  /** No phase is begun but those that check and clean up. */
  #isCutShort = false;
  #phase = 'seed';
  #failure = '';
  #serverVersion = '';
  #writesBefore = 0;
  #writingMs = 0;

  constructor(options: SoakOptions, target: Target, output: Output) {
    this.#options = options;
    this.#target = target;
    this.#client = new ApiClient(target);
    this.#log = new WriteLog(options.objects);
    this.#pacer = new Pacer(options.rate);
    const start = performance.now();
    this.#findings = new Findings(() => (performance.now() - start) / 1_000);
    this.#plan = new Plan({
      runId: randomBytes(4).toString('hex'),
      seed: options.seed,
      objects: options.objects,
      namespaces: options.namespaces,
      payloadBytes: options.bytes,
      deleteShare: options.deletes,
      resource: soakResource(options.resource, options.apiDomain),
    });
    const common = {
      client: this.#client,
      plan: this.#plan,
      log: this.#log,
      findings: this.#findings,
      counters: this.#counters,
      random: randomFrom(options.seed),
    };
    const writerParts = { ...common, pacer: this.#pacer };
    this.#writers = Array.from({ length: options.writers }, (_, number) => {
      return new Writer(number, slotsOf(number, options), writerParts);
    });
    this.#watchers = new WatcherSet(options, this.#plan, {
      ...common,
      target,
      writers: options.writers,
      bookmarks: options.bookmarks,
      listGate: new Gate(LISTS_AT_A_TIME),
      connectGate: new Gate(CONNECTS_AT_A_TIME),
    });
    const writes = (): number => this.#log.writes;
    this.#progress = new Progress(output, this.#counters, this.#findings, writes);
  }

  /** Ends the run early, but in order: the user wants it. */
  interrupt(): void {
    this.#isInterrupted = true;
    this.#cutShort();
  }

  /** Runs it. What goes wrong is in the report: it does not reject. */
  async run(): Promise<Report> {
    let leftNamespaces: readonly string[] = [];
    let madeNamespaces = false;
    try {
      await this.#connect();
      madeNamespaces = true;
      await createNamespaces(this.#client, this.#plan);
      await this.#soak();
    } catch (error) {
      const isAway = madeNamespaces && error instanceof ConnectionError;
      const what = isAway ? 'the server went away: ' : '';
      this.#failure ||= what + oneLine((error as Error).message);
    }
    this.#stopWriters();
    this.#watchers.end();
    if (madeNamespaces) leftNamespaces = await this.#cleanUp();
    this.#client.close();
    return makeReport(
      this.#options,
      {
        runId: this.#plan.options.runId,
        server: this.#target.url,
        serverVersion: this.#serverVersion,
        startedAt: this.#startedAt,
        writingSeconds: this.#writingMs / 1_000,
        totalSeconds: (Date.now() - this.#startedAt.getTime()) / 1_000,
        writes: this.#log.writes - this.#writesBefore,
        interrupted: this.#isInterrupted,
        failure: this.#failure,
        leftNamespaces,
        points: this.#progress.points,
      },
      this.#counters,
      this.#findings,
    );
  }

  async #connect(): Promise<void> {
    const { url } = this.#target;
    let text: string;
    try {
      ({ text } = await this.#client.request('GET', '/version'));
    } catch (error) {
      throw new Error(`${url} cannot be reached: ${(error as Error).message}`, { cause: error });
    }
    try {
      this.#serverVersion = String((JSON.parse(text) as { gitVersion?: unknown }).gitVersion);
    } catch {
      this.#serverVersion = 'unknown';
    }
    const { watches, objects, writers, seconds, resource } = this.#options;
    this.#progress.say(
      `soak ${this.#plan.options.runId}: ${watches} watches, ${objects} ${resource}, ` +
        `${writers} writers, ${seconds} s, ${url} (${this.#serverVersion})`,
    );
  }

  async #soak(): Promise<void> {
    const period = this.#options.progressSeconds * 1_000;
    const timer = setInterval(() => this.#progress.show(this.#phase), period);
    try {
      await this.#seed();
      if (!this.#isCutShort) await this.#openWatches();
      if (!this.#isCutShort) await this.#write();
      await this.#quiesce();
      await this.#checkLists();
      this.#progress.show('done');
    } finally {
      clearInterval(timer);
    }
  }

  async #seed(): Promise<void> {
    const seeding = this.#forEachWriter(async (writer) => writer.seed());
    const isUnderWay = await this.#whileGrowing(seeding, () => this.#log.writes);
    if (isUnderWay) return;
    throw new Error(`only ${this.#log.writes} objects are made: ${this.#anError()}`);
  }

  async #openWatches(): Promise<void> {
    this.#phase = 'open';
    const opening = this.#watchers.start();
    const isUnderWay = await this.#whileGrowing(opening, () => this.#counters.openMax);
    if (isUnderWay) return;
    const { openMax } = this.#counters;
    throw new Error(`only ${openMax} of ${this.#options.watches} watches open: ${this.#anError()}`);
  }

  /** Waits for the task, or the end of the run; false when nothing has come of it for long. */
  async #whileGrowing(task: Promise<void>, size: () => number): Promise<boolean> {
    let isDone = false;
    const done = task.then(() => (isDone = true));
    let grownAt = performance.now();
    let before = size();
    while (!isDone && !this.#isCutShort) {
      await Promise.race([done, sleep(TICK_MS)]);
      if (size() > before) grownAt = performance.now();
      before = size();
      if (performance.now() - grownAt > GROWING_MS_MAX) return false;
    }
    return true;
  }

  #anError(): string {
    return this.#counters.namedErrors[0]?.message ?? 'without an error';
  }

  async #write(): Promise<void> {
    this.#phase = 'run';
    const startedAt = performance.now();
    this.#writesBefore = this.#log.writes;
    const disturbing = setInterval(() => this.#watchers.disturb(TICK_MS / 1_000), TICK_MS);
    const end = setTimeout(() => this.#stopWriters(), this.#options.seconds * 1_000);
    try {
      await this.#forEachWriter(async (writer) => writer.run());
    } finally {
      clearInterval(disturbing);
      clearTimeout(end);
      this.#writingMs = performance.now() - startedAt;
    }
  }

  /** When one is refused, all stop, and the rest of the run is still checked. */
  async #forEachWriter(act: (writer: Writer) => Promise<void>): Promise<void> {
    const tasks = this.#writers.map(async (writer) => {
      try {
        await act(writer);
      } catch (error) {
        if (!(error instanceof RefusedError)) throw error;
        this.#failure ||= oneLine(error.message);
        this.#cutShort();
      }
    });
    await Promise.all(tasks);
  }

  #cutShort(): void {
    this.#isCutShort = true;
    this.#stopWriters();
  }

  #stopWriters(): void {
    for (const writer of this.#writers) writer.stop();
    this.#pacer.stop();
  }

  /** Waits until each watch has the last event of each object; what stays away is missing. */
  async #quiesce(): Promise<void> {
    this.#phase = 'settle';
    this.#watchers.endDisturbance();
    // A watch that never opened in a run that was cut short has promised nothing.
    const started = this.#watchers.watchers.filter(({ hasStarted }) => hasStarted);
    const graceMs = this.#options.graceSeconds * 1_000;
    const deadline = performance.now() + graceMs * GRACES_MAX;
    let eventAt = performance.now();
    let events = this.#counters.events;
    let waiting = started;
    while (waiting.length > 0) {
      waiting = waiting.filter(({ ledger }) => !ledger.isComplete());
      const now = performance.now();
      if (this.#counters.events > events) eventAt = now;
      events = this.#counters.events;
      if (now > deadline || now - eventAt > graceMs) break;
      await sleep(waiting.length > 0 ? TICK_MS : SETTLE_MS);
    }
    for (const { ledger } of waiting) ledger.reportMissing();
  }

  /** Nobody writes any more: what is listed now must be exactly what was written. */
  async #checkLists(): Promise<void> {
    const { namespaces, writers } = this.#options;
    for (let number = 0; number < namespaces; number += 1) {
      const scope = new Scope(this.#plan, 'namespace', number);
      const list = await this.#lastList(scope);
      new Ledger(`last list of ${scope.path}`, scope, writers, this.#log, this.#findings).adopt(
        list,
      );
    }
  }

  async #lastList(scope: Scope): Promise<ListState> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const { writers } = this.#options;
        return await readList(this.#client, scope, writers, this.#log, this.#findings);
      } catch (error) {
        this.#counters.addError(oneLine((error as Error).message));
        if (attempt === LAST_LIST_ATTEMPTS_MAX) throw error;
        await sleep(TICK_MS * 2 ** attempt);
      }
    }
  }

  async #cleanUp(): Promise<readonly string[]> {
    if (this.#options.keep) {
      this.#progress.say(`kept: namespaces ${this.#plan.namespaceNames.join(', ')}`);
      return [];
    }
    return deleteNamespaces(this.#client, this.#plan);
  }
}

/** Neighbouring slots are in different namespaces: each writer shall have some in all of them. */
function slotsOf(writer: number, { objects, writers }: SoakOptions): number[] {
  const first = Math.floor((objects * writer) / writers);
  const next = Math.floor((objects * (writer + 1)) / writers);
  return Array.from({ length: next - first }, (_, index) => first + index);
}

async function sleep(milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
