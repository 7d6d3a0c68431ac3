/** Checks expressions about devices (README.md#expressions-about-devices). */
import { expressionParts } from '../../release/expression-parts.ts';
import { ownRelease } from '../../release/release.ts';
import { estimatedCost } from './cost/estimate.ts';
import type { Sizes, ValuePath } from './cost/schema-sizes.ts';
import { Library } from './library/library.ts';
import { checkKnownExpression } from './request-expression.ts';
import { printType, simple, type Type } from './types.ts';

/** The parts that releases and features let expressions see. */
export interface DeviceScope {
  /** Whether a device tells if it may be allocated several times. */
  readonly tellsOfSharing: boolean;
  /** Whether attributes may be lists. */
  readonly hasLists: boolean;
}

const DEVICE = 'device';
const PARTS = expressionParts(ownRelease(), 'new');
const BINDS = { bindsValues: true };
const WITHOUT_LISTS = new Library(PARTS, BINDS);
const WITH_LISTS = new Library(new Set([...PARTS, 'includedItems']), BINDS);
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

export interface DeviceExpression {
  /** '' for one that can be evaluated. */
  readonly problem: string;
  /** The most that it costs; 0 where that is not known. */
  readonly cost: number;
}

/** Checks an expression that selects devices or computes an attribute. */
export function checkDeviceExpression(
  text: string,
  result: 'selector' | 'attribute',
  scope: DeviceScope,
): DeviceExpression {
  const variables = new Map([[DEVICE, deviceType(scope)]]);
  const library = scope.hasLists ? WITH_LISTS : WITHOUT_LISTS;
  const { problem, type, expression, parts } = checkKnownExpression(text, variables, library);
  const problems = problem === '' ? problemOfResult(type, result, scope) : problem;
  if (problems !== '' || expression === undefined || parts === undefined) {
    return { problem: problems, cost: 0 };
  }
  return { problem: '', cost: estimatedCost(expression, parts, new DeviceSizes(scope)) };
}

function problemOfResult(
  type: Type,
  result: 'selector' | 'attribute',
  { hasLists }: DeviceScope,
): string {
  if (result === 'selector') {
    const selects = type.kind === 'bool' || type.kind === 'dyn';
    return selects ? '' : `must evaluate to bool or the unknown type, not ${printType(type)}`;
  }
  const isList = hasLists && type.kind === 'list';
  if (isScalar(isList ? type.item : type)) return '';
  const lists = hasLists ? ' or a list of these scalars' : '';
  const scalars = `a primitive scalar (string, integer, boolean, semver)${lists}`;
  return `must evaluate to ${scalars}, not ${printType(type)}`;
}

function isScalar({ kind }: Type): boolean {
  return kind === 'string' || kind === 'int' || kind === 'bool' || kind === 'dyn';
}

const DRIVER_CHARACTERS_MAX = 63;
const DOMAIN_CHARACTERS_MAX = 63;
const NAME_CHARACTERS_MAX = 32;
const ATTRIBUTES_MAX = 32;
const ATTRIBUTE_CHARACTERS_MAX = 64;

/** Sizes of the parts of a device: those of objects and quantities count as none. */
interface Part {
  readonly most: number;
  readonly key?: Part;
  readonly value?: Part;
  readonly fields?: Readonly<Record<string, Part>>;
}

const DOMAIN: Part = { most: DOMAIN_CHARACTERS_MAX };
const NAME: Part = { most: NAME_CHARACTERS_MAX };
/** Of a list of values there are fewer than a text has characters. */
const ATTRIBUTE: Part = { most: ATTRIBUTE_CHARACTERS_MAX };

function partsByDomain(value: Part): Part {
  const byName: Part = { most: ATTRIBUTES_MAX, key: NAME, value };
  return { most: ATTRIBUTES_MAX, key: DOMAIN, value: byName };
}

class DeviceSizes implements Sizes {
  readonly #device: Part;

  constructor({ tellsOfSharing }: DeviceScope) {
    this.#device = {
      most: 0,
      fields: {
        driver: { most: DRIVER_CHARACTERS_MAX },
        attributes: partsByDomain(ATTRIBUTE),
        capacity: partsByDomain({ most: 0 }),
        ...(tellsOfSharing ? { allowMultipleAllocations: { most: 1 } } : {}),
      },
    };
  }

  mostAt([variable, ...path]: ValuePath): number | undefined {
    let part = variable === DEVICE ? this.#device : undefined;
    for (const name of path) part &&= partAt(part, name);
    return part?.most;
  }
}

function partAt({ key, value, fields }: Part, name: string): Part | undefined {
  if (name === '@items' || name === '@values') return value;
  if (name === '@keys') return key;
  if (fields !== undefined && Object.hasOwn(fields, name)) return fields[name];
  return value === ATTRIBUTE ? value : undefined;
}
