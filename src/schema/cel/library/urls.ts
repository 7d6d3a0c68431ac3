/** URLs as values. */
import { quoteText } from '../../../codec/json/strict-quote.ts';
import { isRequestUri } from '../../request-uri.ts';
import {
  Failure,
  LiteralMap,
  ListValue,
  LITERAL,
  type CallableValue,
  type Value,
} from '../values.ts';

const SHAPE = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?([^?#]*)(?:\?([^#]*))?(?:#.*)?$/s;
const AUTHORITY = /^\/\/(?:[^/@]*@)?([^/]*)(.*)$/s;
const HOST = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d*))?$/;

class Url implements CallableValue {
  readonly typeName = 'kubernetes.URL';
  readonly #text: string;
  readonly #scheme: string;
  readonly #host: string;
  readonly #path: string;
  readonly #query: string;

  constructor(text: string) {
    const [, scheme = '', rest = '', query = ''] = SHAPE.exec(text) ?? [];
    const [, host = '', path = ''] = AUTHORITY.exec(rest) ?? [];
    this.#text = text;
    this.#scheme = scheme.toLowerCase();
    this.#host = host;
    const hasAuthority = AUTHORITY.test(rest);
    this.#path = hasAuthority ? path : rest.startsWith('/') ? rest : '';
    this.#query = query;
  }

  equals(other: Value): boolean {
    return other instanceof Url && other.#text === this.#text;
  }

  call(name: string): Value | undefined {
    const [, inBrackets, plain = '', port = ''] = HOST.exec(this.#host) ?? [];
    switch (name) {
      case 'getScheme':
        return this.#scheme;
      case 'getHost':
        return this.#host;
      case 'getHostname':
        return inBrackets ?? plain;
      case 'getPort':
        return port;
      case 'getEscapedPath':
        return this.#path;
      case 'getQuery':
        return queryMap(this.#query);
      default:
        return undefined;
    }
  }
}

function queryMap(query: string): LiteralMap {
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(query)) {
    const known = values.get(name);
    if (known === undefined) values.set(name, [value]);
    else known.push(value);
  }
  return new LiteralMap(
    Array.from(values, ([name, list]) => [name, new ListValue(list, LITERAL)] as const),
  );
}

/** The URL that a text is; a failure for one that is none. */
export function urlOf(text: string): Value {
  if (isRequestUri(text)) return new Url(text);
  const problem = `parse ${quoteText(text)}: invalid URI for request`;
  return new Failure(`URL parse error during conversion from string: ${problem}`);
}
