/** Checks the extra of a user whom somebody acts as by constrained rights. */
import { quoteText } from '../../codec/json/strict-quote.ts';
import { aggregateText } from '../../semantics/errors/aggregate-text.ts';
import { dnsSubdomain } from '../../semantics/metadata/names.ts';

const PATH = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/;
const PATH_TEXT = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";

/** '' where nothing is wrong. */
export function extraProblem(extra: Readonly<Record<string, readonly string[]>>): string {
  for (const [key, values] of Object.entries(extra)) {
    if (key === '') return 'impersonating the empty string key in extra is not allowed';
    const problems = keyProblems(key);
    if (problems.length > 0) {
      const told = aggregateText(problems.map((problem) => `extra.key: Invalid value: ${problem}`));
      return `impersonating an invalid key in extra is not allowed: ${told}`;
    }
    if (key !== key.toLowerCase()) {
      return `impersonating a non-lowercase key in extra is not allowed: ${quoteText(key)}`;
    }
    if (values.includes('')) {
      return 'impersonating the empty string value in extra is not allowed';
    }
  }
  return '';
}

/** A key has a domain and a path. */
function keyProblems(key: string): string[] {
  const slash = key.indexOf('/');
  const [host, path] = [key.slice(0, Math.max(0, slash)), key.slice(slash + 1)];
  if (slash < 0 || host === '' || path === '') {
    return [`${quoteText(key)}: must be a domain-prefixed path (such as "acme.io/foo")`];
  }
  const problems = dnsSubdomain(host).map((problem) => `${quoteText(host)}: ${problem}`);
  if (!PATH.test(path)) {
    const why = `Invalid path (regex used for validation is '${PATH_TEXT}')`;
    problems.push(`${quoteText(path)}: ${why}`);
  }
  return problems;
}
