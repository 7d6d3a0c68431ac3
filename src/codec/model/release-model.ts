/** The model of a release: what it has of all messages, members and values. */
import { isIn } from '../../release/life.ts';
import type { FieldSchema, MessageSchema, SchemaModel, SchemaOption } from './schema-model.ts';

/** `model` has what all releases have; the result has no lives any more. */
export function releaseModel({ messages }: SchemaModel, minor: number): SchemaModel {
  const known = Object.entries(messages).filter(([, message]) => isIn(message, minor));
  return {
    messages: Object.fromEntries(
      known.map(([name, message]) => [name, releaseMessage(message, minor)]),
    ),
  };
}

function releaseMessage(
  { since: _since, until: _until, atomic = false, atomicSince = 0, ...message }: MessageSchema,
  minor: number,
): MessageSchema {
  const known = message.fields.filter((field) => isIn(field, minor));
  const fields = known.map((field) => releaseField(field, minor));
  return { ...message, fields, ...(atomic && atomicSince <= minor && { atomic }) };
}

function releaseField(
  {
    since: _since,
    until: _until,
    formerType,
    formerListType,
    mapKeysSince = {},
    enumLives = {},
    optionLives = {},
    ...written
  }: FieldSchema,
  minor: number,
): FieldSchema {
  const isFormer = formerType !== undefined && minor < formerType.until;
  const isFormerList = formerListType !== undefined && minor < formerListType.until;
  const field = {
    ...written,
    ...(isFormer && { type: formerType.type }),
    ...(isFormerList && { listType: formerListType.listType }),
  };
  const options = Object.entries(field).filter(([option]) =>
    isIn(optionLives[option as SchemaOption] ?? {}, minor),
  );
  const { enumValues, listMapKeys, ...released } = Object.fromEntries(
    options,
  ) as unknown as FieldSchema;
  const values = enumValues?.filter((value) => isIn(enumLives[value] ?? {}, minor));
  const keys = listMapKeys?.filter((key) => (mapKeysSince[key] ?? 0) <= minor);
  return {
    ...released,
    ...(values !== undefined && { enumValues: values }),
    ...(keys !== undefined && { listMapKeys: keys }),
  };
}
