/**
 * Prints objects of a custom type for a Table, by the columns of their definition. The cells are
 * those of the reference, down to those for values that are not of the column's type.
 */
import { canonicalTime } from '../../codec/leaves/time-text.ts';
import { CUSTOM_ROW_WORK_MAX } from '../../limits.ts';
import { AGE, NAME } from '../../resources/printer-cells.ts';
import type { Column, Printer } from '../../resources/printer.ts';
import { unstructuredText } from '../../schema/unstructured.ts';
import { ageSince, type Age } from '../../semantics/age-text.ts';
import { goValueText, isInt64 } from '../../semantics/patch/go-value-text.ts';
import type { ColumnFacts } from './definition-facts.ts';
import { PathNumber } from './json-path-parser.ts';
import { compileJsonPath, type JsonPath, type PathBudget } from './json-path.ts';

const DEFAULT_COLUMNS: readonly ColumnFacts[] = [
  {
    name: 'Age',
    type: 'date',
    format: '',
    priority: 0,
    description: AGE.description,
    jsonPath: '.metadata.creationTimestamp',
  },
];

/** A column that is shown. */
interface CompiledColumn {
  readonly column: Column;
  readonly path: JsonPath;
}

/**
 * The printer of a version: the name and the columns of its definition, or the age where it lists
 * none. Columns end before the first one whose path cannot be understood. `cells` takes the whole
 * object; `type` is its `apiVersion` and `kind` here.
 */
export function customPrinter(
  columns: readonly ColumnFacts[],
  type: { readonly apiVersion: string; readonly kind: string },
): Printer {
  let known: readonly CompiledColumn[] | undefined;
  const compiled = (): readonly CompiledColumn[] => (known ??= compileColumns(columns));
  return {
    get columns() {
      return [NAME, ...compiled().map(({ column }) => column)];
    },
    cells: (object) => {
      const budget: PathBudget = { left: CUSTOM_ROW_WORK_MAX };
      const whole = { ...type, ...object };
      const cells = compiled().map(({ column, path }) => {
        const [value] = path(whole, budget);
        const cell = cellOf(column.type, value);
        budget.left -= typeof cell === 'string' ? cell.length : 1;
        return cell;
      });
      return [object.metadata.name ?? '', ...cells];
    },
  };
}

function compileColumns(defined: readonly ColumnFacts[]): readonly CompiledColumn[] {
  const columns: CompiledColumn[] = [];
  for (const one of defined.length === 0 ? DEFAULT_COLUMNS : defined) {
    const path = compileJsonPath(one.jsonPath);
    if (path === undefined) break;
    columns.push({ column: columnOf(one), path });
  }
  return columns;
}

function columnOf({ jsonPath, ...column }: ColumnFacts): Column {
  const made = `Custom resource definition column (in JSONPath format): ${jsonPath}`;
  const description = column.description === '' ? made : column.description;
  return { ...column, type: column.type as Column['type'], description };
}

/** Undefined is no result. */
function cellOf(type: string, value: unknown): unknown {
  if (value === undefined) return null;
  switch (type) {
    case 'string':
      return textOf(value);
    case 'integer':
      return integerOf(value);
    case 'number':
      return numberOf(value);
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? dateOf(value) : null;
    default:
      return null;
  }
}

function textOf(value: unknown): string {
  if (value === null) return '<no value>';
  if (typeof value === 'string') return value;
  if (value instanceof PathNumber) return goValueText(value.value);
  return typeof value === 'object' ? unstructuredText(value) : goValueText(value);
}

/** A number that a path has itself is none of the object's; its fractions are. */
function plainOf(value: unknown): unknown {
  if (!(value instanceof PathNumber)) return value;
  return value.type === 'float' ? value.value : undefined;
}

const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

function integerOf(value: unknown): unknown {
  const plain = plainOf(value);
  if (typeof plain === 'bigint') return rawJSON(String(plain));
  if (typeof plain !== 'number') return null;
  const integer = Math.trunc(plain);
  // As processors convert what does not fit.
  return isInt64(integer) ? integer : rawJSON(String(-(2n ** 63n)));
}

function numberOf(value: unknown): number | null {
  const plain = plainOf(value);
  if (typeof plain === 'bigint') return Number(plain);
  return typeof plain === 'number' ? plain : null;
}

/** The age of a time of RFC 3339. */
function dateOf(text: string): Age | string {
  if (text === '' || text === 'null') return ageSince(undefined);
  let time: string;
  try {
    time = canonicalTime(text);
  } catch {
    return '<invalid>';
  }
  if (time === '') return ageSince(undefined);
  // A fraction of a second decides which second of its age an object is in.
  const [milliseconds = ''] = /\.\d{1,3}/.exec(text) ?? [];
  return ageSince(time.replace('Z', `${milliseconds}Z`));
}
