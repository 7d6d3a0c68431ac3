/** Makes the errors with which plugins refuse. */
import { forbidden } from '../semantics/errors/status.ts';
import type { StatusError } from '../semantics/errors/status.ts';
import type { Proposal } from './proposal.ts';

/** The refusal of a proposal, with what clients are told why. */
export function refused(proposal: Proposal, why: string): StatusError {
  return forbidden(proposal.groupResource, proposal.shownName, why);
}
