/** Expressions of policies as programs (README.md#expressions-about-requests). */
import { AccessQuestion, type DecideAccess, type AskedAccess } from './access/access-values.ts';
import { checkedProgram, namedResult, resultOf, type CheckedProgram } from './checked-program.ts';
import { Budget } from './cost/budget.ts';
import { mentions } from './expression.ts';
import {
  checkRequestExpression,
  RequestVariables,
  type RequestExpression,
  type RequestResult,
} from './request-expression.ts';
import { Failure, type Equality, type MapValue, type Value } from './values.ts';

/** The cost of all conditions on a write, and of all else that a policy evaluates on it. */
export const CONDITIONS_COST_MAX = 2_500_000;
export const POLICY_COST_MAX = 10_000_000;

const VARIABLES = [
  'object',
  'oldObject',
  'params',
  'request',
  'namespaceObject',
  'authorizer',
  'authorizer.requestResource',
  'variables',
] as const;

/** The expressions on a write have cost more than they may: no more are evaluated. */
export class OutOfCost extends Error {
  override readonly name = 'OutOfCost';

  constructor() {
    super(
      'validation failed due to running out of cost budget, ' +
        'no further validation rules will be run',
    );
  }
}

/** The values of a write that expressions see. */
export interface RequestInputs {
  readonly object: Value;
  readonly oldObject: Value;
  readonly params: Value;
  readonly request: Value;
  readonly namespaceObject: Value;
  readonly decide: DecideAccess;
  /** The resource that is written, as a question that lacks its verb. */
  readonly requestResource: Partial<AskedAccess>;
}

/** The expressions of one policy, with the variables that they share. */
export class RequestPrograms {
  /** Whether one of them asks for `namespaceObject`. */
  asksForNamespace = false;
  readonly #hasParams: boolean;
  readonly #types = new RequestVariables();
  readonly #variables = new Map<string, CheckedProgram>();

  constructor(hasParams: boolean) {
    this.#hasParams = hasParams;
  }

  /** Adds a variable, which later ones and all other expressions see. */
  declare(name: string, text: string): void {
    const { made, checked } = this.#compiled(text, ['any']);
    this.#variables.set(name, made);
    this.#types.declare(name, checked.type);
  }

  /** Makes a program of an expression. */
  compile(text: string, results: readonly RequestResult[]): CheckedProgram {
    return this.#compiled(text, results).made;
  }

  /** Makes a program of an expression that makes a patch. */
  compilePatch(text: string, result: 'Object' | 'list(JSONPatch)'): CheckedProgram {
    return this.#compiled(text, [result], true).made;
  }

  /** Evaluates expressions on a write: none of them may cost more than `costMax` in all. */
  evaluation(inputs: RequestInputs, costMax: number): RequestEvaluation {
    return new RequestEvaluation(inputs, this.#variables, costMax);
  }

  #compiled(text: string, results: readonly RequestResult[], makesPatch = false): Compiled {
    const scope = { hasParams: this.#hasParams, hasAuthorizer: true, makesPatch };
    const checked = checkRequestExpression(text, results, scope, this.#types);
    const { expression } = checked;
    if (expression !== undefined) this.asksForNamespace ||= mentions(expression, 'namespaceObject');
    return { checked, made: checkedProgram(text, checked, VARIABLES) };
  }
}

interface Compiled {
  readonly checked: RequestExpression;
  readonly made: CheckedProgram;
}

export class RequestEvaluation {
  readonly #values: Value[];
  #costLeft: number;

  constructor(
    inputs: RequestInputs,
    variables: ReadonlyMap<string, CheckedProgram>,
    costMax: number,
  ) {
    const { object, oldObject, params, request, namespaceObject } = inputs;
    const { decide, requestResource } = inputs;
    this.#costLeft = costMax;
    this.#values = [
      object,
      oldObject,
      params,
      request,
      namespaceObject,
      new AccessQuestion(decide),
      new AccessQuestion(decide, 'ResourceCheck', requestResource),
      new LazyVariables(variables, (program) => this.#run(program)),
    ];
  }

  /** Evaluates an expression; gives a Failure with the words for people. Throws OutOfCost. */
  value(program: CheckedProgram): Value {
    if (program.problem !== '') return new Failure(`compilation error: ${program.problem}`);
    return namedResult(program, this.#run(program));
  }

  #run(program: CheckedProgram): Value {
    const budget = new Budget();
    const value = resultOf(program, this.#values, budget);
    this.#costLeft -= Math.max(budget.cost, budget.steps);
    if (this.#costLeft < 0) throw new OutOfCost();
    return value;
  }
}

/** The variable `variables`: each of them is evaluated when it is first asked for. */
class LazyVariables implements MapValue {
  readonly #programs: ReadonlyMap<string, CheckedProgram>;
  readonly #run: (program: CheckedProgram) => Value;
  readonly #known = new Map<string, Value>();

  constructor(
    programs: ReadonlyMap<string, CheckedProgram>,
    run: (program: CheckedProgram) => Value,
  ) {
    this.#programs = programs;
    this.#run = run;
  }

  get size(): number {
    return this.#programs.size;
  }

  get keys(): readonly string[] {
    return [...this.#programs.keys()];
  }

  find(key: Value): Value | undefined {
    if (typeof key !== 'string') return undefined;
    const program = this.#programs.get(key);
    if (program === undefined) return undefined;
    let value = this.#known.get(key);
    if (value === undefined) this.#known.set(key, (value = this.#evaluated(key, program)));
    return value;
  }

  equals(other: MapValue, equal: Equality): boolean | Failure {
    return other === this || equal(null, other);
  }

  #evaluated(name: string, program: CheckedProgram): Value {
    const what = `composited variable ${JSON.stringify(name)}`;
    if (program.problem !== '') return new Failure(`${what} fails to compile: ${program.problem}`);
    const value = this.#run(program);
    if (!(value instanceof Failure)) return value;
    return new Failure(`${what} fails to evaluate: ${value.message}`);
  }
}
