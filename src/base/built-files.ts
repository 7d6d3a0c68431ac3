/** Finds and reads the files that the build makes beside the program. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The OpenAPI documents of all that a release serves by default, in the names of a domain. The
 * build makes those of the default release; those of others are made when they are first asked for.
 */
export function documentsFile(apiDomain: string, minor: number): string {
  return `openapi-${apiDomain}-${minor}.pack`;
}

/** The messages between a client and etcd. */
export const ETCD_MESSAGES_FILE = 'etcd-messages.json';

/** The schema model of a release. */
export function modelFile(minor: number): string {
  return `schema-${minor}.json`;
}

/** Reads a JSON document, whose type the caller knows. */
export function readBuilt<T>(buildDir: string, file: string): T {
  return JSON.parse(readFileSync(join(buildDir, file), 'utf8')) as T;
}
