/** Reads the file of `--authorization-config` again when it has changed (README.md#changes). */
import { createHash } from 'node:crypto';
import { watch } from 'node:fs';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ownMetrics } from '../../observability/metrics/own-metrics.ts';
import { SeriesSet, THREAD_SERIES } from '../../observability/metrics/thread-metrics.ts';
import type { FeatureGates } from '../../release/feature-gates.ts';
import { CONFIGURATION_LOOK_MS, CONFIGURATION_SETTLE_MS } from './limits.ts';
import type { AuthorizationMode, ChainedAuthorizer } from '../authorizers.ts';
import { configurationTeller } from './configuration-channel.ts';
import {
  configurationText,
  readConfiguration,
  type ReadConfiguration,
} from './read-configuration.ts';

export interface ReloadOptions {
  readonly file: string;
  /** What it was at the start. */
  readonly read: ReadConfiguration;
  readonly gates: FeatureGates;
  /** '' where it has none. */
  readonly serverId: string;
  readonly tell: (line: string) => void;
  readonly logError: (line: string) => void;
}

/** For what the server is ready at its start alone: what these follow takes long to know. */
const FROM_START: readonly AuthorizationMode[] = ['Node', 'RBAC'];

/** Looks at the file when its folder changes, and every now and then; until the process ends. */
export function reloadConfiguration(options: ReloadOptions): void {
  const reload = new ConfigurationReload(options);
  let pending: NodeJS.Timeout | undefined;
  const look = (): void => {
    // A writer may take several steps.
    pending ??= setTimeout(() => {
      pending = undefined;
      void reload.look();
    }, CONFIGURATION_SETTLE_MS).unref();
  };
  setInterval(look, CONFIGURATION_LOOK_MS).unref();
  try {
    watch(dirname(options.file), { persistent: false }, look).on('error', () => undefined);
  } catch {
    // The folder cannot be watched: it is looked at every now and then.
  }
}

class ConfigurationReload {
  readonly #options: ReloadOptions;
  readonly #metrics: ReloadMetrics;
  readonly #needed: readonly AuthorizationMode[];
  readonly #tellThreads = configurationTeller();
  #text: string;
  #chain: readonly ChainedAuthorizer[];
  #last: Promise<void> = Promise.resolve();

  constructor(options: ReloadOptions) {
    const { read, serverId } = options;
    this.#options = options;
    this.#text = read.text;
    this.#chain = read.chain;
    this.#metrics = new ReloadMetrics(serverId);
    this.#metrics.applied(read.text);
    const modes = read.chain.map(({ mode }) => mode);
    this.#needed = [...new Set(modes)].filter((mode) => mode !== 'Webhook').toSorted();
  }

  /** One look after the other. */
  look(): Promise<void> {
    this.#last = this.#last.then(() => this.#look());
    return this.#last;
  }

  async #look(): Promise<void> {
    const { file, gates, tell, logError } = this.#options;
    try {
      const text = configurationText(file);
      if (text === this.#text) return;
      this.#text = text;
      const chain = await readConfiguration(text, gates);
      this.#checkModes(chain);
      if (isDeepStrictEqual(chain, this.#chain)) return;
      this.#chain = chain;
      this.#tellThreads(chain);
      this.#metrics.reloaded('success');
      this.#metrics.applied(text);
      tell('reloaded authz config');
    } catch (error) {
      this.#metrics.reloaded('failure');
      logError(`reloading authorization config: ${(error as Error).message}`);
    }
  }

  #checkModes(chain: readonly ChainedAuthorizer[]): void {
    const modes = chain.map(({ mode }) => mode);
    const missing = this.#needed.filter((mode) => !modes.includes(mode));
    if (missing.length > 0) throw new Error(`missing required types: [${missing.join(' ')}]`);
    const late = FROM_START.find((mode) => modes.includes(mode) && !this.#needed.includes(mode));
    if (late === undefined) return;
    throw new Error(
      `authorizer type ${late} is not allowed if it was not enabled at initial server startup`,
    );
  }
}

const TOTAL = 'apiserver_authorization_config_controller_automatic_reloads_total';
const LAST = 'apiserver_authorization_config_controller_automatic_reload_last_timestamp_seconds';
const INFO = 'apiserver_authorization_config_controller_last_config_info';
const COUNTED = ownMetrics([TOTAL, LAST]).length > 0;
const TELLS_CONFIG = ownMetrics([INFO]).length > 0;

class ReloadMetrics {
  readonly #id: string;
  #info: SeriesSet | undefined;

  constructor(serverId: string) {
    this.#id = hashOf(serverId);
  }

  reloaded(status: 'success' | 'failure'): void {
    if (!COUNTED) return;
    const labels = { apiserver_id_hash: this.#id, status };
    THREAD_SERIES.cell(TOTAL, labels).add();
    THREAD_SERIES.cell(LAST, labels).set(Date.now() / 1_000);
  }

  applied(text: string): void {
    if (!TELLS_CONFIG) return;
    this.#info?.release();
    this.#info = new SeriesSet();
    this.#info.cell(INFO, { apiserver_id_hash: this.#id, hash: hashOf(text) }).set(1);
  }
}

function hashOf(text: string): string {
  return text === '' ? '' : `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
