/** One run: back to the snapshot, the programs, a plan, the check. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Activity } from './activity.ts';
import { actOf, type Act } from './act.ts';
import type { LabServer, PresentEvent } from './lab-server.ts';
import type { Plan, Setting } from './plan.ts';
import type { TypeEvent } from './plans.ts';
import { Program } from './program.ts';
import { trafficOf, type Traffic, type TypeRef } from './traffic.ts';

/** A controller that has ended is started again after so long, as one in a cluster. */
const AGAIN_MS = 1_000;
const CHECK_AGAIN_MS = 250;
const LOOK_MS = 25;
const MS = 1_000;

export interface TrialTools {
  readonly server: LabServer;
  readonly setting: Setting;
  readonly skipped: ReadonlySet<string>;
  /** What programs find in their environment. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Something that the run was told, or that was done to it. */
export interface Moment {
  readonly ms: number;
  /** Absent for what takes no time. */
  readonly endMs?: number;
  readonly text: string;
}

export interface Trial {
  readonly plan: Plan | undefined;
  readonly passed: boolean;
  /** Whether what the plan is about has happened. */
  readonly hasActed: boolean;
  /** What the check, or the run, has to say. */
  readonly says: string;
  readonly seconds: number;
  readonly moments: readonly Moment[];
  readonly traffic: Traffic;
  /** Of the types that were followed. */
  readonly events: readonly TypeEvent[];
  /** The last of what the command has said. */
  readonly output: string;
}

/** `follows` are the types of which the events are wanted. */
export async function runTrial(
  tools: TrialTools,
  plan: Plan | undefined,
  follows: readonly TypeRef[] = [],
): Promise<Trial> {
  const run = new Run(tools, plan);
  return run.go(follows);
}

class Run {
  readonly #tools: TrialTools;
  readonly #plan: Plan | undefined;
  readonly #isOver = new AbortController();
  readonly #moments: Moment[] = [];
  readonly #events: TypeEvent[] = [];
  #startMs = 0;
  #command: Program | undefined;

  constructor(tools: TrialTools, plan: Plan | undefined) {
    this.#tools = tools;
    this.#plan = plan;
  }

  async go(follows: readonly TypeRef[]): Promise<Trial> {
    const { server, setting, skipped } = this.#tools;
    await server.reset(setting.snapshot);
    const file = await server.record();
    this.#startMs = performance.now();
    const activity = new Activity(file, whoOf(setting), skipped);
    try {
      const after = await server.newestVersion();
      const following = follows.map((of) =>
        server.follow(of, after, this.#isOver.signal, (event) => this.#take(of, event)),
      );
      // They are awaited below.
      for (const one of following) one.catch(() => undefined);
      const { act, verdict } = await this.#run(activity);
      const seconds = (performance.now() - this.#startMs) / MS;
      const recording = await server.recorded(file);
      this.#isOver.abort();
      await Promise.all(following);
      await this.#command?.stop();
      return {
        plan: this.#plan,
        ...verdict,
        hasActed: act?.hasActed ?? false,
        seconds,
        moments: this.#moments,
        traffic: trafficOf(recording, whoOf(setting)),
        events: this.#events,
        output: this.#command?.output ?? '',
      };
    } catch (error) {
      // What goes wrong now says less than the error.
      await Promise.allSettled(['faults', 'views', 'recordings'].map((of) => server.remove(of)));
      throw error;
    } finally {
      this.#isOver.abort();
      await this.#command?.kill();
      activity.end();
    }
  }

  async #run(
    activity: Activity,
  ): Promise<{ act: Act | undefined; verdict: { passed: boolean; says: string } }> {
    const { server, setting, environment } = this.#tools;
    const isOver = new AbortController();
    const act = this.#plan && actOf(this.#plan, this.#actTools(activity, isOver.signal));
    await act?.prepare();
    this.#command = new Program(setting.command, environment);
    this.#tell('started');
    const acting = act?.run() ?? Promise.resolve();
    // It is awaited below.
    acting.catch(() => undefined);
    const limit = sleep(setting.seconds * MS, 'late' as const, { signal: this.#isOver.signal });
    limit.catch(() => undefined);
    const first = await Promise.race([this.#done(activity, isOver.signal), limit]);
    // What has begun to go wrong goes on until it is done.
    if (first !== 'late' && act?.isUnderWay === true) await Promise.race([acting, limit]);
    isOver.abort();
    await acting;
    await server.remove('faults');
    await server.remove('views');
    if (first === 'late') {
      const says = `it has not ended within ${setting.seconds} s`;
      this.#tell(says);
      return { act, verdict: { passed: false, says } };
    }
    return { act, verdict: await this.#check(activity, limit) };
  }

  #actTools(activity: Activity, signal: AbortSignal): Parameters<typeof actOf>[1] {
    const { server, setting } = this.#tools;
    return {
      server,
      setting,
      activity,
      signal,
      program: () => {
        if (this.#command === undefined) throw new Error('the command has not been started');
        return this.#command;
      },
      tell: (text) => this.#tell(text),
    };
  }

  /** When the scenario has ended, and the controller has done what follows from it. */
  async #done(activity: Activity, signal: AbortSignal): Promise<'done'> {
    const { setting, environment } = this.#tools;
    if (setting.scenario === '') {
      await this.#commandEnds(signal);
      return 'done';
    }
    const scenario = new Program(setting.scenario, environment);
    const stop = (): void => void scenario.kill();
    this.#isOver.signal.addEventListener('abort', stop, { once: true });
    signal.addEventListener('abort', stop, { once: true });
    void this.#keepRunning(signal);
    const { code } = await scenario.ended;
    this.#tell(`the scenario has ended with ${code}`);
    if (code !== 0) this.#tell(scenario.output);
    await activity.quiet(setting.quietMs, signal);
    return 'done';
  }

  /** Who kills it starts it again. */
  async #commandEnds(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.#command !== undefined) {
      const { code } = await this.#command.ended;
      if (!this.#command.wasKilled) {
        this.#tell(`the command has ended with ${code}`);
        return;
      }
      await sleep(LOOK_MS);
    }
  }

  async #keepRunning(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.#command !== undefined) {
      const { code } = await this.#command.ended;
      await sleep(this.#command.wasKilled ? LOOK_MS : AGAIN_MS);
      if (signal.aborted || this.#command.wasKilled || !this.#command.hasEnded) continue;
      this.#tell(`the command has ended with ${code}: it is started again`);
      this.#command.start();
    }
  }

  /** The state must be right within the time, and stay right while the controller is quiet. */
  async #check(
    activity: Activity,
    limit: Promise<'late'>,
  ): Promise<{ passed: boolean; says: string }> {
    const { setting, environment } = this.#tools;
    const hasEnded = setting.scenario === '';
    let isLate = false;
    void limit.then(() => (isLate = true)).catch(() => undefined);
    if (setting.giveUpMs > 0) {
      void activity
        .quiet(setting.giveUpMs, this.#isOver.signal)
        .then(() => (isLate = true))
        .catch(() => undefined);
    }
    for (;;) {
      const says = await checked(setting.check, environment);
      if (says === undefined) {
        if (hasEnded) break;
        await activity.quiet(setting.quietMs, this.#isOver.signal);
        const later = await checked(setting.check, environment);
        if (later === undefined) break;
      }
      if (says !== undefined && (hasEnded || isLate)) {
        this.#tell('the check says no');
        return { passed: false, says };
      }
      await sleep(CHECK_AGAIN_MS);
    }
    this.#tell('the check says yes');
    return { passed: true, says: '' };
  }

  #take(of: TypeRef, { type, namespace, name, version }: PresentEvent): void {
    this.#events.push({ of, type, namespace, name, version });
  }

  /** Returns what ends it, where it lasts. */
  #tell(text: string): () => void {
    const at = this.#moments.push({ ms: performance.now() - this.#startMs, text }) - 1;
    return () => {
      const moment = this.#moments[at];
      if (moment === undefined) return;
      this.#moments[at] = { ...moment, endMs: performance.now() - this.#startMs };
    };
  }
}

function whoOf({ who }: Setting): Setting['who'] & { groups: string[]; addresses: string[] } {
  return { ...who, groups: [], addresses: [] };
}

/** What the check says where it does not exit with 0. */
async function checked(
  check: string,
  environment: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const program = new Program(check, environment);
  const { code } = await program.ended;
  if (code === 0) return undefined;
  return program.output.trim() || `the check has ended with ${code}`;
}
