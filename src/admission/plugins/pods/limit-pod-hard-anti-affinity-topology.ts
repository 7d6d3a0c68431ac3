/** LimitPodHardAntiAffinityTopology: pods may keep others off their node, not off whole zones. */
import type { Pod } from '#messages/core.v1';
import { ownName } from '../../../semantics/dialect/own-names.ts';
import { forbidden } from '../../../semantics/errors/status.ts';
import type { AdmissionPlugin } from '../../plugin.ts';
import type { Proposal } from '../../proposal.ts';

const HOST = ownName('cluster.io/hostname');

export const LIMIT_POD_HARD_ANTI_AFFINITY_TOPOLOGY: AdmissionPlugin = {
  /** Throws StatusError 403. */
  validate({ object, groupResource }: Proposal): void {
    const { metadata, spec = {} } = object as Pod;
    const { requiredDuringSchedulingIgnoredDuringExecution: terms = [] } =
      spec.affinity?.podAntiAffinity ?? {};
    const term = terms.find(({ topologyKey }) => topologyKey !== HOST);
    if (term === undefined) return;
    const why =
      'affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ' +
      `${term.topologyKey ?? ''} but only key ${HOST} is allowed`;
    throw forbidden(groupResource, metadata.name ?? '', why);
  },
};
