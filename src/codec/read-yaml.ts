/** A YAML body read as a whole, before anybody looks at its object (README.md#bodies). */
import { yamlStrictProblems } from './strict-yaml.ts';
import { decodeUntrusted } from './text-body.ts';
import { YamlError, yamlToJsonText } from './yaml-body.ts';

export interface ReadYaml {
  /** Its JSON text; '' when there is none. */
  readonly json: string;
  /** Why there is none; '' when there is. */
  readonly error: string;
  /** What strict decoding finds in the YAML; empty where nobody asked. */
  readonly problems: readonly string[];
}

export interface YamlJob {
  readonly body: Uint8Array;
  /** Whether to look for what strict decoding finds. */
  readonly strict: boolean;
}

/** Undefined for bytes that are no text. */
export function readYaml({ body, strict }: YamlJob): ReadYaml | undefined {
  const text = decodeUntrusted(body);
  if (text === undefined) return undefined;
  try {
    const json = yamlToJsonText(text);
    return { json, error: '', problems: strict ? yamlStrictProblems(text) : [] };
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    return { json: '', error: error.message, problems: [] };
  }
}

/** Whether text is a JSON object. */
export function isJson(text: string): boolean {
  if (!text.startsWith('{')) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The JSON text of YAML, as it was read before or now. Throws YamlError. */
export function jsonOfYaml(text: string, read: ReadYaml | undefined): string {
  if (read === undefined) return yamlToJsonText(text);
  if (read.error !== '') throw new YamlError(read.error);
  return read.json;
}
