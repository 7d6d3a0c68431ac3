/** Checks the expressions of a policy against the types of the objects that it is for. */
import type {
  ExpressionWarning,
  NamedRuleWithOperations,
  ValidatingAdmissionPolicySpec,
} from '#messages/admissionregistration.v1';
import { compareTexts } from '../../base/text/compare-texts.ts';
import {
  checkRequestExpression,
  RequestVariables,
  type RequestScope,
} from '../../schema/cel/request-expression.ts';
import type { CheckedType, CheckedTypes } from './checked-types.ts';

/** So many types of one rule are looked at. */
const TYPES_MAX = 10;

/** Finds wrong types in validations and their messages. */
export function typeWarnings(
  spec: ValidatingAdmissionPolicySpec,
  types: CheckedTypes,
): readonly ExpressionWarning[] {
  const { validations = [] } = spec;
  const checked = namedTypes(spec, types);
  return validations.flatMap(({ expression = '', messageExpression = '' }, at) =>
    Object.entries({ expression, messageExpression }).flatMap(([member, text]) => {
      if (text === '' && member !== 'expression') return [];
      const warnings = checked.flatMap((type) => problemOf(text, spec, type, types));
      if (warnings.length === 0) return [];
      return [{ fieldRef: `spec.validations[${at}].${member}`, warning: warnings.join('\n') }];
    }),
  );
}

function problemOf(
  text: string,
  { paramKind, variables = [] }: ValidatingAdmissionPolicySpec,
  { group, version, kind, type }: CheckedType,
  types: CheckedTypes,
): readonly string[] {
  const params = paramKind && types.ofKind(paramKind.apiVersion ?? '', paramKind.kind ?? '')?.type;
  const scope: RequestScope = {
    hasParams: paramKind !== undefined,
    hasAuthorizer: true,
    typed: { object: type, params },
  };
  const declared = new RequestVariables();
  for (const { name = '', expression = '' } of variables) {
    declared.declare(name, checkRequestExpression(expression, ['any'], scope, declared).type);
  }
  const { problem } = checkRequestExpression(text, ['any'], scope, declared);
  if (problem === '') return [];
  return [`${group}/${version}, Kind=${kind}: ${problem.replace(/^compilation failed: /, '')}\n`];
}

/** The types that rules name without any `*`, in the order of their names. */
function namedTypes(
  { matchConstraints = {} }: ValidatingAdmissionPolicySpec,
  types: CheckedTypes,
): readonly CheckedType[] {
  const found = new Map<string, CheckedType>();
  for (const rule of matchConstraints.resourceRules ?? []) {
    for (const type of typesOfRule(rule, types).slice(0, TYPES_MAX)) {
      found.set(`${type.group} ${type.version} ${type.kind}`, type);
    }
  }
  return [...found].sort(([a], [b]) => compareTexts(a, b)).map(([, type]) => type);
}

function typesOfRule(
  { apiGroups = [], apiVersions = [], resources = [] }: NamedRuleWithOperations,
  types: CheckedTypes,
): readonly CheckedType[] {
  const [groups, versions] = [apiGroups, apiVersions].map((all) =>
    all.some((one) => one.includes('*')) ? [] : all.toSorted(compareTexts),
  ) as [string[], string[]];
  const plain = resources.filter((one) => !/[*/]/.test(one)).toSorted(compareTexts);
  return groups.flatMap((group) =>
    versions.flatMap((version) =>
      plain.flatMap((resource) => types.ofResource({ group, version, resource }) ?? []),
    ),
  );
}
