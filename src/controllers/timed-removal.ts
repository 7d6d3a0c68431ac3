/** Removes objects of a type when their time has come. */
import { SERVER_TIMERS } from '../base/time/server-clock.ts';
import { SYSTEM_TIMERS } from '../base/time/timers.ts';
import { CONTROLLER_WAIT_MS_MAX } from '../limits.ts';
import type { Followed } from '../replicas/shard-objects.ts';
import type { ApiObject } from '../resources/kind.ts';
import { controllerAccount } from './controller-account.ts';
import { Informer, keyOf, nameOf } from './informer.ts';
import { portOf, runController } from './run-controller.ts';
import type { Ports } from './run-controller.ts';
import { WorkQueue } from './work-queue.ts';

export interface TimedRemovalOptions {
  /** The name of the type's shard. */
  readonly resource: string;
  /** The account of the controller that removes them. */
  readonly account: string;
  readonly followed?: Followed;
  /** When an object is to go; undefined for never. */
  readonly endMs: (object: ApiObject) => number | undefined;
  readonly nowMs: () => number;
  readonly logError: (text: string) => void;
}

interface Ending {
  readonly uid: string;
  readonly endMs: number;
}

/** Resolves when it was told to stop. */
export async function removeInTime(ports: Ports, options: TimedRemovalOptions): Promise<void> {
  const { resource, account, followed = {}, endMs, nowMs, logError } = options;
  const informer = new Informer<Ending | undefined>({
    resource,
    port: portOf(ports, resource),
    writer: controllerAccount(account),
    followed,
    keep: (object) => {
      const ms = endMs(object);
      return ms === undefined ? undefined : { uid: object.metadata.uid ?? '', endMs: ms };
    },
    onChange: (at, ending) => {
      if (ending !== undefined) queue.add(keyOf(at));
    },
  });
  const queue = new WorkQueue({
    name: account,
    work: async (key) => {
      const ending = informer.get(nameOf(key));
      if (ending === undefined) return;
      const { uid, endMs: end } = ending;
      const remainingMs = end - nowMs();
      if (remainingMs > 0) {
        queue.addAfter(key, Math.min(remainingMs, CONTROLLER_WAIT_MS_MAX), SERVER_TIMERS);
        return;
      }
      await informer.client.deleteExactly(nameOf(key), uid);
    },
    timers: SYSTEM_TIMERS,
    logError,
  });
  await informer.start();
  await runController(ports, { begin: () => undefined, stop: () => queue.stop() });
  informer.close();
}
