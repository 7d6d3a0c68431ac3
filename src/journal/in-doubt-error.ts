/** Nobody knows yet whether the records of an append are in etcd. */
export class InDoubtError extends Error {
  override readonly name = 'InDoubtError';
  /** What clients are told. */
  readonly reason: Error;
  /**
   * Resolves with the newest version of the type that is there, once that is known and applied: a
   * newer one was never made. Never where this server will not know.
   */
  readonly madeUpTo: Promise<number>;

  constructor(reason: Error, madeUpTo: Promise<number> = new Promise(() => undefined)) {
    super(reason.message, { cause: reason });
    this.reason = reason;
    this.madeUpTo = madeUpTo;
  }
}
