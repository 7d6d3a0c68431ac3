/**
 * JSON patch, RFC 6902, as the reference server's library does it (README.md#json-patch), which in
 * some ways is not as the RFC says:
 *
 * - `replace` sets a member that is not there, `copy` makes null of one, and to `test` it is null.
 * - Without `value`, `add` and `replace` set null.
 * - Negative indexes count from the end; for `add`, `-1` is behind the last item.
 * - The whole document can be tested, and replaced by an object or a list, and nothing else:
 *   replacing it by a scalar changes nothing.
 *
 * Where the library lets pass what is clearly a mistake (`/a/01`, a path without its first slash)
 * or fails because a number or a string is spelt in another way, this does what the RFC says. The
 * cost of a patch is bounded: clients are not trusted.
 */
import { valueKind, valueMismatch } from '../../codec/json/go-errors.ts';
import {
  JSON_DEPTH_MAX,
  jsonSyntaxError,
  nestsTooDeep,
  TOO_DEEP,
} from '../../codec/json/json-syntax.ts';
import type { Members } from '../../codec/model/schema-model.ts';
import { quoteText } from '../../codec/json/strict-quote.ts';
import { setMember } from '../../base/set-member.ts';
import {
  cloneDocument,
  documentBytes,
  equalDocuments,
  isContainer,
  isMembers,
  isRawNumber,
  memberOf,
  nestsDeeper,
  parseDocument,
} from './document.ts';
import type { Container } from './document.ts';
import { PatchError } from './patch-error.ts';

/** Operations as they were sent: errors in one show when its turn comes. */
export type JsonPatch = readonly Members[];

/** A value is another one than a `test` expects. */
export class TestFailed extends PatchError {}

const OPERATIONS_MAX = 10_000;

/** The most bytes that all `copy` operations of a patch may add (README.md#json-patch). */
const COPIED_BYTES_MAX = 3 * 1024 * 1024;

/**
 * Items of lists that all operations of a patch may move, which takes about half a second: ten
 * thousand insertions before 100,000 items are within. Following paths, and comparing with what
 * `test` expects, needs no bound: it takes no longer than to read the patch, but for one failure.
 */
const SHIFTED_ITEMS_MAX = 1_500_000_000;

const MISSING = 'missing value';

/** A patch that is being applied. */
interface Run {
  document: unknown;
  copiedBytes: number;
  shiftedItems: number;
}

/** The end of a path: a member or an item, which may be absent, of an object or a list. */
interface Place {
  readonly parent: Container;
  readonly key: string;
}

/** Throws PatchError 400 for text that is no list of objects, 413 for too many operations. */
export function parseJsonPatch(text: string): JsonPatch {
  if (nestsTooDeep(text)) throw new PatchError(400, TOO_DEEP);
  let patch: unknown;
  try {
    patch = parseDocument(text);
  } catch {
    throw new PatchError(400, jsonSyntaxError(text));
  }
  if (patch === null) return [];
  if (!Array.isArray(patch)) throw wrongType(patch, 'Patch');
  const operations = patch.map((operation: unknown) => {
    if (operation === null) return {};
    if (!isMembers(operation)) throw wrongType(operation, 'Operation');
    return operation;
  });
  if (operations.length > OPERATIONS_MAX) {
    const what = `The allowed maximum operations in a JSON patch is ${OPERATIONS_MAX}`;
    const message = `Request entity too large: ${what}, got ${operations.length}`;
    throw new PatchError(413, message);
  }
  return operations;
}

function wrongType(value: unknown, type: string): PatchError {
  const kind = isRawNumber(value) ? 'number' : valueKind(value);
  return new PatchError(400, valueMismatch(kind, `jsonpatch.${type}`).message);
}

/**
 * The document after all operations. Throws PatchError 422, in the library's words, for the first
 * one that does not apply. `document` may be changed, also then; the result shares nothing with
 * `patch`.
 */
export function applyJsonPatch(document: unknown, patch: JsonPatch): unknown {
  const run: Run = { document, copiedBytes: 0, shiftedItems: 0 };
  for (const operation of patch) applyOperation(run, operation);
  // A document that nests deeper could be read neither by the server nor by its clients.
  if (patch.some(mayNest) && nestsDeeper(run.document, JSON_DEPTH_MAX)) throw refusal(TOO_DEEP);
  return run.document;
}

/**
 * Whether the document may nest deeper after the operation: it copies, moves, or brings a
 * container.
 */
function mayNest(operation: Members): boolean {
  const op = memberOf(operation, 'op');
  return op === 'copy' || op === 'move' || isContainer(memberOf(operation, 'value'));
}

function applyOperation(run: Run, operation: Members): void {
  const op = memberOf(operation, 'op');
  if (op === 'add') add(run, operation);
  else if (op === 'remove') remove(run, operation);
  else if (op === 'replace') replace(run, operation);
  else if (op === 'move') move(run, operation);
  else if (op === 'test') test(run, operation);
  else if (op === 'copy') copy(run, operation);
  else throw refusal(`Unexpected kind: ${typeof op === 'string' ? op : 'unknown'}`);
}

function add(run: Run, operation: Members): void {
  const path = memberOf(operation, 'path');
  if (typeof path !== 'string') throw missing('add operation failed to decode path');
  const place = placeOf(run.document, path);
  if (place === undefined) {
    throw missing(`add operation does not apply: doc is missing path: "${path}"`);
  }
  insert(run, place, valueOf(operation), `error in add for path: '${path}'`);
}

function remove(run: Run, operation: Members): void {
  const path = memberOf(operation, 'path');
  if (typeof path !== 'string') throw missing('remove operation failed to decode path');
  const place = placeOf(run.document, path);
  if (place === undefined) {
    throw missing(`remove operation does not apply: doc is missing path: "${path}"`);
  }
  takeOut(run, place, `error in remove for path: '${path}'`);
}

function replace(run: Run, operation: Members): void {
  const path = pointerOf(operation, 'path', 'replace');
  if (path === '') {
    const value = memberOf(operation, 'value');
    if (value === undefined) throw missing('replace operation of the whole document');
    if (isContainer(value)) run.document = cloneDocument(value);
    return;
  }
  const place = placeOf(run.document, path);
  const problem = 'replace operation does not apply: doc is missing';
  if (place === undefined) throw missing(`${problem} path: ${path}`);
  const { parent, key } = place;
  if (!Array.isArray(parent)) setMember(parent, key, valueOf(operation));
  else {
    const index = indexOf(key, parent.length);
    if (typeof index === 'string') throw missing(`${problem} key: ${path}`);
    parent[index] = valueOf(operation);
  }
}

/**
 * The moved value is taken out before the path is followed, so that it cannot end inside itself.
 */
function move(run: Run, operation: Members): void {
  const from = pointerOf(operation, 'from', 'move');
  const source = placeOf(run.document, from);
  const problem = 'move operation does not apply: doc is missing';
  if (source === undefined) throw missing(`${problem} from path: ${from}`);
  const value = takeOut(run, source, `error in move for path: '${source.key}'`);
  const path = pointerOf(operation, 'path', 'move');
  const isInside = path.startsWith(`${from}/`);
  const target = isInside ? undefined : placeOf(run.document, path);
  if (target === undefined) throw missing(`${problem} destination path: ${path}`);
  insert(run, target, value, `error in move for path: '${path}'`);
}

function test(run: Run, operation: Members): void {
  const path = pointerOf(operation, 'path', 'test');
  let actual = run.document;
  if (path !== '') {
    const place = placeOf(run.document, path);
    if (place === undefined) {
      throw missing(`test operation does not apply: is missing path: ${path}`);
    }
    actual = valueAt(place, `error in test for path: '${path}'`);
  }
  const expected = memberOf(operation, 'value');
  if (expected === undefined || !equalDocuments(actual ?? null, expected)) {
    throw new TestFailed(422, `testing value ${path} failed: test failed`);
  }
}

function copy(run: Run, operation: Members): void {
  const from = pointerOf(operation, 'from', 'copy');
  const source = placeOf(run.document, from);
  const problem = 'copy operation does not apply: doc is missing';
  if (source === undefined) throw missing(`${problem} from path: ${from}`);
  const value = valueAt(source, `error in copy for from: '${from}'`);
  const path = memberOf(operation, 'path');
  if (typeof path !== 'string') throw missing('copy operation failed to decode path');
  const target = placeOf(run.document, path);
  if (target === undefined) throw missing(`${problem} destination path: ${path}`);
  if (value !== undefined) {
    run.copiedBytes += documentBytes(value, COPIED_BYTES_MAX - run.copiedBytes);
    if (run.copiedBytes > COPIED_BYTES_MAX) {
      const size = `the accumulated size increase of copy is ${run.copiedBytes}`;
      const text = `${size}, exceeding the limit ${COPIED_BYTES_MAX}`;
      throw refusal(`Unable to complete the copy, ${text}`);
    }
  }
  insert(run, target, cloneDocument(value ?? null), 'error while adding value during copy');
}

/** A pointer that an operation must have. */
function pointerOf(operation: Members, name: 'path' | 'from', op: string): string {
  const pointer = memberOf(operation, name);
  if (typeof pointer === 'string') return pointer;
  const problem = `${op} operation failed to decode ${name}`;
  if (pointer === undefined || pointer === null) {
    const what = name === 'path' ? 'operation missing path field' : 'operation, missing from field';
    throw missing(`${problem}: ${what}`);
  }
  const kind = isRawNumber(pointer) ? 'number' : valueKind(pointer);
  throw refusal(`${problem}: ${valueMismatch(kind, 'string').message}`);
}

/** A copy: later operations may change the value, and the patch may be applied again. */
function valueOf(operation: Members): unknown {
  return cloneDocument(memberOf(operation, 'value') ?? null);
}

/**
 * Follows a JSON pointer (RFC 6901) to its last step; undefined when it leads nowhere. As in the
 * reference, text before its first slash does not count.
 */
function placeOf(document: unknown, path: string): Place | undefined {
  let parent = document;
  let start = path.indexOf('/') + 1;
  if (start === 0) return undefined;
  for (let end = path.indexOf('/', start); end >= 0; end = path.indexOf('/', start)) {
    const key = unescapeStep(path.slice(start, end));
    start = end + 1;
    if (Array.isArray(parent)) {
      const index = indexOf(key, parent.length);
      parent = typeof index === 'string' ? undefined : parent[index];
    } else parent = isMembers(parent) ? memberOf(parent, key) : undefined;
    if (parent === undefined) return undefined;
  }
  return isContainer(parent) ? { parent, key: unescapeStep(path.slice(start)) } : undefined;
}

function unescapeStep(step: string): string {
  if (!step.includes('~')) return step;
  return step.replace(/~[01]/g, (escape) => (escape === '~1' ? '/' : '~'));
}

/** The value there; undefined for a member that is not. */
function valueAt({ parent, key }: Place, problem: string): unknown {
  if (!Array.isArray(parent)) return memberOf(parent, key);
  const index = indexOf(key, parent.length);
  if (typeof index === 'string') throw refusal(`${problem}: ${index}`);
  return parent[index];
}

/** Inserts the value; items from there on move up. */
function insert(run: Run, { parent, key }: Place, value: unknown, problem: string): void {
  if (!Array.isArray(parent)) setMember(parent, key, value);
  else if (key === '-') parent.push(value);
  else {
    const index = indexOf(key, parent.length + 1);
    if (typeof index === 'string') {
      const isIndex = INDEX.test(key);
      const what = isIndex ? '' : `value was not a proper array index: '${key}': `;
      throw refusal(`${problem}: ${what}${index}`);
    }
    shift(run, parent.length - index);
    parent.splice(index, 0, value);
  }
}

/** Removes the value, and returns it. */
function takeOut(run: Run, { parent, key }: Place, problem: string): unknown {
  if (!Array.isArray(parent)) {
    if (!Object.hasOwn(parent, key)) {
      throw missing(`${problem}: Unable to remove nonexistent key: ${key}`);
    }
    const value = parent[key];
    delete parent[key];
    return value;
  }
  const index = indexOf(key, parent.length);
  if (typeof index === 'string') throw refusal(`${problem}: ${index}`);
  shift(run, parent.length - index);
  return parent.splice(index, 1)[0];
}

const INDEX = /^(?:0|-?[1-9]\d*)$/;

/** The position below `length` that the step means, or the problem with it. */
function indexOf(step: string, length: number): number | string {
  if (!INDEX.test(step)) return `strconv.Atoi: parsing ${quoteText(step)}: invalid syntax`;
  const index = Number(step);
  if (index >= length || index < -length) {
    return `Unable to access invalid index: ${step}: invalid index referenced`;
  }
  return index < 0 ? index + length : index;
}

function shift(run: Run, items: number): void {
  run.shiftedItems += items;
  if (run.shiftedItems > SHIFTED_ITEMS_MAX) {
    throw refusal('the operations of the patch move too many items of lists');
  }
}

function missing(what: string): PatchError {
  return refusal(`${what}: ${MISSING}`);
}

function refusal(message: string): PatchError {
  return new PatchError(422, message);
}
