/**
 * Turns documents into facts: a subject, which is words with a blank between them, and what is so
 * of it in one line. Descriptions are no facts. `definition apps.v1.DeploymentSpec replicas` is
 * `integer:int32`.
 */
export type Facts = Map<string, string>;

/** An object of JSON. */
export type Json = Readonly<Record<string, unknown>>;

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects in a list; none where there is no list. */
export function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isJson) : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(textOf) : [];
}

/** A text without blanks. */
export function oneWord(text: string): string {
  return text.replaceAll(' ', String.raw`\u0020`);
}

/** `k8s.io` in front of names is in all of them: `apps.v1.Deployment`, `meta.v1.Status`. */
export function shortName(definition: string): string {
  return definition.replace(/^io\.k8s\.(?:api\.|apimachinery\.pkg\.apis\.)?/, '');
}

/** `apps/v1/Deployment`, `v1/Pod`. */
export function kindText(kind: Json): string {
  return [textOf(kind['group']), textOf(kind['version']), textOf(kind['kind'])]
    .filter((part) => part !== '')
    .join('/');
}
