/** Builds field sets step by step, without arrays where nothing differs, as nearly everywhere. */
import { EMPTY_SET } from './field-set.ts';
import type { FieldSet } from './field-set.ts';
import { compareElements } from './path-element.ts';

/** The elements so far, sorted, and the sets below each. */
export interface SetBuilder {
  readonly elements: string[];
  readonly children: FieldSet[];
}

/** `element` comes after all others. */
export function appendElement(
  builder: SetBuilder | undefined,
  element: string,
  child: FieldSet,
): SetBuilder {
  if (builder === undefined) return { elements: [element], children: [child] };
  builder.elements.push(element);
  builder.children.push(child);
  return builder;
}

/** Adds an element at its place: elements may come in any order. */
export function insertElement(
  builder: SetBuilder | undefined,
  element: string,
  child: FieldSet,
): SetBuilder {
  if (builder === undefined) return appendElement(builder, element, child);
  const { elements, children } = builder;
  let at = elements.length;
  while (at > 0 && compareElements(elements[at - 1] as string, element) > 0) at -= 1;
  elements.splice(at, 0, element);
  children.splice(at, 0, child);
  return builder;
}

export function builtSet(builder: SetBuilder | undefined): FieldSet {
  if (builder === undefined) return EMPTY_SET;
  return { isMember: false, elements: builder.elements, children: builder.children };
}
