/** The rules by which clients read the past (src/laboratory/README.md#stale-views). */
import {
  goesByLabels,
  isVersion,
  matches,
  READS,
  type LabRequest,
} from '../../laboratory/lab-request.ts';
import { Members } from '../../laboratory/members.ts';
import { ADVANCE, VIEW } from '../../laboratory/schemas.ts';
import { readViewRule } from '../../laboratory/view-rule.ts';
import { badRequest, tooLargeResourceVersion } from '../../semantics/errors/status.ts';
import type { RequestContext } from '../request-context.ts';
import { made, missing, shown, taken } from './lab-api.ts';
import type { LabAnswer, LabCall, LabRoute } from './lab-api.ts';
import { notBefore, View, type ViewTools } from './view.ts';

const ANNOTATION = 'laboratory.shardplane.io/view';

interface ViewsTools extends ViewTools {
  /** Ends the watches that are open for which `isMeant`; gives the shards that they were of. */
  readonly endWatches: (isMeant: (request: LabRequest) => boolean) => ReadonlySet<string>;
}

export class Views {
  readonly #tools: ViewsTools;
  readonly #views = new Map<string, View>();

  constructor(tools: ViewsTools) {
    this.#tools = tools;
  }

  readonly routes: readonly LabRoute[] = [
    {
      method: 'post',
      path: 'views',
      says: 'Has clients read the past by a rule.',
      takes: VIEW,
      answer: (call) => this.#add(call),
    },
    {
      method: 'get',
      path: 'views',
      says: 'Tells of all views, and where they are.',
      answer: () => shown({ items: [...this.#views.values()].map(({ shown }) => shown) }),
    },
    {
      method: 'get',
      path: 'views/NAME',
      says: 'Tells of a view.',
      answer: (call) => shown(this.#named(call).shown),
    },
    {
      method: 'delete',
      path: 'views/NAME',
      says: 'Removes a view: who has read through it reads the present.',
      answer: (call) => this.#remove(call),
    },
    {
      method: 'post',
      path: 'views/NAME/advance',
      says: 'Moves a view towards the present.',
      takes: ADVANCE,
      answer: (call) => this.#advance(call),
    },
  ];

  /** Whether there are any. */
  get isInForce(): boolean {
    return this.#views.size > 0;
  }

  /** Whether the labels of its object decide which view the client sees. */
  goByLabels(request: LabRequest): boolean {
    if (!READS.has(request.verb)) return false;
    return [...this.#views.values()].some(({ rule }) => goesByLabels(rule, request));
  }

  /** Has a read of a type answered as of what the client is to see. Rejects with StatusError. */
  async meet(context: RequestContext, request: LabRequest, shard: string): Promise<void> {
    if (!READS.has(request.verb)) return;
    const view = [...this.#views.values()].find(({ rule }) => matches(rule, request));
    if (view === undefined) return;
    const { query } = context.exchange;
    const asked = query.text('resourceVersion');
    const isWatch = request.verb === 'watch';
    const mustBeNew =
      view.rule.reads === 'cached' &&
      (asked === '' || query.text('resourceVersionMatch') === 'Exact');
    if (mustBeNew && !isWatch) return;
    context.audit?.annotate(ANNOTATION, view.rule.name);
    const point = await view.pointOf(shard);
    context.past = mustBeNew ? notBefore(point, await this.#tools.versions.newest()) : point;
    // A watch waits for what is yet to come.
    if (isWatch || !isVersion(asked) || Number(asked) <= point.version) return;
    throw tooLargeResourceVersion(BigInt(asked), point.version);
  }

  async #add({ body }: LabCall): Promise<LabAnswer> {
    const rule = readViewRule(body);
    const { start, name } = rule;
    const newest = await this.#tools.versions.newest();
    const version = start.is === 'version' ? (start.version ?? newest) : newest;
    if (version > newest) throw badRequest(`at must be no later than the version ${newest}`);
    if (this.#views.has(name)) throw taken('view', name);
    const view = new View(rule, version, this.#tools);
    const others = [...this.#views.values()];
    this.#views.set(name, view);
    const shards = this.#tools.endWatches((request) => {
      return matches(rule, request) && !others.some((other) => matches(other.rule, request));
    });
    await Promise.all([...shards].map((shard) => view.pointOf(shard)));
    // Who watched has seen all until now.
    if (view.isFixed && version === newest) {
      await view.advance({ version: await this.#tools.versions.newest() });
    }
    return made(view.shown);
  }

  async #advance(call: LabCall): Promise<LabAnswer> {
    const view = this.#named(call);
    const members = new Members(call.body ?? {}, '', ['to', 'by', 'events']);
    if (!view.isFixed) throw badRequest(`the view "${view.rule.name}" moves by itself`);
    const [one, ...others] = members.among(['to', 'by', 'events']);
    if (one === undefined || others.length > 0) throw badRequest('give one of to, by, events');
    const count = members.count(one, 1) ?? 0;
    if (one === 'events') return shown({ version: await view.advance({ events: count }) });
    const newest = await this.#tools.versions.newest();
    const from = one === 'by' ? view.version : 0;
    if (one === 'to' && count > newest) {
      throw badRequest(`to must be no later than the version ${newest}`);
    }
    return shown({ version: await view.advance({ version: Math.min(from + count, newest) }) });
  }

  #remove(call: LabCall): LabAnswer {
    const view = this.#named(call);
    this.#views.delete(view.rule.name);
    const answer = shown(view.shown);
    view.end();
    return answer;
  }

  #named({ names: [name = ''] }: LabCall): View {
    const view = this.#views.get(name);
    if (view === undefined) {
      throw missing('view', name);
    }
    return view;
  }
}
