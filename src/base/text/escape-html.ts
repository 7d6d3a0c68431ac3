const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** For browsers that ignore the type of an answer: they must find nothing to run in it. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>]/g, (character) => ENTITIES[character] ?? character);
}
