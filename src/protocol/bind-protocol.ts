/** The call of the shard of pods alone (`OwnCall`): fronts make it. */
import type { ObjectReply, Target } from './shard-protocol.ts';

/** A pod is given its node. */
export interface BindRequest extends Target {
  /** Preconditions; '' when there are none. */
  readonly uid: string;
  readonly resourceVersion: string;
  readonly nodeName: string;
  /** Added to those of the pod. */
  readonly annotations: Readonly<Record<string, string>>;
  /** Added to those of the pod, where the release does so. */
  readonly labels: Readonly<Record<string, string>>;
  readonly dryRun: boolean;
}

export interface BindCalls {
  bind: { request: BindRequest; reply: ObjectReply };
}
