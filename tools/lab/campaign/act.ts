/** What a plan does to a run while it goes on. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Activity } from './activity.ts';
import type { LabServer, PresentEvent } from './lab-server.ts';
import type { EventRef, Plan, Setting } from './plan.ts';
import type { Program } from './program.ts';
import type { Target, TypeRef } from './traffic.ts';

const LOOK_MS = 25;
/** As long as events that were sent at once take to be together. */
const TOGETHER_MS = 300;
const HOLD_MS = 600_000;
/** Of one event to the next one, of the time in which a controller is quiet. */
const STEP_SHARE = 4;
const STEPS_MAX = 40;

export interface ActTools {
  readonly server: LabServer;
  readonly setting: Setting;
  readonly program: () => Program;
  readonly activity: Activity;
  /** Adds a line to the story of the run; returns what ends it, where it lasts. */
  readonly tell: (text: string) => () => void;
  /** The run is over. */
  readonly signal: AbortSignal;
}

export interface Act {
  /** Before anything is started. */
  prepare(): Promise<void>;
  /** Runs beside the program; resolves when it has nothing more to do. */
  run(): Promise<void>;
  /** Whether what it is for has happened. */
  readonly hasActed: boolean;
  /** Whether it has begun, and should be let go on. */
  readonly isUnderWay: boolean;
}

/** All that it has added to the server is removed by who has it made. */
export function actOf(plan: Plan, tools: ActTools): Act {
  switch (plan.kind) {
    case 'crash':
      return new Crash(plan, tools);
    case 'error':
      return new Faulty(plan, { refuse: { code: plan.code } }, tools);
    case 'lost':
      return new Faulty(plan, { loseAnswer: true }, tools);
    case 'stale':
    case 'missed':
      return new Stale(plan, tools);
    case 'travel':
      return new Travel(plan, tools);
  }
}

interface OfWrite {
  readonly write: Target;
  readonly nth: number;
}

interface OfEvent {
  readonly kind: Plan['kind'];
  readonly of: TypeRef;
  readonly event: EventRef;
}

function ruleOf({ write, nth }: OfWrite, { setting }: ActTools): object {
  const { verb, group, resource, subresource, namespace, name } = write;
  return {
    who: setting.who,
    what: {
      verbs: [verb],
      groups: [group],
      resources: [resource],
      subresources: [subresource],
      dryRun: false,
      ...(namespace !== '' && { namespaces: [namespace] }),
      ...(name !== '' && { names: [name] }),
    },
    when: { after: nth - 1, once: true },
  };
}

function ofType({ group, resource }: TypeRef): object {
  return { groups: [group], resources: [resource] };
}

/**
 * Moves the view to the present, one event after the other: what catches up sees each state, and
 * has the time to act on it.
 */
async function catchUp(events: readonly PresentEvent[], tools: ActTools): Promise<void> {
  const { server, setting, activity, signal, tell } = tools;
  // More may come meanwhile; what is left comes with the present.
  for (const { version, type, namespace, name } of events.slice(0, STEPS_MAX)) {
    if (signal.aborted) return;
    await server.moveView(version);
    tell(`sees ${type} ${namespace}/${name}, version ${version}`);
    await activity.quiet(setting.quietMs / STEP_SHARE, signal);
  }
}

class Faulty implements Act {
  readonly #of: OfWrite;
  readonly #then: object;
  readonly #tools: ActTools;
  hasActed = false;

  constructor(of: OfWrite, then: object, tools: ActTools) {
    this.#of = of;
    this.#then = then;
    this.#tools = tools;
  }

  get isUnderWay(): boolean {
    return this.hasActed;
  }

  async prepare(): Promise<void> {
    await this.#tools.server.addFault({ ...ruleOf(this.#of, this.#tools), then: this.#then });
  }

  async run(): Promise<void> {
    const { server, signal, tell } = this.#tools;
    for (;;) {
      // Looked at once more when the run is over.
      const isLast = signal.aborted;
      this.hasActed = (await server.fault()).acted > 0;
      if (this.hasActed) tell('the fault has acted');
      if (this.hasActed || isLast) return;
      await sleep(LOOK_MS);
    }
  }
}

/** The answer to a write is held, and who waits for it is killed. */
class Crash implements Act {
  readonly #of: OfWrite;
  readonly #tools: ActTools;
  hasActed = false;

  constructor(of: OfWrite, tools: ActTools) {
    this.#of = of;
    this.#tools = tools;
  }

  get isUnderWay(): boolean {
    return this.hasActed;
  }

  async prepare(): Promise<void> {
    const rule = ruleOf(this.#of, this.#tools);
    await this.#tools.server.addFault({ ...rule, then: { barrier: 'after' } });
  }

  async run(): Promise<void> {
    const { server, program, signal, tell } = this.#tools;
    while (!signal.aborted) {
      const { held } = await server.fault();
      if (held > 0) {
        this.hasActed = true;
        await program().kill();
        tell('killed');
        await server.remove('faults');
        program().start();
        tell('started again');
        return;
      }
      await sleep(LOOK_MS);
    }
  }
}

/** The events of a type in the present, among them the one that a plan is about. */
class Present {
  readonly #of: OfEvent;
  readonly #tools: ActTools;
  readonly #isOver = new AbortController();
  #count = 0;

  constructor(of: OfEvent, tools: ActTools) {
    this.#of = of;
    this.#tools = tools;
  }

  /** Nobody wants to hear of more, or the run is over. */
  get isOver(): boolean {
    return this.#isOver.signal.aborted;
  }

  end(): void {
    this.#isOver.abort();
  }

  /** Gives each event after a version; resolves when it is over. */
  async follow(version: number, take: (event: PresentEvent) => void): Promise<void> {
    const { server, signal } = this.#tools;
    signal.addEventListener('abort', () => this.end(), { once: true });
    await server.follow(this.#of.of, version, this.#isOver.signal, take);
  }

  isSought({ type, namespace, name }: PresentEvent): boolean {
    const ref = this.#of.event;
    if (type !== ref.type || namespace !== ref.namespace) return false;
    if (ref.name !== '' && name !== ref.name) return false;
    this.#count++;
    return this.#count === ref.nth;
  }
}

/**
 * A view that begins with the run and is moved with each event, up to the one before the event.
 * It goes live when the controller has become quiet; or, where a state is to be missed, when the
 * object has its next one, with both seen as one.
 */
class Stale implements Act {
  readonly #of: OfEvent;
  readonly #tools: ActTools;
  readonly #present: Present;
  #start = 0;
  #held: PresentEvent | undefined;
  #next: PresentEvent | undefined;
  /** From the one that is held on. */
  readonly #later: PresentEvent[] = [];
  #moves: Promise<void> = Promise.resolve();
  hasActed = false;

  constructor(of: OfEvent, tools: ActTools) {
    this.#of = of;
    this.#tools = tools;
    this.#present = new Present(of, tools);
  }

  get isUnderWay(): boolean {
    return this.#held !== undefined;
  }

  async prepare(): Promise<void> {
    const { server, setting } = this.#tools;
    this.#start = await server.addView({ who: setting.who, what: ofType(this.#of.of) });
  }

  async run(): Promise<void> {
    await this.#present.follow(this.#start, (event) => this.#take(event));
    await this.#moves;
  }

  #take(event: PresentEvent): void {
    const held = this.#held;
    if (held !== undefined) this.#later.push(event);
    if (held === undefined && this.#present.isSought(event)) {
      this.#later.push(event);
      this.#held = event;
      this.#then(() => this.#hold(event));
    } else if (held === undefined) {
      this.#then(() => this.#tools.server.moveView(event.version));
    } else if (event.namespace === held.namespace && event.name === held.name) {
      this.#next ??= event;
    }
  }

  /** In order, and none after the run. */
  #then(move: () => Promise<void>): void {
    this.#moves = this.#moves.then(() => (this.#present.isOver ? undefined : move()));
    // `run` rejects with it when it has stopped following.
    this.#moves.catch(() => this.#present.end());
  }

  async #hold({ version }: PresentEvent): Promise<void> {
    const { server, setting, activity, tell, signal } = this.#tools;
    const { resource } = this.#of.of;
    const ends = tell(`${resource} are seen as before version ${version}`);
    if (this.#of.kind === 'missed') await this.#miss();
    else {
      this.hasActed = true;
      await activity.quiet(setting.quietMs, signal);
      await catchUp(this.#later, this.#tools);
    }
    await server.remove('views');
    ends();
    tell(`${resource} are seen as they are`);
    this.#present.end();
  }

  async #miss(): Promise<void> {
    const { server, setting, activity, signal, tell } = this.#tools;
    const isQuiet = activity.quiet(setting.quietMs, signal).then(() => true);
    const later = (): Promise<boolean> => sleep(LOOK_MS).then(() => false);
    while (this.#next === undefined && !(await Promise.race([isQuiet, later()])));
    if (this.#next === undefined) return;
    const what = { verbs: ['watch'], ...ofType(this.#of.of) };
    const then = { watch: 'coalesce', ms: HOLD_MS };
    await server.addFault({ who: setting.who, what, then });
    await server.moveView(this.#next.version);
    await sleep(TOGETHER_MS);
    this.hasActed = true;
    tell(`both states up to version ${this.#next.version} are seen as one`);
    await server.remove('faults');
  }
}

/** As when it comes back to a server that is behind the one which it has read from before. */
class Travel implements Act {
  readonly #of: OfEvent;
  readonly #tools: ActTools;
  readonly #present: Present;
  #start = 0;
  readonly #later: PresentEvent[] = [];
  #back: Promise<void> | undefined;
  hasActed = false;

  constructor(of: OfEvent, tools: ActTools) {
    this.#of = of;
    this.#tools = tools;
    this.#present = new Present(of, tools);
  }

  get isUnderWay(): boolean {
    return this.#back !== undefined;
  }

  async prepare(): Promise<void> {
    this.#start = await this.#tools.server.newestVersion();
  }

  async run(): Promise<void> {
    const end = (): void => this.#present.end();
    await this.#present.follow(this.#start, (event) => {
      if (this.#back !== undefined || this.#present.isSought(event)) this.#later.push(event);
      if (this.#back !== undefined || this.#later.length === 0) return;
      this.#back = this.#goBack(event);
      this.#back.then(end, end);
    });
    await this.#back;
  }

  async #goBack({ version }: PresentEvent): Promise<void> {
    const { server, setting, activity, signal, program, tell } = this.#tools;
    await activity.quiet(setting.quietMs, signal);
    if (signal.aborted) return;
    await program().kill();
    tell('killed');
    const what = ofType(this.#of.of);
    await server.addView({ who: setting.who, what, at: version - 1 });
    this.hasActed = true;
    const { requests } = activity;
    program().start();
    const { resource } = this.#of.of;
    const ends = tell(`started again; ${resource} are seen as before version ${version}`);
    await activity.asksMore(requests, signal);
    await activity.quiet(setting.quietMs, signal);
    await catchUp(this.#later, this.#tools);
    await server.remove('views');
    ends();
    tell(`${resource} are seen as they are`);
  }
}
