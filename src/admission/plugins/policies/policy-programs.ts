/** All policies have variables and conditions, which are expressions. */
import { RequestPrograms } from '../../../schema/cel/request-program.ts';
import { MatchConditions } from '../../match-conditions.ts';
import type { ConfiguredPolicy } from './configured-policy.ts';

export interface PolicyPrograms {
  readonly programs: RequestPrograms;
  readonly conditions: MatchConditions;
}

/** Compiles both; the other expressions of a policy are to be compiled by its programs. */
export function policyPrograms({
  name,
  spec: { paramKind, variables = [], matchConditions = [] },
}: Pick<ConfiguredPolicy, 'name' | 'spec'>): PolicyPrograms {
  const programs = new RequestPrograms(paramKind !== undefined);
  for (const variable of variables) {
    programs.declare(variable.name ?? '', variable.expression ?? '');
  }
  const about = { kind: 'policy', name, type: 'validate' } as const;
  return { programs, conditions: new MatchConditions(about, matchConditions, programs) };
}
