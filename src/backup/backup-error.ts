/** A backup that cannot be made or used; `message` is one line that says what to do. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
