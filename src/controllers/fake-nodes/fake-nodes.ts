/**
 * Nodes without machines: what is bound to them runs, as far as the API shows it
 * (../README.md#fake-nodes).
 */
import type { Node, Pod } from '#messages/core.v1';
import { SERVER_TIMERS } from '../../base/time/server-clock.ts';
import { SYSTEM_TIMERS } from '../../base/time/timers.ts';
import { utcMicros } from '../../base/time/utc-time.ts';
import { CONTROLLER_WAIT_MS_MAX, FAKE_LEASE_SECONDS, FAKE_LEASE_TURNS } from '../../limits.ts';
import type { FeatureGates } from '../../release/feature-gates.ts';
import { ShardObjects } from '../../replicas/shard-objects.ts';
import { ownNamespace } from '../../semantics/dialect/own-names.ts';
import { isRefusal } from '../../semantics/errors/status.ts';
import { Informer, keyOf, nameOf } from '../informer.ts';
import { portOf, runController, type Ports } from '../run-controller.ts';
import { WorkQueue } from '../work-queue.ts';
import { fakeNode, hostAddress, nodeName, nodeNumber, withoutTaint } from './node-object.ts';
import { endedStatus, endMsOf, isFinal, runningStatus } from './pod-status.ts';

const LEASES = 'leases.coordination.cluster.io';
const WRITER = { manager: 'kubelet' };

export interface FakeNodesOptions {
  readonly count: number;
  readonly featureGates: FeatureGates;
  readonly nowMs: () => number;
  readonly logError: (text: string) => void;
}

/** What is kept of a pod that is on a fake node. */
interface OnNode {
  readonly address: string | undefined;
}

/** Works until it is told to stop. Ports: `control`, and those of nodes, pods and leases. */
export async function runFakeNodes(ports: Ports, options: FakeNodesOptions): Promise<void> {
  await new FakeNodes(ports, options).run();
}

class FakeNodes {
  readonly #ports: Ports;
  readonly #options: FakeNodesOptions;
  readonly #nodes: ShardObjects;
  readonly #leases: ShardObjects;
  readonly #pods: Informer<OnNode | undefined>;
  readonly #queue: WorkQueue;
  readonly #addresses = new Set<string>();
  #nextAddress = 1;
  #turn = 0;

  constructor(ports: Ports, options: FakeNodesOptions) {
    const { logError } = options;
    this.#ports = ports;
    this.#options = options;
    this.#nodes = new ShardObjects('nodes', portOf(ports, 'nodes'), WRITER);
    this.#leases = new ShardObjects(LEASES, portOf(ports, LEASES), WRITER);
    this.#pods = new Informer<OnNode | undefined>({
      resource: 'pods',
      port: portOf(ports, 'pods'),
      writer: WRITER,
      keep: (pod) => this.#kept(pod),
      onChange: (at, now, before) => {
        if (before?.address !== undefined) this.#addresses.delete(before.address);
        if (now?.address !== undefined) this.#addresses.add(now.address);
        if (now !== undefined) this.#queue.add(keyOf(at));
      },
    });
    const work = (key: string): Promise<void> => this.#look(key);
    this.#queue = new WorkQueue({ name: 'fake-nodes', work, timers: SYSTEM_TIMERS, logError });
  }

  async run(): Promise<void> {
    await this.#makeNodes();
    await this.#pods.start();
    const roundMs = (FAKE_LEASE_SECONDS * 1_000) / 4;
    let lastMs = this.#options.nowMs();
    const stopLeases = SERVER_TIMERS.every(roundMs / FAKE_LEASE_TURNS, () => {
      const nowMs = this.#options.nowMs();
      // Where the clock was moved, all of them are due.
      const turns = nowMs - lastMs < roundMs ? 1 : FAKE_LEASE_TURNS;
      lastMs = nowMs;
      void this.#renewNext(turns);
    });
    await runController(this.#ports, {
      begin: () => undefined,
      stop: async () => {
        stopLeases();
        await this.#queue.stop();
      },
    });
    for (const client of [this.#nodes, this.#leases, this.#pods]) client.close();
  }

  async #makeNodes(): Promise<void> {
    const { count, nowMs } = this.#options;
    for (let number = 0; number < count; number++) {
      const at = { namespace: '', name: nodeName(number) };
      if ((await this.#nodes.get(at)) === undefined) {
        await this.#nodes.create(at, fakeNode(number, nowMs()));
      }
      const made = await this.#nodes.get<Node>(at);
      const untainted = made && withoutTaint(made);
      if (untainted !== undefined) await this.#nodes.update(at, untainted);
    }
    for (let turn = 0; turn < FAKE_LEASE_TURNS; turn++) await this.#renew(turn);
  }

  async #renewNext(turns: number): Promise<void> {
    for (let left = turns; left > 0; left--) {
      this.#turn = (this.#turn + 1) % FAKE_LEASE_TURNS;
      await this.#renew(this.#turn);
    }
  }

  /** Renews the leases of those nodes whose turn it is. */
  async #renew(turn: number): Promise<void> {
    const { count, logError } = this.#options;
    try {
      for (let number = turn; number < count; number += FAKE_LEASE_TURNS) {
        await this.#renewOne(nodeName(number));
      }
    } catch (error) {
      logError(`leases of nodes: ${(error as Error).message}`);
    }
  }

  async #renewOne(name: string): Promise<void> {
    const node = await this.#nodes.get({ namespace: '', name });
    // Somebody has deleted it: it stays away until the next start.
    if (node === undefined) return;
    const at = { namespace: ownNamespace('cluster-node-lease'), name };
    const spec = {
      holderIdentity: name,
      leaseDurationSeconds: FAKE_LEASE_SECONDS,
      renewTime: utcMicros(this.#options.nowMs()),
    };
    const held = await this.#leases.get(at);
    if (held !== undefined) return this.#leases.merge(at, { spec });
    const owner = { apiVersion: 'v1', kind: 'Node', name, uid: node.metadata.uid };
    const lease = { metadata: { ...at, ownerReferences: [owner] }, spec };
    try {
      await this.#leases.create(at, lease);
    } catch (error) {
      // The namespace is made while the server starts: the next turn finds it.
      if (!isRefusal(error, 404)) throw error;
    }
  }

  #kept(pod: Pod): OnNode | undefined {
    if (this.#numberOf(pod) === undefined) return undefined;
    return { address: pod.spec?.hostNetwork === true ? undefined : pod.status?.podIP };
  }

  #numberOf({ spec }: Pod): number | undefined {
    const number = nodeNumber(spec?.nodeName ?? '');
    return number !== undefined && number < this.#options.count ? number : undefined;
  }

  async #look(key: string): Promise<void> {
    const at = nameOf(key);
    const pod = await this.#pods.client.get<Pod>(at);
    const number = pod && this.#numberOf(pod);
    if (pod === undefined || number === undefined) return;
    const { deletionTimestamp, uid = '' } = pod.metadata ?? {};
    if (deletionTimestamp !== undefined) {
      await this.#pods.client.deleteExactly(at, uid, 0);
      return;
    }
    if (isFinal(pod)) return;
    const nowMs = this.#options.nowMs();
    if (pod.status?.startTime === undefined) {
      const hostIP = hostAddress(number);
      const isOfHost = pod.spec?.hostNetwork === true;
      const podIP = isOfHost ? hostIP : this.#newAddress();
      const { featureGates } = this.#options;
      const status = runningStatus(pod, { hostIP, podIP, nowMs, featureGates });
      await this.#pods.client.update(at, { ...pod, status }, 'status');
      return;
    }
    const endMs = endMsOf(pod);
    if (endMs === undefined) return;
    if (endMs > nowMs) {
      this.#queue.addAfter(key, Math.min(endMs - nowMs, CONTROLLER_WAIT_MS_MAX), SERVER_TIMERS);
      return;
    }
    await this.#pods.client.update(at, { ...pod, status: endedStatus(pod, nowMs) }, 'status');
  }

  /** One in 10.128.0.0/9 that no pod has. */
  #newAddress(): string {
    for (;;) {
      const number = this.#nextAddress;
      this.#nextAddress = (this.#nextAddress + 1) % 2 ** 23 || 1;
      const bytes = [128 + (number >> 16), (number >> 8) & 255, number & 255];
      const address = `10.${bytes.join('.')}`;
      if (!this.#addresses.has(address)) return address;
    }
  }
}
