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
import { formatV4, parseIp } from '../../../semantics/validation/ip-address.ts';
import { internalError } from '../../../semantics/errors/status.ts';
import type { Allocator } from '../../kind.ts';
import type { NumberRange } from './service-ranges.ts';
import {
  isHeadless,
  needsClusterIp,
  needsHealthCheckPort,
  needsNodePorts,
  nodePortsOf,
} from './service-spec.ts';

/** A whole number from 0 to below `limit`. */
export type RandomBelow = (limit: number) => number;

const RANDOM_TRIES = 16;
const FULL = 'range is full';

/** The numbers of a range that are in use. */
class NumberPool {
  readonly range: NumberRange;
  readonly #randomBelow: RandomBelow;
  readonly #used = new Set<number>();

  constructor(range: NumberRange, randomBelow: RandomBelow) {
    this.range = range;
    this.#randomBelow = randomBelow;
  }

  contains(number: number): boolean {
    return number >= this.range.first && number <= this.range.last;
  }

  has(number: number): boolean {
    return this.#used.has(number);
  }

  take(number: number): void {
    if (this.contains(number)) this.#used.add(number);
  }

  release(number: number): void {
    this.#used.delete(number);
  }

  /** Picks a free number at random, so that one that was released is not soon used again. */
  takeAny(): number | undefined {
    const { first, last } = this.range;
    const size = last - first + 1;
    if (this.#used.size >= size) return undefined;
    let number = first + this.#randomBelow(size);
    for (let tries = 1; tries < RANDOM_TRIES && this.#used.has(number); tries++) {
      number = first + this.#randomBelow(size);
    }
    while (this.#used.has(number)) number = number === last ? first : number + 1;
    this.#used.add(number);
    return number;
  }
}

/** The numbers that one allocation has taken, so that it can be undone. */
class Allocation {
  readonly errors: FieldError[] = [];
  readonly #taken: [NumberPool, number][] = [];

  take(pool: NumberPool, number: number): void {
    pool.take(number);
    this.#taken.push([pool, number]);
  }

  /** Throws `StatusError` 500 when all numbers are in use. */
  takeAny(pool: NumberPool, what: string): number {
    const number = pool.takeAny();
    if (number === undefined) throw internalError(`failed to allocate a ${what}: ${FULL}`);
    this.#taken.push([pool, number]);
    return number;
  }

  undo(): void {
    for (const [pool, number] of this.#taken) pool.release(number);
  }
}

export class ServiceAllocator implements Allocator<Service> {
  readonly #addresses: NumberPool;
  readonly #ports: NumberPool;

  constructor(
    addresses: NumberRange,
    ports: NumberRange,
    randomBelow: RandomBelow = (limit) => randomInt(limit),
  ) {
    this.#addresses = new NumberPool(addresses, randomBelow);
    this.#ports = new NumberPool(ports, randomBelow);
  }

  load({ spec = {} }: Service): void {
    for (const address of addressesOf(spec)) this.#addresses.take(address);
    for (const port of portsOf(spec)) this.#ports.take(port);
  }

  /**
   * Throws `StatusError` 500, as the reference, when there is nothing left to give, or when a port
   * for health checks is in use; nothing was given out then either.
   */
  allocate({ spec }: Service, stored: Service | undefined): FieldError[] {
    if (spec === undefined) return [];
    const before = stored?.spec ?? {};
    const allocation = new Allocation();
    try {
      this.#allocateAddress(spec, before, allocation);
      if (allocation.errors.length === 0) {
        this.#allocateNodePorts(spec, stored?.spec, allocation);
      }
      if (allocation.errors.length === 0) this.#allocateCheckPort(spec, before, allocation);
    } catch (error) {
      allocation.undo();
      throw error;
    }
    if (allocation.errors.length > 0) allocation.undo();
    return allocation.errors;
  }

  release({ spec = {} }: Service, successor: Service | undefined): void {
    const next = successor?.spec ?? {};
    const addresses = new Set(addressesOf(next));
    for (const address of addressesOf(spec)) {
      if (!addresses.has(address)) this.#addresses.release(address);
    }
    const ports = new Set(portsOf(next));
    for (const port of portsOf(spec)) if (!ports.has(port)) this.#ports.release(port);
  }

  #allocateAddress(spec: ServiceSpec, before: ServiceSpec, allocation: Allocation): void {
    if (!needsClusterIp(spec) || isHeadless(spec)) return;
    const [asked = ''] = spec.clusterIPs ?? [];
    if (asked === '') {
      const address = formatV4(allocation.takeAny(this.#addresses, 'serviceIP'));
      spec.clusterIP = address;
      spec.clusterIPs = [address];
      return;
    }
    const number = addressNumber(asked);
    if (number === undefined || addressesOf(before).includes(number)) return;
    const problem = addressProblem(this.#addresses, number);
    if (problem === '') {
      allocation.take(this.#addresses, number);
      return;
    }
    const detail = `failed to allocate IP ${asked}: ${problem}`;
    const printed = printStrings([asked]);
    allocation.errors.push(invalidPrinted('spec.clusterIPs', printed, detail));
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
      servicePort.nodePort = asked || allocation.takeAny(this.#ports, 'nodePort');
      given.set(port, known ?? servicePort.nodePort);
      if (asked === 0 || asked === known || kept.has(asked)) continue;
      const problem = portProblem(this.#ports, asked);
      if (problem === '') {
        allocation.take(this.#ports, asked);
        // As in the reference, an update may use it for a second protocol; a new service may not.
        if (before !== undefined) kept.add(asked);
        continue;
      }
      allocation.errors.push(invalid(`spec.ports[${index}].nodePort`, asked, problem));
      return;
    }
  }

  #allocateCheckPort(spec: ServiceSpec, before: ServiceSpec, allocation: Allocation): void {
    if (!needsHealthCheckPort(spec) || needsHealthCheckPort(before)) return;
    const asked = spec.healthCheckNodePort ?? 0;
    if (asked === 0) {
      spec.healthCheckNodePort = allocation.takeAny(this.#ports, 'HealthCheck NodePort 0');
      return;
    }
    const problem = portProblem(this.#ports, asked);
    if (problem !== '') {
      throw internalError(`failed to allocate requested HealthCheck NodePort ${asked}: ${problem}`);
    }
    allocation.take(this.#ports, asked);
  }
}

function addressesOf(spec: ServiceSpec): number[] {
  if (!needsClusterIp(spec)) return [];
  return (spec.clusterIPs ?? []).flatMap((clusterIp) => addressNumber(clusterIp) ?? []);
}

/** Node ports of all uses: they come out of one range. */
function portsOf(spec: ServiceSpec): number[] {
  const ports = needsNodePorts(spec) ? nodePortsOf(spec) : [];
  const { healthCheckNodePort = 0 } = spec;
  if (needsHealthCheckPort(spec) && healthCheckNodePort !== 0) ports.push(healthCheckNodePort);
  return ports;
}

function addressNumber(text: string): number | undefined {
  const ip = parseIp(text);
  return ip?.family === 'IPv4' ? Number(ip.value) : undefined;
}

function requestedFor(port: number, ports: readonly ServicePort[]): number {
  return ports.find((other) => other.port === port && other.nodePort)?.nodePort ?? 0;
}

function addressProblem(pool: NumberPool, number: number): string {
  if (!pool.contains(number)) {
    return (
      `the provided IP (${formatV4(number)}) is not in the valid range. ` +
      `The range of valid IPs is ${pool.range.text}`
    );
  }
  return pool.has(number) ? 'provided IP is already allocated' : '';
}

function portProblem(pool: NumberPool, number: number): string {
  if (!pool.contains(number)) {
    return (
      'provided port is not in the valid range. ' + `The range of valid ports is ${pool.range.text}`
    );
  }
  return pool.has(number) ? 'provided port is already allocated' : '';
}
