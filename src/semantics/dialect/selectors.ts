import {
  swapGroupVersion,
  swapNamespace,
  swapObjectName,
  swapQualified,
  swapUser,
} from './names.ts';
import { isNamespaceLabel } from './places.ts';

const REQUIREMENT = /^([\s!]*)([^\s!=<>(),]+)([^]*)$/;
const VALUES = /[^\s!=<>(),]+/g;
const TERM = /^(\s*)([A-Za-z][A-Za-z.]*)(\s*(?:==|!=|=))([^]*)$/;

/** The keys of a label selector, and the namespaces that it selects by their label. */
export function swapLabelSelector(text: string): string {
  return splitOutside(text)
    .map((requirement) => {
      const [, head = '', key = '', rest = ''] = REQUIREMENT.exec(requirement) ?? [];
      if (key === '') return requirement;
      const values = isNamespaceLabel(key) ? rest.replace(VALUES, swapNamespace) : rest;
      return head + swapQualified(key) + values;
    })
    .join(',');
}

/** The values of a field selector of a kind that are names. */
export function swapFieldSelector(kind: string, text: string): string {
  return splitEscaped(text)
    .map((term) => {
      const [, space = '', path = '', operator = '', value = ''] = TERM.exec(term) ?? [];
      if (path === '') return term;
      return space + path + operator + swapFieldValue(kind, path, value);
    })
    .join(',');
}

function swapFieldValue(kind: string, path: string, value: string): string {
  switch (path) {
    case 'metadata.name':
      return swapObjectName(kind, value);
    case 'metadata.namespace':
    case 'involvedObject.namespace':
    case 'regarding.namespace':
      return swapNamespace(value);
    case 'involvedObject.apiVersion':
    case 'regarding.apiVersion':
      return swapGroupVersion(value);
    case 'type':
      return kind === 'Secret' ? swapQualified(value) : value;
    case 'spec.signerName':
      return swapQualified(value);
    case 'spec.username':
      return swapUser(value);
    default:
      return value;
  }
}

/** The parts between commas that stand outside of parentheses. */
function splitOutside(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (letter === '(') depth += 1;
    else if (letter === ')') depth -= 1;
    else if (letter === ',' && depth <= 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  parts.push(text.slice(from));
  return parts;
}

/** The parts between commas without a backslash before them. */
function splitEscaped(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === ',') {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  parts.push(text.slice(from));
  return parts;
}
