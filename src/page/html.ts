/** Templates of the page. */
import htm from 'htm';
import { h } from 'preact';
import type { ComponentChildren, VNode } from 'preact';

export type View = VNode | readonly VNode[] | null;
export type Content = ComponentChildren;

/** A template of markup: `html\`<p>${text}</p>\``; what is put in is text, never markup. */
export const html = htm.bind(h) as unknown as (
  strings: TemplateStringsArray,
  ...values: unknown[]
) => VNode;
