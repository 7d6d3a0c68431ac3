/**
 * A patch that is refused. What the codes mean (API-FACTS 5.1): 400 the patch cannot be read, 413
 * it has too many operations, 422 it cannot be applied to this object, 500 it breaks rules that the
 * reference does not check in time. Which text the client sees is for the caller to decide: the
 * answer to a 422 has a fixed one (API-FACTS 1.2), and `message` says why for the server's own use.
 */
export type PatchErrorCode = 400 | 413 | 422 | 500;

export class PatchError extends Error {
  override readonly name = 'PatchError';
  readonly code: PatchErrorCode;

  constructor(code: PatchErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
