/**
 * Every path that is served, with its operations, as plain data: `api-operations.ts` says what each
 * kind has, and both versions of the documents are written from this.
 */
import type { GroupVersionKind } from './model-facts.ts';
import type { Parameter } from './parameters.ts';

export type Method = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch';

/**
 * The media types of requests and answers; `text documents` have no binary form, `any` is for the
 * answers of another server.
 */
export type MediaTypes =
  | 'documents'
  | 'text documents'
  | 'stream'
  | 'patch'
  | 'customPatch'
  | 'text'
  | 'any'
  | 'json'
  | 'keys'
  | 'none';

/** A published message, a plain string, or nothing that a schema says. */
export type Content = { readonly type: string } | 'string' | undefined;

export interface ApiOperation {
  readonly method: Method;
  /** `readCoreV1NamespacedPod`. */
  readonly id: string;
  readonly tag: string;
  readonly description: string;
  /** `get`, `post`, `watchlist`, …; absent for what is no resource. */
  readonly action?: string;
  readonly kind?: GroupVersionKind;
  readonly body?: { readonly type: string; readonly isRequired: boolean };
  readonly consumes: MediaTypes;
  readonly produces: MediaTypes;
  readonly parameters: readonly Parameter[];
  /** By status. */
  readonly responses: Readonly<Record<string, Content>>;
}

export interface ApiPath {
  /** The group version or group that it is part of, as paths have it: `apis/batch/v1`, `api`. */
  readonly root: string;
  readonly path: string;
  readonly operations: readonly ApiOperation[];
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  '200': 'OK',
  '201': 'Created',
  '202': 'Accepted',
  '401': 'Unauthorized',
};

/** The description of a response, by its status. */
export function responseDescription(status: string): string {
  return DESCRIPTIONS[status] ?? '';
}

/** Published messages that bodies and answers of the paths are of. */
export function contentTypes(paths: readonly ApiPath[]): ReadonlySet<string> {
  const types = new Set<string>();
  for (const { operations } of paths) {
    for (const { body, responses } of operations) {
      if (body !== undefined) types.add(body.type);
      for (const content of Object.values(responses)) {
        if (typeof content === 'object') types.add(content.type);
      }
    }
  }
  return types;
}

/** Parameters that all operations of a path have, by name: those of the path itself. */
export function sharedParameters({ operations }: ApiPath): readonly Parameter[] {
  const [first, ...others] = operations;
  const shared = (first?.parameters ?? []).filter((parameter) =>
    others.every(({ parameters }) => parameters.some((one) => isSame(one, parameter))),
  );
  return sortedParameters(shared);
}

/** Those of an operation alone. */
export function ownParameters(
  { parameters }: ApiOperation,
  shared: readonly Parameter[],
): readonly Parameter[] {
  return sortedParameters(parameters.filter((one) => !shared.some((other) => isSame(one, other))));
}

function isSame(a: Parameter, b: Parameter): boolean {
  return a.name === b.name && a.in === b.in;
}

function sortedParameters(parameters: readonly Parameter[]): readonly Parameter[] {
  return [...parameters].sort((a, b) => {
    if (a.name === b.name) return a.in < b.in ? -1 : 1;
    return a.name < b.name ? -1 : 1;
  });
}
