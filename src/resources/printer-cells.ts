/** Columns, and the texts of cells, that several kinds show in their Tables (README.md#tables). */
import type { LoadBalancerStatus } from '#messages/core.v1';
import type { LabelSelector } from '#messages/meta.v1';
import { ageSince } from '../semantics/age-text.ts';
import { formatLabelSelector } from '../semantics/selectors/label-selector.ts';
import { toLabelSelector } from '../semantics/selectors/object-label-selector.ts';
import { date, definePrinter, integer, nameText, text, wide, type KindPrinter } from './printer.ts';

/** Texts of cells that have nothing to show. */
export const NONE = '<none>';
export const UNSET = '<unset>';
export const UNKNOWN = '<unknown>';

export const NAME = nameText(
  'Name',
  'The name of the object, unique among those of its type in its namespace.',
  'metadata.name',
);
export const AGE = text(
  'Age',
  'How long ago the object was created.',
  'metadata.creationTimestamp',
  (time?: string) => ageSince(time),
);

/** For kinds without a printer of their own. */
export const DEFAULT_PRINTER = definePrinter([
  NAME,
  date('Created At', 'When the object was created, by the clock of the server.', AGE.reads),
]);

export function orNone(shown?: string): string {
  return shown || NONE;
}

/** A number in a column of texts; 0 where it is absent. */
export function count(many = 0): number {
  return many;
}

export function lengthOf(list: readonly unknown[] = []): number {
  return list.length;
}

/** How many of the wanted pods are ready. */
export function readyText(ready = 0, wanted = 0): string {
  return `${ready}/${wanted}`;
}

/** `<namespace>/<name>`, or `<kind>/<name>`. */
export function nameBelow(above = '', name = ''): string {
  return `${above}/${name}`;
}

/** `Terminating` for an object that is being deleted, else `phase`. */
export function phaseText(deletionTimestamp?: string, phase = ''): string {
  return deletionTimestamp === undefined ? phase : 'Terminating';
}

/** The first of some texts, and how many more there are. */
export function shortText(shown: string, hidden: number): string {
  return hidden > 0 ? `${shown} + ${hidden} more...` : shown;
}

/** `texts`, or `<none>` when there are none. */
export function listText(texts: readonly string[] = []): string {
  return texts.length === 0 ? NONE : texts.join(',');
}

/** Labels by their keys: `a=1,b=2`. */
export function labelsText(labels: Readonly<Record<string, string>> = {}): string {
  return listText(
    Object.keys(labels)
      .sort()
      .map((key) => `${key}=${labels[key]}`),
  );
}

/** The text form of a selector; `<error>` for one that cannot be understood. */
export function selectorText(selector?: LabelSelector): string {
  if (selector === undefined) return NONE;
  const parsed = toLabelSelector(selector);
  return parsed === undefined ? '<error>' : formatLabelSelector(parsed) || NONE;
}

const MODE_WORDS = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
] as const;

/** `RWO,ROX`: each mode once, in an order of their own. */
export function accessModesText(modes: readonly string[] = []): string {
  return MODE_WORDS.filter(([mode]) => modes.includes(mode))
    .map(([, word]) => word)
    .join(',');
}

/** The addresses at which load balancers can be reached, each once; '' for none. */
export function loadBalancerText({ ingress = [] }: LoadBalancerStatus = {}): string {
  const addresses = ingress.map(({ ip, hostname }) => ip || hostname || '');
  return [...new Set(addresses.filter((address) => address !== ''))].sort().join(',');
}

/** The names of the containers that a pod is to run, and their images. */
// prettier-ignore
export const containers = (path: string, column = wide) => [
  column('Containers', 'The names of the containers.', `${path}{name}`,
    (all: readonly { name?: string }[] = []) => all.map(({ name = '' }) => name).join(',')),
  column('Images', 'The images that the containers run.', `${path}{image}`,
    (all: readonly { image?: string }[] = []) => all.map(({ image = '' }) => image).join(',')),
];

export const selector = (path: string, shown: (...values: never[]) => string = selectorText) =>
  wide('Selector', 'The labels of what it selects.', path, shown);

/** How ReplicaSets, and the ReplicationControllers that they replace, show in a Table. */
export function replicasPrinter(shownSelector: (...values: never[]) => string): KindPrinter {
  return definePrinter([
    NAME,
    integer('Desired', 'How many pods there are to be.', 'spec.replicas'),
    integer('Current', 'How many pods there are.', 'status.replicas'),
    integer('Ready', 'How many of the pods are ready.', 'status.readyReplicas'),
    AGE,
    ...containers('spec.template.spec.containers'),
    selector('spec.selector', shownSelector),
  ]);
}
