/** A server under load: its load processes, and what all scenarios ask of a server. */
import { fetchFrom, type Endpoint } from './endpoint.ts';
import { LoadClient } from './load-client.ts';
import type { Measured } from './load-client.ts';
import type { ClosedLoopJob, ClosedLoopResult, LoadTarget } from './load-protocol.ts';
import { OBJECT_TEXTS } from './object-texts.ts';
import type { ApiDomain } from './representation-forms.ts';
import type { RequestOptions } from './requests.ts';

export const DEFAULT_NAMESPACE = 'default';
const FILL_CONNECTIONS = 64;
/** So many that a job is bounded by its number of requests. */
const COUNTED_SECONDS_MAX = 600;
const JOB_REQUESTS_MAX = 10_000_000;

export interface LoadOptions {
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** Jobs end after so many requests and not after a time, where only that they run is checked. */
  readonly requestsMax?: number;
  readonly seed: number;
  readonly objectBytes: number;
}

/** Which server it is, and how it is spoken to. */
export interface Subject {
  readonly endpoint: Endpoint;
  readonly token: string;
  readonly domain: ApiDomain;
  /** Where objects are written, unless a job says where. */
  readonly namespace: string;
  /** The processes that it is, as far as they are known; what they use is measured. */
  readonly pids: readonly number[];
}

export class BenchTarget {
  static #jobs = 0;
  /** The one that writes, gets and lists. */
  readonly load: LoadClient;
  readonly domain: ApiDomain;
  readonly pids: readonly number[];
  readonly #options: LoadOptions;
  readonly #subject: Subject;
  readonly #loads: LoadClient[] = [];

  constructor(options: LoadOptions, subject: Subject) {
    this.#options = options;
    this.#subject = subject;
    this.domain = subject.domain;
    this.pids = subject.pids;
    this.load = this.newLoad();
  }

  /** A further process, for load that must not wait for other load. */
  newLoad(): LoadClient {
    const load = new LoadClient(this.pids);
    this.#loads.push(load);
    return load;
  }

  /**
   * The seed of one job: contents count on from it. An update to the content that an object already
   * has, maybe from an earlier server on the same folder, would make no new version and no event.
   */
  nextSeed(): number {
    BenchTarget.#jobs += 1;
    return this.#options.seed + BenchTarget.#jobs * JOB_REQUESTS_MAX;
  }

  stopLoad(): void {
    for (const load of this.#loads) load.stop();
  }

  target(): LoadTarget {
    const { endpoint, token, domain, namespace } = this.#subject;
    const { objectBytes } = this.#options;
    return { ...endpoint, token, namespace, objectBytes, domain };
  }

  async closedLoop(
    job: Partial<ClosedLoopJob> & Pick<ClosedLoopJob, 'verb' | 'connections'>,
  ): Promise<Measured<ClosedLoopResult>> {
    const { warmUpSeconds, seconds, requestsMax } = this.#options;
    const seed = this.nextSeed();
    const defaults = { warmUpSeconds, seconds, seed, firstObject: 0, objects: 0 };
    const isCounted = requestsMax !== undefined && job.requestsMax === undefined;
    const bounds = { warmUpSeconds: 0, seconds: COUNTED_SECONDS_MAX, requestsMax };
    const whole = { ...this.target(), ...defaults, ...job, ...(isCounted && bounds) };
    const measured = await this.load.measure('closedLoop', whole);
    expectNoFailures(measured.result);
    return measured;
  }

  /** Creates objects 0 … count - 1. */
  async fill(count: number, more: Partial<ClosedLoopJob> = {}): Promise<void> {
    const connections = Math.min(FILL_CONNECTIONS, count);
    const bounds = { warmUpSeconds: 0, seconds: COUNTED_SECONDS_MAX, requestsMax: count };
    await this.closedLoop({ verb: 'create', connections, ...bounds, ...more });
  }

  async createNamespace(namespace: string): Promise<void> {
    const body = JSON.stringify({ metadata: { name: namespace } });
    await this.expectStatus(201, '/api/v1/namespaces', { method: 'POST', body });
  }

  /** The version of a collection now. */
  async newestVersion(of: Pick<Partial<RequestOptions>, 'kind' | 'namespace'>): Promise<string> {
    const { kind = 'configmap', namespace = this.#subject.namespace } = of;
    const path = OBJECT_TEXTS[kind].collection(namespace);
    const response = await this.fetch(`${path}?fieldSelector=metadata.name%3Dnone`);
    const list = (await response.json()) as { metadata: { resourceVersion: string } };
    return list.metadata.resourceVersion;
  }

  /** One request with the admin's token; a body is JSON unless `request` says what it is. */
  async fetch(path: string, request: RequestInit = {}): Promise<Response> {
    const { endpoint, token } = this.#subject;
    const headers = new Headers({ 'content-type': 'application/json' });
    for (const [name, value] of new Headers(request.headers)) headers.set(name, value);
    headers.set('authorization', `Bearer ${token}`);
    return fetchFrom(endpoint, path, { ...request, headers });
  }

  /** Sends one that must be answered with this status; gives the document. */
  async expectStatus(status: number, path: string, request: RequestInit = {}): Promise<unknown> {
    const response = await this.fetch(path, request);
    const text = await response.text();
    if (response.status === status) return JSON.parse(text);
    throw new Error(`${request.method ?? 'GET'} ${path}: ${text.slice(0, 300)}`);
  }
}

function expectNoFailures({ failures }: ClosedLoopResult): void {
  if (Object.keys(failures).length === 0) return;
  throw new Error(`unexpected answers: ${JSON.stringify(failures)}`);
}
