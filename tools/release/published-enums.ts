/**
 * Allowed values of members: the published documents are made without them, and what is generated
 * from the types beside these documents has them.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** By `core_v1_ContainerPort protocol`. */
export type Enums = ReadonlyMap<string, readonly string[]>;

const GENERATED = '../pkg/generated/openapi/zz_generated.openapi.go';

/** Those of the types of a folder of documents; undefined where these are not there. */
export function publishedEnums(folder: string): Enums | undefined {
  const file = join(folder, GENERATED);
  return existsSync(file) ? enumsIn(readFileSync(file, 'utf8')) : undefined;
}

export function enumsIn(source: string): Enums {
  const enums = new Map<string, readonly string[]>();
  let type = '';
  let member = '';
  for (const line of source.split('\n')) {
    const [, name] = /^func schema_(\w+)\(/.exec(line) ?? [];
    if (name !== undefined) type = name.split('_').slice(-3).join('_');
    member = /^\t{5}"([^"]+)": \{$/.exec(line)?.[1] ?? member;
    const [, values] = /^\t+Enum: +\[\](?:interface\{\}|any)\{([^{}]*)\}/.exec(line) ?? [];
    if (values !== undefined) {
      const read = JSON.parse(`[${values}]`) as readonly string[];
      enums.set(`${type} ${member}`, read);
    }
  }
  return enums;
}

/** The values of a member of a definition such as `io.k8s.api.core.v1.ContainerPort`. */
export function enumOf(
  enums: Enums,
  definition: string,
  member: string,
): readonly string[] | undefined {
  return enums.get(`${definition.split('.').slice(-3).join('_')} ${member}`);
}
