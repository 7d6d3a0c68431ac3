/** The endpoints of the laboratory as a document of OpenAPI 3. */
import type { Schema } from '../../laboratory/schemas.ts';
import { LAB_PATH, type LabRoute } from './lab-api.ts';

const JSON_TYPE = 'application/json';
const TEXT = { type: 'string' };
const ERRORS = 'A Status that tells why not.';

/** Describes the routes that there are. */
export function labDocument(routes: readonly LabRoute[]): object {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = LAB_PATH + route.path.replaceAll(/[A-Z]+/g, (word) => `{${word.toLowerCase()}}`);
    paths[path] ??= parametersOf(route);
    paths[path][route.method] = operationOf(route);
  }
  return {
    openapi: '3.0.0',
    info: { title: 'shardplane laboratory', version: 'v1' },
    paths,
  };
}

function parametersOf({ path }: LabRoute): Record<string, unknown> {
  const names = path.match(/[A-Z]+/g) ?? [];
  if (names.length === 0) return {};
  const parameters = names.map((word) => ({
    name: word.toLowerCase(),
    in: 'path',
    required: true,
    schema: TEXT,
  }));
  return { parameters };
}

function operationOf({ method, path, says, takes, asks = {} }: LabRoute): object {
  const parameters = Object.entries(asks).map(([name, description]) => ({
    name,
    in: 'query',
    description,
    schema: TEXT,
  }));
  return {
    tags: ['shardplane_laboratory'],
    description: says,
    operationId: `${method}ShardplaneLaboratory/${path}`.replaceAll(/\W+(\w)/g, (_, first) =>
      (first as string).toUpperCase(),
    ),
    ...(parameters.length > 0 && { parameters }),
    ...(takes !== undefined && { requestBody: { content: contentOf(takes) } }),
    responses: {
      default: { description: ERRORS, content: contentOf({ type: 'object' }) },
      '2XX': { description: 'Done.', content: contentOf({ type: 'object' }) },
    },
  };
}

function contentOf(schema: Schema): object {
  return { [JSON_TYPE]: { schema } };
}
