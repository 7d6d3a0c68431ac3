/**
 * DefaultTolerationSeconds: a pod stays for five minutes on a node that is not ready or cannot be
 * reached, unless it says something else of these taints.
 */
import type { Pod } from '../../resources/core/pod-types.ts';
import { ownName } from '../../semantics/dialect/own-names.ts';
import type { AdmissionPlugin } from '../plugin.ts';

const KEYS = ['node.cluster.io/not-ready', 'node.cluster.io/unreachable'].map(ownName);
const EFFECT = 'NoExecute';
const SECONDS = 300;

export const DEFAULT_TOLERATION_SECONDS: AdmissionPlugin = {
  admit({ object }) {
    const spec = ((object as Pod).spec ??= {});
    const tolerations = (spec.tolerations ??= []);
    const isTolerated = (taint: string): boolean =>
      tolerations.some(
        ({ key = '', effect = '' }) =>
          (key === taint || key === '') && (effect === EFFECT || effect === ''),
      );
    const missing = KEYS.filter((key) => !isTolerated(key));
    for (const key of missing) {
      tolerations.push({ key, operator: 'Exists', effect: EFFECT, tolerationSeconds: SECONDS });
    }
  },
};
