/** Checks expressions about devices (README.md#expressions-about-devices). */
import { checkKnownExpression } from './request-expression.ts';
import { printType, simple, type Type } from './types.ts';

/** The parts that releases and features let expressions see. */
export interface DeviceScope {
  /** Whether a device tells if it may be allocated several times. */
  readonly tellsOfSharing: boolean;
  /** Whether attributes may be lists. */
  readonly hasLists: boolean;
}

const STRING = simple('string');
const DYN = simple('dyn');
const QUANTITY: Type = { kind: 'object', name: 'kubernetes.Quantity', field: () => undefined };

function byDomain(value: Type): Type {
  return { kind: 'map', key: STRING, value: { kind: 'map', key: STRING, value } };
}

const ATTRIBUTES = byDomain(DYN);
const CAPACITIES = byDomain(QUANTITY);

function deviceType({ tellsOfSharing }: DeviceScope): Type {
  const fields = new Map<string, Type>([
    ['driver', STRING],
    ['attributes', ATTRIBUTES],
    ['capacity', CAPACITIES],
    ...(tellsOfSharing ? ([['allowMultipleAllocations', simple('bool')]] as const) : []),
  ]);
  return { kind: 'object', name: 'kubernetes.DRADevice', field: (name) => fields.get(name) };
}

const ATTRIBUTES_BY_TYPE: ReadonlyMap<string, Type> = new Map(
  Object.entries<Type>({
    quantity: QUANTITY,
    bool: simple('bool'),
    int: simple('int'),
    intslice: { kind: 'list', item: simple('int') },
    string: STRING,
    stringslice: { kind: 'list', item: STRING },
    version: DYN,
  }).map(([name, value]) => [`attributes.${name}`, { kind: 'map', key: STRING, value }]),
);

/** The problem of an expression that selects named instances by their attributes; '' for none. */
export function checkAttributesExpression(text: string): string {
  const { problem, type } = checkKnownExpression(text, ATTRIBUTES_BY_TYPE);
  if (problem !== '') return problem;
  return type.kind === 'bool' || type.kind === 'dyn' ? '' : 'must evaluate to bool';
}

/** The problem of an expression that selects devices or computes an attribute; '' for none. */
export function checkDeviceExpression(
  text: string,
  result: 'selector' | 'attribute',
  scope: DeviceScope,
): string {
  const { problem, type } = checkKnownExpression(text, new Map([['device', deviceType(scope)]]));
  if (problem !== '') return problem;
  if (result === 'selector') {
    const selects = type.kind === 'bool' || type.kind === 'dyn';
    return selects ? '' : `must evaluate to bool or the unknown type, not ${printType(type)}`;
  }
  const isList = scope.hasLists && type.kind === 'list';
  if (isScalar(isList ? type.item : type)) return '';
  const lists = scope.hasLists ? ' or a list of these scalars' : '';
  const scalars = `a primitive scalar (string, integer, boolean, semver)${lists}`;
  return `must evaluate to ${scalars}, not ${printType(type)}`;
}

function isScalar({ kind }: Type): boolean {
  return kind === 'string' || kind === 'int' || kind === 'bool' || kind === 'dyn';
}
