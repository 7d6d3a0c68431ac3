/** Finds and reads the files that the build makes beside the program. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The OpenAPI documents of all that is served by default, in the names of a domain. */
export function documentsFile(apiDomain: string): string {
  return `openapi-${apiDomain}.pack`;
}

/** Reads a JSON document, whose type the caller knows. */
export function readBuilt<T>(buildDir: string, file: string): T {
  return JSON.parse(readFileSync(join(buildDir, file), 'utf8')) as T;
}
