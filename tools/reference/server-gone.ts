/** A server cannot be reached, or not be compared: the run ends. */
export class ServerGone extends Error {
  override readonly name = 'ServerGone';
}
