/** Drops members of objects that their schema does not know (README.md#pruning). */
import type { Members } from '../codec/model/schema-model.ts';
import { isResourceMember, type StructuralSchema } from './structural-schema.ts';
import { compareAsUtf8 } from '../base/text/compare-texts.ts';

/** Called for each member that goes, with its path: `spec.list[0].x`, in the order of paths. */
export type OnUnknown = (path: string) => void;

/**
 * The path to the current value, and the callback for unknown members; absent when there is no
 * callback.
 */
interface Report {
  path: string;
  readonly found: string[];
}

/**
 * Removes from an object of a custom resource, in place, members that its schema does not know. Its
 * metadata, apiVersion and kind stay as they are.
 */
export function prune(
  schema: StructuralSchema,
  object: Record<string, unknown>,
  onUnknown?: OnUnknown,
): void {
  const report: Report | undefined = onUnknown && { path: '', found: [] };
  pruneMembers(object, schema, true, schema.preservesUnknown, report);
  if (report === undefined || onUnknown === undefined) return;
  report.found.sort(compareAsUtf8).forEach(onUnknown);
}

/** With `isKept` unknown members stay, since the value stands in a list that preserves them. */
function pruneValue(
  value: object,
  schema: StructuralSchema | undefined,
  isKept: boolean,
  report: Report | undefined,
): void {
  if (schema === undefined && isKept) return;
  const keeps = isKept || schema?.preservesUnknown === true;
  if (Array.isArray(value)) pruneItems(value, schema?.items, keeps, report);
  else if (schema === undefined) dropMembers(value as Members, report);
  else pruneMembers(value as Members, schema, schema.isEmbeddedResource, keeps, report);
}

function pruneItems(
  items: readonly unknown[],
  schema: StructuralSchema | undefined,
  isKept: boolean,
  report: Report | undefined,
): void {
  const path = report?.path;
  for (let at = 0; at < items.length; at++) {
    const item = items[at];
    if (typeof item !== 'object' || item === null) continue;
    if (report !== undefined) report.path = `${path}[${at}]`;
    pruneValue(item, schema, isKept, report);
  }
  if (report !== undefined) report.path = path as string;
}

function pruneMembers(
  members: Members,
  schema: StructuralSchema,
  isResource: boolean,
  isKept: boolean,
  report: Report | undefined,
): void {
  const path = report?.path;
  for (const name of Object.keys(members)) {
    if (isResource && isResourceMember(name)) continue;
    const property = schema.property(name);
    if (property === undefined && schema.additionalProperties === undefined) {
      if (isKept) continue;
      delete members[name];
      report?.found.push(pathBelow(path as string, name));
      continue;
    }
    const value = members[name];
    if (typeof value !== 'object' || value === null) continue;
    if (report !== undefined) report.path = pathBelow(path as string, name);
    pruneValue(value, property ?? schema.additionalSchema, false, report);
  }
  if (report !== undefined) report.path = path as string;
}

function dropMembers(members: Members, report: Report | undefined): void {
  for (const name of Object.keys(members)) {
    delete members[name];
    report?.found.push(pathBelow(report.path, name));
  }
}

function pathBelow(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
