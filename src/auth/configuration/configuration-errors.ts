/** Finds errors in a file of `--authorization-config`, in the words of the reference. */
import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { appendAll } from '../../base/append-all.ts';
import { durationText, parseDuration } from '../../codec/leaves/duration-text.ts';
import {
  duplicate,
  invalid,
  notSupported,
  required,
  tooMany,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { dnsSubdomain } from '../../semantics/metadata/names.ts';
import type { AuthorizationDocument, WebhookDocument } from './configuration-form.ts';

const CONDITIONS_MAX = 64;
const SECOND = 1_000_000_000n;
const TIMEOUT_MAX = 30n * SECOND;
const WEBHOOK = 'Webhook';

/** Says what is wrong with the expression of a condition; '' for nothing. */
export type ConditionProblem = (expression: string) => string;

export function configurationErrors(
  { authorizers }: AuthorizationDocument,
  modes: readonly string[],
  conditionProblem: ConditionProblem,
): FieldError[] {
  const errors: FieldError[] = [];
  if (!authorizers?.length) {
    errors.push(required('authorizers', 'at least one authorization mode must be defined'));
  }
  const types = new Set<string>();
  const names = new Set<string>();
  (authorizers ?? []).forEach((authorizer, at) => {
    const path = `authorizers[${at}]`;
    const { type = '', name = '', webhook } = authorizer ?? {};
    const typeError = errorOfType(type, `${path}.type`, modes, types);
    if (typeError !== undefined) return errors.push(typeError);
    types.add(type);
    appendAll(errors, errorsOfName(name, `${path}.name`, names));
    names.add(name);
    if (type === WEBHOOK) {
      if (webhook) appendAll(errors, webhookErrors(webhook, path, conditionProblem));
      else errors.push(required(`${path}.webhook`, 'required when type=Webhook'));
    } else if (webhook) {
      errors.push(
        invalid(`${path}.webhook`, 'non-null', 'may only be specified when type=Webhook'),
      );
    }
  });
  return errors;
}

function errorOfType(
  type: string,
  path: string,
  modes: readonly string[],
  seen: ReadonlySet<string>,
): FieldError | undefined {
  if (type === '') return required(path);
  if (!modes.includes(type)) return notSupported(path, type, modes.toSorted());
  return seen.has(type) && type !== WEBHOOK ? duplicate(path, type) : undefined;
}

function errorsOfName(name: string, path: string, seen: ReadonlySet<string>): FieldError[] {
  if (name === '') return [required(path)];
  if (seen.has(name)) return [duplicate(path, name)];
  const problems = dnsSubdomain(name);
  if (problems.length === 0) return [];
  return [invalid(path, name, `authorizer name is invalid: ${problems.join(', ')}`)];
}

function webhookErrors(
  webhook: WebhookDocument,
  path: string,
  conditionProblem: ConditionProblem,
): FieldError[] {
  const { timeout = '0', authorizedTTL = '0', unauthorizedTTL = '0', failurePolicy = '' } = webhook;
  const { matchConditions } = webhook;
  return [
    ...errorsOfTimeout(timeout, `${path}.timeout`),
    ...errorsOfTime(authorizedTTL, `${path}.authorizedTTL`),
    ...errorsOfTime(unauthorizedTTL, `${path}.unauthorizedTTL`),
    ...errorsOfVersions(webhook, path),
    ...errorsOfChoice(failurePolicy, `${path}.failurePolicy`, ['NoOpinion', 'Deny']),
    ...errorsOfConnection(webhook, `${path}.connectionInfo`),
    ...errorsOfConditions(matchConditions ?? [], `${path}.matchConditions`, conditionProblem),
  ];
}

function errorsOfTimeout(text: string, path: string): FieldError[] {
  const nanos = parseDuration(text);
  if (nanos === 0n) return [required(path)];
  if (nanos > 0n && nanos <= TIMEOUT_MAX) return [];
  return [invalid(path, durationText(nanos), 'must be > 0s and <= 30s')];
}

/** None is as long as it is by default. */
function errorsOfTime(text: string, path: string): FieldError[] {
  const nanos = parseDuration(text);
  return nanos < 0n ? [invalid(path, durationText(nanos), 'must be > 0s')] : [];
}

function errorsOfChoice(value: string, path: string, known: readonly string[]): FieldError[] {
  if (value === '') return [required(path)];
  return known.includes(value) ? [] : [notSupported(path, value, known)];
}

function errorsOfVersions(webhook: WebhookDocument, path: string): FieldError[] {
  const {
    subjectAccessReviewVersion: sent = '',
    matchConditionSubjectAccessReviewVersion: seen = '',
    matchConditions,
  } = webhook;
  const where = `${path}.matchConditionSubjectAccessReviewVersion`;
  const errors = errorsOfChoice(sent, `${path}.subjectAccessReviewVersion`, ['v1', 'v1beta1']);
  if (seen !== '') return [...errors, ...errorsOfChoice(seen, where, ['v1'])];
  if (!matchConditions?.length) return errors;
  return [...errors, required(where, 'required if match conditions are specified')];
}

function errorsOfConnection({ connectionInfo }: WebhookDocument, path: string): FieldError[] {
  const { type = '', kubeConfigFile: file } = connectionInfo ?? {};
  const where = `${path}.kubeConfigFile`;
  if (type === 'KubeConfigFile') return errorsOfFile(file ?? '', where);
  if (type === '') return [required(`${path}.type`)];
  if (type !== 'InClusterConfig') {
    const shown = { Type: type, KubeConfigFile: file ?? null };
    const known = ['InClusterConfig', 'KubeConfigFile'];
    return [notSupported(`${path}.type`, shown, known)];
  }
  if (file !== undefined) return [invalid(where, file, 'can only be set when type=KubeConfigFile')];
  // The reference takes it, and ends by a panic: a server of the API has no cluster around it.
  return [invalid(`${path}.type`, type, 'the server does not run in a cluster')];
}

function errorsOfFile(file: string, path: string): FieldError[] {
  if (file === '') return [required(path)];
  if (!isAbsolute(file)) return [invalid(path, file, 'must be an absolute path')];
  try {
    if (statSync(file).isFile()) return [];
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const why = STAT_ERRORS[code] ?? code;
    return [invalid(path, file, `error loading file: stat ${file}: ${why}`)];
  }
  return [invalid(path, file, 'must be a regular file')];
}

const STAT_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  EACCES: 'permission denied',
  ENOTDIR: 'not a directory',
};

function errorsOfConditions(
  conditions: readonly ({ readonly expression?: string } | null)[],
  path: string,
  conditionProblem: ConditionProblem,
): FieldError[] {
  if (conditions.length > CONDITIONS_MAX) return [tooMany(path, conditions.length, CONDITIONS_MAX)];
  const seen = new Set<string>();
  return conditions.flatMap((condition, at) => {
    const { expression = '' } = condition ?? {};
    const where = `${path}[${at}].expression`;
    if (expression.trim() === '') return required(where);
    if (seen.has(expression)) return duplicate(where, expression);
    seen.add(expression);
    const problem = conditionProblem(expression);
    return problem === '' ? [] : invalid(where, expression, problem);
  });
}
