/**
 * Keeps an APIService for each group version that is served: of built-in ones once at each start,
 * of those that definitions add all the time.
 */
import type { APIService, APIServiceSpec } from '#messages/apiregistration.v1';
import type { CustomResourceDefinition } from '#messages/apiextensions.v1';
import { deepEqual } from '../../base/deep-equal.ts';
import type { Timers } from '../../base/time/timers.ts';
import type { FeatureGates } from '../../release/feature-gates.ts';
import type { ApiObject } from '../../resources/kind.ts';
import { ownName } from '../../semantics/dialect/own-names.ts';
import { isRefusal } from '../../semantics/errors/status.ts';
import { enabledApi } from '../../types/runtime-config.ts';
import { Informer } from '../informer.ts';
import { portOf, runController, type Ports } from '../run-controller.ts';
import { WorkQueue } from '../work-queue.ts';
import { CUSTOM_PRIORITIES, prioritiesOf } from '../../types/service-priorities.ts';

const API_SERVICES = 'apiservices.apiregistration.cluster.io';
const DEFINITIONS = 'customresourcedefinitions.apiextensions.cluster.io';
const MANAGED = ownName('kube-aggregator.cluster.io/automanaged');
const ON_START = 'onstart';
const ALWAYS = 'true';

export interface ApiServicesOptions {
  readonly runtimeConfig: string;
  readonly featureGates: FeatureGates;
  readonly timers: Timers;
  readonly logError: (text: string) => void;
}

/** The APIServices of a definition: one for each version that it serves. */
type Defined = ReadonlyMap<string, APIServiceSpec>;

export class ApiServices {
  readonly #ports: Ports;
  readonly #builtIn: ReadonlyMap<string, APIServiceSpec>;
  readonly #definitions: Informer<Defined>;
  /** By their labels: whether they are kept. */
  readonly #services: Informer<string>;
  readonly #queue: WorkQueue;
  /** Those that were looked at since the start. */
  readonly #looked = new Set<string>();
  /** Those that there were at the start. */
  #found: ReadonlySet<string> = new Set();
  #objectsMade = 0;

  /** Ports: `control`, and those of the shards of APIServices and definitions. */
  constructor(ports: Ports, options: ApiServicesOptions) {
    this.#ports = ports;
    this.#builtIn = builtInServices(options);
    this.#definitions = new Informer({
      resource: DEFINITIONS,
      port: portOf(ports, DEFINITIONS),
      keep: definedServices,
      onChange: (_at, now, before) => {
        for (const name of [...(before?.keys() ?? []), ...(now?.keys() ?? [])]) {
          this.#queue.add(name);
        }
      },
    });
    this.#services = new Informer({
      resource: API_SERVICES,
      port: portOf(ports, API_SERVICES),
      keep: ({ metadata }) => metadata.labels?.[MANAGED] ?? '',
      onChange: ({ name }, now, before) => {
        if (now === ALWAYS || before === ALWAYS || now === ON_START) this.#queue.add(name);
      },
    });
    this.#queue = new WorkQueue({
      name: 'autoregister',
      work: (name) => this.#keep(name),
      timers: options.timers,
      logError: options.logError,
    });
  }

  /** Works until it is told to stop; counts as started once all was looked at. */
  async run(): Promise<void> {
    const found = new Set<string>();
    this.#found = found;
    await this.#definitions.start();
    await this.#services.start();
    for (const name of this.#services.names()) found.add(name);
    for (const name of this.#builtIn.keys()) this.#queue.add(name);
    await this.#queue.whenIdle();
    await runController(this.#ports, {
      begin: () => undefined,
      stop: () => this.#queue.stop(),
      objectsMade: this.#objectsMade,
    });
    this.#definitions.close();
    this.#services.close();
  }

  async #keep(name: string): Promise<void> {
    const custom = this.#definedAs(name);
    const wanted = custom ?? this.#builtIn.get(name);
    const isOnStart = custom === undefined && wanted !== undefined;
    const wasLooked = this.#looked.has(name);
    if (isOnStart && wasLooked) return;
    const { client } = this.#services;
    const at = { namespace: '', name };
    const isKnown = this.#services.get(at) !== undefined;
    const stored = isKnown ? await client.get<APIService & ApiObject>(at) : undefined;
    if (stored === undefined) {
      if (wanted !== undefined) await this.#make(name, wanted, isOnStart ? ON_START : ALWAYS);
    } else if (this.#isOurs(name, stored, wasLooked)) {
      if (wanted === undefined) await client.deleteExactly(at, stored.metadata.uid ?? '');
      else if (!deepEqual(wanted, stored.spec))
        await client.update(at, { ...stored, spec: wanted });
    }
    this.#looked.add(name);
  }

  async #make(name: string, spec: APIServiceSpec, label: string): Promise<void> {
    const metadata = { name, labels: { [MANAGED]: label } };
    try {
      await this.#services.client.create({ namespace: '', name }, { metadata, spec });
      this.#objectsMade++;
    } catch (error) {
      // Made in the meantime: the change that tells of it has it looked at again.
      if (!isRefusal(error, 409)) throw error;
    }
  }

  /** An object that is kept from a start on is only touched at the next one. */
  #isOurs(name: string, { metadata }: ApiObject, wasLooked: boolean): boolean {
    const label = metadata.labels?.[MANAGED];
    return label === ALWAYS || (label === ON_START && !wasLooked && this.#found.has(name));
  }

  #definedAs(name: string): APIServiceSpec | undefined {
    for (const defined of this.#definitions.values()) {
      const spec = defined.get(name);
      if (spec !== undefined) return spec;
    }
    return undefined;
  }
}

function nameOf(group: string, version: string): string {
  return `${version}.${group}`;
}

function builtInServices({
  runtimeConfig,
  featureGates,
}: ApiServicesOptions): ReadonlyMap<string, APIServiceSpec> {
  const { types, virtualKinds } = enabledApi({ runtimeConfig, featureGates });
  return new Map(
    [...types, ...virtualKinds].flatMap(({ group, version }) => {
      const priorities = prioritiesOf(group, version);
      if (priorities === undefined) return [];
      const spec = { ...(group !== '' && { group }), version, ...priorities };
      return [[nameOf(group, version), spec] as const];
    }),
  );
}

function definedServices(object: ApiObject): Defined {
  const { group = '', versions = [] } = (object as CustomResourceDefinition).spec ?? {};
  return new Map(
    versions
      .filter(({ served }) => served)
      .map(({ name: version = '' }) => {
        return [nameOf(group, version), { group, version, ...CUSTOM_PRIORITIES }] as const;
      }),
  );
}
