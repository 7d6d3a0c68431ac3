/** Writes whether a ServiceCIDR is ready into its status. */
import type { Condition } from '#messages/meta.v1';
import { utcSeconds } from '../../base/time/utc-time.ts';
import type { ShardObjects } from '../../replicas/shard-objects.ts';
import { READY } from '../../resources/core/services/known-ranges.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';

/** Applies the condition as a manager, at a time of ms since the epoch. */
export async function applyReady(
  ranges: ShardObjects,
  { name, manager, nowMs }: { name: string; manager: string; nowMs: number },
  condition: Pick<Condition, 'status' | 'reason' | 'message'>,
): Promise<void> {
  await ranges.apply(
    { namespace: '', name },
    {
      apiVersion: `${ownGroup('networking.cluster.io')}/v1`,
      kind: 'ServiceCIDR',
      metadata: { name },
      status: {
        conditions: [{ type: READY, ...condition, lastTransitionTime: utcSeconds(nowMs) }],
      },
    },
    { subresource: 'status', manager },
  );
}
