/** The JSON text of a Table document (README.md#tables). */
import { stringifyGo } from '../codec/json/go-json.ts';
import { Age, durationText, eitherWayText } from '../semantics/age-text.ts';
import type { ApiObject } from './kind.ts';
import { NONE, UNKNOWN, UNSET } from './printer-cells.ts';
import type { Printer, RowCondition } from './printer.ts';

/** Ends a row after its object. */
export const ROW_TAIL = '}';
/** Ends a Table after its rows. */
export const TABLE_TAIL = ']}';

const columnTexts = new WeakMap<Printer, string>();

/** The JSON text of `columnDefinitions`: of each column all five members. */
export function columnsText(printer: Printer): string {
  let text = columnTexts.get(printer);
  if (text === undefined) {
    text = stringifyGo(
      printer.columns.map(({ name, type, format = '', description, priority = 0 }) => ({
        name,
        type,
        format,
        description,
        priority,
      })),
    );
    columnTexts.set(printer, text);
  }
  return text;
}

/**
 * The JSON text of a row up to what it holds of its object, or `null`, without its ages: the same
 * at all times. `object` has the members that the printer selects.
 */
export function agelessRow(printer: Rows, object: ApiObject): string {
  const cells = printer.cells(object);
  let text = '';
  for (const cell of cells) text += `${text === '' ? '' : ','}${cellText(cell)}`;
  const conditions = printer.conditions?.(object) ?? [];
  const conditionsMember =
    conditions.length === 0 ? '' : `"conditions":${stringifyGo(conditions.map(ordered))},`;
  return `{"cells":[${text}],${conditionsMember}"object":`;
}

/** Fills the ages at `nowMs` into that text. The part of the object and ROW_TAIL must follow. */
export function rowStart(row: string, nowMs: number): string {
  let text = '';
  let start = 0;
  for (;;) {
    const at = row.indexOf(TIME_MARK, start);
    if (at === -1) return text + row.slice(start);
    const end = row.indexOf(TIME_MARK, at + 1);
    const isEitherWay = row.startsWith(EITHER_WAY, at + 1);
    const passedMs = nowMs - Number(row.slice(at + (isEitherWay ? 2 : 1), end));
    const age = isEitherWay ? eitherWayText(passedMs) : durationText(passedMs);
    text += row.slice(start, at) + escaped(age);
    start = end + 1;
  }
}

/**
 * Encloses a time whose age is to be shown. Other text cannot contain it, since JSON escapes it.
 */
const TIME_MARK = '\u0001';
/** Begins a time that may be yet to come. */
const EITHER_WAY = '~';

/** Text with nothing to escape, as most cells have. */
const PLAIN = /^[\w ./:,=()-]*$/;
/** The text of cells that have something to escape and come again and again. */
const PLACEHOLDERS = new Map(
  [NONE, UNSET, UNKNOWN].map((placeholder) => [placeholder, stringifyGo(placeholder)]),
);

function cellText(cell: unknown): string {
  if (cell instanceof Age) {
    const { thenMs, before, after, isEitherWay } = cell;
    const time = `${isEitherWay ? EITHER_WAY : ''}${thenMs}`;
    return `"${escaped(before)}${TIME_MARK}${time}${TIME_MARK}${escaped(after)}"`;
  }
  if (typeof cell !== 'string') return stringifyGo(cell);
  return PLAIN.test(cell) ? `"${cell}"` : (PLACEHOLDERS.get(cell) ?? stringifyGo(cell));
}

/** A text inside of a cell. */
function escaped(text: string): string {
  return PLAIN.test(text) ? text : stringifyGo(text).slice(1, -1);
}

/** The functions of a printer that make rows. */
type Rows = Pick<Printer, 'cells' | 'conditions'>;

/** Members in the order in which clients are used to see them. */
function ordered({ type, status, reason, message }: RowCondition): RowCondition {
  return { type, status, reason, message };
}

export interface TableMeta {
  readonly rv: string;
  /** '' when there is no more. */
  readonly continueToken: string;
  /** 0 when it is not told. */
  readonly remaining: number;
}

/**
 * A Table up to its first row. `apiVersion` is `meta.cluster.io/v1` or `meta.cluster.io/v1beta1`,
 * `columns` the text of its `columnDefinitions`, or `null`. Rows, between commas, and TABLE_TAIL
 * are to follow.
 */
export function tableHead(
  apiVersion: string,
  { rv, continueToken, remaining }: TableMeta,
  columns: string,
): string {
  const metadata = {
    ...(rv === '' ? {} : { resourceVersion: rv }),
    ...(continueToken === '' ? {} : { continue: continueToken }),
    ...(remaining === 0 ? {} : { remainingItemCount: remaining }),
  };
  return (
    `{"kind":"Table","apiVersion":"${apiVersion}",` +
    `"metadata":${stringifyGo(metadata)},"columnDefinitions":${columns},"rows":[`
  );
}
