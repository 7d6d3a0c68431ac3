/** PodTopologyLabels: a pod that gets a node gets the labels that say where that node is. */
import type { Binding, Node, Pod } from '#messages/core.v1';
import { ownName } from '../../../semantics/dialect/own-names.ts';
import type { AdmissionContext, AdmissionPlugin } from '../../plugin.ts';
import type { Proposal } from '../../proposal.ts';

const LABELS = [
  ownName('topology.cluster.io/zone'),
  ownName('topology.cluster.io/region'),
] as const;

type Context = Pick<AdmissionContext, 'objects'>;

export class PodTopologyLabels implements AdmissionPlugin {
  readonly #objects: Context['objects'];

  constructor({ objects }: Context) {
    this.#objects = objects;
  }

  admit({ object, subresource }: Proposal): Promise<void> | undefined {
    if (object === undefined) return undefined;
    const node = subresource === 'binding' ? boundTo(object as Binding) : nodeOf(object as Pod);
    return node === '' ? undefined : this.#label(object, node);
  }

  /** A node that there is not has no labels. */
  async #label({ metadata }: { readonly metadata: Pod['metadata'] }, name: string): Promise<void> {
    const node = await this.#objects('nodes').get<Node>({ namespace: '', name });
    for (const label of LABELS) {
      const value = node?.metadata.labels?.[label];
      if (value !== undefined) metadata.labels = { ...metadata.labels, [label]: value };
    }
  }
}

/** Pods are bound to nodes, unless the binding says otherwise. */
function boundTo({ target: { kind = '', name = '' } = {} }: Binding): string {
  return kind === 'Node' ? name : '';
}

function nodeOf({ spec: { nodeName = '' } = {} }: Pod): string {
  return nodeName;
}
