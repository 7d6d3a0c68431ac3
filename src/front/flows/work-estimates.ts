/** Estimates the seats of a request by what its front knows of types and watches. */
import { ONE_SEAT, type Flow, type Work } from '../../flow-control/flow.ts';
import type { FlowMeter } from '../../flow-control/flow-meter.ts';
import type { LevelState } from '../../flow-control/level-state.ts';
import type { WatchCounts } from '../../flow-control/watch-counts.ts';
import {
  workOfList,
  workOfWrite,
  type EstimateRules,
  type ListedBy,
  type StoredObjects,
} from '../../flow-control/work-estimate.ts';
import { neutralGroup } from '../../semantics/dialect/own-names.ts';
import { groupResourceText } from '../../semantics/errors/status.ts';
import type { RequestContext } from '../request-context.ts';
import type { Query } from '../requests/query.ts';
import type { RequestAttributes } from '../requests/request-attributes.ts';

export interface WorkEstimatesOptions {
  readonly rules: EstimateRules;
  /** Watches that begin with what there is take as many seats as a list. */
  readonly watchesAreLists: boolean;
  /** By the name of a type's shard; undefined where nothing is known of it. */
  readonly storedObjects: (resource: string) => StoredObjects | undefined;
  readonly watches: WatchCounts;
}

const WRITES: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete']);

export class WorkEstimates {
  readonly #options: WorkEstimatesOptions;

  constructor(options: WorkEstimatesOptions) {
    this.#options = options;
  }

  of(request: RequestContext, { meter }: Flow, { widthMax }: LevelState): Work {
    const work = this.#workOf(request, meter, widthMax);
    meter.estimated(Math.max(work.seats, work.finalSeats));
    return work;
  }

  /** A request is served from now on: watches make writes wider. Gives what ends that. */
  served({ attributes, exchange }: RequestContext): (() => void) | undefined {
    const { rules, watches } = this.#options;
    if (attributes.verb !== 'watch' || !rules.countsWatches) return undefined;
    return watches.began(attributes, exchange.query.text('fieldSelector'));
  }

  #workOf({ attributes, exchange }: RequestContext, meter: FlowMeter, widthMax: number): Work {
    const { verb, isResource } = attributes;
    if (verb === 'get' || !isResource) return ONE_SEAT;
    const { rules, watches, watchesAreLists, storedObjects } = this.#options;
    if (verb === 'list' || (verb === 'watch' && watchesAreLists)) {
      const { group, resource } = attributes;
      const key = groupResourceText({ group: neutralGroup(group), resource });
      const stored = storedObjects(key);
      if (stored === undefined) return ONE_SEAT;
      return workOfList(stored, listedBy(attributes, exchange.query), widthMax, rules);
    }
    if (!rules.countsWatches || !WRITES.has(verb) || isUnseen(attributes)) return ONE_SEAT;
    const count = watches.of(attributes);
    meter.watched(count);
    return workOfWrite(count, widthMax, rules);
  }
}

/** A token of an account is no change that a watch sees. */
function isUnseen({ resource, subresource }: RequestAttributes): boolean {
  return resource === 'serviceaccounts' && subresource === 'token';
}

function listedBy({ verb, name, fieldSelector, labelSelector }: RequestAttributes, query: Query) {
  const limit = Number(query.text('limit'));
  const isWatch = verb === 'watch';
  const isAll = isWatch && query.flag('sendInitialEvents');
  return {
    resourceVersion: isAll ? '' : query.text('resourceVersion'),
    resourceVersionMatch: query.text('resourceVersionMatch'),
    continueToken: query.text('continue'),
    limit: limit > 0 ? limit : 0,
    hasSelector: fieldSelector !== undefined || labelSelector !== undefined,
    isOfOne: name !== '',
    isWatch,
  } satisfies ListedBy;
}
