/**
 * Keeps services and the IPAddresses that hold their cluster IPs in step, whatever came between the
 * two writes of each: a service of an older release or a lost object has its address held again,
 * and what is held for nobody goes (../README.md#addresses-of-services).
 */
import { SERVER_TIMERS } from '../../base/time/server-clock.ts';
import { setTimeout as wait } from 'node:timers/promises';
import type { Service, ServiceSpec } from '#messages/core.v1';
import type { IPAddress } from '#messages/networking.v1';
import { SYSTEM_TIMERS } from '../../base/time/timers.ts';
import { MOVED_ADDRESS_MS, ORPHAN_ADDRESS_MS, START_OBJECTS_RETRY_MS } from '../../limits.ts';
import type { ApiObject } from '../../resources/kind.ts';
import { defaultRangeName } from '../../resources/core/services/known-ranges.ts';
import {
  ADDRESSES,
  addressOf,
  hasRightLabels,
  isManaged,
  isOf,
  isOfService,
  RANGES,
} from '../../resources/core/services/owned-address.ts';
import { nodePortsOf } from '../../resources/core/services/service-spec.ts';
import { formatIp, parseIp } from '../../semantics/validation/ip-address.ts';
import { Informer, keyOf, nameOf } from '../informer.ts';
import { portOf, runController, type Ports } from '../run-controller.ts';
import { WorkQueue } from '../work-queue.ts';
import { EVENTS, RepairEvents, type ServiceProblem } from './repair-events.ts';
import { PortUsers } from './port-users.ts';
import { rangesWith, coveringRange, type CoveringRange } from './range-cover.ts';

const SERVICES = 'services';
const SERVICE_KEY = 's ';
const ADDRESS_KEY = 'a ';

/** The parts of a service that are kept. */
interface KnownService extends ApiObject {
  readonly isExternal: boolean;
  readonly clusterIps: readonly string[];
  readonly nodePorts: readonly number[];
}

export interface AddressRepairOptions {
  /** The ranges of services, in releases in which they are no objects. */
  readonly cidrs?: readonly string[] | undefined;
  readonly nodePortRange: string;
  readonly nowMs: () => number;
  readonly logError: (text: string) => void;
}

export class AddressRepair {
  readonly #ports: Ports;
  readonly #options: AddressRepairOptions;
  readonly #services: Informer<KnownService>;
  readonly #addresses: Informer<IPAddress>;
  /** Absent where ranges are no objects. */
  readonly #ranges: Informer<CoveringRange> | undefined;
  readonly #queue: WorkQueue;
  readonly #events: RepairEvents;
  /** The services that have an address. */
  readonly #users = new Map<string, Set<string>>();
  readonly #portUsers: PortUsers;
  /** Those that were not right yet since they were last looked at. */
  readonly #wrong = new Set<string>();
  /** The range of the command line is there: it is made when the server starts. */
  readonly #hasRange: Promise<void>;
  /** Nothing is judged before the other type is known. */
  #knowsAll = false;
  /** Problems that nobody here can mend: each is told once. */
  readonly #told = new Set<string>();

  /** Ports: `control`, and of the shards of services, IPAddresses, ServiceCIDRs and events. */
  constructor(ports: Ports, options: AddressRepairOptions) {
    this.#options = options;
    const { logError } = options;
    const { promise, resolve: told } = Promise.withResolvers<void>();
    this.#hasRange = promise;
    this.#ports = ports;
    this.#events = new RepairEvents(portOf(ports, EVENTS), options.nowMs);
    this.#portUsers = new PortUsers(options.nodePortRange);
    if (options.cidrs === undefined) {
      this.#ranges = new Informer({
        resource: RANGES,
        port: portOf(ports, RANGES),
        keep: coveringRange,
        onChange: ({ name }) => {
          if (name === defaultRangeName()) told();
        },
      });
    } else told();
    this.#services = new Informer({
      resource: SERVICES,
      port: portOf(ports, SERVICES),
      keep: knownService,
      onChange: (at, now, before) => {
        const key = keyOf(at);
        this.#look(SERVICE_KEY + key);
        this.#portUsers.change(key, now?.nodePorts, before?.nodePorts);
        // Addresses that it held before may be held for nobody now.
        for (const address of before?.clusterIps ?? []) {
          this.#users.get(address)?.delete(key);
          if (this.#users.get(address)?.size === 0) this.#users.delete(address);
          this.#look(ADDRESS_KEY + address);
        }
        for (const address of now?.clusterIps ?? []) {
          const users = this.#users.get(address) ?? new Set<string>();
          this.#users.set(address, users.add(key));
        }
      },
    });
    this.#addresses = new Informer({
      resource: ADDRESSES,
      port: portOf(ports, ADDRESSES),
      keep: (address) => address as IPAddress,
      onChange: ({ name }, now) => {
        if (now !== undefined) this.#look(ADDRESS_KEY + name);
        for (const key of this.#users.get(name) ?? []) this.#look(SERVICE_KEY + key);
      },
    });
    const work = async (key: string): Promise<void> => {
      await this.#mend(key);
      this.#wrong.delete(key);
    };
    const name = 'ipallocator-repair-controller';
    this.#queue = new WorkQueue({ name, work, timers: SYSTEM_TIMERS, logError });
  }

  /** Works until it is told to stop; counts as started once all that can be mended is. */
  async run(): Promise<void> {
    const ranges = this.#ranges === undefined ? [] : [this.#ranges];
    const informers = [...ranges, this.#addresses, this.#services];
    await Promise.all(informers.map((informer) => informer.start()));
    await this.#hasRange;
    this.#knowsAll = true;
    for (const key of this.#wrong) this.#queue.add(key);
    await this.#queue.whenIdle();
    while (this.#wrong.size > 0) {
      await wait(START_OBJECTS_RETRY_MS);
      await this.#queue.whenIdle();
    }
    await runController(this.#ports, { begin: () => undefined, stop: () => this.#queue.stop() });
    for (const informer of informers) informer.close();
    this.#events.close();
  }

  #look(key: string): void {
    this.#wrong.add(key);
    if (this.#knowsAll) this.#queue.add(key);
  }

  async #mend(key: string): Promise<void> {
    const named = key.slice(SERVICE_KEY.length);
    if (key.startsWith(SERVICE_KEY)) await this.#mendService(this.#services.get(nameOf(named)));
    else await this.#mendAddress(key, this.#addresses.get({ namespace: '', name: named }));
  }

  /** Each of its addresses is held for it. */
  async #mendService(service: KnownService | undefined): Promise<void> {
    if (service === undefined) return;
    for (const address of service.clusterIps) {
      const of = `cluster IP ${address} of the service ${keyOf(at(service))}`;
      if (rangesWith(this.#knownRanges(), address).length === 0) {
        this.#tell(`${of} is in no range of services: it has to be made anew`, () =>
          this.#events.tellService('outOfRange', address, service),
        );
        continue;
      }
      const held = this.#addresses.get({ namespace: '', name: address });
      if (held === undefined) {
        await this.#hold(address, service, 'notHeld');
      } else if (!isOf(held, service) && this.#ownerOf(held) !== undefined) {
        this.#tell(`${of} is that of another service too: it has to be made anew`, () =>
          this.#events.tellService('ofTwo', address, service),
        );
      } else if (!isOf(held, service) || !hasRightLabels(held)) {
        await this.#remove(held);
        await this.#hold(address, service, isOf(held, service) ? undefined : 'wrongHolder');
      }
    }
    this.#checkPorts(service);
  }

  /** Node ports are given out of memory: those are wrong that an earlier start has given. */
  #checkPorts(service: KnownService): void {
    const key = keyOf(at(service));
    for (const port of service.nodePorts) {
      const problem = this.#portUsers.problemOf(key, port);
      if (problem === undefined) continue;
      const why = problem === 'duplicate' ? 'that of another service too' : 'out of range';
      this.#tell(`node port ${port} of the service ${key} is ${why}: it has to be made anew`, () =>
        this.#events.tellPort(problem, port, this.#portUsers.rangeText, service),
      );
    }
  }

  #knownRanges(): Iterable<CoveringRange> {
    const { cidrs = [] } = this.#options;
    return this.#ranges?.values() ?? [{ name: '', cidrs }];
  }

  /** The service that an address is held for, where that has it. */
  #ownerOf(address: IPAddress): KnownService | undefined {
    const owner = this.#serviceOf(address);
    return owner?.clusterIps.includes(address.metadata.name ?? '') === true ? owner : undefined;
  }

  #serviceOf(address: IPAddress): KnownService | undefined {
    if (!isOfService(address)) return undefined;
    const { namespace = '', name = '' } = address.spec?.parentRef ?? {};
    return this.#services.get({ namespace, name });
  }

  /**
   * It is held for a service that has it. One that was made a short time ago may be of a service
   * that is being written.
   */
  async #mendAddress(key: string, address: IPAddress | undefined): Promise<void> {
    if (address === undefined || !isManaged(address)) return;
    if (this.#ownerOf(address) !== undefined) return;
    const madeMs = Date.parse(address.metadata.creationTimestamp ?? '');
    const service = this.#serviceOf(address);
    const waitMs = madeMs + graceMs(address, service) - this.#options.nowMs();
    if (waitMs > 0) this.#queue.addAfter(key, waitMs, SERVER_TIMERS);
    else if (!(await this.#isInUse(address))) {
      this.#events.tellAddress(address, isOfService(address), service !== undefined);
      await this.#remove(address);
    }
  }

  /** Whether the service has the address as things are: what is followed comes a little later. */
  async #isInUse({ metadata, spec }: IPAddress): Promise<boolean> {
    const { namespace = '', name = '' } = spec?.parentRef ?? {};
    const service = await this.#services.client.get<Service>({ namespace, name });
    if (service === undefined) return false;
    return knownService(service).clusterIps.includes(metadata.name ?? '');
  }

  async #hold(
    address: string,
    service: KnownService,
    problem: ServiceProblem | undefined,
  ): Promise<void> {
    const object = addressOf(address, service);
    if (!(await this.#isInUse(object))) return;
    const { client } = this.#addresses;
    // An address that was made a moment ago may not have been told here yet.
    if ((await client.get({ namespace: '', name: address })) !== undefined) return;
    if (problem !== undefined) this.#events.tellService(problem, address, service);
    // One that was made meanwhile is looked at once its event has come.
    await client.create({ namespace: '', name: address }, object);
  }

  async #remove({ metadata }: IPAddress): Promise<void> {
    const { name = '', uid = '' } = metadata;
    await this.#addresses.client.deleteExactly({ namespace: '', name }, uid);
  }

  /** In the log and as an event, once. */
  #tell(text: string, tellEvent: () => void): void {
    if (this.#told.has(text)) return;
    this.#told.add(text);
    tellEvent();
    this.#options.logError(text);
  }
}

/**
 * How long it may take until the service has an address that was made for it. Times are whole
 * seconds: one of the same second may be of an update that goes on.
 */
function graceMs(address: IPAddress, service: KnownService | undefined): number {
  if (!isOfService(address)) return 0;
  if (service === undefined || service.isExternal) return ORPHAN_ADDRESS_MS;
  const [made, since] = [address, service].map(({ metadata }) => metadata.creationTimestamp ?? '');
  return (made ?? '') >= (since ?? '') ? MOVED_ADDRESS_MS : 0;
}

function at({ metadata }: ApiObject): { readonly namespace: string; readonly name: string } {
  return { namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
}

function knownService({ metadata, spec = {} }: Service): KnownService {
  const { namespace = '', name = '', uid, resourceVersion, creationTimestamp } = metadata;
  const isExternal = spec.type === 'ExternalName';
  const clusterIps = isExternal ? [] : (spec.clusterIPs ?? []);
  return {
    metadata: {
      namespace,
      name,
      ...(uid !== undefined && { uid }),
      ...(resourceVersion !== undefined && { resourceVersion }),
      ...(creationTimestamp !== undefined && { creationTimestamp }),
    },
    isExternal,
    nodePorts: numbersOfPorts(spec),
    clusterIps: clusterIps.flatMap((text) => {
      const ip = parseIp(text);
      return ip === undefined ? [] : [formatIp(ip)];
    }),
  };
}

/** Gives ports of all sorts, each once. */
function numbersOfPorts(spec: ServiceSpec): readonly number[] {
  const all = [...nodePortsOf(spec), spec.healthCheckNodePort ?? 0];
  return [...new Set(all)].filter((port) => port !== 0);
}
