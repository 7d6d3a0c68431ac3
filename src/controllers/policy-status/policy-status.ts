/**
 * Tells ValidatingAdmissionPolicies what is wrong with the types of their expressions
 * (src/controllers/README.md#types-in-policies).
 */
import type { ValidatingAdmissionPolicy } from '#messages/admissionregistration.v1';
import { SYSTEM_TIMERS } from '../../base/time/timers.ts';
import type { SchemaModel } from '../../codec/model/schema-model.ts';
import { ownGroupVersion } from '../../semantics/dialect/own-names.ts';
import { CheckedTypes } from '../../types/checked/checked-types.ts';
import { typeWarnings } from '../../types/checked/type-warnings.ts';
import { shownDefinition } from '../../types/custom/definition-facts.ts';
import { controllerAccount } from '../controller-account.ts';
import { Informer } from '../informer.ts';
import { portOf, runController, shardPorts, type Ports } from '../run-controller.ts';
import { WorkQueue } from '../work-queue.ts';

const POLICIES = 'validatingadmissionpolicies.admissionregistration.cluster.io';
const DEFINITIONS = 'customresourcedefinitions.apiextensions.cluster.io';
const API_VERSION = ownGroupVersion('admissionregistration.cluster.io/v1');
const NAME = 'validatingadmissionpolicy-status';
const ACCOUNT = controllerAccount(`${NAME}-controller`);

/** Works until it is told to stop. Where policies are not served there is nothing to do. */
export async function reportPolicies(
  ports: Ports,
  loadModel: () => SchemaModel,
  logError: (text: string) => void,
): Promise<void> {
  const isServed = shardPorts(ports).some(([resource]) => resource === POLICIES);
  if (isServed) await new PolicyStatus(ports, loadModel, logError).run();
  else await runController(ports, { begin: () => undefined, stop: () => undefined });
}

class PolicyStatus {
  readonly #ports: Ports;
  readonly #types: CheckedTypes;
  readonly #definitions: Informer<true>;
  readonly #policies: Informer<true>;
  readonly #queue: WorkQueue;

  constructor(ports: Ports, loadModel: () => SchemaModel, logError: (text: string) => void) {
    this.#ports = ports;
    this.#types = new CheckedTypes(loadModel);
    this.#definitions = new Informer({
      resource: DEFINITIONS,
      port: portOf(ports, DEFINITIONS),
      keep: (object) => {
        this.#types.put(object.metadata.name ?? '', shownDefinition(object));
        return true;
      },
      onChange: ({ name }, now) => {
        if (now === undefined) this.#types.put(name, undefined);
      },
    });
    this.#policies = new Informer({
      resource: POLICIES,
      port: portOf(ports, POLICIES),
      writer: { ...ACCOUNT, manager: NAME },
      keep: () => true,
      onChange: ({ name }, now) => {
        if (now === true) this.#queue.add(name);
      },
    });
    const work = (name: string): Promise<void> => this.#report(name);
    this.#queue = new WorkQueue({ name: NAME, work, timers: SYSTEM_TIMERS, logError });
  }

  async run(): Promise<void> {
    await this.#definitions.start();
    await this.#policies.start();
    await runController(this.#ports, { begin: () => undefined, stop: () => this.#queue.stop() });
    this.#policies.close();
    this.#definitions.close();
  }

  /** Once for each generation. */
  async #report(name: string): Promise<void> {
    const { client } = this.#policies;
    const stored = await client.get<ValidatingAdmissionPolicy>({ namespace: '', name });
    if (stored === undefined) return;
    const { metadata, spec = {}, status = {} } = stored;
    const { generation = 0, uid } = metadata;
    if (generation <= (status.observedGeneration ?? 0)) return;
    const expressionWarnings = typeWarnings(spec, this.#types);
    const reported = {
      apiVersion: API_VERSION,
      kind: 'ValidatingAdmissionPolicy',
      // One that is deleted meanwhile is not made anew.
      metadata: { name, uid },
      status: {
        observedGeneration: generation,
        typeChecking: expressionWarnings.length === 0 ? {} : { expressionWarnings },
      },
    };
    await client.apply({ namespace: '', name }, reported, { subresource: 'status' });
  }
}
