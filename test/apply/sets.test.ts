/** Lists whose items are fields of their own: the value is the key. */
import t from 'tap';
import { scenarios, schema } from '../support/apply-scenario.ts';

const SETS = schema(`
  message Object {
    repeated string list = 1 [(list_type) = "set"];
    repeated int32 numbers = 2 [(list_type) = "set"];
  }
`);

t.test('items of one applier', async (t) => {
  scenarios(t, SETS, {
    'items are added where the configuration has them': `
      apply ann    {list: [a, c]}
      apply ann    {list: [a, b, c, d]}
      is           {list: [a, b, c, d]}
      applied ann  .list{[=a],[=b],[=c],[=d]}`,
    'items get the order of a configuration that adds one': `
      apply ann    {list: [a, b, c]}
      apply ann    {list: [a, d, c, b]}
      is           {list: [a, d, c, b]}
      applied ann  .list{[=a],[=b],[=c],[=d]}`,
    'items that are no longer mentioned go': `
      apply ann    {list: [a, b, c, d]}
      apply ann    {list: [a, c]}
      is           {list: [a, c]}
      applied ann  .list{[=a],[=c]}`,
    'items come and go across versions': `
      apply ann          {list: [a, b, c, d]}
      apply ann in v2    {list: [a, c, e]}
      is                 {list: [a, c, e]}
      applied ann in v2  .list{[=a],[=c],[=e]}`,
    'the last item goes with its list': `
      apply ann    {list: [a], numbers: [1]}
      apply ann    {numbers: [1]}
      is           {numbers: [1]}
      applied ann  .numbers[=1]`,
    'numbers are items too': `
      apply ann    {numbers: [3, 1, 2]}
      apply ben    {numbers: [4, 1]}
      is           {numbers: [3, 4, 1, 2]}
      applied ann  .numbers{[=1],[=2],[=3]}
      applied ben  .numbers{[=1],[=4]}`,
  });
});

t.test('items of an applier and an updater', async (t) => {
  const added = (version: string) => `
      apply ann          {list: [a, c]}
      update bot ${version}  {list: [a, b, c, d]}`;
  scenarios(t, SETS, {
    'each has items of its own': `${added('')}
      apply ann    {list: [a, aa, c, cc]}
      is           {list: [a, b, aa, c, d, cc]}
      applied ann  .list{[=a],[=aa],[=c],[=cc]}
      updated bot  .list{[=b],[=d]}`,
    'and so across versions': `${added('in v2')}
      apply ann          {list: [a, aa, c, cc]}
      is                 {list: [a, b, aa, c, d, cc]}
      applied ann        .list{[=a],[=aa],[=c],[=cc]}
      updated bot in v2  .list{[=b],[=d]}`,
    'an item that is there already is shared': `${added('')}
      apply ann    {list: [a, b, c]}
      is           {list: [a, b, c, d]}
      applied ann  .list{[=a],[=b],[=c]}
      updated bot  .list{[=b],[=d]}`,
    'and so an item that came in another version': `${added('in v2')}
      apply ann          {list: [a, b, c]}
      is                 {list: [a, b, c, d]}
      applied ann        .list{[=a],[=b],[=c]}
      updated bot in v2  .list{[=b],[=d]}`,
    'a shared item stays when the applier drops it': `${added('')}
      apply ann    {list: [a, b, c]}
      apply ann    {list: [a]}
      is           {list: [a, b, d]}
      applied ann  .list[=a]
      updated bot  .list{[=b],[=d]}`,
    'a new order is nobody’s': `
      apply ann    {list: [a, b, c, d]}
      update bot   {list: [a, d, c, b]}
      is           {list: [a, d, c, b]}
      apply ann    {list: [a, b, c, d]}
      same
      is           {list: [a, d, c, b]}
      applied ann  .list{[=a],[=b],[=c],[=d]}`,
    'nor across versions': `
      apply ann          {list: [a, b, c, d]}
      update bot         {list: [a, d, c, b]}
      apply ann in v2    {list: [a, b, c, d]}
      is                 {list: [a, d, c, b]}
      applied ann in v2  .list{[=a],[=b],[=c],[=d]}`,
    'an updater that creates the list owns the list itself': `
      update bot   {list: [a]}
      updated bot  .list{,[=a]}
      apply ann    {list: [b]}
      is           {list: [a, b]}
      applied ann  .list[=b]
      updated bot  .list{,[=a]}`,
    'items never conflict': `
      apply ann    {list: [a]}
      apply ben    {list: [a]}
      update bot   {list: [b]}
      is           {list: [b]}
      updated bot  .list[=b]`,
  });
});
