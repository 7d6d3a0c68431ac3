/** Checks the rules of a schema themselves (README.md#definitions). */
import { quoteText } from '../../codec/json/strict-quote.ts';
import {
  invalid,
  invalidPrinted,
  tooMany,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import type { SchemaJson } from '../structural-schema.ts';
import { compileRules, RULES, type RuleText } from './rule.ts';
import { forEachRuleNode } from './rule-nodes.ts';

/** The most rules of one schema: threads that write objects compile each of them again. */
const RULES_MAX = 5000;
const CHARACTERS_MAX = 1_000_000;

/** The problems of the rules of a schema at the path `field`. */
export function ruleErrors(schema: SchemaJson, field: string): FieldError[] {
  const errors: FieldError[] = [];
  let count = 0;
  let characters = 0;
  forEachRuleNode(schema, field, (node) => {
    count += node.rules.length;
    for (const { rule = '' } of node.rules) characters += rule.length;
  });
  if (count > RULES_MAX) return [tooMany(field, count, RULES_MAX)];
  if (characters > CHARACTERS_MAX) {
    const detail = `must have rules of at most ${CHARACTERS_MAX} characters`;
    return [invalid(field, characters, detail)];
  }
  forEachRuleNode(schema, field, ({ rules, values, path, uncorrelated }) => {
    compileRules(rules, values).forEach(({ problem, isTransition }, at) => {
      const place = `${path}.${RULES}[${at}].rule`;
      const rule = rules[at] as RuleText;
      if (problem !== '') errors.push(invalidPrinted(place, printRule(rule), problem));
      else if (isTransition && uncorrelated !== '') {
        const detail =
          'oldSelf cannot be used on the uncorrelatable portion of the schema within ' +
          uncorrelated;
        errors.push(invalid(place, rule.rule, detail));
      }
    });
  });
  return errors;
}

function printRule({ rule = '', message = '' }: RuleText): string {
  const members = `Rule:${quoteText(rule)}, Message:${quoteText(message)}`;
  return `apiextensions.ValidationRule{${members}}`;
}
