/**
 * The annotation in which the command line client records what it applied itself, without
 * server-side apply. Fields in it move to server-side apply without conflicts, and the server keeps
 * the annotation up to date while it is there (README.md#the-command-line-client).
 */
import { quoteGo, stringifyGo } from '../../codec/json/go-json.ts';
import { sortedKeys } from '../../codec/json/json-encode.ts';
import type { Members } from '../../codec/model/schema-model.ts';
import { ownManager, ownName } from '../dialect/own-names.ts';
import { isMembers, memberOf, parseDocument } from '../patch/document.ts';
import { compareFields } from './compare-fields.ts';
import { difference, EMPTY_SET, type FieldSet } from './field-set.ts';
import type { StructType } from './field-types.ts';
import { checkDocument } from './check-document.ts';
import { fieldSetOf } from './typed-document.ts';

/** The field manager of the command line client. */
export const CLI_MANAGER = ownManager('client');

export const LAST_APPLIED = ownName('client.cluster.io/last-applied-configuration');

/** The limit of the keys and values of all annotations (README.md#the-command-line-client). */
const ANNOTATIONS_BYTES_MAX = 262_144;

/**
 * The fields that the annotation of a live document records and that still have those values: they
 * cause no conflicts. Empty where the annotation cannot be read.
 */
export function lastAppliedFields(type: StructType, live: Members, apiVersion: string): FieldSet {
  const text = lastAppliedText(live);
  if (text === undefined) return EMPTY_SET;
  try {
    const applied = parseDocument(text);
    if (!isMembers(applied) || memberOf(applied, 'apiVersion') !== apiVersion) return EMPTY_SET;
    const kind = memberOf(applied, 'kind');
    if (typeof kind !== 'string' || kind === '') return EMPTY_SET;
    checkDocument(type, applied);
    const { changed, removed } = compareFields(type, applied, live);
    return difference(difference(fieldSetOf(type, applied), changed), removed);
  } catch {
    // Anybody may have written the annotation: where it cannot be read the conflicts stand.
    return EMPTY_SET;
  }
}

/**
 * The document with the applied config in the annotation, if it has that at all; the document
 * itself where that is what it says already. The annotation goes when annotations would become too
 * large.
 */
export function withLastApplied(document: Members, config: Members): Members {
  const before = lastAppliedText(document);
  if (before === undefined) return document;
  const after = `${sortedText(withoutAnnotation(config))}\n`;
  const metadata = memberOf(document, 'metadata') as Members;
  const annotations = { ...(memberOf(metadata, 'annotations') as Members), [LAST_APPLIED]: after };
  if (bytesOf(annotations) > ANNOTATIONS_BYTES_MAX) {
    return withAnnotations(document, without(annotations, LAST_APPLIED));
  }
  return after === before ? document : withAnnotations(document, annotations);
}

function lastAppliedText(document: Members): string | undefined {
  const text = annotationsOf(document)?.[LAST_APPLIED];
  return typeof text === 'string' && text !== '' ? text : undefined;
}

function annotationsOf(document: Members): Members | undefined {
  const metadata = memberOf(document, 'metadata');
  if (!isMembers(metadata)) return undefined;
  const annotations = memberOf(metadata, 'annotations');
  return isMembers(annotations) ? annotations : undefined;
}

function withoutAnnotation(config: Members): Members {
  const annotations = annotationsOf(config);
  if (annotations === undefined) return config;
  return withAnnotations(config, without(annotations, LAST_APPLIED));
}

function withAnnotations(document: Members, annotations: Members): Members {
  const metadata = memberOf(document, 'metadata') as Members;
  return { ...document, metadata: { ...metadata, annotations } };
}

function without(members: Members, key: string): Members {
  if (!Object.hasOwn(members, key)) return members;
  const { [key]: _, ...rest } = members;
  return rest;
}

function bytesOf(annotations: Members): number {
  let bytes = 0;
  for (const key of Object.keys(annotations)) {
    bytes += Buffer.byteLength(key) + Buffer.byteLength(String(annotations[key]));
  }
  return bytes;
}

/** Compact JSON text with the members of objects in order. */
function sortedText(value: unknown): string {
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value) text += `${text === '' ? '' : ','}${sortedText(item)}`;
    return `[${text}]`;
  }
  if (!isMembers(value)) return stringifyGo(value);
  for (const name of sortedKeys(value)) {
    text += `${text === '' ? '' : ','}${quoteGo(name)}:${sortedText(value[name])}`;
  }
  return `{${text}}`;
}
