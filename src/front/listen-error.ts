/** A port that cannot be listened on. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

/** Says which flag chooses another port. */
export function portTaken(address: string, port: number, isSecure: boolean): ListenError {
  const flag = isSecure ? '--secure-port' : '--port';
  return new ListenError(
    `cannot listen on ${address}:${port}: the port is in use or not allowed. ` +
      `Stop what uses it, or choose another with ${flag}`,
  );
}
