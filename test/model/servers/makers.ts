/** Clients that make objects of which there can be so many only, and remove them again. */
import type { Random } from '../../support/random.ts';
import type { Server } from '../../support/server.ts';
import { pause } from './cluster.ts';
import type { Hopper } from './writers.ts';

const OWN_MAX = 3;
const THINK_MS_MAX = 500;
const CHECKS_MS_MAX = 60_000;

/** Objects that clients make. */
export interface Made {
  readonly path: string;
  readonly body: object;
  /** What must never change of one. */
  readonly given: (json: Json) => string;
}

// oxlint-disable-next-line no-explicit-any -- an object of any kind
type Json = any;

export const SERVICES: Made = {
  path: '/api/v1/namespaces/default/services',
  body: { spec: { type: 'NodePort', selector: { app: 'a' }, ports: [{ port: 80 }] } },
  given: ({ spec }) => `${spec.clusterIP} ${spec.ports[0].nodePort}`,
};
export const SECRETS: Made = {
  path: '/api/v1/namespaces/default/secrets',
  body: { stringData: { a: 'b' } },
  given: ({ metadata }) => metadata.uid,
};

export class Maker {
  readonly #name: string;
  readonly #made: Made;
  readonly #hopper: Hopper;
  /** What was acknowledged, by name. */
  readonly #own = new Map<string, string>();
  #count = 0;

  constructor(name: string, made: Made, hopper: Hopper) {
    this.#name = name;
    this.#made = made;
    this.#hopper = hopper;
  }

  async run(isOver: () => boolean, random: Random): Promise<void> {
    while (!isOver()) {
      if (this.#own.size < OWN_MAX && random.below(3) > 0) await this.#make();
      else await this.#remove(random);
      await pause(random.below(THINK_MS_MAX));
    }
  }

  /** A server must have what was acknowledged, as it was. */
  async check(server: Server): Promise<void> {
    for (const [name, given] of this.#own) {
      const { status, json } = await server.get(`${this.#made.path}/${name}`);
      const found = status === 200 ? this.#made.given(json) : String(status);
      if (found !== given) this.#violated(`${name} is ${found}, and was ${given}`);
    }
  }

  async #make(): Promise<void> {
    const name = `${this.#name}-${this.#count++}`;
    const body = { ...this.#made.body, metadata: { name } };
    const { status, json } = await this.#hopper.ask('POST', this.#made.path, body);
    if (status === 201) this.#own.set(name, this.#made.given(json));
    // Nobody knows whether it is there.
    else if (status === 0 || status >= 500) await this.#forget(name);
  }

  async #remove(random: Random): Promise<void> {
    const [name] = [...this.#own.keys()].slice(random.below(this.#own.size));
    if (name === undefined) return;
    this.#own.delete(name);
    await this.#forget(name);
  }

  /** Until a server says that it is gone. */
  async #forget(name: string): Promise<void> {
    const untilMs = performance.now() + CHECKS_MS_MAX;
    for (;;) {
      const { status } = await this.#hopper.ask('DELETE', `${this.#made.path}/${name}`);
      if (status === 200 || status === 404) return;
      if (performance.now() > untilMs)
        return this.#violated(`${name} cannot be deleted: ${status}`);
      await pause(200);
    }
  }

  #violated(what: string): void {
    this.#hopper.tally.violations.push(what);
  }
}
