/**
 * Gives services their cluster IPs where each is held by an IPAddress, which is made before the
 * service and removed after it (README.md#addresses-as-objects). No two services have the same,
 * since no two objects have the same name.
 */
import { randomInt } from 'node:crypto';
import type { Service, ServiceSpec } from '#messages/core.v1';
import type { IPAddress } from '#messages/networking.v1';
import { ownRelease } from '../../../release/release.ts';
import {
  printStrings,
  invalidPrinted,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';
import { isRefusal, StatusError } from '../../../semantics/errors/status.ts';
import { formatIp, parseIp, type IpFamily } from '../../../semantics/validation/ip-address.ts';
import type { AllocatorFigures, OtherObjects, OtherTypes, Reservation } from '../../allocator.ts';
import type { ApiObject } from '../../kind.ts';
import { AllocationCounts } from './allocation-counts.ts';
import type { AddressRange, RandomBelow } from './address-range.ts';
import { defaultRangeName, KnownRanges } from './known-ranges.ts';
import { ADDRESSES, addressOf, isManaged, isOf, RANGES } from './owned-address.ts';
import { noneLeft, notInRange } from './range-problems.ts';
import { isHeadless, needsClusterIp } from './service-spec.ts';

const FIELD = 'spec.clusterIPs';
const ALREADY_ALLOCATED = 'provided IP is already allocated';
const HAS_RANGES = ownRelease().has('objectsOfServiceRanges');

/** An address that a service lacks: the one that it asks for, or any ('') of a family. */
interface Wanted {
  readonly index: number;
  readonly family: IpFamily;
  readonly asked: string;
}

interface HowReserved {
  readonly isDryRun: boolean;
  /** Whether a service has an address already. */
  readonly isUsed: (address: string) => boolean;
}

/** The names of the addresses that are held. */
class KnownAddresses {
  /** Whether the server has made their objects. */
  readonly #names = new Map<string, boolean>();
  readonly #managed = { IPv4: 0, IPv6: 0 };

  put(address: ApiObject): void {
    this.remove(address);
    const { name = '' } = address.metadata;
    const isOurs = isManaged(address);
    this.#names.set(name, isOurs);
    if (isOurs) this.#managed[familyOf(name)]++;
  }

  remove({ metadata: { name = '' } }: ApiObject): void {
    if (this.#names.get(name) === true) this.#managed[familyOf(name)]--;
    this.#names.delete(name);
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  /** Those of a family that the server has made, in whichever range. */
  managed(family: IpFamily): number {
    return this.#managed[family];
  }
}

function familyOf(name: string): IpFamily {
  return name.includes(':') ? 'IPv6' : 'IPv4';
}

/** Makes the object that holds an address; false where that is held already. */
type Make = (address: string) => Promise<boolean>;
/** Where what comes out of a range is counted; undefined for a dry run. */
type Told = ((range: AddressRange) => AllocationCounts) | undefined;
type ValueOf<T> = T extends ReadonlyMap<string, infer V> ? V : never;

function secondsSince(beganMs: number): number {
  return (performance.now() - beganMs) / 1_000;
}

/** Each follows both types for as long as its thread runs. */
const MADE = new WeakMap<OtherTypes, ServiceAddresses>();

export class ServiceAddresses {
  readonly #objects: OtherObjects;
  readonly #randomBelow: RandomBelow;
  readonly #ranges = new KnownRanges();
  readonly #held = new KnownAddresses();
  readonly #followed: readonly { whenCurrent(): Promise<void> }[];
  /** The addresses whose objects are being made. */
  readonly #making = new Set<string>();
  /** By the ranges as they are written. */
  readonly #counts = new Map<string, AllocationCounts>();

  /** `cidrs` are the ranges of the command line, for releases that have no objects of ranges. */
  constructor({ follow, objects }: OtherTypes, cidrs: readonly string[], randomBelow: RandomBelow) {
    this.#randomBelow = randomBelow;
    this.#objects = objects(ADDRESSES);
    const held = follow(ADDRESSES, this.#held);
    if (HAS_RANGES) this.#followed = [held, follow(RANGES, this.#ranges)];
    else {
      this.#followed = [held];
      this.#ranges.put({ metadata: { name: defaultRangeName() }, spec: { cidrs } });
    }
  }

  /** The one of the thread. */
  static of(others: OtherTypes, cidrs: readonly string[]): ServiceAddresses {
    const made = MADE.get(others) ?? new ServiceAddresses(others, cidrs, randomInt);
    MADE.set(others, made);
    return made;
  }

  /** Gives a service the addresses that it lacks; undefined where it lacks none. */
  reserve(
    service: Service,
    stored: Service | undefined,
    { isDryRun, isUsed }: HowReserved,
  ): Promise<Reservation> | undefined {
    const wanted = wantedBy(service.spec ?? {}, stored?.spec ?? {});
    return wanted.length === 0 ? undefined : this.#reserve(service, wanted, { isDryRun, isUsed });
  }

  /** Removes the objects that hold addresses which a service has and its successor has not. */
  giveBack(service: Service, successor: Service | undefined): Promise<void> | undefined {
    const kept = new Set(heldAddresses(successor?.spec ?? {}));
    const given = heldAddresses(service.spec ?? {}).filter((address) => !kept.has(address));
    return given.length === 0 ? undefined : this.#remove(given, service);
  }

  /** Figures of the ranges that something was given out of. */
  figures(): AllocatorFigures['addresses'] {
    const figures = new Map<string, ValueOf<AllocatorFigures['addresses']>>();
    for (const family of ['IPv4', 'IPv6'] as const) {
      const used = this.#held.managed(family);
      for (const { text, size } of this.#ranges.ofFamily(family)) {
        const told = this.#counts.get(text);
        if (told === undefined) continue;
        const free = Math.max(0, Number(size) - used);
        figures.set(text, { used, free, counts: told.counts, seconds: told.takeSeconds() });
      }
    }
    return figures;
  }

  async #reserve(
    service: Service,
    wanted: readonly Wanted[],
    { isDryRun, isUsed }: HowReserved,
  ): Promise<Reservation> {
    await Promise.all(this.#followed.map((it) => it.whenCurrent()));
    const made: string[] = [];
    const undo = (): void => {
      if (made.length > 0) void this.#remove(made, service);
    };
    const make = async (address: string): Promise<boolean> => {
      // A service has its address even while nothing holds it.
      if (isUsed(address)) return false;
      if (isDryRun) return true;
      const isMade = await this.#make(address, service);
      if (isMade) made.push(address);
      return isMade;
    };
    const { spec = {} } = service;
    const addresses = [...(spec.clusterIPs ?? [])];
    for (const { index, family, asked } of wanted) {
      let problem = '';
      try {
        const told = isDryRun ? undefined : (range: AddressRange) => this.#countsOf(range);
        if (asked !== '') problem = await this.#problemOf(asked, make, told);
        addresses[index] = asked === '' ? await this.#takeAny(family, make, told) : asked;
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        problem = error.message;
      }
      if (problem === '' && addresses[index] !== '') continue;
      undo();
      if (problem === '') throw noneLeft(service);
      return { errors: [unavailable(spec, asked, problem)], undo: () => undefined };
    }
    spec.clusterIPs = addresses;
    [spec.clusterIP = ''] = addresses;
    return { errors: [], undo };
  }

  #countsOf({ text }: AddressRange): AllocationCounts {
    const counts = this.#counts.get(text) ?? new AllocationCounts();
    this.#counts.set(text, counts);
    return counts;
  }

  /** Why that address cannot be had; '' where it was taken. */
  async #problemOf(asked: string, make: Make, told: Told): Promise<string> {
    const ip = parseIp(asked);
    const within = ip && this.#ranges.containing(ip);
    if (ip === undefined || within === undefined) {
      const [range] = HAS_RANGES ? [] : this.#ranges.ofFamily(ip?.family ?? 'IPv4');
      if (range === undefined) return 'the provided network does not match the current range';
      told?.(range).refused('static');
      return notInRange(asked, range.text);
    }
    const beganMs = performance.now();
    const isMade = await make(formatIp(ip));
    if (isMade) told?.(within).gave('static', secondsSince(beganMs));
    else told?.(within).refused('static');
    return isMade ? '' : ALREADY_ALLOCATED;
  }

  /** Takes a free address; '' when there is none. */
  async #takeAny(family: IpFamily, make: Make, told: Told): Promise<string> {
    const beganMs = performance.now();
    for (const range of this.#ranges.ofFamily(family)) {
      for (const address of this.#free(range)) {
        // Somebody may have taken it meanwhile.
        if (!(await make(address))) continue;
        told?.(range).gave('dynamic', secondsSince(beganMs));
        return address;
      }
      told?.(range).refused('dynamic');
    }
    return '';
  }

  *#free(range: AddressRange): Generator<string, void, void> {
    const { family } = range;
    for (const value of range.candidates(this.#randomBelow)) {
      const address = formatIp({ family, value });
      if (!this.#held.has(address) && !this.#making.has(address)) yield address;
    }
  }

  /** False when there is such an object already. */
  async #make(address: string, service: Service): Promise<boolean> {
    this.#making.add(address);
    try {
      await this.#objects.create({ namespace: '', name: address }, addressOf(address, service));
      return true;
    } catch (error) {
      if (isRefusal(error, 409)) return false;
      throw error;
    } finally {
      this.#making.delete(address);
    }
  }

  /** The repair of addresses finds those that cannot be removed now. */
  async #remove(addresses: readonly string[], service: Service): Promise<void> {
    await Promise.allSettled(
      addresses.map(async (name) => {
        const at = { namespace: '', name };
        const found = await this.#objects.get(at);
        // It may hold the address for another one by now.
        if (found === undefined || !isOf(found as IPAddress, service)) return;
        await this.#objects.deleteExactly(at, found.metadata.uid ?? '');
      }),
    );
  }
}

function wantedBy(spec: ServiceSpec, before: ServiceSpec): readonly Wanted[] {
  if (!needsClusterIp(spec) || isHeadless(spec)) return [];
  const known = new Set(heldAddresses(before));
  const { ipFamilies = [], clusterIPs = [] } = spec;
  return ipFamilies.flatMap((family, index): Wanted[] => {
    const asked = clusterIPs[index] ?? '';
    const isKept = asked !== '' && known.has(usualForm(asked));
    return isKept ? [] : [{ index, family: family as IpFamily, asked }];
  });
}

/** The addresses that are held for a service, as their objects are called. */
export function heldAddresses(spec: ServiceSpec): readonly string[] {
  if (!needsClusterIp(spec) || isHeadless(spec)) return [];
  return (spec.clusterIPs ?? []).map(usualForm);
}

/** An address as the object that holds it is called. */
export function usualForm(text: string): string {
  const ip = parseIp(text);
  return ip === undefined ? text : formatIp(ip);
}

function unavailable({ clusterIPs = [] }: ServiceSpec, asked: string, problem: string): FieldError {
  const which = asked === '' ? 'IP' : `IP ${asked}`;
  return invalidPrinted(FIELD, printStrings(clusterIPs), `failed to allocate ${which}: ${problem}`);
}
