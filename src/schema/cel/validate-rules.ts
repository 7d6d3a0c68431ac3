/** Evaluates the rules of a schema on objects (README.md#rules). */
import type { Members } from '../../codec/model/schema-model.ts';
import { invalidPrinted, type FieldError } from '../../semantics/errors/field-error.ts';
import { shownValue } from '../go-value.ts';
import type { SchemaJson, StructuralSchema } from '../structural-schema.ts';
import { Budget, OBJECT_STEPS_MAX, OutOfBudget } from './budget.ts';
import { compileRules, RULES, type CompiledRule } from './rule.ts';
import { ruleNode, type RuleNode } from './rule-nodes.ts';
import { schemaValue } from './schema-values.ts';
import { Failure, type Value } from './values.ts';

export type RuleValidator = (value: unknown, path: string, stored?: unknown) => FieldError[];

/**
 * Compiles a function that returns the errors of a value by the rules of a schema. `path` is '' for
 * a whole object, and `stored` is the value before. Undefined when the schema has no rules.
 */
export function compileRuleValidator(schema: StructuralSchema): RuleValidator | undefined {
  if (!schema.mentions(RULES)) return undefined;
  let node: RuleNode | undefined;
  const compiled: CompiledRules = new Map();
  return (value, path, stored) => {
    node ??= ruleNode(schema.json, path === '');
    const check = new Check(compiled);
    if (node !== undefined) check.value(value, stored, node, path);
    return check.errors;
  };
}

function isSchema(value: unknown): value is SchemaJson {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const TOO_MUCH =
  'validation failed due to running out of cost budget, no further validation rules will be run';

/** Compiled when a value first comes to the node. */
type CompiledRules = Map<RuleNode, readonly CompiledRule[]>;

/** The check of one object. */
class Check {
  readonly errors: FieldError[] = [];
  readonly #compiled: CompiledRules;
  #left = OBJECT_STEPS_MAX;
  /** No more rules are evaluated. */
  #isOver = false;

  constructor(compiled: CompiledRules) {
    this.#compiled = compiled;
  }

  value(value: unknown, stored: unknown, node: RuleNode, path: string): void {
    if (value === null || value === undefined || this.#isOver) return;
    this.#rules(value, stored, node, path);
    if (Array.isArray(value)) this.#items(value, stored, node, path);
    else if (typeof value === 'object') this.#members(value as Members, stored, node, path);
  }

  #items(list: readonly unknown[], stored: unknown, node: RuleNode, path: string): void {
    const { items } = node;
    if (items === undefined) return;
    const before = storedItems(stored, node.values.schema);
    list.forEach((item, at) => this.value(item, before?.(item), items, `${path}[${at}]`));
  }

  #members(members: Members, stored: unknown, node: RuleNode, path: string): void {
    const { properties, additional, values } = node;
    if (properties.size === 0 && additional === undefined) return;
    const isComparable = isSchema(stored) && !values.schema.isAtomicMap;
    for (const name of Object.keys(members)) {
      const property = properties.get(name);
      const below = property ?? additional;
      if (below === undefined) continue;
      const before = isComparable && Object.hasOwn(stored, name) ? stored[name] : undefined;
      const dotted = path === '' ? name : `${path}.${name}`;
      this.value(members[name], before, below, property ? dotted : `${path}[${name}]`);
    }
  }

  #rules(value: unknown, stored: unknown, node: RuleNode, path: string): void {
    if (node.rules.length === 0) return;
    let shown: string | undefined;
    const report = (detail: string): void => {
      shown ??= shownValue(value);
      this.#left -= shown.length;
      this.errors.push(invalidPrinted(path === '' ? '<nil>' : path, shown, detail));
    };
    const self = schemaValue(value, node.values);
    const hasOld = stored !== undefined && stored !== null;
    const values = [self, hasOld ? schemaValue(stored, node.values) : null];
    for (const rule of this.#rulesOf(node)) {
      if (rule.problem !== '') report(`rule compile error: ${rule.problem}`);
      else if (!rule.isTransition || hasOld) this.#rule(rule, values, report);
      if (this.#left < 0 && !this.#isOver) {
        this.#isOver = true;
        report(TOO_MUCH);
      }
      if (this.#isOver) return;
    }
  }

  #rulesOf(node: RuleNode): readonly CompiledRule[] {
    let rules = this.#compiled.get(node);
    if (rules === undefined) {
      rules = compileRules(node.rules, node.values);
      this.#compiled.set(node, rules);
    }
    return rules;
  }

  #rule(rule: CompiledRule, values: readonly Value[], report: (detail: string) => void): void {
    const { program, title } = rule;
    if (program === undefined) return;
    const budget = new Budget();
    try {
      const result = program({ values: [...values], budget });
      if (result instanceof Failure) report(failureText(result, title));
      else if (result !== true) report(rule.failure);
    } catch (error) {
      if (!(error instanceof OutOfBudget)) throw error;
      this.#isOver = true;
      report(
        `'${error.message}': no further validation rules will be run due to call cost exceeds ` +
          `limit for rule: ${title}`,
      );
    }
    this.#left -= budget.spent;
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
    isSchema(item)
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
