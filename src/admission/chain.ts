/**
 * The plugins that look at writes in a thread, in their order (README.md#plugins). Most writes
 * concern few of them, and wait for none.
 */
import { pluginMetrics, STEP_METRICS } from './admission-metrics.ts';
import type { AdmissionMetrics, AdmissionPhase as Phase } from './admission-metrics.ts';
import { ConfigurationChannel } from '../auth/configuration/configuration-channel.ts';
import type { FeatureGates } from '../release/feature-gates.ts';
import {
  manifestsIn,
  type AdmissionContext,
  type AdmissionPlugin,
  type Manifests,
  type PluginEntry,
  type PluginSettings,
} from './plugin.ts';
import type { Proposal, ProposedWrite } from './proposal.ts';

/** The settings of the chain; plain data, for every thread. */
export interface AdmissionConfig {
  /** The plugins that are on, in the order in which they are asked. */
  readonly plugins: readonly string[];
  /** Settings of the plugins that have some. */
  readonly settings: Readonly<Record<string, PluginSettings>>;
}

/** A plugin that is loaded when it is first asked. */
class LazyPlugin {
  readonly entry: PluginEntry;
  readonly metrics: AdmissionMetrics;
  plugin: AdmissionPlugin | undefined;
  settings: PluginSettings | undefined;
  readonly #context: AdmissionContext;
  #loading: AdmissionPlugin | Promise<AdmissionPlugin> | undefined;

  constructor(
    name: string,
    entry: PluginEntry,
    settings: PluginSettings | undefined,
    context: AdmissionContext,
  ) {
    this.entry = entry;
    this.metrics = pluginMetrics(name);
    this.settings = settings;
    this.#context = context;
    if (manifestsIn(settings) === undefined) return;
    // Changes count for one that is not loaded yet, too.
    const channel = new ConfigurationChannel<Manifests>(`admission-${name}`);
    channel.follow((manifests) => void this.#useManifests(manifests));
  }

  async #useManifests(manifests: Manifests): Promise<void> {
    this.settings = { ...this.settings, manifests };
    const plugin = this.plugin ?? (await this.#loading);
    plugin?.useManifests?.(manifests);
  }

  /** Whether it can be asked now, and knows all that was answered before. */
  get isReady(): boolean {
    if (this.plugin === undefined) {
      this.#loading ??= this.entry.load(this.#context, this.settings);
      if (this.#loading instanceof Promise) return false;
      this.plugin = this.#loading;
    }
    const { knows } = this.plugin;
    if (knows === undefined) return true;
    for (const known of knows) if (!known.isCurrent) return false;
    return true;
  }

  /** Whether it would do nothing as things are. */
  get isIdle(): boolean {
    return this.isReady && this.plugin?.isIdle === true;
  }

  isIdleIn(namespace: string): boolean {
    if (!this.isReady) return false;
    return this.plugin?.isIdle === true || this.plugin?.isIdleIn?.(namespace) === true;
  }

  /** Resolves when it can be asked. */
  async ready(): Promise<void> {
    this.#loading ??= this.entry.load(this.#context, this.settings);
    this.plugin = await this.#loading;
    await Promise.all((this.plugin.knows ?? []).map((known) => known.whenCurrent()));
  }
}

/** The plugins that look at one sort of writes. */
export class Interest {
  readonly #plugins: readonly LazyPlugin[];
  readonly #showing: readonly LazyPlugin[];
  readonly #keeping: readonly LazyPlugin[];

  constructor(plugins: readonly LazyPlugin[], write: ProposedWrite) {
    this.#plugins = plugins;
    this.#showing = plugins.filter(({ entry }) => entry.showsSent?.(write) === true);
    this.#keeping = plugins.filter(({ entry }) => entry.keeps?.(write) === true);
  }

  /** Whether all of them would do nothing as things are. */
  get isIdle(): boolean {
    return this.#plugins.every((lazy) => lazy.isIdle);
  }

  /** Whether one of them would look at what was sent, or show it to others. */
  get showsSent(): boolean {
    return this.#showing.some((lazy) => !lazy.isIdle);
  }

  /**
   * Whether all of them may be asked about an object of the namespace in another thread than that
   * of its shard, as things are: they know all that was answered, and none keeps anything of it.
   */
  keepsNothingIn(namespace: string): boolean {
    for (const lazy of this.#plugins) if (!lazy.isReady) return false;
    for (const lazy of this.#keeping) if (!lazy.isIdleIn(namespace)) return false;
    return true;
  }

  /** Resolves when all of them can be asked. */
  async ready(): Promise<void> {
    await Promise.all(this.#plugins.map((lazy) => lazy.ready()));
  }

  /**
   * Lets all of them change a proposal, one after the other, and once more where a webhook has
   * changed it: at once where none has to wait, and then gives undefined. Throws or rejects with
   * StatusError.
   */
  admit(proposal: Proposal): Promise<void> | undefined {
    return STEP_METRICS.timed('admit', proposal.operation, () => {
      const waiting = this.#run('admit', proposal, 0);
      // Whoever asks for a second round was waited for.
      return waiting?.then(() => {
        return proposal.beginReinvocation() ? this.#run('admit', proposal, 0) : undefined;
      });
    });
  }

  /** Runs the validating plugins on a proposal that is complete and does not change any more. */
  validate(proposal: Proposal): Promise<void> | undefined {
    const run = (): Promise<void> | undefined => this.#run('validate', proposal, 0);
    return STEP_METRICS.timed('validate', proposal.operation, run);
  }

  #run(phase: Phase, proposal: Proposal, from: number): Promise<void> | undefined {
    const plugins = this.#plugins;
    for (let at = from; at < plugins.length; at++) {
      const lazy = plugins[at] as LazyPlugin;
      // Most have something to do in one of the phases alone.
      if (lazy.plugin !== undefined && lazy.plugin[phase] === undefined) continue;
      if (!lazy.isReady) return lazy.ready().then(() => this.#run(phase, proposal, at));
      const waiting = lazy.metrics.timed(
        phase,
        proposal.operation,
        () => lazy.plugin?.[phase]?.(proposal) ?? undefined,
      );
      if (waiting !== undefined) return waiting.then(() => this.#run(phase, proposal, at + 1));
    }
    return undefined;
  }
}

export class AdmissionChain {
  readonly #names: ReadonlySet<string>;
  readonly #plugins: readonly LazyPlugin[];
  readonly #interests = new Map<string, Interest>();
  readonly #gates: FeatureGates;

  /** `entries` has all plugins that the configuration names. */
  constructor(
    { plugins, settings }: AdmissionConfig,
    entries: Readonly<Record<string, PluginEntry>>,
    context: AdmissionContext,
  ) {
    this.#names = new Set(plugins);
    this.#gates = context.gates;
    this.#plugins = plugins.map((name) => {
      const entry = entries[name];
      if (entry === undefined) throw new Error(`there is no admission plugin ${name}`);
      return new LazyPlugin(name, entry, settings[name], context);
    });
  }

  /** Whether a plugin is on. */
  has(name: string): boolean {
    return this.#names.has(name);
  }

  /** The plugins that look at such writes: the same for all writes that agree in these members. */
  interestIn(write: ProposedWrite): Interest {
    const { operation, group, resource, subresource } = write;
    const key = `${operation} ${group}/${resource}/${subresource}`;
    let interest = this.#interests.get(key);
    if (interest === undefined) {
      interest = new Interest(
        this.#plugins.filter(({ entry, settings }) => entry.concerns(write, settings, this.#gates)),
        write,
      );
      this.#interests.set(key, interest);
    }
    return interest;
  }
}
