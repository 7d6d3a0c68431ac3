/** Checks the rules of a schema themselves (README.md#definitions). */
import { stringifyGo } from '../../codec/json/go-json.ts';
import { quoteText } from '../../codec/json/strict-quote.ts';
import { ownRelease } from '../../release/release.ts';
import {
  invalid,
  invalidPrinted,
  showsJson,
  tooMany,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import type { SchemaJson } from '../structural-schema.ts';
import { RuleCosts } from './cost/rule-costs.ts';
import { SchemaSizes } from './cost/schema-sizes.ts';
import { NEW_EXPRESSIONS, STORED_EXPRESSIONS } from './library/library.ts';
import { compileRules, RULES, type LibraryOf, type RuleText } from './rule.ts';
import { forEachRuleNode } from './rule-nodes.ts';

/** The most rules of one schema: threads that write objects compile each of them again. */
const RULES_MAX = 5000;
const CHARACTERS_MAX = 1_000_000;

/** The rules that the stored definition has already. */
export interface KeptRules {
  /** They may use what is not for new ones yet. */
  readonly expressions: ReadonlySet<string>;
  /** Whether the schema is the stored one, whose rules may cost more than new ones. */
  readonly isUnchanged: boolean;
}

const NOTHING_KEPT: KeptRules = { expressions: new Set(), isUnchanged: false };

/** The problems of the rules of a schema at the path `field`. */
export function ruleErrors(
  schema: SchemaJson,
  field: string,
  kept: KeptRules = NOTHING_KEPT,
): FieldError[] {
  const libraryOf: LibraryOf = (expression) =>
    kept.expressions.has(expression) ? STORED_EXPRESSIONS : NEW_EXPRESSIONS;
  const errors: FieldError[] = [];
  let count = 0;
  let characters = 0;
  forEachRuleNode(schema, field, (node) => {
    count += node.rules.length;
    for (const { rule = '', messageExpression = '' } of node.rules) {
      characters += rule.length + messageExpression.length;
    }
  });
  if (count > RULES_MAX) return [tooMany(field, count, RULES_MAX)];
  if (characters > CHARACTERS_MAX) {
    const detail = `must have rules of at most ${CHARACTERS_MAX} characters`;
    return [invalid(field, characters, detail)];
  }
  const costs = new RuleCosts(kept.isUnchanged);
  forEachRuleNode(schema, field, ({ rules, values, path, uncorrelated, occurrences }) => {
    const sizes = ESTIMATES_COSTS ? new SchemaSizes(values) : undefined;
    const times = occurrences ?? sizes?.occurrencesMax ?? 1;
    compileRules(rules, values, libraryOf, sizes).forEach((compiled, at) => {
      const { problem, messageProblem, isTransition } = compiled;
      const ruleField = `${path}.${RULES}[${at}]`;
      const place = `${ruleField}.rule`;
      const rule = rules[at] as RuleText;
      costs.add(place, 'rule', compiled.cost, times, errors);
      if (problem !== '') errors.push(invalidPrinted(place, printRule(rule), problem));
      const its = `${ruleField}.messageExpression`;
      if (messageProblem !== '') {
        errors.push(invalidPrinted(its, printRule(rule), messageProblem));
      } else if (compiled.message !== undefined) {
        costs.add(its, 'messageExpression', compiled.messageCost, 1, errors);
      }
      if (problem !== '') return;
      if (!isTransition && rule.optionalOldSelf !== undefined) {
        const detail = 'may not be set if oldSelf is not used in rule';
        errors.push(invalid(`${ruleField}.optionalOldSelf`, rule.optionalOldSelf, detail));
      } else if (isTransition && uncorrelated !== '') {
        const detail =
          'oldSelf cannot be used on the uncorrelatable portion of the schema within ' +
          uncorrelated;
        errors.push(invalid(place, rule.rule, detail));
      }
    });
  });
  costs.addTotal(field, errors);
  return errors;
}

const ESTIMATES_COSTS = ownRelease().has('estimatedRuleCosts');

/** With the names that members have in the code of the reference. */
function printRule(text: RuleText): string {
  const { rule = '', message = '' } = text;
  if (showsJson()) {
    const { messageExpression = '', reason = null, fieldPath = '' } = text;
    const { optionalOldSelf = null } = text;
    return stringifyGo({
      Rule: rule,
      Message: message,
      MessageExpression: messageExpression,
      Reason: reason,
      FieldPath: fieldPath,
      OptionalOldSelf: optionalOldSelf,
    });
  }
  const members = `Rule:${quoteText(rule)}, Message:${quoteText(message)}`;
  return `apiextensions.ValidationRule{${members}}`;
}
