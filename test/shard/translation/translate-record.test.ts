/** `SEED=7 node <this file>` repeats a run. */
import t from 'tap';
import { model as MODEL } from '../../codec/proto-model.ts';
import { managedFieldsOf } from '../../../src/types/field-owners.ts';
import type { ApiObject } from '../../../src/resources/kind.ts';
import type { ResourceType } from '../../../src/types/resource-type.ts';
import { KINDS } from '../../../src/resources/registry.ts';
import { swapDocument } from '../../../src/semantics/dialect/json-edits.ts';
import { sentManagedFields } from '../../../src/semantics/fields/managed-fields.ts';
import { translateHeader, translateRecord } from '../../../src/shard/log/translate-record.ts';
import { decodeRecordHeader, recordDomain, wireBytes } from '../../../src/storage/record.ts';
import { namedObject, recordOf } from '../../support/named-objects.ts';
import { Random } from '../../support/random.ts';
import { kindRuntime } from '../../support/shard-under-test.ts';

const SEED = Number(process.env['SEED'] ?? 1);
const OBJECTS_OF_A_KIND = 25;

/** The object that a client of the other dialect sees, as it would be decoded if it wrote it. */
function otherObject(kind: ResourceType, object: ApiObject): ApiObject {
  const text = swapDocument(kind.definition.kind, `{${kind.stored.codec.encode(object)}`);
  const other = kind.stored.codec.decode(text).object as ApiObject;
  const { metadata } = other;
  const sent = sentManagedFields(metadata.managedFields as unknown[] | undefined);
  metadata.managedFields =
    sent === undefined || sent === 'reset' ? undefined : managedFieldsOf(sent);
  return other;
}

function textOf(record: Uint8Array): string {
  return Buffer.from(wireBytes(record)).toString();
}

for (const definition of KINDS) {
  t.test(`records of ${definition.kind}`, async (t) => {
    const kind = kindRuntime(definition);
    const random = new Random(SEED);
    let translated = 0;
    for (let run = 0; run < OBJECTS_OF_A_KIND; run++) {
      const object = namedObject(MODEL, kind, random);
      const record = recordOf(kind, object, random.pick(['cluster.io', 'k8s.io']));
      const other = translateRecord(kind, record);
      const domain = recordDomain(record) === 'k8s.io' ? 'cluster.io' : 'k8s.io';
      const anew = recordOf(kind, otherObject(kind, object), domain);
      const header = translateHeader(kind, decodeRecordHeader(record));
      const expected = decodeRecordHeader(anew);
      const { key, labels, fields } = expected;
      t.same([header.key, header.labels, header.fields], [key, labels, fields], 'header');
      if (other === record) {
        t.equal(textOf(anew), textOf(record), 'what is not translated says the same in both');
        continue;
      }
      translated++;
      t.equal(textOf(other), textOf(anew), 'as encoded anew');
      t.same(decodeRecordHeader(other), expected);
      const back = translateRecord(kind, other);
      t.equal(textOf(back), textOf(record), 'and back');
      t.ok(record.equals(back), 'byte for byte');
    }
    t.ok(translated > OBJECTS_OF_A_KIND / 5, `${translated} were translated`);
  });
}
