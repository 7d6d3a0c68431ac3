/** The view of this server has come to an end: it begins anew, with an empty one. */
export class RejoinError extends Error {
  override readonly name = 'RejoinError';
}
