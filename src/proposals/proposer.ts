/** Proposes new objects of a type in a thread that has no shard of it (README.md#elsewhere). */
import type { WriteRequest } from '../protocol/shard-protocol.ts';
import { internalError, StatusError, type Said } from '../semantics/errors/status.ts';
import { draftOfNew, interestInNew, isProposable, type Draft } from './draft.ts';
import type { ProposalContext } from './proposal-context.ts';
import { Proposed } from './proposed.ts';
import { runProposal } from './run-proposal.ts';

/** A new object that was admitted: its shard is asked next. */
export interface ProposedObject {
  readonly draft: Draft;
  /** Adds the warnings and annotations of its admission to the answer. */
  saidWith<T extends Said>(said: T): T;
  /** The object was made, or has come to nothing. */
  settle(isMade: boolean): void;
}

/** Called with what a proposal is refused for, or with what has become of it. */
type Done = (error: StatusError | undefined, proposed: ProposedObject | undefined) => void;

export class Proposer {
  readonly #context: ProposalContext;
  readonly #logError: (text: string) => void;

  constructor(context: ProposalContext, logError: (text: string) => void) {
    this.#context = context;
    this.#logError = logError;
  }

  /** Resolves when all who have a say can be asked. */
  async whenReady(): Promise<void> {
    await interestInNew(this.#context, undefined).ready();
  }

  /** Whether an object that is sent like that may be proposed here, as things are. */
  mayPropose({ version, namespace }: Pick<WriteRequest, 'version' | 'namespace'>): boolean {
    if (!isProposable(this.#context.kind)) return false;
    return interestInNew(this.#context, version).keepsNothingIn(namespace);
  }

  /** In one turn, unless somebody who has a say has to wait. */
  propose(request: WriteRequest, body: Uint8Array, done: Done): void {
    const write = new Proposed(this.#context);
    runProposal(draftOfNew(write, request, body), (error, draft) => {
      if (draft === undefined) {
        write.admission?.settle(false);
        done(this.#refusal(write, error as Error), undefined);
      } else {
        done(undefined, {
          draft,
          saidWith: (said) => write.saidWith(said),
          settle: (isMade) => write.admission?.settle(isMade),
        });
      }
    });
  }

  #refusal(write: Proposed, error: Error): StatusError {
    const refusal = error instanceof StatusError ? error : internalError(error.message);
    if (refusal !== error) this.#logError(error.stack ?? error.message);
    refusal.said = write.saidWith(refusal.said);
    return refusal;
  }
}
