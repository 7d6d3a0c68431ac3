/**
 * A new object that is proposed outside of its shard is what its shard would have made of it: the
 * rows of `test/catalogue`, made both ways.
 */
import t from 'tap';
import { KINDS } from '../../src/resources/registry.ts';
import type { BuiltInKind } from '../../src/resources/kind.ts';
import { isProposable } from '../../src/proposals/draft.ts';
import { catalogueFiles, catalogueDocument } from '../support/catalogue.ts';
import type { KindCases } from '../support/kind-cases.ts';
import { knownRandomness } from '../support/known-randomness.ts';
import type { TestObject } from '../support/kinds.ts';
import { ShardUnderTest, type Outcome } from '../support/shard-under-test.ts';
import { refusal } from '../support/thrown-status.ts';

/** Both make the same uids, at the same time. */
class BothWays {
  readonly shard: ShardUnderTest;
  readonly other: ShardUnderTest;

  constructor(definition: BuiltInKind) {
    this.shard = new ShardUnderTest({ definition, random: knownRandomness() });
    this.other = new ShardUnderTest({ definition, random: knownRandomness() });
  }

  /** Gives what both come to. */
  async create(object: TestObject, version: number): Promise<readonly [unknown, unknown]> {
    return [
      await settled(this.shard.create(object, { version })),
      await settled(this.other.createProposed(object, { version })),
    ];
  }

  /** What both have stored, with what their records say of it. */
  stored(): readonly [unknown, unknown] {
    return [recordsOf(this.shard), recordsOf(this.other)];
  }
}

function recordsOf(subject: ShardUnderTest): unknown[] {
  const { shard } = subject;
  const textAt = (rv: number): string => Buffer.from(shard.wireAt(rv)).toString();
  return subject.versions().map((rv) => [rv, shard.headers.at(rv), textAt(rv)]);
}

/** The answer, or what it was refused with. */
async function settled(outcome: Promise<Outcome>): Promise<unknown> {
  try {
    const { code, text } = await outcome;
    return { code, text };
  } catch {
    return refusal(outcome);
  }
}

function definitionOf({ apiVersion, kind }: KindCases): [BuiltInKind, number] | undefined {
  const group = apiVersion.includes('/') ? apiVersion.replace(/\/.*$/, '') : '';
  const version = apiVersion.replace(/^.*\//, '');
  const definition = KINDS.find((one) => one.kind === kind && one.group === group);
  if (definition === undefined) return undefined;
  const versions = [
    definition.version,
    ...(definition.otherVersions ?? []).map((one) => one.version),
  ];
  return [definition, versions.indexOf(version)];
}

const files = await catalogueFiles();
let compared = 0;
for (const { name, cases } of files) {
  const found = definitionOf(cases);
  if (found === undefined) continue;
  const [definition, version] = found;
  const both = new BothWays(definition);
  if (!isProposable(both.shard.shard.kind)) continue;
  t.test(name, async (t) => {
    const { minimal, full, invalid } = cases;
    const changes = [
      ['minimal', minimal],
      ['full', full],
    ] as const;
    for (const [what, change] of changes) {
      const [one, two] = await both.create(catalogueDocument(cases, what, change), version);
      t.same(two, one, what);
    }
    for (const [rule, change] of invalid) {
      const document = catalogueDocument(cases, 'invalid', minimal, change);
      const [one, two] = await both.create(document, version);
      t.same(two, one, rule);
    }
    const [one, two] = both.stored();
    t.same(two, one, 'the logs are the same');
    compared += both.shard.versions().length;
  });
}

t.test('objects were made', async (t) => {
  t.ok(compared > 80, `${compared} objects`);
});
