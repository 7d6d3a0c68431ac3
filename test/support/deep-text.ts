import { isContainer } from '../../src/semantics/patch/document.ts';

/**
 * Writes JSON as `JSON.stringify` does, of documents that nest deeper than the stack of a test
 * allows.
 */
export function deepText(document: unknown): string {
  const parts: string[] = [];
  /** The parts to be written next, last first: text as it is, and values. */
  const pending: { readonly text: string; readonly value?: unknown }[] = [];
  pending.push({ text: '', value: document });
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    parts.push(next.text);
    const { value } = next;
    if (value === undefined) continue;
    if (!isContainer(value)) parts.push(JSON.stringify(value));
    else if (Array.isArray(value)) {
      pending.push({ text: value.length === 0 ? '[]' : ']' });
      for (let index = value.length - 1; index >= 0; index -= 1) {
        pending.push({ text: index === 0 ? '[' : ',', value: value[index] });
      }
    } else {
      const keys = Object.keys(value);
      pending.push({ text: keys.length === 0 ? '{}' : '}' });
      keys.reverse().forEach((key, index) => {
        const before = index === keys.length - 1 ? '{' : ',';
        pending.push({ text: `${before}${JSON.stringify(key)}:`, value: value[key] });
      });
    }
  }
  return parts.join('');
}
