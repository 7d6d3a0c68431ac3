/**
 * Holds objects of a type by a finalizer for as long as they are used, whatever deletes them
 * (../README.md#volumes-in-use).
 */
import { SYSTEM_TIMERS } from '../../base/time/timers.ts';
import type { ApiObject } from '../../resources/kind.ts';
import { controllerAccount } from '../controller-account.ts';
import { Informer, keyOf, nameOf } from '../informer.ts';
import { portOf, runController } from '../run-controller.ts';
import type { Ports } from '../run-controller.ts';
import { WorkQueue } from '../work-queue.ts';

export interface ProtectionOptions {
  /** The name of the type's shard. */
  readonly resource: string;
  readonly finalizer: string;
  /** Objects that lack it and are not deleted stay as they are. */
  readonly onlyReleases?: true;
  /** As whose it writes: see `controllerAccount`. */
  readonly account: string;
  /** Asked for what is being deleted: anew with each of its changes, and by `again`. */
  readonly isUsed: (object: ApiObject) => boolean | Promise<boolean>;
  readonly logError: (text: string) => void;
}

export class Protection {
  readonly #ports: Ports;
  readonly #options: ProtectionOptions;
  /** Those that are to be looked at; nothing is kept of others. */
  readonly #objects: Informer<true | undefined>;
  readonly #queue: WorkQueue;

  /** Ports: `control`, and that of the shard of the type. */
  constructor(ports: Ports, options: ProtectionOptions) {
    const { resource, account, logError } = options;
    this.#ports = ports;
    this.#options = options;
    this.#objects = new Informer({
      resource,
      port: portOf(ports, resource),
      writer: controllerAccount(account),
      keep: (object) => (this.#isWrong(object) ? true : undefined),
      onChange: (at, isWrong) => {
        if (isWrong === true) this.#queue.add(keyOf(at));
      },
    });
    const work = (key: string): Promise<void> => this.#mend(key);
    this.#queue = new WorkQueue({ name: account, work, timers: SYSTEM_TIMERS, logError });
  }

  /** Works until it is told to stop. */
  async run(): Promise<void> {
    await this.#objects.start();
    await runController(this.#ports, { begin: () => undefined, stop: () => this.#queue.stop() });
    this.#objects.close();
  }

  /** Has an object looked at again, which may not be used any more. */
  again(namespace: string, name: string): void {
    const at = { namespace, name };
    if (this.#objects.get(at) === true) this.#queue.add(keyOf(at));
  }

  /** A deleted object has the finalizer still, or another one lacks it, however it was made. */
  #isWrong({ metadata: { deletionTimestamp, finalizers = [] } }: ApiObject): boolean {
    const { finalizer, onlyReleases = false } = this.#options;
    const isDeleted = deletionTimestamp !== undefined;
    return isDeleted === finalizers.includes(finalizer) && (isDeleted || !onlyReleases);
  }

  async #mend(key: string): Promise<void> {
    const { finalizer, isUsed } = this.#options;
    const { client } = this.#objects;
    const object = await client.get(nameOf(key));
    if (object === undefined || !this.#isWrong(object)) return;
    const { finalizers: held = [], deletionTimestamp } = object.metadata;
    const isDeleted = deletionTimestamp !== undefined;
    if (isDeleted && (await isUsed(object))) return;
    const finalizers = isDeleted ? held.filter((one) => one !== finalizer) : [...held, finalizer];
    const mended = { ...object, metadata: { ...object.metadata, finalizers } };
    await client.update(nameOf(key), mended);
  }
}
