/** What must hold of objects at each of their versions. */
import { NODE_PORTS } from './cluster.ts';

// oxlint-disable-next-line no-explicit-any -- an object of any kind
type Stored = any;

/** Objects of one type, as a watch tells of them. */
export interface Watched {
  readonly path: string;
  /** Whether it is one of those that are looked at. */
  has(object: Stored): boolean;
  /** All that there are at the version where a watch begins. */
  listed(objects: readonly Stored[]): void;
  /** Says what is wrong. */
  changed(type: string, object: Stored): string | undefined;
}

/** Each object counts up by one with each of its versions. */
export class Counts implements Watched {
  readonly path = '/api/v1/namespaces/default/configmaps';
  readonly #prefix: string;
  readonly #counts = new Map<string, number>();

  /** Of objects whose names begin with `prefix`. */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  of(name: string): number | undefined {
    return this.#counts.get(name);
  }

  has({ metadata }: Stored): boolean {
    return metadata.name.startsWith(this.#prefix);
  }

  listed(objects: readonly Stored[]): void {
    for (const { metadata, data } of objects) this.#counts.set(metadata.name, Number(data.n));
  }

  changed(_type: string, { metadata, data }: Stored): string | undefined {
    const before = this.#counts.get(metadata.name) ?? -1;
    const n = Number(data.n);
    this.#counts.set(metadata.name, n);
    return n === before + 1 ? undefined : `${metadata.name} is ${n} after ${before}`;
  }
}

/** No two services have an address or a port of nodes in common. */
export class Addresses implements Watched {
  readonly path = '/api/v1/services';
  readonly #owners = new Map<string, string>();

  has(): boolean {
    return true;
  }

  listed(services: readonly Stored[]): void {
    this.#owners.clear();
    for (const service of services) this.#take(service);
  }

  changed(type: string, service: Stored): string | undefined {
    const { uid } = service.metadata;
    for (const [what, owner] of this.#owners) if (owner === uid) this.#owners.delete(what);
    return type === 'DELETED' ? undefined : this.#take(service);
  }

  #take({ metadata, spec }: Stored): string | undefined {
    let wrong: string | undefined;
    const ports = (spec.ports ?? []) as { nodePort?: number }[];
    for (const what of [spec.clusterIP, ...ports.map(({ nodePort }) => nodePort)]) {
      if (what === undefined || what === 'None') continue;
      const owner = this.#owners.get(String(what));
      if (owner !== undefined) wrong = `${metadata.name} has ${what}, which is given already`;
      this.#owners.set(String(what), metadata.uid);
    }
    const { first, count } = NODE_PORTS;
    const isOut = ports.some(
      ({ nodePort = first }) => nodePort < first || nodePort >= first + count,
    );
    return isOut ? `${metadata.name} has a port that is none` : wrong;
  }
}

/** There are no more objects than their quota allows. */
export class Limited implements Watched {
  readonly path: string;
  readonly #max: number;
  readonly #names = new Set<string>();

  constructor(path: string, max: number) {
    this.path = path;
    this.#max = max;
  }

  has(): boolean {
    return true;
  }

  listed(objects: readonly Stored[]): void {
    this.#names.clear();
    for (const { metadata } of objects) this.#names.add(metadata.name);
  }

  changed(type: string, { metadata }: Stored): string | undefined {
    if (type === 'DELETED') this.#names.delete(metadata.name);
    else this.#names.add(metadata.name);
    const { size } = this.#names;
    return size > this.#max ? `there are ${size}, and ${this.#max} are allowed` : undefined;
  }
}
