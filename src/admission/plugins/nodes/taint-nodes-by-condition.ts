/** TaintNodesByCondition: a node is new, so nothing is to run on it before it says it is ready. */
import type { Node } from '#messages/core.v1';
import { ownName } from '../../../semantics/dialect/own-names.ts';
import type { AdmissionPlugin } from '../../plugin.ts';

const NOT_READY = { key: ownName('node.cluster.io/not-ready'), effect: 'NoSchedule' } as const;

export const TAINT_NODES_BY_CONDITION: AdmissionPlugin = {
  admit({ object }) {
    const spec = ((object as Node).spec ??= {});
    const taints = (spec.taints ??= []);
    const { key, effect } = NOT_READY;
    if (taints.some((taint) => taint.key === key && taint.effect === effect)) return;
    taints.push({ key, effect });
  },
};
