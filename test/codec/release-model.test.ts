// The model of a release: messages, members and values that it has.
import t from 'tap';
import { loadSchemaModel } from '../../src/codec/model/proto-schema.ts';
import { releaseModel } from '../../src/codec/model/release-model.ts';

const MODEL = loadSchemaModel({
  'x/v1.proto': `syntax = "proto2"; package x.v1;
message Kind {
  optional string always = 1;
  optional string came = 2 [(since) = 26, (gate) = "Came"];
  optional string went = 3 [(until) = 26];
  repeated string list = 5 [(list_type) = "atomic", (option_since) = "list_type=26"];
  optional string mode = 4 [
    (enum_values) = "Old",
    (enum_values) = "New",
    (enum_values) = "Brief",
    (enum_since) = "New=26",
    (enum_since) = "Brief=25",
    (enum_until) = "Brief=26"
  ];
  optional Newer part = 6 [(type_until) = "Older=26"];
  optional string size = 7 [(told_default) = "1", (option_since) = "told_default=26"];
}
message Older {
  option (message_until) = 26;
}
message Atomic {
  option (struct_type) = "atomic";
  option (struct_type_since) = 26;
}
message Newer {
  option (message_since) = 25;
  option (message_until) = 27;
}`,
});

t.test('what has a life is there in its releases, and says no life any more', async (t) => {
  const shown = [24, 25, 26, 27].map((minor) => {
    const { messages } = releaseModel(MODEL, minor);
    const fields = messages['x.v1.Kind']?.fields ?? [];
    const values = fields.find(({ name }) => name === 'mode')?.enumValues;
    const listType = fields.find(({ name }) => name === 'list')?.listType;
    const names = fields.map(({ name }) => name).join();
    const part = fields.find(({ name }) => name === 'part')?.type;
    const isAtomic = messages['x.v1.Atomic']?.atomic;
    return [Object.keys(messages).length, names, listType, values, part, isAtomic];
  });
  t.same(shown, [
    [3, 'always,went,list,mode,part,size', undefined, ['Old'], 'x.v1.Older', undefined],
    [4, 'always,went,list,mode,part,size', undefined, ['Old', 'Brief'], 'x.v1.Older', undefined],
    [3, 'always,came,list,mode,part,size', 'atomic', ['Old', 'New'], 'x.v1.Newer', true],
    [2, 'always,came,list,mode,part,size', 'atomic', ['Old', 'New'], 'x.v1.Newer', true],
  ]);
  t.notMatch(JSON.stringify(releaseModel(MODEL, 26)), /since|until|Lives|formerType/i);
  t.match(JSON.stringify(releaseModel(MODEL, 26)), /"gate":"Came"/);
});

t.test('a member may have been of another message, and its default told to nobody', async (t) => {
  const shown = [25, 26].map((minor) => {
    const fields = releaseModel(MODEL, minor).messages['x.v1.Kind']?.fields ?? [];
    const [part, size] = ['part', 'size'].map((name) => fields.find((one) => one.name === name));
    return [part?.type, size?.toldDefault, size?.default];
  });
  t.same(shown, [
    ['x.v1.Older', undefined, undefined],
    ['x.v1.Newer', '1', undefined],
  ]);
});

t.test('a life that cannot be read is an error', async (t) => {
  const text = (option: string): Record<string, string> => ({
    'x/v1.proto': `syntax = "proto2"; package x.v1; message K { optional string a = 1 [${option}]; }`,
  });
  t.throws(() => loadSchemaModel(text('(enum_since) = "New"')), /New is not a value and a minor/);
  const unknown = text('(option_since) = "number=27"');
  t.throws(() => loadSchemaModel(unknown), /number is no option that has a life/);
});
