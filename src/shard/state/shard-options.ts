/** The options of a shard. */
import type { AdmissionChain } from '../../admission/chain.ts';
import type { Authorizer } from '../../auth/authorizer.ts';
import type { Randomness } from '../../base/randomness.ts';
import type { GrantCheck } from '../../auth/rbac/grant-check.ts';
import type { OtherTypes } from '../../resources/allocator.ts';
import type { KindSettings } from '../../resources/kind.ts';
import type { FieldError } from '../../semantics/errors/field-error.ts';
import type { Clock } from '../../sequencer/version-clock.ts';
import type { TypeLog } from '../../storage/store.ts';
import type { ResourceType } from '../../types/resource-type.ts';
import type { NamespaceReplica } from '../../admission/namespace-replica.ts';
import type { PageBuffer } from './page-buffer.ts';
import type { ShardLogOptions } from '../log/shard-log.ts';
import type { EncodingCache } from '../representation/encoding-cache.ts';
import type { RestoreState } from './restore-state.ts';
import type { OwnershipChanges } from '../../protocol/upkeep-protocol.ts';
import type { PipelineOptions, StagedWrite } from './write-pipeline.ts';

/** Gives the errors that a job finds in an object, from the text of its members. */
export type RunJob = (job: string, members: string) => Promise<FieldError[]>;

export interface ShardOptions extends Pick<ShardLogOptions, 'isUntranslated' | 'metrics'> {
  readonly kind: ResourceType;
  /** As it is stored. */
  readonly log: TypeLog;
  readonly clock: Clock;
  /** How much one commit may hold; absent for the bounds of a disk. */
  readonly groups?: PipelineOptions['groups'];
  /** Why nothing may be written at present; absent where that never is. */
  readonly refusal?: (() => Error | undefined) | undefined;
  readonly historyMs: number;
  readonly nowMs: () => number;
  /** Where uids and generated names come from; absent for what nobody can foretell. */
  readonly random?: Randomness;
  readonly lease: (rv: number) => Promise<void>;
  readonly onCommitEnd: () => void;
  /** Told of the writes of a commit before any of them is answered, or seen by anybody. */
  readonly onApplied?: ((writes: readonly StagedWrite[]) => void) | undefined;
  /** Told of each write after its watches (namespaces). */
  readonly onPublished?: ((write: StagedWrite) => void) | undefined;
  /** Told after each commit, while somebody collects garbage. */
  readonly onOwnership?: ((changes: OwnershipChanges) => void) | undefined;
  readonly logError: (text: string) => void;
  /** The key that signs continue tokens; the same after a restart. */
  readonly continueTokenKey: string;
  readonly kindSettings: KindSettings;
  /** The types in which values of objects are held. */
  readonly otherTypes: OtherTypes;
  /** Decides whether users may write roles and bindings. */
  readonly grants?: GrantCheck | undefined;
  /** Decides what users may do. */
  readonly authorizer: () => Authorizer;
  /** The admission of writes. */
  readonly admission: AdmissionChain;
  /** The encoded objects that the thread keeps; absent for a cache of its own. */
  readonly encodings?: EncodingCache;
  /** Where the thread puts pages together; absent for one of its own. */
  readonly page?: PageBuffer;
  /** The namespaces that the thread knows; absent for a type without namespaces. */
  readonly namespaces?: NamespaceReplica | undefined;
  /** Restores of snapshots; absent where there are none. */
  readonly restores?: RestoreState;
  /** Runs a job of another thread; absent where no kind has any. */
  readonly runJob?: RunJob;
}
