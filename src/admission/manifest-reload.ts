/** Reads the files of policies and webhooks again when they have changed (README.md). */
import { ConfigurationChannel } from '../auth/configuration/configuration-channel.ts';
import { followFolder } from '../auth/configuration/follow-file.ts';
import { ReloadMetrics } from '../auth/configuration/reload-metrics.ts';
import type { AdmissionConfig } from './chain.ts';
import { manifestsIn, type Manifests, type PluginEntry, type PluginTools } from './plugin.ts';
import { readFolder } from './static-manifests.ts';

export interface ManifestReloadOptions {
  readonly tools: PluginTools;
  /** '' where it has none. */
  readonly serverId: string;
  readonly tell: (line: string) => void;
  readonly logError: (line: string) => void;
}

/** Looks at the files of all plugins when they may have changed; until the process ends. */
export function reloadManifests(
  settings: AdmissionConfig['settings'],
  entries: Readonly<Record<string, PluginEntry>>,
  options: ManifestReloadOptions,
): void {
  for (const [name, ofPlugin] of Object.entries(settings)) {
    const manifests = manifestsIn(ofPlugin);
    const read = entries[name]?.readManifests;
    if (manifests === undefined || read === undefined) continue;
    const reload = new ManifestReload(name, manifests, read, options);
    followFolder(manifests.folder, () => reload.look());
  }
}

class ManifestReload {
  readonly #name: string;
  readonly #folder: string;
  readonly #read: NonNullable<PluginEntry['readManifests']>;
  readonly #options: ManifestReloadOptions;
  readonly #metrics: ReloadMetrics;
  readonly #tellThreads: (manifests: Manifests) => void;
  /** Of the files that count. */
  #hash: string;
  /** What is wrong with files that were looked at last. */
  #wrong: { readonly hash: string; readonly error: unknown } | undefined;

  /** The start counts as the first time that they are read. */
  constructor(
    name: string,
    { folder, hash }: Manifests,
    read: NonNullable<PluginEntry['readManifests']>,
    options: ManifestReloadOptions,
  ) {
    this.#name = name;
    this.#folder = folder;
    this.#hash = hash;
    this.#read = read;
    this.#options = options;
    this.#metrics = new ReloadMetrics('manifest_admission', options.serverId, name);
    this.#tellThreads = new ConfigurationChannel<Manifests>(`admission-${name}`).teller();
    this.#reloaded();
  }

  /** Files that are wrong are told, and counted, with each look. */
  async look(): Promise<void> {
    const { tell, logError } = this.#options;
    try {
      const manifests = await this.#changed();
      if (manifests === undefined) return;
      this.#tellThreads(manifests);
      this.#hash = manifests.hash;
      this.#reloaded();
      tell(`reloaded manifest config of ${this.#name} from ${this.#folder}`);
    } catch (error) {
      this.#metrics.reloaded('failure');
      const lines = (error as Error).message.split('\n');
      const why = lines.map((line) => line.trim()).join(' ');
      logError(`reloading manifest config of ${this.#name}: ${why}`);
    }
  }

  /** Undefined where the files are those that count. Rejects with what is wrong with one. */
  async #changed(): Promise<Manifests | undefined> {
    const from = readFolder(this.#folder);
    const { hash } = from;
    if (hash === this.#wrong?.hash) throw this.#wrong.error;
    this.#wrong = undefined;
    if (hash === this.#hash) return undefined;
    try {
      return await this.#read(from, this.#options.tools);
    } catch (error) {
      this.#wrong = { hash, error };
      throw error;
    }
  }

  #reloaded(): void {
    this.#metrics.reloaded('success');
    this.#metrics.applied(this.#hash);
  }
}
