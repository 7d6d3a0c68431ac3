/** Reads the file of `--authorization-config` again when it has changed (README.md#changes). */
import { isDeepStrictEqual } from 'node:util';
import type { FeatureGates } from '../../release/feature-gates.ts';
import type { AuthorizationMode, ChainedAuthorizer } from '../authorizers.ts';
import { ConfigurationChannel } from './configuration-channel.ts';
import { configurationText } from './configuration-file.ts';
import { followFile } from './follow-file.ts';
import { readConfiguration, type ReadConfiguration } from './read-configuration.ts';
import { metricHash, ReloadMetrics } from './reload-metrics.ts';

export interface ReloadOptions {
  readonly file: string;
  /** The configuration at the start. */
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
  followFile(options.file, () => reload.look());
}

class ConfigurationReload {
  readonly #options: ReloadOptions;
  readonly #metrics: ReloadMetrics;
  readonly #needed: readonly AuthorizationMode[];
  readonly #tellThreads = new ConfigurationChannel<readonly ChainedAuthorizer[]>(
    'authorization',
  ).teller();
  #text: string;
  #chain: readonly ChainedAuthorizer[];

  constructor(options: ReloadOptions) {
    const { read, serverId } = options;
    this.#options = options;
    this.#text = read.text;
    this.#chain = read.chain;
    this.#metrics = new ReloadMetrics('authorization', serverId);
    this.#metrics.applied(metricHash(read.text));
    const modes = read.chain.map(({ mode }) => mode);
    this.#needed = [...new Set(modes)].filter((mode) => mode !== 'Webhook').toSorted();
  }

  async look(): Promise<void> {
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
      this.#metrics.applied(metricHash(text));
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
