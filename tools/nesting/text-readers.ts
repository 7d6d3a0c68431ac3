/** Readers of texts that are no documents: selectors, paths, patterns, rules, names, numbers. */

import { ruleErrors } from '../../src/schema/cel/check-rules.ts';
import { compileRuleValidator } from '../../src/schema/cel/validate-rules.ts';
import { findPattern, patternProblem } from '../../src/schema/pattern.ts';
import { formatCheck } from '../../src/schema/string-formats.ts';
import { StructuralSchema } from '../../src/schema/structural-schema.ts';
import { canonicalDuration } from '../../src/codec/leaves/duration-text.ts';
import { canonicalQuantity } from '../../src/codec/leaves/quantity.ts';
import { canonicalMicroTime, canonicalTime } from '../../src/codec/leaves/time-text.ts';
import { acceptClauses } from '../../src/front/requests/accept.ts';
import { wantsPretty } from '../../src/front/requests/negotiate.ts';
import { Query } from '../../src/front/requests/query.ts';
import { urlCovers } from '../../src/auth/rbac/rule-allows.ts';
import { readJsonWebToken } from '../../src/auth/authentication/json-web-token.ts';
import { isLatestImage } from '../../src/resources/core/pods/containers/image-reference.ts';
import { cronScheduleProblem } from '../../src/semantics/cron-schedule.ts';
import { swapLabelSelector } from '../../src/semantics/dialect/selectors.ts';
import { swapText } from '../../src/semantics/dialect/names-in-text.ts';
import { fieldMatcher, parseFieldSelector } from '../../src/semantics/selectors/field-selector.ts';
import { parseIp, parseIpRange } from '../../src/semantics/validation/ip-address.ts';
import { labelMatcher } from '../../src/semantics/selectors/label-matcher.ts';
import {
  formatLabelSelector,
  parseLabelSelector,
} from '../../src/semantics/selectors/label-selector.ts';
import {
  apiVersionName,
  configKey,
  dnsSubdomain,
  envVarName,
  httpHeaderName,
  labelValue,
  portName,
  qualifiedName,
} from '../../src/semantics/metadata/names.ts';
import { compileJsonPath } from '../../src/types/custom/json-path.ts';
import type { Reader } from './reader.ts';

const FORMATS_OF_STRINGS = (
  'uri email hostname ipv4 ipv6 cidr mac uuid isbn creditcard ' +
  'ssn hexcolor rgbcolor byte password date duration datetime'
).split(' ');

/** Lets a reader refuse a text by an error of its own; only the stack's end is no refusal. */
function tried(read: (text: string) => unknown, text: string): void {
  try {
    read(text);
  } catch (error) {
    if (error instanceof RangeError) throw error;
  }
}

function all(...readers: readonly ((text: string) => unknown)[]): (text: string) => string {
  return (text) => {
    for (const read of readers) tried(read, text);
    return 'read';
  };
}

const VALUE: Record<string, unknown> = { a: [{ a: { a: ['a', 1] } }], b: 'a' };

function rule(text: string): string {
  const json = {
    type: 'object',
    properties: { a: { type: 'string' } },
    'x-kubernetes-validations': [{ rule: text }],
  };
  const errors = ruleErrors(json, 'f');
  if (errors.length > 0) return errors[0]?.message.slice(0, 100) ?? '';
  const schema = new StructuralSchema(json);
  return String(compileRuleValidator(schema)?.({ a: 'a' }, '').length);
}

/** Rules for long texts: for numbers, times and parts of them. */
const RULES_OF_TEXT = [
  'double(self.a) > 0.0',
  'int(self.a) > 0',
  'duration(self.a) > duration("1s")',
  'bool(self.a)',
  'timestamp(self.a) > timestamp("2024-01-01T00:00:00Z")',
  'self.a.matches("^(a*)*$")',
  'self.a.split(",").size() > 0',
  'self.a.trim() == ""',
  'self.a.find("a+") == ""',
].map((rule) => {
  const properties = { a: { type: 'string' } };
  const validations = [{ rule }];
  const json = { type: 'object', properties, 'x-kubernetes-validations': validations };
  return compileRuleValidator(new StructuralSchema(json));
});

export const TEXT_READERS: readonly Reader[] = [
  { name: 'rules', format: 'rule', read: rule },
  {
    name: 'patterns',
    format: 'pattern',
    read: (text) => {
      const problem = patternProblem(text);
      if (problem !== undefined) return problem.slice(0, 100);
      return String(findPattern(text, 'aaaaaaaaaab'.repeat(20), 1).length);
    },
  },
  {
    name: 'paths of columns',
    format: 'path',
    read: (text) => {
      const path = compileJsonPath(text);
      return path === undefined ? 'none' : String(path(VALUE, { left: 100_000 }).length);
    },
  },
  {
    name: 'selectors',
    format: 'selector',
    read: all(
      (text) => labelMatcher(parseLabelSelector(text)),
      (text) => formatLabelSelector(parseLabelSelector(text)),
      (text) => fieldMatcher(parseFieldSelector(text)),
      swapLabelSelector,
      (text) => new Query(text).text('labelSelector'),
    ),
  },
  {
    name: 'formats of strings',
    format: 'text',
    read: all(...FORMATS_OF_STRINGS.map((name) => formatCheck(name) ?? (() => undefined))),
  },
  {
    name: 'numbers and times',
    format: 'text',
    read: all(
      canonicalQuantity,
      canonicalDuration,
      canonicalTime,
      canonicalMicroTime,
      cronScheduleProblem,
      parseIp,
      parseIpRange,
    ),
  },
  {
    name: 'names',
    format: 'text',
    read: all(
      qualifiedName,
      dnsSubdomain,
      labelValue,
      envVarName,
      configKey,
      portName,
      httpHeaderName,
      apiVersionName,
      isLatestImage,
      swapText,
      (text) => urlCovers(text, '/healthz'),
      (text) => urlCovers(`${text}*`, '/healthz'),
    ),
  },
  {
    name: 'heads of requests',
    format: 'selector',
    read: all(
      acceptClauses,
      (text) => wantsPretty('', text, text),
      readJsonWebToken,
      (text) => new Query(text).text('pretty'),
    ),
  },
  {
    name: 'rules about texts',
    format: 'text',
    read: all(
      ...RULES_OF_TEXT.map((validator) => (text: string) => validator?.({ a: text }, '').length),
    ),
  },
];
