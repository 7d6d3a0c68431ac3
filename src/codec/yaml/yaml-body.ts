/** YAML request bodies to JSON text, so that one decoder serves both (../README.md#bodies). */
import { duplicateKeys } from './strict-yaml.ts';
import { AS_WRITTEN, composeYaml } from './yaml-document.ts';
import { jsonOfNodes } from './yaml-json.ts';

export interface YamlText {
  readonly json: string;
  /** Problems that strict decoding finds; empty where nobody asked. */
  readonly problems: readonly string[];
}

/**
 * Reads a stream of at most one YAML document, and nothing behind the first one; an empty one is
 * `null`. Throws YamlError, with the line, for anything else than one document, cyclic or excessive
 * aliases, and nesting over 500.
 */
export function readYamlText(text: string, isStrict: boolean): YamlText {
  const composed = composeYaml(text, { ...AS_WRITTEN, keepSourceTokens: isStrict });
  const { root, lineOf, fail } = composed;
  if (root === null) return { json: 'null', problems: [] };
  const json = jsonOfNodes(root, text.length, fail);
  return { json, problems: isStrict ? duplicateKeys(root, lineOf) : [] };
}

/** Its JSON text alone. */
export function yamlToJsonText(text: string): string {
  return readYamlText(text, false).json;
}
