/**
 * Gives services their cluster IPs and node ports, and keeps account of those in use: no two
 * services have the same (README.md#services). Pure but for the random choice.
 */
import { randomInt } from 'node:crypto';
import type { Service, ServicePort, ServiceSpec } from '#messages/core.v1';
import {
  invalid,
  invalidPrinted,
  printStrings,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';
import {
  formatIp,
  formatV4,
  parseIp,
  type IpFamily,
} from '../../../semantics/validation/ip-address.ts';
import { internalError } from '../../../semantics/errors/status.ts';
import type { Allocator, AllocatorFigures, Reservation } from '../../allocator.ts';
import type { RandomBelow } from './address-range.ts';
import { NumberPool } from './number-pool.ts';
import { heldAddresses, usualForm, type ServiceAddresses } from './service-addresses.ts';
import type { ServiceEndpoints } from './service-endpoints.ts';
import { FULL, noneLeft, notInRange } from './range-problems.ts';
import type { ClusterIpRange, NumberRange } from './service-ranges.ts';
import {
  isHeadless,
  needsClusterIp,
  needsHealthCheckPort,
  needsNodePorts,
  nodePortsOf,
  sameStrings,
} from './service-spec.ts';

/** How the allocator chooses, and where it has its addresses. */
export interface AllocatorOptions {
  readonly randomBelow?: RandomBelow;
  /** The numbers at the beginning of both ranges are given out last, as far as it says so. */
  readonly keepsLow?: KeepsLow;
  /** Addresses are held by objects: they are reserved, not allocated. */
  readonly held?: ServiceAddresses | undefined;
  /** Endpoints go with their services. */
  readonly endpoints?: ServiceEndpoints | undefined;
}

/** Whether people may count on choosing low addresses and low ports by hand. */
export interface KeepsLow {
  readonly addresses: boolean;
  readonly ports: boolean;
}

/** How much of a range is given out last: a share of it, within bounds. */
const LOW_ADDRESSES = { min: 16, max: 256, share: 16 } as const;
const LOW_PORTS = { min: 16, max: 128, share: 32 } as const;

/** The addresses of a family. */
interface AddressPool {
  readonly range: ClusterIpRange;
  readonly pool: NumberPool;
}

/** The number of an address among those of its family. */
interface Place {
  readonly from: AddressPool;
  readonly number: number;
}

function isSamePlace(a: Place, b: Place): boolean {
  return a.from === b.from && a.number === b.number;
}

/** The numbers that one allocation has taken, so that it can be undone. */
class Allocation {
  readonly errors: FieldError[] = [];
  readonly #isCounted: boolean;
  readonly #taken: [NumberPool, number][] = [];

  constructor(isCounted: boolean) {
    this.#isCounted = isCounted;
  }

  /** A number that is free. */
  take(pool: NumberPool, number: number): void {
    pool.take(number);
    this.#taken.push([pool, number]);
    if (this.#isCounted) pool.counts.gave('static');
  }

  /** The number that was asked for cannot be had. */
  refused(pool: NumberPool): void {
    if (this.#isCounted) pool.counts.refused('static');
  }

  /** Undefined when all numbers are in use. */
  takeAny(pool: NumberPool): number | undefined {
    const number = pool.takeAny();
    if (number !== undefined) this.#taken.push([pool, number]);
    if (this.#isCounted) {
      if (number === undefined) pool.counts.refused('dynamic');
      else pool.counts.gave('dynamic');
    }
    return number;
  }

  undo(): void {
    for (const [pool, number] of this.#taken) pool.release(number);
  }
}

export class ServiceAllocator implements Allocator<Service> {
  /** By their families: the first one is that of services that ask for none. */
  readonly #addresses: readonly AddressPool[];
  readonly #ports: NumberPool;
  readonly #held: ServiceAddresses | undefined;
  readonly #endpoints: ServiceEndpoints | undefined;
  /** The addresses that services have, where they are held. */
  readonly #used = new Set<string>();

  constructor(
    addresses: readonly ClusterIpRange[],
    ports: NumberRange,
    options: AllocatorOptions = {},
  ) {
    const { randomBelow = (limit) => randomInt(limit), keepsLow } = options;
    this.#held = options.held;
    this.#endpoints = options.endpoints;
    const lowPorts = keepsLow?.ports === true ? lowCount(ports, LOW_PORTS) : 0;
    this.#addresses = addresses.map((range) => {
      const low = keepsLow?.addresses === true ? lowCount(range, LOW_ADDRESSES) : 0;
      return { range, pool: new NumberPool(range, low, randomBelow) };
    });
    this.#ports = new NumberPool(ports, lowPorts, randomBelow);
  }

  load({ spec = {} }: Service): void {
    if (this.#held === undefined) {
      for (const { from, number } of this.#numbersOf(spec)) from.pool.take(number);
    } else for (const address of heldAddresses(spec)) this.#used.add(address);
    for (const port of portsOf(spec)) this.#ports.take(port);
  }

  reserve(
    service: Service,
    stored: Service | undefined,
    isDryRun: boolean,
  ): Promise<Reservation> | undefined {
    const isUsed = (address: string): boolean => this.#used.has(address);
    return this.#held?.reserve(service, stored, { isDryRun, isUsed });
  }

  giveBack(service: Service, successor: Service | undefined): Promise<void> | undefined {
    const addresses = this.#held?.giveBack(service, successor);
    const endpoints = successor === undefined ? this.#endpoints?.remove(service) : undefined;
    return endpoints === undefined ? addresses : endpoints.then(() => addresses);
  }

  /**
   * Throws `StatusError` 500, as the reference, when there is nothing left to give, or when a port
   * for health checks is in use; nothing was given out then either.
   */
  allocate(service: Service, stored: Service | undefined, isDryRun = false): FieldError[] {
    const { spec } = service;
    if (spec === undefined) return [];
    const before = stored?.spec ?? {};
    const allocation = new Allocation(!isDryRun);
    try {
      if (this.#held === undefined) this.#allocateAddresses(service, before, allocation);
      if (allocation.errors.length === 0) {
        this.#allocateNodePorts(spec, stored?.spec, allocation);
      }
      if (allocation.errors.length === 0) this.#allocateCheckPort(spec, before, allocation);
    } catch (error) {
      allocation.undo();
      throw error;
    }
    if (allocation.errors.length > 0) allocation.undo();
    else if (this.#held !== undefined) {
      for (const address of heldAddresses(spec)) this.#used.add(address);
    }
    return allocation.errors;
  }

  figures(): AllocatorFigures {
    const given = new Map(
      this.#addresses.map(({ range, pool }) => [range.text, { ...pool.figures, seconds: [] }]),
    );
    return { ports: this.#ports.figures, addresses: this.#held?.figures() ?? given };
  }

  release({ spec = {} }: Service, successor: Service | undefined): void {
    const next = successor?.spec ?? {};
    if (this.#held === undefined) {
      this.#releaseAddresses(spec, next);
    } else {
      const addresses = new Set(heldAddresses(next));
      for (const address of heldAddresses(spec)) {
        if (!addresses.has(address)) this.#used.delete(address);
      }
    }
    const ports = new Set(portsOf(next));
    for (const port of portsOf(spec)) if (!ports.has(port)) this.#ports.release(port);
  }

  #releaseAddresses(spec: ServiceSpec, next: ServiceSpec): void {
    const isSame = needsClusterIp(next) && sameStrings(spec.clusterIPs, next.clusterIPs);
    if (isSame) return;
    const kept = this.#numbersOf(next);
    for (const place of this.#numbersOf(spec)) {
      if (!kept.some((it) => isSamePlace(it, place))) place.from.pool.release(place.number);
    }
  }

  #allocateAddresses(service: Service, before: ServiceSpec, allocation: Allocation): void {
    const { spec = {} } = service;
    if (!needsClusterIp(spec) || isHeadless(spec)) return;
    const { ipFamilies = this.#families, clusterIPs = [] } = spec;
    const addresses = [...clusterIPs];
    for (let index = 0; index < ipFamilies.length; index++) {
      const asked = addresses[index] ?? '';
      const taken =
        asked === ''
          ? this.#takeAny(ipFamilies[index] as IpFamily, service, allocation)
          : this.#takeAsked(asked, spec, before, allocation);
      if (taken === undefined) return;
      addresses[index] = taken;
    }
    spec.clusterIPs = addresses;
    [spec.clusterIP = ''] = addresses;
  }

  /** Throws `StatusError` 500 when there is none. */
  #takeAny(family: IpFamily, service: Service, allocation: Allocation): string {
    const found = this.#addresses.find(({ range }) => range.family === family);
    const number = found && allocation.takeAny(found.pool);
    if (found === undefined || number === undefined) throw noneLeft(service);
    if (family === 'IPv4') return formatV4(number);
    return formatIp({ family, value: found.range.base + BigInt(number) });
  }

  /** Undefined, with an error, where it cannot be had. */
  #takeAsked(
    asked: string,
    spec: ServiceSpec,
    before: ServiceSpec,
    allocation: Allocation,
  ): string | undefined {
    if (needsClusterIp(before) && before.clusterIPs?.includes(asked) === true) return asked;
    const place = this.#placeOf(asked);
    if (place === undefined) return asked;
    const { range, pool } = place.from;
    const { number } = place;
    if (this.#numbersOf(before).some((it) => isSamePlace(it, place))) return asked;
    let problem = '';
    if (!pool.contains(number)) problem = notInRange(usualForm(asked), range.text);
    else if (pool.has(number)) problem = 'provided IP is already allocated';
    if (problem === '') {
      allocation.take(pool, number);
      return asked;
    }
    allocation.refused(pool);
    const detail = `failed to allocate IP ${asked}: ${problem}`;
    allocation.errors.push(
      invalidPrinted('spec.clusterIPs', printStrings(spec.clusterIPs ?? []), detail),
    );
    return undefined;
  }

  get #families(): readonly IpFamily[] {
    return this.#addresses.slice(0, 1).map(({ range }) => range.family);
  }

  /** The number of an address, among those of its family. */
  #placeOf(text: string): Place | undefined {
    const ip = parseIp(text);
    if (ip === undefined) return undefined;
    for (const from of this.#addresses) {
      const { family, base } = from.range;
      if (family !== ip.family) continue;
      return { from, number: Number(base === 0n ? ip.value : ip.value - base) };
    }
    return undefined;
  }

  #numbersOf(spec: ServiceSpec): readonly Place[] {
    const places: Place[] = [];
    if (!needsClusterIp(spec)) return places;
    for (const text of spec.clusterIPs ?? []) {
      const place = this.#placeOf(text);
      if (place !== undefined) places.push(place);
    }
    return places;
  }

  /** One service port of several protocols has one node port, if it is given out here. */
  #allocateNodePorts(
    spec: ServiceSpec,
    before: ServiceSpec | undefined,
    allocation: Allocation,
  ): void {
    if (!needsNodePorts(spec)) return;
    const { ports = [] } = spec;
    const kept = new Set(before !== undefined && needsNodePorts(before) ? nodePortsOf(before) : []);
    const given = new Map<number, number>();
    for (const [index, servicePort] of ports.entries()) {
      const { port = 0, nodePort = 0 } = servicePort;
      if (nodePort === 0 && spec.allocateLoadBalancerNodePorts === false) continue;
      const known = given.get(port);
      const asked = nodePort || (known ?? requestedFor(port, ports));
      servicePort.nodePort = asked || this.#anyPort(allocation, 'nodePort');
      given.set(port, known ?? servicePort.nodePort);
      if (asked === 0 || asked === known || kept.has(asked)) continue;
      const problem = portProblem(this.#ports, asked);
      if (problem === '') {
        allocation.take(this.#ports, asked);
        // As in the reference, an update may use it for a second protocol; a new service may not.
        if (before !== undefined) kept.add(asked);
        continue;
      }
      allocation.refused(this.#ports);
      allocation.errors.push(invalid(`spec.ports[${index}].nodePort`, asked, problem));
      return;
    }
  }

  /** Throws `StatusError` 500 when all are in use. */
  #anyPort(allocation: Allocation, what: string): number {
    const port = allocation.takeAny(this.#ports);
    if (port === undefined) throw internalError(`failed to allocate a ${what}: ${FULL}`);
    return port;
  }

  #allocateCheckPort(spec: ServiceSpec, before: ServiceSpec, allocation: Allocation): void {
    if (!needsHealthCheckPort(spec) || needsHealthCheckPort(before)) return;
    const asked = spec.healthCheckNodePort ?? 0;
    if (asked === 0) {
      spec.healthCheckNodePort = this.#anyPort(allocation, 'HealthCheck NodePort 0');
      return;
    }
    const problem = portProblem(this.#ports, asked);
    if (problem !== '') {
      allocation.refused(this.#ports);
      throw internalError(`failed to allocate requested HealthCheck NodePort ${asked}: ${problem}`);
    }
    allocation.take(this.#ports, asked);
  }
}

/** Ranges that are no longer than the least share are given out at random as a whole. */
function lowCount(
  { size }: NumberRange,
  { min, max, share }: { readonly min: number; readonly max: number; readonly share: number },
): number {
  if (size <= min) return 0;
  return Math.min(Math.max(Math.floor(size / share), min), max);
}

/** Node ports of all uses: they come out of one range. */
function portsOf(spec: ServiceSpec): number[] {
  const ports = needsNodePorts(spec) ? nodePortsOf(spec) : [];
  const { healthCheckNodePort = 0 } = spec;
  if (needsHealthCheckPort(spec) && healthCheckNodePort !== 0) ports.push(healthCheckNodePort);
  return ports;
}

function requestedFor(port: number, ports: readonly ServicePort[]): number {
  return ports.find((other) => other.port === port && other.nodePort)?.nodePort ?? 0;
}

function portProblem(pool: NumberPool, number: number): string {
  if (!pool.contains(number)) {
    return (
      'provided port is not in the valid range. ' + `The range of valid ports is ${pool.range.text}`
    );
  }
  return pool.has(number) ? 'provided port is already allocated' : '';
}
