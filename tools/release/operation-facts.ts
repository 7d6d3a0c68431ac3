/** Facts of paths and their operations: the same form for both versions of OpenAPI. */
import { isJson, kindText, listOf, textsOf, textOf, type Facts, type Json } from './facts.ts';
import { schemaType } from './schema-facts.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const;

export interface Operation {
  /** `apps/v1` for paths below it; otherwise the whole path. */
  readonly root: string;
  /** The words that follow. */
  readonly rest: string;
  readonly method: string;
  /** With the parameters of its path. */
  readonly parameters: readonly Json[];
  readonly content: Json;
}

/** The operations of a document. */
export function operationsOf({ paths, parameters: named }: Json): readonly Operation[] {
  const allNamed = isJson(named) ? named : {};
  return Object.entries(isJson(paths) ? paths : {}).flatMap(([path, item]) => {
    if (!isJson(item)) return [];
    const [, root = path, rest = ''] = /^\/(api\/[^/]+|apis\/[^/]+\/[^/]+)(\/.*)$/.exec(path) ?? [];
    return METHODS.flatMap((method): Operation[] => {
      const content = item[method];
      if (!isJson(content)) return [];
      const all = [...listOf(item['parameters']), ...listOf(content['parameters'])];
      const parameters = all.map((parameter) => resolved(parameter, allNamed));
      return [{ root, rest, method, parameters, content }];
    });
  });
}

/** A document may have its parameters in one place, and refer to them. */
function resolved(parameter: Json, named: Json): Json {
  const reference = textOf(parameter['$ref']);
  const found = named[reference.slice(reference.lastIndexOf('/') + 1)];
  return isJson(found) ? found : parameter;
}

/**
 * Adds what both versions say of an operation: of what kind it is, and how it is asked and
 * answered. `?` is before parameters of the query, `<` and `>` are before media types of the body
 * and of answers, `*` is the kind itself.
 */
export function addOperation(facts: Facts, operation: Operation): void {
  const { content } = operation;
  const subject = subjectOf(operation);
  const kind = content['x-kubernetes-group-version-kind'];
  const named = isJson(kind) ? [`kind=${kindText(kind)}`] : [];
  const tags = `tags=${textsOf(content['tags']).join(',')}`;
  facts.set(subject, [textOf(content['operationId']), ...named, tags].join(' '));
  const action = textOf(content['x-kubernetes-action']);
  const how = [
    ...(action === '' ? [] : [action]),
    ...(content['deprecated'] === true ? ['deprecated'] : []),
    ...bodyOf(operation),
    ...answersOf(content),
    ...parametersOf(operation.parameters),
  ];
  const own = isJson(kind) ? `.${textOf(kind['version'])}.${textOf(kind['kind'])}` : '';
  facts.set(`${subject} how`, how.map((word) => withoutKind(word, own)).join(' '));
}

/** `200:apps.v1.Deployment` is `200:*` of its own operations, and a list is `200:*List`. */
function withoutKind(word: string, own: string): string {
  const start = word.lastIndexOf(':') + 1;
  const [type = '', rest = ''] = word.slice(start).split(/(?=List$|!$)/);
  return own !== '' && type.endsWith(own) ? `${word.slice(0, start)}*${rest}` : word;
}

export function subjectOf({ root, rest, method }: Operation): string {
  return ['operation', root, rest, method].filter((part) => part !== '').join(' ');
}

/** Without what is in the body. */
function parametersOf(parameters: readonly Json[]): readonly string[] {
  return parameters
    .filter((parameter) => parameter['in'] !== 'body')
    .map((parameter) => {
      const type = schemaType(isJson(parameter['schema']) ? parameter['schema'] : parameter);
      const name = textOf(parameter['name']);
      const isInPath = parameter['in'] === 'path';
      const required = parameter['required'] === true && !isInPath ? '!' : '';
      const typed = type === 'string' ? '' : `:${type}`;
      return `${isInPath ? `{${name}}` : `?${name}`}${typed}${required}`;
    })
    .sort();
}

function bodyOf({ content, parameters }: Operation): readonly string[] {
  const inBody = parameters.find((parameter) => parameter['in'] === 'body');
  const said = (type: string, { required }: Json, media: readonly string[]): readonly string[] => {
    return [`body:${type}${required === true ? '!' : ''}`, ...mediaWords('<', media)];
  };
  if (inBody !== undefined) {
    const schema = isJson(inBody['schema']) ? inBody['schema'] : {};
    return said(schemaType(schema), inBody, textsOf(content['consumes']));
  }
  const sent = content['requestBody'];
  if (!isJson(sent)) return [];
  const { type, media } = contentOf(sent['content']);
  return said(type, sent, media);
}

function answersOf(content: Json): readonly string[] {
  const responses = isJson(content['responses']) ? content['responses'] : {};
  const media = [...textsOf(content['produces'])];
  const answers = Object.entries(responses).map(([status, response]) => {
    if (!isJson(response)) return status;
    if (isJson(response['schema'])) return `${status}:${schemaType(response['schema'])}`;
    const found = contentOf(response['content']);
    media.push(...found.media);
    return found.type === '' ? status : `${status}:${found.type}`;
  });
  // Version 2 names types for answers without content too.
  const hasContent = answers.some((answer) => answer.includes(':'));
  return [...answers.sort(), ...(hasContent ? mediaWords('>', media) : [])];
}

function mediaWords(sign: string, media: readonly string[]): readonly string[] {
  return [...new Set(media)].sort().map((type) => `${sign}${type}`);
}

/** The type of a body by its media types: it is one, in all that is published. */
function contentOf(content: unknown): { type: string; media: readonly string[] } {
  if (!isJson(content)) return { type: '', media: [] };
  const types = Object.values(content).map((one) =>
    isJson(one) && isJson(one['schema']) ? schemaType(one['schema']) : 'any',
  );
  return { type: [...new Set(types)].join('|'), media: Object.keys(content) };
}
