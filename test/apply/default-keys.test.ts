/** Items whose keys have defaults. */
import t from 'tap';
import { scenarios, schema } from '../support/apply-scenario.ts';

const PORTS = schema(`
  message Object {
    repeated Port ports = 1 [
      (list_type) = "map", (list_map_keys) = "port", (list_map_keys) = "protocol"
    ];
  }
  message Port {
    optional int32 port = 1;
    optional string protocol = 2 [(default_value) = "TCP"];
    optional string name = 3;
  }
`);

t.test('a key with a default may be left out', async (t) => {
  scenarios(t, PORTS, {
    'it is in the entry, not in the object': `
      apply ann    {ports: [{port: 80}]}
      is           {ports: [{port: 80}]}
      applied ann  .ports[port=80,protocol=TCP]{,.port}`,
    'beside an item that says it': `
      apply ann    {ports: [{port: 80}, {port: 80, protocol: UDP}]}
      is           {ports: [{port: 80}, {port: 80, protocol: UDP}]}
      applied ann  .ports{[port=80,protocol=TCP]{,.port},[port=80,protocol=UDP]{,.port,.protocol}}`,
    'it is the same item as one that says the default': `
      apply ann    {ports: [{port: 80, protocol: TCP, name: foo}]}
      apply ben    {ports: [{port: 80, name: bar}]}
      conflict     applied ann .ports[port=80,protocol=TCP].name
      is           {ports: [{port: 80, protocol: TCP, name: foo}]}
      applied ann  .ports[port=80,protocol=TCP]{,.port,.protocol,.name}
      apply ben    {ports: [{port: 80, name: foo}]}
      is           {ports: [{port: 80, protocol: TCP, name: foo}]}
      applied ann  .ports[port=80,protocol=TCP]{,.port,.protocol,.name}
      applied ben  .ports[port=80,protocol=TCP]{,.port,.name}`,
    'also for an updater': `
      update bot   {ports: [{port: 80, protocol: TCP}]}
      apply ann    {ports: [{port: 80, name: foo}]}
      is           {ports: [{port: 80, protocol: TCP, name: foo}]}
      applied ann  .ports[port=80,protocol=TCP]{,.port,.name}
      updated bot  .ports{,[port=80,protocol=TCP]{,.port,.protocol}}`,
    'the same twice is refused': `
      apply ann    {ports: [{port: 80}, {port: 80, protocol: TCP}]}
      fails        .ports: duplicate entries for key [port=80,protocol="TCP"]
      apply ann    {ports: [{port: 80}, {port: 80}]}
      fails        .ports: duplicate entries for key [port=80,protocol="TCP"]`,
    'null is not the default': `
      apply ann    {ports: [{port: 80, protocol: null}, {port: 80}]}
      is           {ports: [{port: 80, protocol: null}, {port: 80}]}
      applied ann  .ports{[port=80,protocol=null]{,.port,.protocol},[port=80,protocol=TCP]{,.port}}
      apply ann    {ports: [{port: 80, protocol: null}, {port: 80, protocol: null}]}
      fails        .ports: duplicate entries for key [port=80,protocol=null]`,
    'null is there, where one without a default may not be left out': `
      apply ann    {ports: [{port: null}]}
      is           {ports: [{port: null}]}
      applied ann  .ports[port=null,protocol=TCP]{,.port}`,
    'one without a default may not be left out': `
      apply ann    {ports: [{protocol: TCP}]}
      fails        .ports: element 0: associative list with keys has an element that omits key \
field "port" (and doesn't have default value)`,
  });
});

const BOOK = schema(`
  message Object {
    repeated Chapter book = 1 [
      (list_type) = "map", (list_map_keys) = "chapter", (list_map_keys) = "section"
    ];
  }
  message Chapter {
    optional int32 chapter = 1 [(default_value) = "1"];
    optional string section = 2 [(default_value) = "A"];
    repeated Sentence sentences = 3 [
      (list_type) = "map", (list_map_keys) = "page", (list_map_keys) = "line"
    ];
  }
  message Sentence {
    optional double page = 1 [(default_value) = "2.0"];
    optional double line = 2 [(default_value) = "3"];
    optional string text = 3;
  }
`);

t.test('every key of a list in a list may have a default', async (t) => {
  const item = '.book[chapter=1,section=A]';
  const inner = '.sentences[line=3,page=2]';
  scenarios(t, BOOK, {
    'and be left out': `
      apply ann    {book: [{sentences: [{text: x}]}]}
      is           {book: [{sentences: [{text: x}]}]}
      applied ann  ${item}{,${inner}{,.text}}`,
    'a number is the same whether it is whole or not': `
      apply ann    {book: [{sentences: [{text: x}]}]}
      apply ann    {book: [{sentences: [{text: x, page: 2}]}]}
      is           {book: [{sentences: [{text: x, page: 2}]}]}
      applied ann  ${item}{,${inner}{,.text,.page}}`,
  });
});
