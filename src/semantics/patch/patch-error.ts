/**
 * A patch that is refused (README.md#patch-types): 400 it cannot be read, 413 it has too many
 * operations, 422 it cannot be applied to this object, 500 it breaks rules that the reference does
 * not check in time. The caller decides which text the client sees: a 422 has a fixed one
 * (src/semantics/README.md#errors), and `message` is for the server's own use.
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
