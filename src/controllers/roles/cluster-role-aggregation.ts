/**
 * Sums up roles: a cluster role with an `aggregationRule` has the rules of all others that its
 * selectors match (src/controllers/README.md#sums-of-roles).
 */
import type { ClusterRole } from '#messages/rbac.v1';
import { compareTexts } from '../../base/text/compare-texts.ts';
import { deepEqual } from '../../base/deep-equal.ts';
import { SYSTEM_TIMERS } from '../../base/time/timers.ts';
import type { ApiObject } from '../../resources/kind.ts';
import { ownGroupVersion } from '../../semantics/dialect/own-names.ts';
import {
  labelMatcher,
  type LabelMatcher,
  type Labels,
} from '../../semantics/selectors/label-matcher.ts';
import { toLabelSelector } from '../../semantics/selectors/object-label-selector.ts';
import { Informer } from '../informer.ts';
import { portOf, runController, type Ports } from '../run-controller.ts';
import { WorkQueue } from '../work-queue.ts';

const CLUSTER_ROLES = 'clusterroles.rbac.authorization.cluster.io';
const API_VERSION = ownGroupVersion('rbac.authorization.cluster.io/v1');
const MANAGER = 'clusterrole-aggregation-controller';

/** Which roles are summed up is told by labels; rules are read when they are needed. */
interface KnownRole {
  readonly name: string;
  readonly labels: Labels;
  /** For a role that is a sum: one matcher for each selector. */
  readonly selectors: readonly LabelMatcher[] | undefined;
}

type Rules = NonNullable<ClusterRole['rules']>;

export class ClusterRoleAggregation {
  readonly #ports: Ports;
  readonly #roles: Informer<KnownRole>;
  /** Those that are sums. */
  readonly #sums = new Map<string, KnownRole>();
  readonly #queue: WorkQueue;

  /** Ports: `control`, and that of the shard of cluster roles. */
  constructor(ports: Ports, logError: (text: string) => void) {
    this.#ports = ports;
    this.#roles = new Informer({
      resource: CLUSTER_ROLES,
      port: portOf(ports, CLUSTER_ROLES),
      writer: { manager: MANAGER },
      keep: knownRole,
      onChange: ({ name }, now, before) => this.#changed(name, now, before),
    });
    const work = (name: string): Promise<void> => this.#sumUp(name);
    this.#queue = new WorkQueue({
      name: 'ClusterRoleAggregator',
      work,
      timers: SYSTEM_TIMERS,
      logError,
    });
  }

  /** Works until it is told to stop; counts as started once all are summed up. */
  async run(): Promise<void> {
    await this.#roles.start();
    await this.#queue.whenIdle();
    await runController(this.#ports, { begin: () => undefined, stop: () => this.#queue.stop() });
    this.#roles.close();
  }

  /** Has the sums looked at that the role was or is a part of, and itself. */
  #changed(name: string, now: KnownRole | undefined, before: KnownRole | undefined): void {
    if (now?.selectors === undefined) this.#sums.delete(name);
    else this.#sums.set(name, now);
    for (const [sum, role] of this.#sums) {
      const isConcerned = (part: KnownRole | undefined): boolean =>
        part !== undefined && role.selectors?.some((matches) => matches(part.labels)) === true;
      if (sum === name || isConcerned(now) || isConcerned(before)) this.#queue.add(sum);
    }
  }

  async #sumUp(name: string): Promise<void> {
    const { client } = this.#roles;
    const { selectors = [] } = this.#sums.get(name) ?? {};
    const stored = (await client.get({ namespace: '', name })) as ClusterRole | undefined;
    if (stored?.aggregationRule === undefined) return;
    const rules = await this.#rulesOf(name, selectors);
    if (deepEqual(rules, stored.rules ?? [])) return;
    const sum = {
      apiVersion: API_VERSION,
      kind: 'ClusterRole',
      // One that is deleted meanwhile is not made anew.
      metadata: { name, uid: stored.metadata.uid },
      ...(rules.length > 0 && { rules }),
    };
    await client.apply({ namespace: '', name }, sum);
  }

  /** By selectors, and by the names of roles; each rule once. */
  async #rulesOf(sum: string, selectors: readonly LabelMatcher[]): Promise<Rules> {
    const rules: Rules = [];
    for (const matches of selectors) {
      const names = Array.from(this.#roles.values())
        .filter((role) => role.name !== sum && matches(role.labels))
        .map((role) => role.name)
        .sort(compareTexts);
      for (const name of names) {
        const role = await this.#roles.client.get({ namespace: '', name });
        for (const rule of (role as ClusterRole | undefined)?.rules ?? []) {
          if (!rules.some((there) => deepEqual(there, rule))) rules.push(rule);
        }
      }
    }
    return rules;
  }
}

function knownRole(object: ApiObject): KnownRole {
  const { metadata, aggregationRule } = object as ClusterRole;
  const { name = '', labels } = metadata;
  const selectors = aggregationRule?.clusterRoleSelectors?.map((selector) => {
    const parsed = toLabelSelector(selector);
    return parsed === undefined ? () => false : labelMatcher(parsed);
  });
  return { name, labels, selectors };
}
