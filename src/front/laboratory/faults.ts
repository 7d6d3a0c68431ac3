/** The rules by which requests go wrong (src/laboratory/README.md#faults). */
import { readFaultRule, type Effect } from '../../laboratory/fault-rule.ts';
import { goesByLabels, matches, type LabRequest } from '../../laboratory/lab-request.ts';
import { Members } from '../../laboratory/members.ts';
import { FAULT, RELEASE } from '../../laboratory/schemas.ts';
import type { RequestContext } from '../request-context.ts';
import { Fault, type Held } from './fault.ts';
import { FaultyWatch } from './faulty-watch.ts';
import { ClosingResponse, CutResponse, HeldResponse, LostResponse } from './faulty-response.ts';
import { made, missing, shown, taken } from './lab-api.ts';
import type { LabAnswer, LabCall, LabRoute } from './lab-api.ts';

/** The annotation of the audit log that names the rule. */
const ANNOTATION = 'laboratory.shardplane.io/fault';
const WEBHOOK_MS_MAX = 10_000;

interface OpenWatch {
  readonly request: LabRequest;
  readonly shard: string;
  readonly watch: FaultyWatch;
}

export interface FaultsOptions {
  readonly nowMs: () => number;
  readonly logError: (text: string) => void;
}

export class Faults {
  readonly #options: FaultsOptions;
  /** In the order in which they are asked. */
  readonly #faults = new Map<string, Fault>();
  readonly #watches = new Set<OpenWatch>();

  constructor(options: FaultsOptions) {
    this.#options = options;
  }

  readonly routes: readonly LabRoute[] = [
    {
      method: 'post',
      path: 'faults',
      says: 'Has requests go wrong by a rule.',
      takes: FAULT,
      answer: (call) => this.#add(call),
    },
    {
      method: 'get',
      path: 'faults',
      says: 'Tells of all faults, what each has matched, done and holds.',
      answer: () => this.#list(),
    },
    {
      method: 'get',
      path: 'faults/NAME',
      says: 'Tells of a fault.',
      answer: (call) => shown(this.#named(call).shown),
    },
    {
      method: 'delete',
      path: 'faults/NAME',
      says: 'Removes a fault, and lets go what it holds.',
      answer: (call) => this.#remove(call),
    },
    {
      method: 'post',
      path: 'faults/NAME/release',
      says: 'Lets go what a fault holds, or the first of it.',
      takes: RELEASE,
      answer: (call) => this.#release(call),
    },
    {
      method: 'get',
      path: 'faults/NAME/journal',
      says: 'Tells the decisions of a fault.',
      answer: (call) => shown({ items: this.#named(call).journal }),
    },
  ];

  /** Whether there are any. */
  get isInForce(): boolean {
    return this.#faults.size > 0;
  }

  /** Whether the labels of its object decide which rule is about the request. */
  goByLabels(request: LabRequest): boolean {
    return [...this.#faults.values()].some(({ rule }) => goesByLabels(rule, request));
  }

  /** Has the request go wrong where a rule says so. Throws StatusError. */
  meet(context: RequestContext, request: LabRequest): void | Promise<void> {
    if (request.verb === 'watch') this.#follow(context, request);
    const fault = this.#decide(request, ({ is }) => is !== 'watch');
    if (fault === undefined) return;
    context.audit?.annotate(ANNOTATION, fault.rule.name);
    return this.#apply(fault, context, request);
  }

  /** The first rule that acts on it. */
  #decide(request: LabRequest, isAsked: (effect: Effect) => boolean): Fault | undefined {
    for (const fault of this.#faults.values()) {
      if (!isAsked(fault.rule.effect) || !matches(fault.rule, request)) continue;
      if (fault.decides(request, this.#options.nowMs())) return fault;
    }
    return undefined;
  }

  /** Its events may go wrong now or later. */
  #follow(context: RequestContext, request: LabRequest): void {
    context.watchThrough = (stream) => {
      const watch: FaultyWatch = new FaultyWatch(stream, () => {
        this.#watches.delete(open);
        for (const fault of this.#faults.values()) fault.forgets(watch);
      });
      const shard = context.route?.verb === 'watch' ? context.route.shard : '';
      const open: OpenWatch = { request, shard, watch };
      this.#watches.add(open);
      const fault = this.#decide(request, ({ is }) => is === 'watch');
      if (fault !== undefined) {
        context.audit?.annotate(ANNOTATION, fault.rule.name);
        fault.spoils(watch);
      }
      return watch;
    };
  }

  /** Ends the watches that are open for which `isMeant`; gives the shards that they were of. */
  endWatches(isMeant: (request: LabRequest) => boolean): ReadonlySet<string> {
    const meant = [...this.#watches].filter(({ request }) => isMeant(request));
    for (const { watch } of meant) watch.close();
    return new Set(meant.map(({ shard }) => shard));
  }

  #apply(fault: Fault, context: RequestContext, request: LabRequest): void | Promise<void> {
    const { effect } = fault.rule;
    const { exchange } = context;
    switch (effect.is) {
      case 'refuse':
        throw effect.error();
      case 'loseAnswer':
        exchange.answerThrough((response) => new LostResponse(response));
        return;
      case 'reset':
        if (effect.at === 'before') {
          context.isTaken = true;
          exchange.abort();
        } else if (effect.at === 'body') {
          exchange.answerThrough((is) => new CutResponse(is, () => !exchange.isAborted));
        } else exchange.answerThrough((is) => new ClosingResponse(is));
        return;
      case 'delay': {
        const ms = fault.delayMs(effect);
        if (effect.at === 'before') {
          return new Promise((goOn) => fault.holdsFor(ms, { release: goOn }));
        }
        holdAnswer(context, (held) => fault.holdsFor(ms, held));
        return;
      }
      case 'barrier':
        return this.#bar(fault, effect, context, request);
      case 'watch':
    }
  }

  /** Holds the request, or its answer, until it is let go. */
  #bar(
    fault: Fault,
    { at, webhook }: Extract<Effect, { is: 'barrier' }>,
    context: RequestContext,
    request: LabRequest,
  ): void | Promise<void> {
    const tell = (): void => this.#tell(webhook, fault, request);
    if (at === 'after') {
      holdAnswer(context, (held) => {
        fault.holds(held);
        tell();
      });
      return;
    }
    // Whoever lets go may take as long as they like, and the place is for others.
    context.deadlines?.end(context);
    context.place?.over();
    context.place = undefined;
    return new Promise((goOn) => {
      fault.holds({ release: goOn });
      tell();
    });
  }

  #tell(url: string, { rule }: Fault, { groups: _groups, ...request }: LabRequest): void {
    if (url === '') return;
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ fault: rule.name, request }),
      signal: AbortSignal.timeout(WEBHOOK_MS_MAX),
    }).catch((error: unknown) => {
      const why = (error as Error).message;
      this.#options.logError(`the webhook of the fault ${rule.name} was not told: ${why}`);
    });
  }

  #add({ body }: LabCall): LabAnswer {
    const rule = readFaultRule(body);
    if (this.#faults.has(rule.name)) throw taken('fault', rule.name);
    const fault = new Fault(rule);
    this.#faults.set(rule.name, fault);
    if (rule.effect.is === 'watch') {
      for (const { request, watch } of this.#watches) {
        if (!matches(rule, request)) continue;
        if (fault.decides(request, this.#options.nowMs())) fault.spoils(watch);
      }
    }
    return made(fault.shown);
  }

  #list(): LabAnswer {
    return shown({ items: [...this.#faults.values()].map(({ shown }) => shown) });
  }

  /** What it holds goes on. */
  #remove(call: LabCall): LabAnswer {
    const fault = this.#named(call);
    this.#faults.delete(fault.rule.name);
    fault.end();
    return shown(fault.shown);
  }

  #release(call: LabCall): LabAnswer {
    const fault = this.#named(call);
    const most = new Members(call.body ?? {}, '', ['count']).count('count', 1);
    return shown({ released: fault.release(most) });
  }

  #named({ names: [name = ''] }: LabCall): Fault {
    const fault = this.#faults.get(name);
    if (fault === undefined) throw missing('fault', name);
    return fault;
  }
}

/** `onAnswer` is given the answer when it is there. */
function holdAnswer({ exchange }: RequestContext, onAnswer: (held: Held) => void): void {
  const isOpen = (): boolean => !exchange.isAborted;
  exchange.answerThrough((response) => {
    const held: HeldResponse = new HeldResponse(response, isOpen, () => onAnswer(held));
    return held;
  });
}
