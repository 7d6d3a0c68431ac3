/**
 * Sees to it that an object of one name is in each active namespace: made with the namespace, and
 * again when it is deleted.
 */
import { SYSTEM_TIMERS } from '../../base/time/timers.ts';
import { Informer } from '../informer.ts';
import type { ApiObject } from '../../resources/kind.ts';
import { controllerAccount } from '../controller-account.ts';
import { isNamespaceTerminating, isRefusal } from '../../semantics/errors/status.ts';
import { portOf, runController, type Ports } from '../run-controller.ts';
import { WorkQueue } from '../work-queue.ts';

export interface NamespaceObject {
  /** The resource type, as shards are named. */
  readonly resource: string;
  readonly name: string;
  /** The account of the controller that makes it. */
  readonly account: string;
  readonly wanted: Partial<ApiObject> & Readonly<Record<string, unknown>>;
  /** The stored object as it should be; undefined when it is right. */
  readonly mend: (stored: ApiObject) => object | undefined;
}

export class NamespaceObjects {
  readonly #ports: Ports;
  readonly #object: NamespaceObject;
  /** Whether each is active. */
  readonly #namespaces: Informer<boolean>;
  /** Whether each is right. */
  readonly #objects: Informer<boolean>;
  readonly #queue: WorkQueue;
  #objectsMade = 0;

  /** Ports: `control`, and those of the shards of namespaces and of the object's type. */
  constructor(ports: Ports, object: NamespaceObject, logError: (text: string) => void) {
    const { resource, name } = object;
    this.#ports = ports;
    this.#object = object;
    this.#namespaces = new Informer({
      resource: 'namespaces',
      port: portOf(ports, 'namespaces'),
      keep: ({ status }) => (status as { phase?: string } | undefined)?.phase === 'Active',
      onChange: (namespace) => this.#queue.add(namespace.name),
    });
    this.#objects = new Informer({
      resource,
      port: portOf(ports, resource),
      writer: controllerAccount(object.account),
      followed: { fieldSelector: `metadata.name=${name}` },
      keep: (stored) => object.mend(stored) === undefined,
      onChange: ({ namespace }) => this.#queue.add(namespace),
    });
    const work = (namespace: string): Promise<void> => this.#keep(namespace);
    this.#queue = new WorkQueue({ name: object.account, work, timers: SYSTEM_TIMERS, logError });
  }

  /** Works until it is told to stop; counts as started once each namespace was looked at. */
  async run(): Promise<void> {
    // Otherwise each would be looked for where it is not known yet.
    await this.#objects.start();
    await this.#namespaces.start();
    await this.#queue.whenIdle();
    await runController(this.#ports, {
      begin: () => undefined,
      stop: () => this.#queue.stop(),
      objectsMade: this.#objectsMade,
    });
    this.#objects.close();
    this.#namespaces.close();
  }

  async #keep(namespace: string): Promise<void> {
    const { name, wanted, mend } = this.#object;
    const at = { namespace, name };
    if (this.#namespaces.get({ namespace: '', name: namespace }) !== true) return;
    const isRight = this.#objects.get(at);
    if (isRight === true) return;
    const { client } = this.#objects;
    try {
      const stored = isRight === undefined ? undefined : await client.get(at);
      const mended = stored && mend(stored);
      if (stored === undefined) {
        await client.create(at, { ...wanted, metadata: { ...wanted.metadata, ...at } });
        this.#objectsMade++;
      } else if (mended !== undefined) {
        await client.update(at, mended);
      }
    } catch (error) {
      // Nothing is to be in it any more, or somebody else was faster: there is news to come.
      if (!isNamespaceTerminating(error) && !isRefusal(error, 409)) throw error;
    }
  }
}
