/** What the build has made beside the program. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The documents of OpenAPI of what is served by default, in the names of a domain. */
export function documentsFile(apiDomain: string): string {
  return `openapi-${apiDomain}.pack`;
}

/** A document of JSON; the caller knows what it is of. */
export function readBuilt<T>(buildDir: string, file: string): T {
  return JSON.parse(readFileSync(join(buildDir, file), 'utf8')) as T;
}
