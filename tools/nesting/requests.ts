/** Requests with the worst of each format: in bodies, queries, headers and paths. */
import { FORMATS, nestedText } from './texts.ts';
import type { Format, FormatName } from './texts.ts';

export interface WorstRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** For who reads what came of it. */
  readonly what: string;
}

const JSON_TYPE = 'application/json';
const YAML = 'application/yaml';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const REVISIONS = '/apis/apps/v1/namespaces/default/controllerrevisions';
const DEFINITIONS = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';
const THINGS = '/apis/nesting.example.com/v1/things';
const OPERATIONS = [
  '/apis/authorization.cluster.io/v1/selfsubjectaccessreviews',
  '/apis/authorization.cluster.io/v1/selfsubjectrulesreviews',
  '/apis/authentication.cluster.io/v1/tokenreviews',
  '/api/v1/namespaces/default/serviceaccounts/default/token',
  '/api/v1/namespaces/default/pods/a/eviction',
  '/api/v1/namespaces/default/pods/a/binding',
];
/** Room for the rest of a body: one that is too large may end its connection. */
const AROUND_CHARACTERS = 1_024;
const TABLE = 'application/json;as=Table;v=v1;g=meta.cluster.io';
const FORMS = [JSON_TYPE, YAML, TABLE, 'application/vnd.cluster.protobuf'];

function request(
  method: string,
  path: string,
  body?: string,
  headers: Readonly<Record<string, string>> = {},
): WorstRequest {
  const type = body === undefined ? {} : { 'content-type': JSON_TYPE };
  const what = `${method} ${path.slice(0, 80)} ${(body ?? '').slice(0, 60)}`;
  return { method, path, body, headers: { ...type, ...headers }, what };
}

/** So deep that it is just not refused, and far deeper. */
function texts(name: FormatName, at = 0): readonly string[] {
  const { levels, leaf, lengthMax, depths }: Format = FORMATS[name];
  const level = levels[at % levels.length];
  if (level === undefined) return [];
  const format = { levels, leaf, depths, lengthMax: lengthMax - AROUND_CHARACTERS };
  return [Math.max(...depths.filter((depth) => depth < 10_000)), 200_000].map((depth) => {
    return nestedText(format, [level], depth, true);
  });
}

/** Makes bodies of objects, in which more may be said than their kind knows. */
function* bodies(): Iterable<WorstRequest> {
  for (let at = 0; at < FORMATS.json.levels.length; at += 3) {
    for (const text of texts('json', at)) {
      const configMap = `{"metadata":{"name":"a"},"x":${text}}`;
      const revision = `{"metadata":{"name":"a"},"revision":1,"data":${text}}`;
      const head = '{"apiVersion":"nesting.example.com/v1","kind":"Thing","metadata":{"name":"a"}';
      const thing = `${head},"spec":${text}}`;
      for (const [path, body] of [
        [CONFIG_MAPS, configMap],
        [REVISIONS, revision],
        [THINGS, thing],
      ] as const) {
        yield request('POST', path, body);
        yield request('POST', `${path}?fieldValidation=Strict&dryRun=All`, body);
        yield request('PUT', `${path}/a`, body);
        yield* patches(`${path}/a`, text, body);
        for (const accept of FORMS) yield request('GET', path, undefined, { accept });
        yield request('DELETE', `${path}/a`, `{"x":${text}}`);
      }
      for (const path of OPERATIONS) yield request('POST', path, `{"spec":${text}}`);
    }
  }
}

function* patches(path: string, text: string, whole: string): Iterable<WorstRequest> {
  const operation = `{"op":"add","path":"/data","value":${text}}`;
  const pointer = `{"op":"add","path":"${'/a'.repeat(200_000)}","value":1}`;
  for (const [type, body] of [
    ['json-patch+json', `[${operation}]`],
    ['json-patch+json', `[${pointer}]`],
    ['json-patch+json', text],
    ['merge-patch+json', `{"data":${text}}`],
    ['strategic-merge-patch+json', `{"data":${text}}`],
    ['apply-patch+yaml', whole],
  ] as const) {
    const headers = { 'content-type': `application/${type}` };
    const query = type === 'apply-patch+yaml' ? '?fieldManager=a&force=true' : '';
    yield request('PATCH', `${path}${query}`, body, headers);
  }
}

function* yamlBodies(): Iterable<WorstRequest> {
  for (const name of ['yaml', 'yamlLines'] as const) {
    for (let at = 0; at < FORMATS[name].levels.length; at += 1) {
      for (const text of texts(name, at)) {
        const paths = [CONFIG_MAPS, THINGS, OPERATIONS[at % OPERATIONS.length] as string];
        for (const path of paths) yield request('POST', path, text, { 'content-type': YAML });
        const patch = { 'content-type': 'application/apply-patch+yaml' };
        yield request('PATCH', `${CONFIG_MAPS}/a?fieldManager=a`, text, patch);
        yield request('DELETE', `${CONFIG_MAPS}/none`, text, { 'content-type': YAML });
      }
    }
  }
}

export function definition(name: string, schema: string, columns = ''): string {
  const kind = `${name.charAt(0).toUpperCase()}${name.slice(1, -1)}`;
  const version =
    `{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":${schema}}` +
    `,"additionalPrinterColumns":[${columns}]}`;
  return (
    `{"metadata":{"name":"${name}.nesting.example.com"},"spec":{"group":"nesting.example.com",` +
    `"scope":"Cluster","names":{"plural":"${name}","kind":"${kind}"},"versions":[${version}]}}`
  );
}

/** Definitions, what is asked of them and their objects, and their end. */
function* definitions(): Iterable<WorstRequest> {
  let number = 0;
  const make = function* (schema: string, columns?: string): Iterable<WorstRequest> {
    const name = `deep${(number += 1)}s`;
    const path = `${DEFINITIONS}/${name}.nesting.example.com`;
    const objects = `/apis/nesting.example.com/v1/${name}`;
    yield request('POST', DEFINITIONS, definition(name, schema, columns));
    for (const accept of FORMS) yield request('GET', DEFINITIONS, undefined, { accept });
    const kind = `"apiVersion":"nesting.example.com/v1","kind":"Deep${number}"`;
    for (const a of ['{}', ...texts('members').slice(0, 1), '"a"']) {
      yield request('POST', objects, `{${kind},"metadata":{"name":"a"},"a":${a}}`);
      yield request('GET', objects, undefined, { accept: TABLE });
    }
    yield request('GET', '/openapi/v3/apis/nesting.example.com/v1');
    yield request('GET', '/apis/nesting.example.com/v1');
    yield request('DELETE', path);
  };
  const under = (schema: string): string => `{"type":"object","properties":{"a":${schema}}}`;
  for (let at = 0; at < FORMATS.schema.levels.length; at += 1) {
    for (const text of texts('schema', at)) yield* make(under(text));
  }
  for (let at = 0; at < FORMATS.restrictions.levels.length; at += 1) {
    for (const text of texts('restrictions', at)) {
      yield* make(under(`{"type":"object","not":${text}}`));
    }
  }
  for (let at = 0; at < FORMATS.pattern.levels.length; at += 1) {
    for (const text of texts('pattern', at)) {
      yield* make(under(`{"type":"string","pattern":${JSON.stringify(text)}}`));
    }
  }
  for (let at = 0; at < FORMATS.rule.levels.length; at += 1) {
    for (const text of texts('rule', at)) {
      const rule = `"x-kubernetes-validations":[{"rule":${JSON.stringify(text)}}]`;
      yield* make(under(`{"type":"object",${rule}}`));
    }
  }
  for (let at = 0; at < FORMATS.path.levels.length; at += 1) {
    for (const text of texts('path', at)) {
      const column = `{"name":"a","type":"string","jsonPath":${JSON.stringify(`.a${text}`)}}`;
      yield* make(under('{"type":"object","x-kubernetes-preserve-unknown-fields":true}'), column);
    }
  }
  yield request('GET', '/openapi/v2');
}

function* heads(): Iterable<WorstRequest> {
  for (let at = 0; at < FORMATS.selector.levels.length; at += 1) {
    for (const text of texts('selector', at)) {
      const value = encodeURIComponent(text).slice(0, 50_000);
      for (const name of [
        'labelSelector',
        'fieldSelector',
        'continue',
        'resourceVersion',
        'pretty',
      ]) {
        yield request('GET', `${CONFIG_MAPS}?${name}=${value}`);
      }
      const header = text.slice(0, 50_000).replaceAll(/[^ -~]/g, 'a');
      for (const name of ['accept', 'user-agent', 'content-type', 'accept-encoding', 'host']) {
        yield request('GET', CONFIG_MAPS, undefined, { [name]: header });
      }
    }
  }
  for (const [unit, times] of [
    ['/', 50_000],
    ['%2f', 16_000],
    ['a/', 25_000],
    ['/..', 16_000],
    ['*', 50_000],
  ] as const) {
    yield request('GET', `/apis${unit.repeat(times)}`);
    yield request('GET', `/${unit.repeat(times)}a/`);
    yield request('GET', `${CONFIG_MAPS}/${unit.repeat(times)}`);
  }
  for (const text of texts('json')) {
    const parts = ['{"alg":"RS256"}', `{"a":${text}}`, 'x'].map((part) => {
      return Buffer.from(part).toString('base64url');
    });
    const authorization = `Bearer ${parts.join('.').slice(0, 50_000)}`;
    yield request('GET', CONFIG_MAPS, undefined, { authorization });
  }
}

export const THING = definition(
  'things',
  '{"type":"object","x-kubernetes-preserve-unknown-fields":true}',
);

/** After `THING` was defined, and served. */
export const WORST_REQUESTS: Readonly<Record<string, () => Iterable<WorstRequest>>> = {
  bodies,
  yamlBodies,
  definitions,
  heads,
};
