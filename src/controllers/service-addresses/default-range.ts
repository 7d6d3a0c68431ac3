/**
 * Keeps the ServiceCIDR that has the ranges of the command line: it is made where it is missing,
 * and ready unless somebody says something else of it. Other ranges than those it has stay.
 */
import type { ServiceCIDR } from '#messages/networking.v1';
import { deepEqual } from '../../base/deep-equal.ts';
import { SYSTEM_TIMERS } from '../../base/time/timers.ts';
import { BOOTSTRAP_INTERVAL_MS } from '../../limits.ts';
import { ShardObjects } from '../../replicas/shard-objects.ts';
import { defaultRangeName, READY } from '../../resources/core/services/known-ranges.ts';
import { RANGES } from '../../resources/core/services/owned-address.ts';
import { isRefusal } from '../../semantics/errors/status.ts';
import { portOf, runController, type Ports } from '../run-controller.ts';
import { WorkQueue } from '../work-queue.ts';
import { applyReady } from './range-condition.ts';

const STATUS_MANAGER = 'kubernetes-service-cidr-controller';
const READY_MESSAGE = 'Kubernetes default Service CIDR is ready';

export interface DefaultRangeOptions {
  /** The ranges of the command line: one, or one of each family. */
  readonly cidrs: readonly string[];
  readonly nowMs: () => number;
  readonly logError: (text: string) => void;
}

export class DefaultRange {
  readonly #ports: Ports;
  readonly #options: DefaultRangeOptions;
  readonly #name = { namespace: '', name: defaultRangeName() };
  readonly #objects: ShardObjects;
  readonly #queue: WorkQueue;
  /** The problems of the ServiceCIDR that were told already. */
  readonly #told = new Set<string>();

  /** Ports: `control`, and that of the shard of ServiceCIDRs. */
  constructor(ports: Ports, options: DefaultRangeOptions) {
    this.#ports = ports;
    this.#options = options;
    const { logError } = options;
    this.#objects = new ShardObjects(RANGES, portOf(ports, RANGES));
    const work = (): Promise<void> => this.#keep();
    this.#queue = new WorkQueue({
      name: 'default-servicecidr',
      work,
      timers: SYSTEM_TIMERS,
      logError,
    });
  }

  /** Works until it is told to stop; counts as started once the ServiceCIDR is there. */
  async run(): Promise<void> {
    const { name } = this.#name;
    // At most one look per interval, however often it changes.
    const onChange = (): void => this.#queue.addAfter(name, BOOTSTRAP_INTERVAL_MS);
    await this.#objects.watch(this.#name, onChange);
    this.#queue.add(name);
    await this.#queue.whenIdle();
    await runController(this.#ports, { begin: () => undefined, stop: () => this.#queue.stop() });
    this.#objects.close();
  }

  async #keep(): Promise<void> {
    const { cidrs } = this.#options;
    const stored = await this.#objects.get<ServiceCIDR>(this.#name);
    if (stored === undefined) {
      await this.#make();
      await this.#sayReady();
      return;
    }
    const kept = stored.spec?.cidrs ?? [];
    if (cidrs.length === 2 && kept.length === 1 && cidrs[0] === kept[0]) {
      await this.#objects.update(this.#name, { ...stored, spec: { cidrs } });
      return;
    }
    if (stored.metadata.deletionTimestamp !== undefined) return;
    if (!deepEqual(cidrs, kept)) {
      this.#tell(
        `the ServiceCIDR ${this.#name.name} has ${kept.join(',')}, not ${cidrs.join(',')}`,
      );
      return;
    }
    const ready = stored.status?.conditions?.find(({ type }) => type === READY);
    if (ready?.status === 'False') {
      this.#tell(`the ServiceCIDR ${this.#name.name} is not ready: ${ready.message}`);
    } else if (ready?.status !== 'True') await this.#sayReady();
  }

  async #make(): Promise<void> {
    const { name } = this.#name;
    const { cidrs } = this.#options;
    try {
      await this.#objects.create(this.#name, { metadata: { name }, spec: { cidrs } });
    } catch (error) {
      if (!isRefusal(error, 409)) throw error;
    }
  }

  async #sayReady(): Promise<void> {
    const { name } = this.#name;
    const nowMs = this.#options.nowMs();
    const condition = { status: 'True', message: READY_MESSAGE };
    await applyReady(this.#objects, { name, manager: STATUS_MANAGER, nowMs }, condition);
  }

  /** Once: an administrator has to decide. */
  #tell(text: string): void {
    if (this.#told.has(text)) return;
    this.#told.add(text);
    this.#options.logError(text);
  }
}
