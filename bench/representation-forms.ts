/** The forms in which objects are asked for, and how requests say so. */
import { K8S, NEUTRAL, type Dialect } from '../src/semantics/dialect/dialect.ts';
import type { Form } from '../src/semantics/options/answer-form.ts';

export type ApiDomain = Dialect['domain'];

interface AskedForm extends Form {
  readonly gzip?: true;
}

export const FORMS = {
  JSON: { encoding: 'json' },
  protobuf: { encoding: 'protobuf' },
  Table: { encoding: 'json', as: 'Table' },
  'Table without objects': { encoding: 'json', as: 'Table', includeObject: 'None' },
  PartialObjectMetadata: { encoding: 'json', as: 'PartialObjectMetadata' },
  'PartialObjectMetadata in protobuf': { encoding: 'protobuf', as: 'PartialObjectMetadata' },
  YAML: { encoding: 'yaml' },
  'JSON with gzip': { encoding: 'json', gzip: true },
  'Table with gzip': { encoding: 'json', as: 'Table', gzip: true },
  'protobuf with gzip': { encoding: 'protobuf', gzip: true },
} as const satisfies Record<string, AskedForm>;
export type FormName = keyof typeof FORMS;

/** Finds the form of a name, with all that a form may have. */
function formNamed(name: FormName): AskedForm {
  return FORMS[name];
}

function dialectFor(domain: ApiDomain): Dialect {
  return domain === NEUTRAL.domain ? NEUTRAL : K8S;
}

/** The media type of bodies and answers, without parameters. */
export function mediaTypeFor(name: FormName, domain: ApiDomain): string {
  const { encoding } = formNamed(name);
  return encoding === 'protobuf' ? dialectFor(domain).protobufType : `application/${encoding}`;
}

/** The value of `Accept`; for a list it names the list of what is asked for. */
export function acceptFor(name: FormName, domain: ApiDomain, isList: boolean): string {
  const { as } = formNamed(name);
  const type = mediaTypeFor(name, domain);
  if (as === undefined) return type;
  const document = as === 'PartialObjectMetadata' && isList ? `${as}List` : as;
  return `${type};as=${document};g=meta.${domain};v=v1`;
}

export function acceptsGzip(name: FormName): boolean {
  return formNamed(name).gzip === true;
}

/** The path with what the form has in the query. */
export function pathFor(name: FormName, path: string): string {
  const { includeObject } = formNamed(name);
  if (includeObject === undefined) return path;
  return `${path}${path.includes('?') ? '&' : '?'}includeObject=${includeObject}`;
}

/** Whether each event of a watch says its version twice: of the table, and of its row's object. */
export function repeatsVersions(name: FormName): boolean {
  const { as, includeObject } = formNamed(name);
  return as === 'Table' && includeObject !== 'None';
}
