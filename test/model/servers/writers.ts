/** Clients that write, each request to any of the servers. */
import type { Random } from '../../support/random.ts';
import type { Answer, Server } from '../../support/server.ts';
import { pause } from './cluster.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const REQUEST_MS_MAX = 15_000;
const AFTER_FAILURE_MS = 50;
/** Clients that write as fast as they can leave servers no time on a small machine. */
const THINK_MS_MAX = 400;

/** The tallies of a run. */
export interface Tally {
  acknowledged: number;
  /** Requests without an answer that says yes, by code; 0 for none at all. */
  readonly failures: Map<number, number>;
  readonly violations: string[];
}

/** Hops between servers. */
export class Hopper {
  readonly tally: Tally;
  readonly #any: () => Server;

  constructor(any: () => Server, tally: Tally) {
    this.#any = any;
    this.tally = tally;
  }

  /** `status` is 0 where there was no answer. */
  async ask(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Pick<Answer, 'status' | 'json'>> {
    const asked = this.#any().request(method, path, body);
    const answer = await Promise.race([asked.catch(() => undefined), pause(REQUEST_MS_MAX)]);
    const { status = 0, json } = answer ?? {};
    const { failures } = this.tally;
    if (status >= 300 || status === 0) failures.set(status, (failures.get(status) ?? 0) + 1);
    else if (method !== 'GET') this.tally.acknowledged++;
    return { status, json };
  }
}

/** One object, which counts up by one with each write. */
export class Counter {
  readonly name: string;
  /** The last count that was acknowledged. */
  acknowledged = 0;
  readonly #hopper: Hopper;
  /** The last count that was tried. */
  #tried = 0;

  constructor(name: string, hopper: Hopper) {
    this.name = name;
    this.#hopper = hopper;
  }

  async run(isOver: () => boolean, random: Random): Promise<void> {
    await this.#create();
    let rv: string | undefined;
    while (!isOver()) {
      rv = rv === undefined ? await this.#look() : await this.#count(rv);
      await pause(random.below(rv === undefined ? AFTER_FAILURE_MS : THINK_MS_MAX));
    }
  }

  /** What one server has, which must be all that was acknowledged. */
  async check(server: Server): Promise<void> {
    const { status, json } = await server.get(`${CONFIG_MAPS}/${this.name}`);
    this.#judge(status === 200 ? Number(json.data.n) : -1);
  }

  async #create(): Promise<void> {
    for (;;) {
      const body = { metadata: { name: this.name }, data: { n: '0' } };
      const { status } = await this.#hopper.ask('POST', CONFIG_MAPS, body);
      if (status === 201 || status === 409) return;
      await pause(AFTER_FAILURE_MS);
    }
  }

  /** Reads the newest state. */
  async #look(): Promise<string | undefined> {
    const { status, json } = await this.#hopper.ask('GET', `${CONFIG_MAPS}/${this.name}`);
    if (status === 404) this.#hopper.tally.violations.push(`${this.name} is gone`);
    if (status !== 200) return undefined;
    const n = Number(json.data.n);
    this.#judge(n);
    this.acknowledged = n;
    return json.metadata.resourceVersion as string;
  }

  async #count(resourceVersion: string): Promise<string | undefined> {
    const n = this.acknowledged + 1;
    this.#tried = n;
    const body = { metadata: { name: this.name, resourceVersion }, data: { n: String(n) } };
    const { status, json } = await this.#hopper.ask('PUT', `${CONFIG_MAPS}/${this.name}`, body);
    if (status !== 200) return undefined;
    this.acknowledged = n;
    return json.metadata.resourceVersion as string;
  }

  #judge(n: number): void {
    if (n >= this.acknowledged && n <= Math.max(this.#tried, this.acknowledged)) return;
    this.#hopper.tally.violations.push(
      `${this.name} is ${n}: ${this.acknowledged} was acknowledged, ${this.#tried} tried`,
    );
  }
}
