/**
 * The interface of plugins of the chain, and the tools that they are made with (README.md#plugins).
 */
import type { Authorizer } from '../auth/authorizer.ts';
import type { SchemaModel } from '../codec/model/schema-model.ts';
import type { Flag } from '../base/options/flag.ts';
import type { FeatureGate, FeatureGates } from '../release/feature-gates.ts';
import type { FollowedType, FollowType } from '../replicas/follow-type.ts';
import type { ShardObjects } from '../replicas/shard-objects.ts';
import type { ApiObject } from '../resources/kind.ts';
import type { FieldError } from '../semantics/errors/field-error.ts';
import type { ResourceType } from '../types/resource-type.ts';
import type { WebhookClient } from '../webhooks/webhook-client.ts';
import type { NamespaceReplica } from './namespace-replica.ts';
import type { Proposal, ProposedWrite } from './proposal.ts';

/** The settings of a plugin in an `AdmissionConfiguration`: its own document, read already. */
export type PluginSettings = Readonly<Record<string, unknown>>;

/** Objects that files hold (README.md#objects-in-files); plain data, for every thread. */
export interface Manifests {
  readonly folder: string;
  /** Of all that the files hold; '' where they hold nothing. */
  readonly hash: string;
  /** Those of each type of the plugin, as they would be stored and in the order of their names. */
  readonly objects: readonly (readonly ApiObject[])[];
}

/** What the files of a folder hold. */
export interface ManifestFiles extends Pick<Manifests, 'folder' | 'hash'> {
  readonly files: readonly { readonly file: string; readonly content: string }[];
}

/** Those that settings hold; undefined where they name no folder. */
export function manifestsIn(settings: PluginSettings | undefined): Manifests | undefined {
  return settings?.['manifests'] as Manifests | undefined;
}

export interface AdmissionContext {
  /** Keeps an index of this thread in step with a built-in type, by the name of its shard. */
  readonly follow: FollowType;
  /** Followed in every thread. */
  readonly namespaces: NamespaceReplica;
  /** A client of the shard of a built-in type: made on first use, and one for the thread. */
  readonly objects: (resource: string) => ShardObjects;
  readonly authorizer: () => Authorizer;
  readonly webhooks: () => Pick<WebhookClient, 'call'>;
  /** The messages of the API. */
  readonly model: () => SchemaModel;
  readonly gates: FeatureGates;
  readonly nowMs: () => number;
  readonly logError: (text: string) => void;
}

/** The means to read what settings name. */
export interface PluginTools {
  readonly gates: FeatureGates;
  /** A built-in type by the name of its shard, with these features. */
  readonly typeOf: (resource: string, gates: FeatureGates) => Promise<ResourceType>;
}

/** A plugin in a thread. What it keeps, it keeps for all types of the thread. */
export interface AdmissionPlugin {
  /** Types that it must know before it is asked: proposals wait until all of them are current. */
  readonly knows?: readonly FollowedType[];
  /** It would do nothing as things are: nothing is configured that it acts on. */
  readonly isIdle?: boolean;
  /** Whether it would do nothing in a namespace as things are; '' for objects without one. */
  isIdleIn?(namespace: string): boolean;
  /**
   * Changes the object, or throws StatusError. A promise is waited for, and nothing else than this
   * proposal waits with it.
   */
  admit?(proposal: Proposal): void | Promise<void>;
  /** Looks at what is to be written, which is valid and does not change any more. */
  validate?(proposal: Proposal): void | Promise<void>;
  /** From now on goes by these in the place of those in its settings: their files have changed. */
  useManifests?(manifests: Manifests): void;
}

/** Flags of a plugin's own, and the settings that they say. */
export interface PluginOptions<FlagName extends string> {
  readonly flags: Readonly<Record<FlagName, Flag>>;
  /** Throws ConfigError. */
  readonly read: (values: Readonly<Record<FlagName, string>>) => PluginSettings;
}

/** Has its types follow from each other. */
export function pluginOptions<FlagName extends string>(
  options: PluginOptions<FlagName>,
): PluginOptions<FlagName> {
  return options;
}

/**
 * A plugin as options and chains know it. Its code is imported where it is needed: options are read
 * without it, and before the dialect is chosen, and threads load what concerns their writes.
 */
export interface PluginEntry {
  readonly isOnByDefault: boolean;
  /** There is none where this feature is off. */
  readonly gate?: FeatureGate;
  /** Absent: it has no flags. */
  readonly options?: Omit<PluginOptions<string>, 'read'> & {
    readonly read: (values: never) => PluginSettings;
  };
  /**
   * Whether it keeps something of the proposals for such a write, or has others keep it: then it is
   * asked in the thread of the object's shard alone, unless it is idle. Absent: what it says
   * depends on the proposal, and on what all threads know.
   */
  readonly keeps?: (write: ProposedWrite) => boolean;
  /** Called once when the server starts, in its main thread. */
  readonly atStart?: () => Promise<void>;
  /** Whether it looks at proposals for such a write at all. */
  readonly concerns: (
    write: ProposedWrite,
    settings: PluginSettings | undefined,
    gates: FeatureGates,
  ) => boolean;
  /**
   * Whether it looks at what was sent in such a write, or shows it to others, before the server
   * restores what an update may not change.
   */
  readonly showsSent?: (write: ProposedWrite) => boolean;
  /**
   * The problems of its settings, which are empty where none are given: asked once, when the server
   * starts. Absent: it has no settings.
   */
  readonly check?: (
    settings: PluginSettings,
    gates: FeatureGates,
  ) => Promise<readonly FieldError[]>;
  /**
   * Puts what files hold in the place of their names, in settings that have no problems. Absent:
   * they name none. Rejects with what is wrong with a file.
   */
  readonly read?: (settings: PluginSettings, tools: PluginTools) => Promise<PluginSettings>;
  /**
   * The objects in the files of the folder that its settings name: asked when the server starts,
   * and when the files have changed. Absent: they name none. Rejects with what is wrong with a
   * file.
   */
  readonly readManifests?: (from: ManifestFiles, tools: PluginTools) => Promise<Manifests>;
  /** Loads and makes it, with the first proposal that it is to look at. */
  readonly load: (
    context: AdmissionContext,
    settings: PluginSettings | undefined,
  ) => AdmissionPlugin | Promise<AdmissionPlugin>;
}
