/** Formats by their names, whose problems expressions can tell. */
import {
  dns1035Label,
  dnsLabel,
  dnsSubdomain,
  labelValue,
  qualifiedName,
} from '../../../semantics/metadata/names.ts';
import { formatCheck } from '../../string-formats.ts';
import { ListValue, LITERAL, NONE, OptionalValue } from '../values.ts';
import type { CallableValue, Value } from '../values.ts';

type Problems = (text: string) => readonly string[];

function checked(format: string, problem: (text: string) => string): Problems {
  const check = formatCheck(format);
  return (text) => (check?.(text) === true ? [] : [problem(text)]);
}

/** Finds what a format refuses in texts; the length of its pattern decides the cost. */
interface Format {
  readonly problems: Problems;
  readonly patternSize: number;
}

function format(patternSize: number, problems: Problems): Format {
  return { problems, patternSize };
}

const FORMATS: Readonly<Record<string, Format>> = {
  dns1123Label: format(30, (text) => dnsLabel(text)),
  dns1123Subdomain: format(60, (text) => dnsSubdomain(text)),
  dns1035Label: format(30, (text) => dns1035Label(text)),
  qualifiedName: format(60, qualifiedName),
  dns1123LabelPrefix: format(30, (text) => dnsLabel(text, true)),
  dns1123SubdomainPrefix: format(60, (text) => dnsSubdomain(text, true)),
  dns1035LabelPrefix: format(30, (text) => dns1035Label(text, true)),
  labelValue: format(40, labelValue),
  uri: format(
    1103,
    checked('uri', (text) => `parse ${JSON.stringify(text)}: invalid URI for request`),
  ),
  uuid: format(
    70,
    checked('uuid', () => 'does not match the UUID format'),
  ),
  byte: format(
    84,
    checked('byte', () => 'invalid base64'),
  ),
  date: format(
    71,
    checked('date', () => 'invalid date'),
  ),
  datetime: format(
    71,
    checked('datetime', () => 'invalid datetime'),
  ),
};

export const FORMAT_NAMES: readonly string[] = Object.keys(FORMATS);

class NamedFormat implements CallableValue {
  readonly typeName = 'kubernetes.NamedFormat';
  readonly #name: string;
  readonly #format: Format;

  constructor(name: string, of: Format) {
    this.#name = name;
    this.#format = of;
  }

  get patternSize(): number {
    return this.#format.patternSize;
  }

  equals(other: Value): boolean {
    return other instanceof NamedFormat && other.#name === this.#name;
  }

  call(name: string, [text]: readonly Value[]): Value | undefined {
    if (name !== 'validate' || typeof text !== 'string') return undefined;
    const problems = this.#format.problems(text);
    return problems.length === 0 ? NONE : new OptionalValue(new ListValue(problems, LITERAL));
  }
}

/** Undefined where there is none of that name. */
export function namedFormat(name: string): CallableValue | undefined {
  const found = Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined;
  return found && new NamedFormat(name, found);
}
