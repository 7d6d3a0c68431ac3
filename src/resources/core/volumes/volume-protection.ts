/** Finalizers that keep volumes and claims until nobody uses them (README.md#volumes). */
import { ownName } from '../../../semantics/dialect/own-names.ts';

export const VOLUME_FINALIZER = ownName('cluster.io/pv-protection');
export const CLAIM_FINALIZER = ownName('cluster.io/pvc-protection');
