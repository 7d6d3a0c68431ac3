/** The JSON text of a Table document (README.md#tables). */
import { stringifyGo } from '../codec/go-json.ts';
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
 * The JSON text of a row up to what it holds of its object, or `null`; that and ROW_TAIL are to
 * follow. `object` has the members that the printer selects; ages count by `nowMs`.
 */
export function rowStart(printer: Rows, object: ApiObject, nowMs: number): string {
  const cells = printer.cells(object, nowMs);
  let text = '';
  for (const cell of cells) text += `${text === '' ? '' : ','}${cellText(cell)}`;
  const conditions = printer.conditions?.(object) ?? [];
  const conditionsMember =
    conditions.length === 0 ? '' : `"conditions":${stringifyGo(conditions.map(ordered))},`;
  return `{"cells":[${text}],${conditionsMember}"object":`;
}

/** Has nothing to escape, as most cells. */
const PLAIN = /^[\w ./:,=()-]*$/;
/** The text of cells that have something to escape and come again and again. */
const PLACEHOLDERS = new Map(
  [NONE, UNSET, UNKNOWN].map((placeholder) => [placeholder, stringifyGo(placeholder)]),
);

function cellText(cell: unknown): string {
  if (typeof cell !== 'string') return stringifyGo(cell);
  return PLAIN.test(cell) ? `"${cell}"` : (PLACEHOLDERS.get(cell) ?? stringifyGo(cell));
}

/** What rows are made by. */
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
