import type { Edit } from './edits.ts';
import { editBetween, spelledEdits, withEdits } from './edits.ts';
import { textEdits } from './names-in-text.ts';
import { containerEnd, memberText, stringEnd, unquoted } from './json-text.ts';
import {
  swapApproval,
  swapGroup,
  swapGroupVersion,
  swapManager,
  swapNamespace,
  swapNamespaceFinalizer,
  swapObjectName,
  swapQualified,
  swapRole,
  swapUrl,
  swapUser,
} from './names.ts';
import {
  CUSTOM_KIND,
  isNamespaceLabel,
  itemPlace,
  kindOfItems,
  memberPlace,
  PLACE,
} from './places.ts';
import { pointerPlace, swapPointer } from './pointers.ts';
import { swapLabelSelector } from './selectors.ts';
import { mayHoldNames, isReadAlways } from './may-hold-names.ts';

interface Scan {
  readonly text: string;
  readonly rootKind: string;
  /** The kind of the document that is read; for a list, that of its items. */
  kind: string;
  /** Whether this is JSON text inside of a JSON string, whose spelling must be kept. */
  readonly isInner: boolean;
  readonly edits: Edit[];
  /** `frameOf` each object and list around the place. */
  readonly frames: number[];
  frame: number;
  /**
   * Edits of names that wait, by the depth of their object, until the `kind` of the object is read.
   */
  held: Map<number, Edit[]> | undefined;
  wasHeld: boolean;
  /** The position of the next backslash, if it is not before the current one. */
  escapeAt: number;
  /** The place that the value of the current patch operation goes to. */
  patched: number;
}

const IS_OBJECT = 0x100;
/** The names in this object are names of namespaces. */
const OF_NAMESPACES = 0x200;
const PLACE_BITS = 0xff;

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
/** Without quotes and backslashes. */
const PRINTABLE = /^[ !#-[\]-~]*$/;
/** Kinds of documents that hold objects of any kind, each with a `kind` of its own. */
const OF_ANY_KIND = new Set(['', 'Table', 'WatchEvent']);
const NAMESPACE_KINDS = new Set(['Namespace', 'namespaces', 'namespaces/status']);

/** JSON text of a document of a kind, or of its members without the first brace, swapped. */
export function swapDocument(kind: string, text: string): string {
  if (!isReadAlways(kind) && !mayHoldNames(text)) return text;
  return withEdits(text, jsonEdits(text, PLACE.root, kind, false));
}

/** A JSON patch of an object of a kind, swapped. */
export function swapJsonPatch(kind: string, text: string): string {
  if (!isReadAlways(kind) && !mayHoldNames(text)) return text;
  return withEdits(text, jsonEdits(text, PLACE.patch, kind, false));
}

/**
 * The edits that swap a JSON text, which stands at a place; in order. One pass without recursion
 * into containers, so hostile nesting costs no stack. Invalid JSON is swapped as far as possible.
 */
function jsonEdits(text: string, start: number, rootKind: string, isInner: boolean): Edit[] {
  const scan = newScan(text, rootKind, isInner);
  let place = start;
  let isName = false;
  let at = 0;
  if (start === PLACE.root && /^\s*"/.test(text)) {
    isName = true;
    pushFrame(scan, start | IS_OBJECT);
  }
  while (at < text.length) {
    switch (text.charCodeAt(at)) {
      case QUOTE: {
        const end = stringEnd(text, at + 1);
        if (end < 0) return ordered(scan);
        if (isName) place = readName(scan, at + 1, end);
        else if (place >= PLACE.group) readValue(scan, place, at + 1, end);
        isName = false;
        at = end + 1;
        break;
      }
      case COMMA:
        if ((scan.frame & IS_OBJECT) !== 0) isName = true;
        else place = itemPlace(scan.frame & PLACE_BITS);
        at += 1;
        break;
      case OPEN_BRACE:
        if (place === PLACE.opaque) {
          at = containerEnd(text, at);
          break;
        }
        enterObject(scan, place, at);
        isName = true;
        at += 1;
        break;
      case OPEN_BRACKET:
        if (place === PLACE.opaque) {
          at = containerEnd(text, at);
          break;
        }
        pushFrame(scan, place);
        place = itemPlace(place);
        at += 1;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        popFrame(scan);
        isName = false;
        at += 1;
        break;
      default:
        at += 1;
    }
  }
  return ordered(scan);
}

function newScan(text: string, rootKind: string, isInner: boolean): Scan {
  const kind = kindOfItems(rootKind);
  const frames: number[] = [];
  const edits: Edit[] = [];
  return {
    text,
    rootKind,
    kind,
    isInner,
    edits,
    frames,
    frame: 0,
    held: undefined,
    wasHeld: false,
    escapeAt: -1,
    patched: PLACE.plain,
  };
}

function pushFrame(scan: Scan, frame: number): void {
  scan.frames.push(scan.frame);
  scan.frame = frame;
}

function popFrame(scan: Scan): void {
  scan.held?.delete(scan.frames.length);
  scan.frame = scan.frames.pop() ?? 0;
}

function ordered(scan: Scan): Edit[] {
  return scan.wasHeld ? scan.edits.sort((a, b) => a.start - b.start) : scan.edits;
}

function enterObject(scan: Scan, place: number, at: number): void {
  if (place === PLACE.document && OF_ANY_KIND.has(kindOfItems(scan.rootKind))) {
    scan.kind = memberText(scan.text, at, 'kind') ?? '';
  } else if (place === PLACE.patch) {
    const pointer = memberText(scan.text, at, 'path') ?? '';
    scan.patched = pointerPlace(scan.rootKind, pointer);
  }
  pushFrame(scan, place | IS_OBJECT);
}

/** Swaps the name of a member; the place of its value. */
function readName(scan: Scan, start: number, end: number): number {
  const place = scan.frame & PLACE_BITS;
  if (place === PLACE.fields && !mayBeSwapped(scan.text.slice(start, end))) return place;
  const name = said(scan, start, end);
  if (name === undefined) return PLACE.plain;
  if (place === PLACE.patch) return patchMember(scan, name);
  if (place === PLACE.fields) editField(scan, start, end, name);
  else if (isNamedByTheApi(scan, place)) {
    if (name.includes('/')) editString(scan, start, end, name, swapQualified(name));
    else if (place === PLACE.annotations) editString(scan, start, end, name, swapApproval(name));
  }
  return memberPlace(place, name, place === PLACE.root ? scan.rootKind : scan.kind);
}

/** Whether the API names the members at a place; else clients choose their names. */
function isNamedByTheApi({ rootKind }: Scan, place: number): boolean {
  return rootKind !== CUSTOM_KIND || (place !== PLACE.root && place !== PLACE.customFields);
}

function said(scan: Scan, start: number, end: number): string | undefined {
  if (scan.escapeAt < start) {
    const at = scan.text.indexOf('\\', start);
    scan.escapeAt = at < 0 ? scan.text.length : at;
  }
  const spelled = scan.text.slice(start, end);
  return scan.escapeAt < end ? unquoted(spelled) : spelled;
}

/** All names of fields that are swapped have one of these; most have none. */
function mayBeSwapped(spelled: string): boolean {
  return spelled.includes('/') || spelled.includes('-') || spelled.includes('\\u');
}

function patchMember(scan: Scan, name: string): number {
  if (name === 'value') return scan.patched;
  return name === 'path' || name === 'from' ? PLACE.pointer : PLACE.plain;
}

/** `f:<name>`, and JSON text behind `k:` and `v:`: members that identify an item, or the item. */
function editField(scan: Scan, start: number, end: number, name: string): void {
  const body = name.slice(2);
  if (name.startsWith('f:')) {
    editString(scan, start, end, name, `f:${swapApproval(swapQualified(body))}`);
  } else if (name.startsWith('k:')) editInner(scan, start, body, 2, PLACE.plain);
  else if (name.startsWith('v:')) editInner(scan, start, body, 2, PLACE.qualified);
}

function readValue(scan: Scan, place: number, start: number, end: number): void {
  const value = said(scan, start, end);
  if (value === undefined) return;
  switch (place) {
    case PLACE.applied:
      // Text inside text is read one level deep: enough for clients, and hostile text cannot nest
      // it.
      if (!scan.isInner) editApplied(scan, start, value);
      return;
    case PLACE.message:
      addAll(scan.edits, spelledEdits(scan.text, start, textEdits(value), scan.isInner));
      return;
    case PLACE.kind:
      if (NAMESPACE_KINDS.has(value)) namesNamespaces(scan);
      return;
    case PLACE.expressionKey:
      if (isNamespaceLabel(value)) namesNamespaces(scan);
      editString(scan, start, end, value, swapQualified(value));
      return;
    case PLACE.name:
      if (swapUser(value) !== value) editString(scan, start, end, value, swapUser(value));
      else holdNamespace(scan, start, value);
      return;
    case PLACE.resourceNames:
      if (value.includes('/')) editString(scan, start, end, value, swapQualified(value));
      else holdNamespace(scan, start, value);
      return;
    case PLACE.expressionValues:
      holdNamespace(scan, start, value);
      return;
    default:
      editString(scan, start, end, value, otherValue(scan.kind, place, value));
  }
}

function otherValue(kind: string, place: number, value: string): string {
  switch (place) {
    case PLACE.group:
      return swapGroup(value);
    case PLACE.groupVersion:
      return swapGroupVersion(value);
    case PLACE.qualified:
      return swapQualified(value);
    case PLACE.namespace:
      return swapNamespace(value);
    case PLACE.manager:
      return swapManager(value);
    case PLACE.user:
      return swapUser(value);
    case PLACE.objectName:
      return swapObjectName(kind, value);
    case PLACE.roleName:
      return swapRole(value);
    case PLACE.namespaceFinalizer:
      return swapNamespaceFinalizer(value);
    case PLACE.pointer:
      return swapPointer(kind, value);
    case PLACE.labelSelector:
      return swapLabelSelector(value);
    case PLACE.url:
      return swapUrl(value);
    case PLACE.cells:
      return swapUser(swapQualified(swapObjectName(kind, value)));
    default:
      return value;
  }
}

function editString(scan: Scan, start: number, end: number, value: string, other: string): void {
  if (other === value) return;
  if (end - start === value.length) {
    scan.edits.push({ start, end, text: other });
    return;
  }
  const edit = editBetween(value, other);
  // Keeps only plain edits: two names in one string may have escapes between them, which no client
  // writes.
  if (PRINTABLE.test(edit.text))
    addAll(scan.edits, spelledEdits(scan.text, start, [edit], scan.isInner));
}

/** The whole document that was applied last, as JSON text. */
function editApplied(scan: Scan, start: number, applied: string): void {
  if (mayHoldNames(applied) || applied.includes('Namespace')) {
    editInner(scan, start, applied, 0, PLACE.root);
  }
}

/** JSON text inside of a string, from an offset in it. */
function editInner(scan: Scan, start: number, inner: string, offset: number, place: number): void {
  const isDocument = place === PLACE.root;
  const isKnown = isDocument && scan.rootKind !== CUSTOM_KIND;
  const kind = isKnown ? (memberText(inner, inner.indexOf('{'), 'kind') ?? '') : scan.kind;
  // Only the differing part is replaced, because the common part may be spelled with escapes.
  const edits = jsonEdits(inner, place, kind, true).map((edit) => {
    const least = editBetween(inner.slice(edit.start, edit.end), edit.text);
    const from = offset + edit.start;
    return { start: from + least.start, end: from + least.end, text: least.text };
  });
  addAll(scan.edits, spelledEdits(scan.text, start, edits, scan.isInner));
}

/** The names that the object around the place has are names of namespaces. */
function namesNamespaces(scan: Scan): void {
  const depth = scan.frames.length - (isInObject(scan) ? 0 : 1);
  if (isInObject(scan)) scan.frame |= OF_NAMESPACES;
  else if (depth >= 0) scan.frames[depth] = (scan.frames[depth] ?? 0) | OF_NAMESPACES;
  addAll(scan.edits, scan.held?.get(depth) ?? []);
  scan.held?.delete(depth);
}

function holdNamespace(scan: Scan, start: number, value: string): void {
  const other = swapNamespace(value);
  if (other === value) return;
  const frame = isInObject(scan) ? scan.frame : (scan.frames.at(-1) ?? 0);
  const depth = scan.frames.length - (isInObject(scan) ? 0 : 1);
  const edits = spelledEdits(scan.text, start, [editBetween(value, other)], scan.isInner);
  if ((frame & OF_NAMESPACES) !== 0) {
    addAll(scan.edits, edits);
    return;
  }
  scan.held ??= new Map();
  scan.wasHeld = true;
  const held = scan.held.get(depth);
  if (held === undefined) scan.held.set(depth, edits);
  else addAll(held, edits);
}

/** Spread arguments would be too many for the stack. */
function addAll(edits: Edit[], more: readonly Edit[]): void {
  for (const edit of more) edits.push(edit);
}

function isInObject(scan: Scan): boolean {
  return (scan.frame & IS_OBJECT) !== 0;
}
