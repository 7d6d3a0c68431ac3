/**
 * A graph of the objects that belong to nodes: the edges alone, kept in step with pods, volumes and
 * attachments (README.md#what-a-node-is-let-see).
 */
import type { PersistentVolumeSpec, PodSpec } from '#messages/core.v1';
import type { ApiObject } from '../../resources/kind.ts';
import { indexKey } from '../../replicas/follow-type.ts';
import type { TypeIndex } from '../../replicas/follow-type.ts';
import { growthOf, podReferences, reference, volumeSecrets } from './object-references.ts';
import type { ReferredType } from './object-references.ts';

interface Pod {
  readonly uid: string;
  /** Differs where the pod has come to refer to more. */
  readonly growth: string;
  readonly node: string;
  readonly references: readonly string[];
}

interface NamesNode extends ApiObject {
  readonly spec?: { readonly nodeName?: string };
  /** Where slices of the first release have it. */
  readonly nodeName?: string;
}

interface Volume {
  /** Its claim, as a reference. */
  readonly claim: string;
  readonly secrets: readonly string[];
}

/** The nodes that objects name themselves. */
class NodeNames implements TypeIndex {
  readonly #nodes = new Map<string, string>();

  put(object: ApiObject): void {
    const { spec, nodeName: older } = object as NamesNode;
    const node = spec?.nodeName ?? older;
    if (node) this.#nodes.set(indexKey(object), node);
    else this.remove(object);
  }

  remove(object: ApiObject): void {
    this.#nodes.delete(indexKey(object));
  }

  isOf(node: string, namespace: string, name: string): boolean {
    return this.#nodes.get(`${namespace}/${name}`) === node;
  }
}

export class NodeGraph {
  readonly #pods = new Map<string, Pod>();
  /** The number of pods of each node that refer to an object, by its reference. */
  readonly #referrers = new Map<string, Map<string, number>>();
  readonly #volumes = new Map<string, Volume>();
  /** The names of volumes that need a secret, by its reference. */
  readonly #volumesOf = new Map<string, Set<string>>();
  readonly #attachments = new NodeNames();
  readonly #slices = new NodeNames();
  readonly #certificateRequests = new NodeNames();

  readonly pods: TypeIndex = {
    put: (pod) => this.#putPod(pod),
    remove: (pod) => this.#removePod(indexKey(pod)),
  };

  readonly volumes: TypeIndex = {
    put: (volume) => this.#putVolume(volume),
    remove: (volume) => this.#removeVolume(volume.metadata.name ?? ''),
  };

  readonly attachments: TypeIndex = this.#attachments;
  readonly slices: TypeIndex = this.#slices;
  readonly certificateRequests: TypeIndex = this.#certificateRequests;

  /** Whether a pod of the node, or a volume that one has, refers to the object. */
  refers(node: string, type: ReferredType, namespace: string, name: string): boolean {
    const what = reference(type, namespace, name);
    if (this.#hasPodWith(node, what)) return true;
    for (const volume of this.#volumesOf.get(what) ?? []) {
      if (this.hasVolume(node, volume)) return true;
    }
    return false;
  }

  /** Whether a pod of the node has the claim to which the volume is bound. */
  hasVolume(node: string, volume: string): boolean {
    const claim = this.#volumes.get(volume)?.claim;
    return claim !== undefined && this.#hasPodWith(node, claim);
  }

  /** Whether something is to be attached to the node by it. */
  isAttached(node: string, attachment: string): boolean {
    return this.#attachments.isOf(node, '', attachment);
  }

  /** Whether the devices of the slice are the node's. */
  hasSlice(node: string, slice: string): boolean {
    return this.#slices.isOf(node, '', slice);
  }

  /** Whether the agent of the node has asked for a certificate by it. */
  hasCertificateRequest(node: string, namespace: string, name: string): boolean {
    return this.#certificateRequests.isOf(node, namespace, name);
  }

  /** Whether the pod is on the node. */
  hasPod(node: string, namespace: string, name: string): boolean {
    return this.#pods.get(`${namespace}/${name}`)?.node === node;
  }

  #hasPodWith(node: string, what: string): boolean {
    return this.#referrers.get(what)?.has(node) === true;
  }

  #putPod(pod: ApiObject): void {
    const key = indexKey(pod);
    const { uid = '' } = pod.metadata;
    const { nodeName: node = '' } = (pod as { readonly spec?: PodSpec }).spec ?? {};
    const known = this.#pods.get(key);
    const growth = growthOf(pod);
    // Else the references of a pod do not change once it has a node.
    if (known?.uid === uid && known.node === node && known.growth === growth) return;
    this.#removePod(key);
    if (node === '') return;
    const references = podReferences(pod);
    this.#pods.set(key, { uid, node, growth, references });
    for (const what of references) {
      let counts = this.#referrers.get(what);
      if (counts === undefined) this.#referrers.set(what, (counts = new Map()));
      counts.set(node, (counts.get(node) ?? 0) + 1);
    }
  }

  #removePod(key: string): void {
    const pod = this.#pods.get(key);
    if (pod === undefined) return;
    this.#pods.delete(key);
    for (const what of pod.references) {
      const counts = this.#referrers.get(what);
      const count = counts?.get(pod.node) ?? 0;
      if (count > 1) counts?.set(pod.node, count - 1);
      else counts?.delete(pod.node);
      if (counts?.size === 0) this.#referrers.delete(what);
    }
  }

  #putVolume(volume: ApiObject): void {
    const { name = '' } = volume.metadata;
    this.#removeVolume(name);
    const { spec = {} } = volume as { readonly spec?: PersistentVolumeSpec };
    if (spec.claimRef === undefined) return;
    const { namespace = '', name: claimName = '' } = spec.claimRef;
    const secrets = volumeSecrets(spec);
    const claim = reference('persistentvolumeclaims', namespace, claimName);
    this.#volumes.set(name, { claim, secrets });
    for (const secret of secrets) {
      const names = this.#volumesOf.get(secret);
      if (names === undefined) this.#volumesOf.set(secret, new Set([name]));
      else names.add(name);
    }
  }

  #removeVolume(name: string): void {
    const volume = this.#volumes.get(name);
    if (volume === undefined) return;
    this.#volumes.delete(name);
    for (const secret of volume.secrets) {
      const names = this.#volumesOf.get(secret);
      names?.delete(name);
      if (names?.size === 0) this.#volumesOf.delete(secret);
    }
  }
}
