/** The entries of managedFields: their times, their order, their text. */
import t from 'tap';
import { scenarios, schema } from '../support/apply-scenario.ts';

const LEAVES = schema(`
  message Object {
    optional string a = 1;
    optional string b = 2;
    optional string c = 3;
    repeated string list = 4 [(list_type) = "set"];
  }
`);

t.test('times', async (t) => {
  scenarios(t, LEAVES, {
    'an update that changes values but not who owns them keeps its time': `
      at 1
      update bot        {a: x}
      at 2
      update bot        {a: y}
      updated bot at 1  .a`,
    'an update that owns something more has a new time': `
      at 1
      update bot        {a: x}
      at 2
      update bot        {a: x, b: x}
      updated bot at 2  .a .b`,
    'an update that only removes keeps its time': `
      at 1
      update bot        {a: x, b: x}
      at 2
      update bot        {a: x}
      updated bot at 1  .a`,
    'an update that replaces one field by another has a new time': `
      at 1
      update bot        {a: x, b: x}
      at 2
      update bot        {a: x, c: x}
      updated bot at 2  .a .c`,
    'who loses fields keeps her time': `
      at 1
      apply ann         {a: x, b: x}
      at 2
      update bot        {a: y, b: x}
      applied ann at 1  .b
      updated bot at 2  .a`,
    'an update that changes nothing changes nothing': `
      at 1
      update bot        {a: x}
      at 2
      update bot        {a: x}
      same
      update cat        {a: x}
      same
      updated bot at 1  .a`,
    'an apply that changes nothing changes nothing': `
      at 1
      apply ann         {a: x, list: [a]}
      at 2
      apply ben         {b: x}
      at 3
      apply ann         {a: x, list: [a]}
      same
      force ann         {a: x, list: [a]}
      same
      applied ann at 1  .a .list[=a]
      applied ben at 2  .b`,
    'an apply that changes a value has a new time': `
      at 1
      apply ann         {a: x}
      at 2
      apply ann         {a: y}
      applied ann at 2  .a`,
    'an apply of what is there already is an entry of its own': `
      at 1
      apply ann         {a: x}
      at 2
      apply ben         {a: x}
      applied ann at 1  .a
      applied ben at 2  .a`,
    'an apply that drops what another owns too has a new time': `
      at 1
      apply ann         {a: x, b: x}
      apply ben         {a: x}
      at 2
      apply ann         {b: x}
      is                {a: x, b: x}
      applied ann at 2  .b
      applied ben at 1  .a`,
    'an apply in another version has a new time': `
      at 1
      apply ann               {a: x}
      at 2
      apply ann in v2         {a: x}
      applied ann in v2 at 2  .a`,
    'an apply that only changes the order has none': `
      at 1
      apply ann         {list: [a, b]}
      at 2
      apply ann         {list: [b, a]}
      applied ann at 1  .list{[=a],[=b]}`,
  });
});

t.test('the order of the entries', async (t) => {
  scenarios(t, LEAVES, {
    'is applied, then updated': `
      update aaa  {a: x}
      apply zzz   {a: x}
      order       zzz aaa`,
    'then the older ones': `
      own applied c at 3 .a
      own applied a at 4 .a
      own applied b at 1 .a
      order       b c a`,
    'those without a time first': `
      own applied b at 1 .a
      own applied c .a
      own applied a at 1 .a
      order       c a b`,
    'then by name': `
      own updated c at 1 .a
      own applied a .a
      own applied g .a
      own updated f at 2 .a
      own applied i .a
      own updated d at 2 .a
      own applied h .a
      own updated e at 3 .a
      own applied b .a
      order       a b g h i c d f e`,
    'then by version': `
      own updated a in v2 at 1 .a
      own updated a in v1 at 1 .b
      own updated A in v3 at 1 .c
      order       A a a`,
    'then by subresource': `
      own applied a on status .a
      own applied b on scale .a
      own applied a on scale .a
      own applied a .a
      order       a a a b`,
  });
});
