/** The finalizer that keeps groups of pods until no pod is of them (README.md#rules). */
import { ownGroup } from '../../semantics/dialect/own-names.ts';

export const GROUP_FINALIZER = `${ownGroup('scheduling.cluster.io')}/podgroup-protection`;
