/** Builds field sets step by step, without arrays where nothing differs, as nearly everywhere. */
import { EMPTY_SET } from './field-set.ts';
import type { FieldSet } from './field-set.ts';
import { compareElements } from './path-element.ts';

/** The elements so far, sorted, and the sets below each. */
export interface Parts {
  readonly elements: string[];
  readonly children: FieldSet[];
}

/** `element` comes after all others. */
export function withPart(parts: Parts | undefined, element: string, child: FieldSet): Parts {
  if (parts === undefined) return { elements: [element], children: [child] };
  parts.elements.push(element);
  parts.children.push(child);
  return parts;
}

/** Adds an element at its place: elements may come in any order. */
export function withMember(parts: Parts | undefined, element: string, child: FieldSet): Parts {
  if (parts === undefined) return withPart(parts, element, child);
  const { elements, children } = parts;
  let at = elements.length;
  while (at > 0 && compareElements(elements[at - 1] as string, element) > 0) at -= 1;
  elements.splice(at, 0, element);
  children.splice(at, 0, child);
  return parts;
}

export function setOf(parts: Parts | undefined): FieldSet {
  if (parts === undefined) return EMPTY_SET;
  return { isMember: false, elements: parts.elements, children: parts.children };
}
