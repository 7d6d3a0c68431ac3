/**
 * DefaultTolerationSeconds: a pod stays for some minutes on a node that is not ready or cannot be
 * reached, unless it says something else of these taints.
 */
import type { Pod, Toleration } from '#messages/core.v1';
import { ownName } from '../../../semantics/dialect/own-names.ts';
import type { AdmissionPlugin, PluginSettings } from '../../plugin.ts';
import type { Proposal } from '../../proposal.ts';

/** For how long, by the taint; an option says so for each. */
export type TolerationSeconds = Readonly<Record<'notReady' | 'unreachable', number>>;

const PRESET: TolerationSeconds = { notReady: 300, unreachable: 300 };
const EFFECT = 'NoExecute';

export class DefaultTolerationSeconds implements AdmissionPlugin {
  readonly #tolerations: readonly (Toleration & { readonly key: string })[];

  constructor(settings: PluginSettings = PRESET) {
    const { notReady, unreachable } = settings as TolerationSeconds;
    this.#tolerations = [
      toleration('node.cluster.io/not-ready', notReady),
      toleration('node.cluster.io/unreachable', unreachable),
    ];
  }

  admit({ object }: Proposal): void {
    const spec = ((object as Pod).spec ??= {});
    const { tolerations = [] } = spec;
    const isTolerated = (taint: string): boolean =>
      tolerations.some(
        ({ key = '', effect = '' }) =>
          (key === taint || key === '') && (effect === EFFECT || effect === ''),
      );
    const missing = this.#tolerations.filter(({ key }) => !isTolerated(key));
    if (missing.length === 0) return;
    spec.tolerations = [...tolerations, ...missing.map((one) => ({ ...one }))];
  }
}

function toleration(taint: string, tolerationSeconds: number) {
  return { key: ownName(taint), operator: 'Exists', effect: EFFECT, tolerationSeconds };
}
