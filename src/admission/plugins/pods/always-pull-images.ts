/**
 * AlwaysPullImages: every container pulls its image, so that one that is private to others is not
 * used because a node happens to have it.
 */
import type { Pod } from '#messages/core.v1';
import { forEachContainer } from '../../../resources/core/pods/containers/containers.ts';
import { notSupported } from '../../../semantics/errors/field-error.ts';
import { aggregateText } from '../../../semantics/errors/aggregate-text.ts';
import { serverFailure } from '../../../semantics/errors/status.ts';
import type { AdmissionPlugin } from '../../plugin.ts';
import type { Proposal } from '../../proposal.ts';
import { refused } from '../../refused.ts';

const ALWAYS = 'Always';

export const ALWAYS_PULL_IMAGES: AdmissionPlugin = {
  admit({ object, oldObject }: Proposal): void {
    const { spec = {} } = object as Pod;
    if (!hasNewImage(spec, oldObject)) return;
    forEachContainer(spec, 'spec', (container) => (container.imagePullPolicy = ALWAYS));
  },

  /** Throws StatusError 500, as the reference does, where somebody has changed it again. */
  validate(proposal: Proposal): void {
    const { spec = {} } = proposal.object as Pod;
    if (!hasNewImage(spec, proposal.oldObject)) return;
    const problems: string[] = [];
    forEachContainer(spec, 'spec', ({ imagePullPolicy = '' }, field) => {
      if (imagePullPolicy === ALWAYS) return;
      const at = `${field}.imagePullPolicy`;
      const { message } = notSupported(at, imagePullPolicy, [ALWAYS]);
      problems.push(refused(proposal, `${at}: ${message}`).message);
    });
    if (problems.length > 0) throw serverFailure(aggregateText(problems));
  },
};

function hasNewImage(spec: Pod['spec'] & object, oldObject: Proposal['oldObject']): boolean {
  if (oldObject === undefined) return true;
  const known = new Set<string>();
  const { spec: stored = {} } = oldObject as Pod;
  forEachContainer(stored, 'spec', ({ image = '' }) => known.add(image));
  let isNew = false;
  forEachContainer(spec, 'spec', ({ image = '' }) => (isNew ||= !known.has(image)));
  return isNew;
}
