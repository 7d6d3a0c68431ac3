/** Failures of calls to etcd, by what the caller knows after them. */

/**
 * - `refused`: etcd has answered, and says no. Nothing was done.
 * - `unavailable`: nobody has answered, and certainly nothing was done.
 * - `unknown`: a write was sent, and nobody knows whether it was done, or will still be.
 */
export type EtcdErrorSort = 'refused' | 'unavailable' | 'unknown';

/** Why etcd says no. */
export type RefusedReason =
  | 'compacted'
  | 'futureRevision'
  | 'tooLarge'
  | 'tooManyOperations'
  | 'duplicateKey'
  | 'noSpace'
  | 'leaseNotFound'
  | 'leaseExists'
  | 'denied'
  | 'other';

export class EtcdError extends Error {
  override readonly name = 'EtcdError';
  readonly sort: EtcdErrorSort;
  /** Of what was refused. */
  readonly reason: RefusedReason | undefined;
  /** Of a watch that was `compacted`: where history begins. */
  readonly compactRevision: number | undefined;

  private constructor(
    sort: EtcdErrorSort,
    message: string,
    reason?: RefusedReason,
    compactRevision?: number,
  ) {
    super(message);
    this.sort = sort;
    this.reason = reason;
    this.compactRevision = compactRevision;
  }

  static refused(message: string): EtcdError {
    const text = bareText(message);
    return new EtcdError('refused', text, REASONS.get(text) ?? reasonOf(text));
  }

  static compacted(compactRevision: number): EtcdError {
    return new EtcdError('refused', COMPACTED, 'compacted', compactRevision);
  }

  static unavailable(message: string): EtcdError {
    return new EtcdError('unavailable', bareText(message));
  }

  static unknown(message: string): EtcdError {
    return new EtcdError('unknown', bareText(message));
  }
}

const COMPACTED = 'etcdserver: mvcc: required revision has been compacted';

const REASONS: ReadonlyMap<string, RefusedReason> = new Map([
  [COMPACTED, 'compacted'],
  ['etcdserver: mvcc: required revision is a future revision', 'futureRevision'],
  ['etcdserver: request is too large', 'tooLarge'],
  ['etcdserver: too many operations in txn request', 'tooManyOperations'],
  ['etcdserver: duplicate key given in txn request', 'duplicateKey'],
  ['etcdserver: mvcc: database space exceeded', 'noSpace'],
  ['etcdserver: requested lease not found', 'leaseNotFound'],
  ['etcdserver: lease already exists', 'leaseExists'],
  ['etcdserver: permission denied', 'denied'],
  ['etcdserver: invalid auth token', 'denied'],
  ['etcdserver: user name is empty', 'denied'],
]);

/** Reasons that watches are cancelled for come with the code before them. */
function bareText(message: string): string {
  return message.replace(/^rpc error: code = \w+ desc = /, '');
}

function reasonOf(text: string): RefusedReason {
  return /larger than max/.test(text) ? 'tooLarge' : 'other';
}
