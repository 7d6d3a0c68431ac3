/**
 * Creates that the front proposes itself while their shard has much to do: the shard gets their
 * records, and is left with what it alone knows (src/proposals/README.md#elsewhere).
 */
import type { Callback, Link } from '../actors/link.ts';
import { TURN_END } from '../base/turns/turn-end.ts';
import type { ProposedObject, Proposer } from '../proposals/proposer.ts';
import type {
  ObjectReply,
  ProposedRequest,
  ShardCalls,
  ShardEvents,
  WriteRequest,
} from '../protocol/shard-protocol.ts';
import { ASK_WITH_BODY } from '../protocol/shard-protocol.ts';
import { StatusError } from '../semantics/errors/status.ts';
import { PROPOSED_BODY_BYTES_MAX, PROPOSED_IN_TURN_MAX, SHARD_REQUESTS_MIN } from './limits.ts';

export interface ProposedCreatesOptions {
  readonly link: Pick<Link<ShardCalls, ShardEvents>, 'ask' | 'flush' | 'pendingCount'>;
  /** Called once, when the first create may be proposed here. */
  readonly load: () => Promise<Proposer>;
  readonly onProposed: () => void;
  readonly logError: (text: string) => void;
}

/** The creates of one built-in type. */
export class ProposedCreates {
  readonly #options: ProposedCreatesOptions;
  #proposer: Proposer | undefined;
  #isLoading = false;
  #inTurn = 0;
  /** Drafts that the shard has not answered: they give it little to do. */
  #pending = 0;

  constructor(options: ProposedCreatesOptions) {
    this.#options = options;
  }

  /**
   * Takes a create: asks the shard with its record, or answers with what it is refused for. False
   * for one with which the shard is to be asked as it is. Throws MailboxFullError.
   */
  take(request: WriteRequest, sent: Uint8Array, onReply: Callback<ObjectReply>): boolean {
    const others = this.#options.link.pendingCount - this.#pending;
    if (others < SHARD_REQUESTS_MIN || !isSimple(request, sent)) return false;
    const proposer = this.#loaded();
    if (proposer?.mayPropose(request) !== true || !this.#hasRoom()) return false;
    this.#options.onProposed();
    // The library's bytes are gone after this turn, and they may be asked with once more.
    const body = new Uint8Array(sent);
    proposer.propose(request, body, (error, proposed) => {
      if (proposed === undefined) refuse(onReply, error as Error);
      else this.#ask(request, body, proposed, onReply);
    });
    return true;
  }

  #loaded(): Proposer | undefined {
    if (!this.#isLoading) {
      this.#isLoading = true;
      const { load, logError } = this.#options;
      load().then(
        (proposer) => (this.#proposer = proposer),
        (error: Error) => logError(`creates are proposed by their shard: ${error.message}`),
      );
    }
    return this.#proposer;
  }

  /** All other requests wait for proposals: so many are made in one turn. */
  #hasRoom(): boolean {
    if (this.#inTurn === 0) {
      // The shard goes on meanwhile.
      this.#options.link.flush();
      TURN_END.add(() => (this.#inTurn = 0));
    }
    return this.#inTurn++ < PROPOSED_IN_TURN_MAX;
  }

  #ask(
    asked: WriteRequest,
    body: Uint8Array,
    { draft: { record, ...draft }, saidWith, settle }: ProposedObject,
    onReply: Callback<ObjectReply>,
  ): void {
    const { link } = this.#options;
    const { namespace, name, version, form, sentMs } = asked;
    const request: ProposedRequest = {
      namespace,
      name,
      ...(version !== undefined && { version }),
      ...(form !== undefined && { form }),
      ...(sentMs !== undefined && { sentMs }),
      ...draft,
    };
    const refused = (error: unknown): void => {
      settle(false);
      refuse(onReply, error as Error);
    };
    orElse(refused, () => {
      link.ask('createProposed', request, record, (error, reply, ...document) => {
        this.#pending--;
        const isMade = error === undefined && reply.code !== ASK_WITH_BODY;
        settle(isMade);
        if (error instanceof StatusError) error.said = saidWith(error.said);
        if (isMade) onReply(undefined, saidWith(reply), ...document);
        else if (error !== undefined) onReply(error, reply, ...document);
        else orElse(refused, () => link.ask('create', asked, body, onReply));
      });
      this.#pending++;
    });
  }
}

/** Asks, unless the mailbox of the shard is full. */
function orElse(refused: (error: unknown) => void, ask: () => void): void {
  try {
    ask();
  } catch (error) {
    refused(error);
  }
}

/** Whether it is to be decoded at once, from a body that takes little time. */
function isSimple({ dryRun, format, subresource }: WriteRequest, { length }: Uint8Array): boolean {
  return !dryRun && format !== 'yaml' && subresource === '' && length <= PROPOSED_BODY_BYTES_MAX;
}

const NO_BODY = new Uint8Array(0);

function refuse(onReply: Callback<ObjectReply>, error: Error): void {
  onReply(error, { code: 0 }, NO_BODY, false);
}
