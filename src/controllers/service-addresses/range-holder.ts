/**
 * Holds each ServiceCIDR by a finalizer for as long as addresses of services are in it and in no
 * other one, and says whether it is ready (../README.md#addresses-of-services).
 */
import { SERVER_TIMERS } from '../../base/time/server-clock.ts';
import type { Condition } from '#messages/meta.v1';
import type { IPAddress, ServiceCIDR } from '#messages/networking.v1';
import { SYSTEM_TIMERS } from '../../base/time/timers.ts';
import { ENDING_RANGE_MS } from '../../limits.ts';
import { READY } from '../../resources/core/services/known-ranges.ts';
import { ADDRESSES, isManaged, RANGES } from '../../resources/core/services/owned-address.ts';
import { ownName } from '../../semantics/dialect/own-names.ts';
import { controllerAccount } from '../controller-account.ts';
import { Informer } from '../informer.ts';
import { portOf, runController, type Ports } from '../run-controller.ts';
import { WorkQueue } from '../work-queue.ts';
import { applyReady } from './range-condition.ts';
import {
  overlap,
  rangesAround,
  rangesWith,
  coveringRange,
  type CoveringRange,
} from './range-cover.ts';

const NAME = 'service-cidr-controller';
const ACCOUNT = 'service-cidrs-controller';
const FINALIZER = ownName('networking.cluster.io/service-cidr-finalizer');
const READY_NOW = { status: 'True', reason: '', message: 'Kubernetes Service CIDR is ready' };
const IN_USE = {
  status: 'False',
  reason: 'Terminating',
  message:
    'There are still IPAddresses referencing the ServiceCIDR, ' +
    'please remove them or create a new ServiceCIDR',
};

export interface RangeHolderOptions {
  readonly nowMs: () => number;
  readonly logError: (text: string) => void;
}

export class RangeHolder {
  readonly #ports: Ports;
  readonly #options: RangeHolderOptions;
  readonly #ranges: Informer<CoveringRange>;
  /** The names of those that services have. */
  readonly #addresses: Informer<string | undefined>;
  readonly #queue: WorkQueue;

  /** Ports: `control`, and those of the shards of both types. */
  constructor(ports: Ports, options: RangeHolderOptions) {
    this.#ports = ports;
    this.#options = options;
    this.#ranges = new Informer({
      resource: RANGES,
      port: portOf(ports, RANGES),
      writer: controllerAccount(ACCOUNT),
      keep: coveringRange,
      onChange: (_at, now, before) => {
        for (const range of [now, before]) if (range !== undefined) this.#look(range);
      },
    });
    this.#addresses = new Informer({
      resource: ADDRESSES,
      port: portOf(ports, ADDRESSES),
      keep: (address: IPAddress) => (isManaged(address) ? address.metadata.name : undefined),
      onChange: (_at, now, before) => {
        if ((now === undefined) === (before === undefined)) return;
        const address = now ?? before ?? '';
        for (const { name } of rangesWith(this.#ranges.values(), address)) this.#queue.add(name);
      },
    });
    const work = (name: string): Promise<void> => this.#settle(name);
    const { logError } = options;
    this.#queue = new WorkQueue({ name: NAME, work, timers: SYSTEM_TIMERS, logError });
  }

  /** Works until it is told to stop. */
  async run(): Promise<void> {
    await this.#addresses.start();
    await this.#ranges.start();
    await runController(this.#ports, { begin: () => undefined, stop: () => this.#queue.stop() });
    this.#addresses.close();
    this.#ranges.close();
  }

  /** Others may have waited for it, or may have to wait now that it goes. */
  #look(range: CoveringRange): void {
    this.#queue.add(range.name);
    for (const other of this.#ranges.values()) {
      if (overlap(range, other)) this.#queue.add(other.name);
    }
  }

  async #settle(name: string): Promise<void> {
    const range = await this.#ranges.client.get<ServiceCIDR>({ namespace: '', name });
    if (range === undefined) return;
    const { deletionTimestamp, finalizers = [] } = range.metadata;
    if (deletionTimestamp === undefined) {
      const held = finalizers.includes(FINALIZER);
      if (!held) await this.#write(range, [...finalizers, FINALIZER]);
      await this.#say(range, READY_NOW);
      return;
    }
    if (this.#isNeeded(range)) {
      await this.#say(range, IN_USE);
      return;
    }
    const waitMs = Date.parse(deletionTimestamp) + ENDING_RANGE_MS - this.#options.nowMs();
    if (waitMs > 0) this.#queue.addAfter(name, waitMs, SERVER_TIMERS);
    else if (finalizers.includes(FINALIZER)) {
      await this.#write(
        range,
        finalizers.filter((one) => one !== FINALIZER),
      );
    }
  }

  /** Whether some address of a service would be in no range without it. */
  #isNeeded({ metadata, spec }: ServiceCIDR): boolean {
    const { name = '' } = metadata;
    const ranges = [...this.#ranges.values()];
    const isElsewhere = (cidr: string): boolean =>
      rangesAround(ranges, cidr).some((other) => other.name !== name);
    if ((spec?.cidrs ?? []).every(isElsewhere)) return false;
    for (const address of this.#addresses.values()) {
      if (address === undefined) continue;
      const holding = rangesWith(ranges, address);
      if (holding.length === 1 && holding[0]?.name === name) return true;
    }
    return false;
  }

  async #write(range: ServiceCIDR, finalizers: readonly string[]): Promise<void> {
    const { name = '' } = range.metadata;
    const metadata = { ...range.metadata, finalizers: [...finalizers] };
    await this.#ranges.client.update({ namespace: '', name }, { ...range, metadata });
  }

  async #say(
    { metadata: { name = '' }, status }: ServiceCIDR,
    wanted: Pick<Condition, 'status' | 'reason' | 'message'>,
  ): Promise<void> {
    const is = status?.conditions?.find(({ type }) => type === READY);
    const isSaid =
      is !== undefined &&
      is.status === wanted.status &&
      (is.reason ?? '') === wanted.reason &&
      is.message === wanted.message;
    if (isSaid) return;
    const nowMs = this.#options.nowMs();
    await applyReady(this.#ranges.client, { name, manager: NAME, nowMs }, wanted);
  }
}
