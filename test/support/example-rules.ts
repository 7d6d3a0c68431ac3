/**
 * Examples for users lead to the address that the server listens on. `localhost` leads some clients
 * to another one first, where anybody on the machine may wait for their token.
 */
import type { SourceFiles } from './house-rules.ts';

const NAMED_LOOPBACK = /(?:\/\/localhost\b|\blocalhost:[\d$<{]).*/i;

/** Examples, printed lines and defaults that say a name, each as `path:line: what`. */
export function findNamedLoopback(files: SourceFiles): string[] {
  return [...files]
    .filter(([path]) => !path.startsWith('test/'))
    .flatMap(([path, text]) =>
      text.split('\n').flatMap((line, index) => {
        const found = NAMED_LOOPBACK.exec(line)?.[0];
        return found === undefined ? [] : [`${path}:${index + 1}: say 127.0.0.1 for ${found}`];
      }),
    );
}
