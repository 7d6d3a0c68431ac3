/** Warnings to users who make a namespace stricter than the pods that it has. */
import type { Pod } from '#messages/core.v1';
import { compareAsUtf8, compareTexts } from '../../base/text/compare-texts.ts';
import { quoteText } from '../../codec/json/strict-quote.ts';
import type { ListedPage, ShardObjects } from '../../replicas/shard-objects.ts';
import { reasonsText, violationsOf } from './checks.ts';
import { standardText, type Standard } from './levels.ts';

/** As in the reference: this is advice, and must not cost much. */
const PODS_MAX = 3000;
/** To read and check so many takes some milliseconds, in which the thread does nothing else. */
const PAGE_PODS = 250;

export interface ExistingPods {
  readonly pods: Pick<ShardObjects, 'list'>;
  readonly namespace: string;
  /** Such pods do not count. */
  readonly isExempt: (pod: Pod) => boolean;
  /** When enough time is spent, by `performance.now()`. */
  readonly deadlineMs: number;
}

/**
 * Warnings about the pods of a namespace that are not of the standard, by the reasons. Of the pods
 * of one controller the first is checked before all others: they are alike. Rejects where no pods
 * can be read in time.
 */
export async function warningsOfExisting(
  { pods, namespace, isExempt, deadlineMs }: ExistingPods,
  standard: Standard,
): Promise<string[]> {
  const survey = new Survey(standard, deadlineMs);
  let page: ListedPage<Pod> | undefined;
  do {
    const next = pods.list<Pod>(namespace, PAGE_PODS, page?.continueToken);
    const read = await inTime(next, deadlineMs);
    if (read === undefined && page === undefined) throw new Error('no pods were read in time');
    if (read === undefined) break;
    page = read;
    survey.add(page.items.filter((pod) => !isExempt(pod)));
  } while (page.continueToken !== '' && !survey.isEnough);
  survey.end(page?.remaining ?? 0);
  return survey.warnings(namespace);
}

class Survey {
  readonly #standard: Standard;
  readonly #deadlineMs: number;
  readonly #controllers = new Set<string>();
  /** Pods whose controllers have one that was checked. */
  readonly #alike: Pod[] = [];
  /** By their reasons: the first name, and how many there are. */
  readonly #violating = new Map<string, { name: string; count: number }>();
  #total = 0;
  #checked = 0;

  constructor(standard: Standard, deadlineMs: number) {
    this.#standard = standard;
    this.#deadlineMs = deadlineMs;
  }

  get isEnough(): boolean {
    return this.#checked >= PODS_MAX || performance.now() >= this.#deadlineMs;
  }

  add(pods: readonly Pod[]): void {
    this.#total += pods.length;
    const first: Pod[] = [];
    for (const pod of pods) {
      const uid = controllerUid(pod);
      if (!this.#controllers.has(uid)) first.push(pod);
      else if (this.#alike.length < PODS_MAX) this.#alike.push(pod);
      if (uid !== '') this.#controllers.add(uid);
    }
    this.#check(first);
  }

  /** There are no more, or so many that were not read. */
  end(unread: number): void {
    this.#total += unread;
    if (!this.isEnough) this.#check(this.#alike);
  }

  #check(pods: readonly Pod[]): void {
    for (const pod of pods) {
      const reasons = reasonsText(violationsOf(pod, this.#standard));
      if (reasons !== '') this.#note(pod.metadata.name ?? '', reasons);
      this.#checked += 1;
      if (this.isEnough) return;
    }
  }

  #note(name: string, reasons: string): void {
    const found = this.#violating.get(reasons);
    if (found === undefined) {
      this.#violating.set(reasons, { name, count: 1 });
      return;
    }
    found.count += 1;
    if (compareTexts(name, found.name) < 0) found.name = name;
  }

  warnings(namespace: string): string[] {
    const warnings: string[] = [];
    const level = 'new PodSecurity enforce level';
    if (this.#checked < this.#total) {
      const part = `the first ${this.#checked} of ${this.#total} existing pods`;
      warnings.push(`${level} only checked against ${part}`);
    }
    if (this.#violating.size > 0) {
      const where = `existing pods in namespace ${quoteText(namespace)}`;
      warnings.push(`${where} violate the ${level} ${quoteText(standardText(this.#standard))}`);
    }
    const each = [...this.#violating].map(([reasons, { name, count }]) => {
      return `${name}${othersText(count - 1)}: ${reasons}`;
    });
    return [...warnings, ...each.sort(compareAsUtf8)];
  }
}

function othersText(count: number): string {
  if (count === 0) return '';
  return count === 1 ? ' (and 1 other pod)' : ` (and ${count} other pods)`;
}

/** '' for a pod that nobody controls. */
function controllerUid({ metadata: { ownerReferences = [] } }: Pod): string {
  return ownerReferences.find(({ controller }) => controller === true)?.uid ?? '';
}

/** Undefined where it takes longer. */
async function inTime<T>(value: Promise<T>, deadlineMs: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    const ms = Math.max(0, deadlineMs - performance.now());
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([value, late]);
  } finally {
    clearTimeout(timer);
  }
}
