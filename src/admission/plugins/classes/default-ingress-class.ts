/** DefaultIngressClass: an ingress that names no class gets the one marked as the default. */
import type { Ingress } from '#messages/networking.v1';
import { CLASS_ANNOTATION } from '../../../resources/networking/ingress.ts';
import type { FollowedType } from '../../../replicas/follow-type.ts';
import { ownName } from '../../../semantics/dialect/own-names.ts';
import type { AdmissionContext, AdmissionPlugin } from '../../plugin.ts';
import type { Proposal } from '../../proposal.ts';
import { refused } from '../../refused.ts';
import { DefaultClasses } from './default-classes.ts';

const MARKS = [ownName('ingressclass.cluster.io/is-default-class')];

export class DefaultIngressClass implements AdmissionPlugin {
  readonly knows: readonly FollowedType[];
  readonly #classes: DefaultClasses;

  constructor({ follow }: Pick<AdmissionContext, 'follow'>) {
    this.#classes = new DefaultClasses(follow, 'ingressclasses.networking.cluster.io', MARKS);
    this.knows = [this.#classes.followed];
  }

  /** Throws StatusError 403 where several are marked. */
  admit(proposal: Proposal): void {
    const ingress = proposal.object as Ingress;
    const { annotations } = ingress.metadata;
    if (ingress.spec?.ingressClassName !== undefined) return;
    if (annotations?.[CLASS_ANNOTATION] !== undefined) return;
    const { count, only } = this.#classes;
    if (count > 1) {
      const why = `${count} default IngressClasses were found, only 1 allowed`;
      throw refused(proposal, `Internal error occurred: ${why}`);
    }
    if (only !== undefined) ingress.spec = { ...ingress.spec, ingressClassName: only };
  }
}
