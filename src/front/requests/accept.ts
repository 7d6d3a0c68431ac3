/** The clauses of an `Accept` header (../README.md#content-negotiation). */

export interface AcceptClause {
  /** A media type or a range of them, in lower case; '*' and '/' as they stand. */
  readonly type: string;
  /** Names in lower case; without `q` and those without a value. */
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * In the order in which they are to be tried: by `q`, then what is named before ranges, then as
 * written; those with `q=0` are left out. An absent header takes everything.
 */
export function acceptClauses(accept: string): readonly AcceptClause[] {
  if (accept.trim() === '') return [EVERYTHING];
  const weighed = accept.split(',').map((text) => {
    const [type = '', ...rest] = text.split(';').map((part) => part.trim());
    const parameters = new Map<string, string>();
    for (const parameter of rest) {
      const [name = '', value = ''] = parameter.split('=', 2).map((part) => part.trim());
      if (value !== '') parameters.set(name.toLowerCase(), value);
    }
    const quality = parameters.has('q') ? Number(parameters.get('q')) : 1;
    parameters.delete('q');
    const clause = { type: type === '*' ? '*/*' : type.toLowerCase(), parameters };
    return { clause, quality, isRange: clause.type.endsWith('*') };
  });
  return weighed
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality || Number(a.isRange) - Number(b.isRange))
    .map(({ clause }) => clause);
}

const EVERYTHING: AcceptClause = { type: '*/*', parameters: new Map() };

/** Whether a range such as `application/*` takes the type. */
export function takesType(range: string, type: string): boolean {
  if (range === '*/*' || range === type) return true;
  return range.endsWith('/*') && type.startsWith(range.slice(0, -1));
}
