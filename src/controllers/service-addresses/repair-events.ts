/** Events that tell what the repair of addresses has found, in the reference's words. */
import { hostname } from 'node:os';
import type { IPAddress, ParentReference } from '#messages/networking.v1';
import type { Port } from '../../actors/port.ts';
import { utcMicros } from '../../base/time/utc-time.ts';
import { THREAD_SERIES } from '../../observability/metrics/thread-metrics.ts';
import { ShardObjects } from '../../replicas/shard-objects.ts';
import type { ApiObject } from '../../resources/kind.ts';
import { ownGroupVersion } from '../../semantics/dialect/own-names.ts';
import { parseIp } from '../../semantics/validation/ip-address.ts';

export const EVENTS = 'events';
const CONTROLLER = 'ipallocator-repair-controller';
const PORT_CONTROLLER = 'portallocator-repair-controller';
const SERVICE = { kind: 'Service', apiVersion: 'v1' } as const;
const REASONS = {
  outOfRange: 'ClusterIPOutOfRange',
  notHeld: 'ClusterIPNotAllocated',
  wrongHolder: 'ClusterIPNotAllocated',
  ofTwo: 'ClusterIPAlreadyAllocated',
} as const;

/** The problems that a node port of a service may have, as they are counted. */
export type PortProblem = 'outOfRange' | 'duplicate';

/** The problems that a cluster IP of a service may have. */
export type ServiceProblem = keyof typeof REASONS;

export class RepairEvents {
  readonly #events: ShardObjects;
  readonly #nowMs: () => number;

  constructor(port: Port, nowMs: () => number) {
    this.#events = new ShardObjects(EVENTS, port);
    this.#nowMs = nowMs;
    // Shown from the start on: checking ports cannot fail here.
    THREAD_SERIES.cell('apiserver_nodeport_repair_reconcile_errors_total', {});
  }

  tellService(problem: ServiceProblem, address: string, service: ApiObject): void {
    const { namespace = '', name = '' } = service.metadata;
    const family = parseIp(address)?.family ?? '';
    const texts: Readonly<Record<ServiceProblem, string>> = {
      outOfRange:
        `Cluster IP [${family}]: ${address} is not within any configured Service CIDR; ` +
        'please recreate service',
      notHeld: `Cluster IP [${family}]: ${address} is not allocated; repairing`,
      wrongHolder:
        `the ClusterIP [${family}]: ${address} for Service ${namespace}/${name} ` +
        'has a wrong reference; repairing',
      ofTwo:
        `Cluster IP [${family}]:${address} was assigned to multiple services; ` +
        'please recreate service',
    };
    this.#tell(service, SERVICE, {
      reason: REASONS[problem],
      action: 'ClusterIPAllocation',
      message: texts[problem],
    });
  }

  /** Counts it, too. */
  tellPort(problem: PortProblem, port: number, range: string, service: ApiObject): void {
    THREAD_SERIES.cell('apiserver_nodeport_repair_port_errors_total', { type: problem }).add();
    const isOutside = problem === 'outOfRange';
    const what = isOutside
      ? `is not within the port range ${range}`
      : 'was assigned to multiple services';
    const told = {
      reason: isOutside ? 'PortOutOfRange' : 'PortAlreadyAllocated',
      action: 'PortAllocation',
      message: `Port ${port} ${what}; please recreate service`,
    };
    this.#tell(service, SERVICE, told, PORT_CONTROLLER);
  }

  /** It is removed: nobody may have it, as what it refers to is no service, or has another one. */
  tellAddress(address: IPAddress, isOfService: boolean, hasService: boolean): void {
    const { name = '' } = address.metadata;
    const parent = address.spec?.parentRef ?? {};
    const of = `IPAddress: ${name} for Service ${parent.namespace ?? ''}/${parent.name ?? ''}`;
    const leaked = isOfService
      ? `${of} appears to have leaked: cleaning up`
      : `IPAddress ${name} appears to have been modified, not referencing a Service ` +
        `${printedParent(parent)}: cleaning up`;
    const regarding = {
      kind: 'IPAddress',
      apiVersion: ownGroupVersion('networking.cluster.io/v1'),
    };
    const isWrong = isOfService && hasService;
    this.#tell(address, regarding, {
      reason: isWrong ? 'IPAddressWrongReference' : 'IPAddressNotAllocated',
      action: 'IPAddressAllocation',
      message: isWrong ? `${of} has a wrong reference; cleaning up` : leaked,
    });
  }

  close(): void {
    this.#events.close();
  }

  /** One that cannot be written is lost: what it tells of is mended all the same. */
  #tell(
    { metadata }: ApiObject,
    kind: { readonly kind: string; readonly apiVersion: string },
    told: { readonly reason: string; readonly action: string; readonly message: string },
    controller = CONTROLLER,
  ): void {
    const nowMs = this.#nowMs();
    const { namespace = '', name = '', uid, resourceVersion } = metadata;
    const at = {
      namespace: namespace === '' ? 'default' : namespace,
      name: `${name}.${Math.floor(nowMs * 1e6).toString(16)}`,
    };
    const event = {
      metadata: at,
      involvedObject: {
        ...kind,
        ...(namespace !== '' && { namespace }),
        name,
        ...(uid !== undefined && { uid }),
        ...(resourceVersion !== undefined && { resourceVersion }),
      },
      ...told,
      type: 'Warning',
      eventTime: utcMicros(nowMs),
      reportingComponent: controller,
      reportingInstance: `${controller}-${hostname()}`,
    };
    this.#events.create(at, event).catch(() => undefined);
  }
}

/** As the reference prints it. */
function printedParent(parent: ParentReference): string {
  const { group = '', resource = '', namespace = '', name = '' } = parent;
  const members = `Group:${group},Resource:${resource},Namespace:${namespace},Name:${name},`;
  return `&ParentReference{${members}}`;
}
