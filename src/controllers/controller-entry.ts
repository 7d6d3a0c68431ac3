/** A controller as options, shards and threads know it. */
import type { SchemaModel } from '../codec/model/schema-model.ts';
import type { SigningSettings } from '../auth/certificate-authority.ts';
import type { AuthorizationConfig } from '../auth/authorizers.ts';
import type { TokenSettings } from '../auth/service-account-tokens.ts';
import type { FeatureGate, FeatureGates } from '../release/feature-gates.ts';
import type { Change } from '../release/release.ts';
import type { KindDefinition } from '../resources/kind.ts';
import type { AggregationSettings } from '../aggregation/settings.ts';
import type { ApiEndpoint } from './bootstrap/bootstrap-objects.ts';
import type { ServedKind } from './controller-protocol.ts';
import type { Ports } from './run-controller.ts';

/** A type, built-in or custom, as far as it decides who has to do with it. */
export interface ConcernedType {
  /** The name of its shard. */
  readonly resource: string;
  readonly namespaced: boolean;
  readonly defaultPropagation?: KindDefinition['defaultPropagation'];
}

/** The settings that the server gives its controllers when it starts them. */
export interface ControllerOptions {
  readonly eventTtlMs: number;
  /** The number of fake nodes. */
  readonly fakeNodes: number;
  /** For so long nobody has used tokens that are marked, or removed. */
  readonly legacyTokensPeriodMs: number;
  readonly featureGates: FeatureGates;
  /** The name by which the server tells of itself; '' where it does not. */
  readonly serverId: string;
  readonly runtimeConfig: string;
  readonly endpoint: ApiEndpoint;
  /** The ranges of addresses of services, as the command line has them. */
  readonly serviceRanges: readonly string[];
  /** The range of their node ports, too. */
  readonly nodePortRange: string;
  /** For how long the lease of the controller of elections holds, and how often it is renewed. */
  readonly leadership: { readonly leaseMs: number; readonly renewMs: number };
  /** Custom types that there are at the start. */
  readonly types: readonly ServedKind[];
  readonly signing: SigningSettings;
  /** The keys and settings of tokens of service accounts. */
  readonly tokens: TokenSettings;
  readonly authorization: AuthorizationConfig;
  /** How other servers that answer for a part of the API are reached. */
  readonly aggregation: AggregationSettings;
  /** Which changes were answered: see `AnsweredVersions`. */
  readonly answered: SharedArrayBuffer;
}

/** The tools that a controller has of the thread that runs it. */
export interface ControllerTools {
  /** Reads the messages of the API. */
  readonly loadModel: () => SchemaModel;
  readonly nowMs: () => number;
  readonly logError: (text: string) => void;
}

/** The settings and tools of a controller. */
export interface ControllerContext extends ControllerOptions, ControllerTools {}

interface ControllerFacts {
  /** Whether it is given a port to the shard of a type. */
  readonly concerns: (type: ConcernedType) => boolean;
  /**
   * Shards have verbs for it that clients do not have, because they know what it would otherwise
   * have to keep or ask for object by object. Absent: it is a client like any other.
   */
  readonly hasOwnVerbs?: true;
  /** `*` does not switch it on, only its name does. */
  readonly isOffByDefault?: true;
  /**
   * It is not in the hands of `--controllers`: it runs where all of these ways to authorize,
   * features and options are on.
   */
  readonly requiredBy?: readonly string[];
  /** A feature without which there is no such controller, whatever `--controllers` says. */
  readonly needs?: FeatureGate;
  /** It is only there in releases with this change. */
  readonly change?: Change;
  /** The steps of a start that it does; absent: one step by its name. */
  readonly steps?: readonly string[];
}

/**
 * Its code is imported in `run`, which resolves when it was told to stop: options are read without
 * it, and before the dialect is chosen.
 */
export type ControllerEntry = ControllerFacts &
  (
    | {
        /**
         * It serves types that are defined, over a port of its own (`TYPES_PORT`): it begins with
         * the built-in ones, when nothing else is known.
         */
        readonly begins: 'withTypes';
        readonly run: (ports: Ports, tools: ControllerTools) => Promise<void>;
      }
    | {
        /** It has done its work before anybody is served; absent: it begins when all are. */
        readonly begins?: 'beforeServing';
        readonly run: (ports: Ports, context: ControllerContext) => Promise<void>;
      }
  );

export type Begins = ControllerEntry['begins'];

/** Has to do with these types. */
export function oneOf(...resources: readonly string[]): ControllerEntry['concerns'] {
  return ({ resource }) => resources.includes(resource);
}
