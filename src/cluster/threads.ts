/**
 * The threads of a server and what they share. They load their programs at once, so that the data
 * folder is opened meanwhile.
 */
import { ActorPool, type ActorPoolOptions } from '../actors/actor-pool.ts';
import { withCompiledCode } from '../actors/compiled-code.ts';
import type { AdmissionConfig } from '../admission/chain.ts';
import { chosenClock } from '../base/time/server-clock.ts';
import type { Config } from '../config/config.ts';
import {
  FRONT_YOUNG_GENERATION_MB,
  REQUEST_HEADERS_BYTES_MAX,
  SHARD_YOUNG_GENERATION_MB,
} from '../limits.ts';
import type { SharedMetrics } from '../observability/metrics/metric-store.ts';
import { AnsweredVersions } from '../replicas/answered-versions.ts';
import { RestoreCells } from '../replicas/restore-cells.ts';
import { VersionClock } from '../sequencer/version-clock.ts';
import { CacheBudget } from '../shard/representation/cache-budget.ts';
import type { StorePlace } from '../storage/open-store.ts';
import type { ActorInit, PoolInit } from './run-actor.ts';
import type { JournalInit } from './thread-journal.ts';

export interface ThreadsOptions {
  readonly config: Config;
  readonly admission: AdmissionConfig;
  readonly buildDir: string;
  readonly metrics: SharedMetrics;
  /** Where the store is, or is to be. */
  readonly place: StorePlace;
  /** Absent where no other server shares the store. */
  readonly journal: JournalInit | undefined;
  readonly onCrash: ActorPoolOptions['onCrash'];
}

export class Threads {
  readonly clock = new VersionClock();
  readonly answered = new AnsweredVersions();
  readonly restores = new RestoreCells();
  /** Those of shards and controllers. */
  readonly actors: ActorPool;
  readonly fronts: ActorPool;

  constructor(options: ThreadsOptions) {
    const { config, buildDir, onCrash } = options;
    const entry = `${buildDir}/worker.js`;
    // Read by the HTTP library when the first front loads it.
    process.env['UWS_HTTP_MAX_HEADERS_SIZE'] = String(REQUEST_HEADERS_BYTES_MAX);
    this.actors = new ActorPool({
      entry,
      threads: config.shardThreads,
      youngGenerationMb: SHARD_YOUNG_GENERATION_MB,
      shared: this.#poolInit(options),
      env: withCompiledCode(buildDir, 'actors'),
      onCrash,
    });
    this.fronts = new ActorPool({
      entry,
      threads: config.fronts,
      youngGenerationMb: FRONT_YOUNG_GENERATION_MB,
      shared: actorInit(options, 'fronts'),
      env: withCompiledCode(buildDir, 'fronts'),
      onCrash,
    });
  }

  #poolInit(options: ThreadsOptions): PoolInit {
    const { config, admission, buildDir, place, journal } = options;
    const { watchHistoryMs, kindSettings, featureGates, authorization } = config;
    return {
      ...actorInit(options, 'actors'),
      ...place,
      ...(journal && { journal }),
      clock: this.clock.shared,
      historyMs: watchHistoryMs,
      kindSettings,
      featureGates,
      cacheBudget: new CacheBudget().shared,
      answered: this.answered.shared,
      restores: this.restores.shared,
      authorization,
      admission,
      buildDir,
    };
  }
}

function actorInit({ config, metrics }: ThreadsOptions, runs: ActorInit['runs']): ActorInit {
  const { apiDomain, release, observability } = config;
  return {
    runs,
    apiDomain,
    release,
    log: observability.log,
    metrics,
    movedClock: chosenClock()?.shared,
  };
}
