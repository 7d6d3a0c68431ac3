/**
 * The notation of patch tables. Operations are lines: `add /a/b = 1`, `remove /a`,
 * `copy /to < /from`, with JSON after the equals sign; text that begins with a brace is JSON as it
 * is. Documents are JSON text; a refusal is its code, or its code and message.
 */
import type { Members } from '../../../src/codec/model/schema-model.ts';
import { documentText, isContainer, parseDocument } from '../../../src/semantics/patch/document.ts';
import { applyJsonPatch, parseJsonPatch } from '../../../src/semantics/patch/json-patch.ts';
import { PatchError } from '../../../src/semantics/patch/patch-error.ts';

/** The text of a JSON patch. */
export function jsonPatchText(lines: readonly string[]): string {
  return `[${lines.map(operationText).join(',')}]`;
}

function operationText(line: string): string {
  if (line.startsWith('{')) return line;
  const [, op, path = '', value, from] = /^(\w+) (.*?)(?: = (.*)| < (.*))?$/s.exec(line) ?? [];
  const members = [`"op":${JSON.stringify(op)}`, `"path":${JSON.stringify(path)}`];
  if (value !== undefined) members.push(`"value":${value}`);
  if (from !== undefined) members.push(`"from":${JSON.stringify(from)}`);
  return `{${members.join(',')}}`;
}

/** Gives the patched document, as text with sorted members, or the refusal. */
export function outcome(document: string, lines: readonly string[]): string {
  return refusalOr(() => {
    const patch = parseJsonPatch(jsonPatchText(lines));
    return applyJsonPatch(parseDocument(document), patch);
  });
}

export function refusalOr(work: () => unknown): string {
  try {
    return sortedText(work());
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    return `${error.code} ${error.message}`;
  }
}

/** Whether `found` is the expected document, or the expected refusal. */
export function isExpected(found: string, expected: string): boolean {
  if (/^\d{3}$/.test(expected)) return found.startsWith(`${expected} `);
  if (/^\d{3} /.test(expected)) return found === expected;
  return found === sortedText(parseDocument(expected));
}

export function sortedText(document: unknown): string {
  if (!isContainer(document)) return documentText(document);
  if (Array.isArray(document)) return `[${document.map(sortedText).join(',')}]`;
  const members: Members = document;
  const keys = Object.keys(members).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${sortedText(members[key])}`).join(',')}}`;
}
