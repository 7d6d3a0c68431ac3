/** Evaluates the rules of a schema on objects (README.md#rules). */
import { deepEqual } from '../../base/deep-equal.ts';
import type { Members } from '../../codec/model/schema-model.ts';
import { quoteText } from '../../codec/json/strict-quote.ts';
import { DEFAULT_GATES } from '../../release/own-gates.ts';
import { ownRelease } from '../../release/release.ts';
import {
  duplicate,
  fieldForbidden,
  invalid,
  invalidPrinted,
  invalidOmitted,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { shownValue } from '../go-value.ts';
import type { StructuralSchema } from '../structural-schema.ts';
import { isMembers } from '../unchanged-values.ts';
import { Budget, OBJECT_COST_MAX, OBJECT_STEPS_MAX, OutOfBudget } from './cost/budget.ts';
import { compileRules, RULES, type CompiledRule } from './rule.ts';
import type { Program } from './loops.ts';
import { isMatched, ruleNode, type RuleNode } from './rule-nodes.ts';
import { schemaValue } from './schema-values.ts';
import { Failure, OptionalValue, type Value } from './values.ts';

export type RuleValidator = (
  value: unknown,
  path: string,
  stored?: unknown,
  kept?: FieldError[],
) => FieldError[];

/**
 * Compiles a function that returns the errors of a value by the rules of a schema. `path` is '' for
 * a whole object, and `stored` is the value before; `kept` gets the errors of what it leaves as it
 * was. Undefined when the schema has no rules.
 */
export function compileRuleValidator(schema: StructuralSchema): RuleValidator | undefined {
  if (!schema.mentions(RULES)) return undefined;
  let node: RuleNode | undefined;
  const compiled: CompiledRules = new Map();
  return (value, path, stored, kept = []) => {
    node ??= ruleNode(schema.json, path === '');
    const check = new Check(compiled, kept);
    if (node !== undefined) check.value(value, stored, node, path);
    return check.errors;
  };
}

const TOO_MUCH =
  'validation failed due to running out of cost budget, no further validation rules will be run';

/** Compiled when a value first comes to the node. */
type CompiledRules = Map<RuleNode, readonly CompiledRule[]>;

/** The check of one object. */
class Check {
  readonly errors: FieldError[] = [];
  readonly #compiled: CompiledRules;
  readonly #kept: FieldError[];
  #costLeft = OBJECT_COST_MAX;
  #stepsLeft = OBJECT_STEPS_MAX;
  /** No more rules are evaluated. */
  #isOver = false;

  constructor(compiled: CompiledRules, kept: FieldError[]) {
    this.#compiled = compiled;
    this.#kept = kept;
  }

  /** `isUnchanged` tells of what the value stands in. */
  value(value: unknown, stored: unknown, node: RuleNode, path: string, isUnchanged = NEVER): void {
    if (value === null || value === undefined || this.#isOver) return;
    const unchanged = unchangedValue(value, stored, isUnchanged);
    this.#rules(value, stored, { value, node, path, isUnchanged: unchanged });
    if (Array.isArray(value)) this.#items(value, stored, node, path, unchanged);
    else if (typeof value === 'object') {
      this.#members(value as Members, stored, node, path, unchanged);
    }
  }

  #items(
    list: readonly unknown[],
    stored: unknown,
    node: RuleNode,
    path: string,
    isUnchanged: Unchanged,
  ): void {
    const { items } = node;
    if (items === undefined) return;
    const before = storedItems(stored, node.values.schema);
    list.forEach((item, at) => {
      this.value(item, before?.(item), items, `${path}[${at}]`, isUnchanged);
    });
  }

  #members(
    members: Members,
    stored: unknown,
    node: RuleNode,
    path: string,
    isUnchanged: Unchanged,
  ): void {
    const { properties, additional, values } = node;
    if (properties.size === 0 && additional === undefined) return;
    const isComparable = isMembers(stored) && isMatched(values.schema);
    for (const name of Object.keys(members)) {
      const property = properties.get(name);
      const below = property ?? additional;
      if (below === undefined) continue;
      const before = isComparable && Object.hasOwn(stored, name) ? stored[name] : undefined;
      const dotted = path === '' ? name : `${path}.${name}`;
      const at = property ? dotted : `${path}[${name}]`;
      this.value(members[name], before, below, at, isUnchanged);
    }
  }

  #rules(value: unknown, stored: unknown, place: Place): void {
    const { node, path } = place;
    if (node.rules.length === 0) return;
    const report = (detail: string): void => this.#report(value, node, path, detail);
    if (this.#costLeft <= 0) {
      this.#isOver = true;
      report(TOO_MUCH);
      return;
    }
    const self = schemaValue(value, node.values);
    const hasOld = stored !== undefined && stored !== null;
    const old = hasOld ? schemaValue(stored, node.values) : null;
    for (const rule of this.#rulesOf(node)) {
      if (rule.problem !== '') report(`rule compile error: ${rule.problem}`);
      else if (!rule.isTransition || hasOld || rule.isOptional) {
        const before = rule.isOptional ? new OptionalValue(hasOld ? old : undefined) : old;
        this.#rule(rule, [self, before], place);
      }
      if (this.#stepsLeft < 0 && !this.#isOver) {
        this.#isOver = true;
        report(TOO_MUCH);
      }
      if (this.#isOver) return;
    }
  }

  /**
   * A rule that was broken before is not held against an update that leaves the value as it was.
   */
  #broken(rule: CompiledRule, detail: string, { value, node, path, isUnchanged }: Place): void {
    const whole = rule.path === '' ? path : path === '' ? rule.path : `${path}.${rule.path}`;
    const error = brokenError(whole === '' ? '<nil>' : whole, value, node, detail, rule.reason);
    this.#stepsLeft -= error.message.length;
    if (!rule.isTransition && isUnchanged()) this.#kept.push(error);
    else this.errors.push(error);
  }

  #rulesOf(node: RuleNode): readonly CompiledRule[] {
    let rules = this.#compiled.get(node);
    if (rules === undefined) {
      rules = compileRules(node.rules, node.values);
      this.#compiled.set(node, rules);
    }
    return rules;
  }

  /** A value is told as the release tells it: whole, or by its type. */
  #report(value: unknown, node: RuleNode, path: string, detail: string): void {
    const shown = TELLS_TYPES ? quoteText(node.values.schema.type) : shownValue(value);
    this.#stepsLeft -= shown.length;
    this.errors.push(invalidPrinted(path === '' ? '<nil>' : path, shown, detail));
  }

  #rule(rule: CompiledRule, values: readonly Value[], place: Place): void {
    const { program, title } = rule;
    if (program === undefined) return;
    const report = (detail: string): void =>
      this.#report(place.value, place.node, place.path, detail);
    const result = this.#run(program, values);
    if (result instanceof Exhausted) report(TOO_MUCH);
    else if (result instanceof OutOfBudget) {
      report(`'${result.message}': ${CALL_COSTS_TOO_MUCH} rule: ${title}`);
    } else if (result instanceof Failure) report(failureText(result, title));
    else if (result !== true) this.#broken(rule, this.#messageOf(rule, values), place);
  }

  /** The value of an expression; if it costs too much that is the end of all. */
  #run(program: Program, values: readonly Value[]): Value | OutOfBudget | Exhausted {
    const budget = new Budget();
    let result: Value | OutOfBudget;
    try {
      result = program({ values: [...values], budget });
    } catch (error) {
      if (!(error instanceof OutOfBudget)) throw error;
      this.#isOver = true;
      result = error;
    }
    this.#stepsLeft -= budget.steps;
    this.#costLeft -= budget.cost;
    if (this.#costLeft >= 0) return result;
    this.#isOver = true;
    return new Exhausted();
  }

  /** The message of a broken rule: that of its expression, where that makes one line of text. */
  #messageOf(rule: CompiledRule, values: readonly Value[]): string {
    const { message, failure, messageText } = rule;
    const made = message && this.#run(message, values);
    if (made instanceof Exhausted)
      return `messageExpression evaluation failed due to ${MESSAGE_TOO_MUCH}`;
    if (made instanceof OutOfBudget) {
      return `${CALL_COSTS_TOO_MUCH} messageExpression: ${quoteText(messageText)}`;
    }
    const text = typeof made === 'string' ? made.trim() : '';
    const isUsable = text !== '' && !text.includes('\n');
    if (isUsable && Buffer.byteLength(text) <= MESSAGE_BYTES_MAX) return text;
    return TRIMS_MESSAGES ? failure.trim() : failure;
  }
}

/** The value of an expression that costs more than is left for all of them. */
class Exhausted {}

const CALL_COSTS_TOO_MUCH =
  'no further validation rules will be run due to call cost exceeds limit for';
const MESSAGE_TOO_MUCH = 'running out of cost budget, no further validation rules will be run';

/** A value that breaks a rule, and where it stands. */
interface Place {
  readonly value: unknown;
  readonly node: RuleNode;
  readonly path: string;
  readonly isUnchanged: Unchanged;
}

/** Whether an update leaves a value as it was; found when it is first asked for. */
type Unchanged = () => boolean;

const NEVER: Unchanged = () => false;

/** Also what stands in something that is unchanged. */
function unchangedValue(value: unknown, stored: unknown, around: Unchanged): Unchanged {
  if (!RATCHETS || (stored === undefined && around === NEVER)) return NEVER;
  let found: boolean | undefined;
  return () => (found ??= around() || (stored !== undefined && deepEqual(value, stored)));
}

const RATCHETS = DEFAULT_GATES.has('CRDValidationRatcheting');

const TELLS_TYPES = ownRelease().has('typesInRuleErrors');
const TELLS_SCALARS = ownRelease().has('scalarsInRuleErrors');
const TRIMS_MESSAGES = ownRelease().has('expressionsOfMessages');
const MESSAGE_BYTES_MAX = 5 * 1024;

function brokenError(
  field: string,
  value: unknown,
  { values: { schema } }: RuleNode,
  detail: string,
  reason: string | undefined,
): FieldError {
  const isWhole = schema.type === 'object' || schema.type === 'array';
  const told = TELLS_SCALARS ? value : schema.type;
  switch (reason) {
    case 'FieldValueForbidden':
      return fieldForbidden(field, detail);
    case 'FieldValueRequired':
      return required(field, detail);
    case 'FieldValueDuplicate':
      return TELLS_SCALARS && isWhole
        ? { reason, field, message: 'Duplicate value' }
        : duplicate(field, told);
    default:
      if (!TELLS_TYPES) return invalidPrinted(field, shownValue(value), detail);
      return TELLS_SCALARS && isWhole
        ? invalidOmitted(field, detail)
        : invalid(field, told, detail);
  }
}

function failureText({ message }: Failure, title: string): string {
  if (!message.startsWith('no such overload')) return `${message} evaluating rule: ${title}`;
  return (
    `'${message}': call arguments did not match a supported operator, function or macro ` +
    `signature for rule: ${title}`
  );
}

/** The item before of an item of a list that has keys; items of others have none. */
function storedItems(
  stored: unknown,
  schema: StructuralSchema,
): ((item: unknown) => unknown) | undefined {
  if (!Array.isArray(stored) || schema.listType !== 'map') return undefined;
  const keyOf = (item: unknown): string | undefined =>
    isMembers(item)
      ? JSON.stringify(schema.listMapKeys.map((key) => `${typeof item[key]} ${String(item[key])}`))
      : undefined;
  const known = new Map<string | undefined, unknown>();
  for (const item of stored as readonly unknown[]) {
    const key = keyOf(item);
    if (!known.has(key)) known.set(key, item);
  }
  return (item) => {
    const key = keyOf(item);
    return key === undefined ? undefined : known.get(key);
  };
}
