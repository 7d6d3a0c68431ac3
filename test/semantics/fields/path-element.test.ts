// Steps of paths, as FieldsV1 and errors write them.
import t from 'tap';
import {
  canonicalElement,
  compareElements,
  elementText,
  fieldElement,
  keyElement,
  valueElement,
} from '../../../src/semantics/fields/path-element.ts';

t.test('elements and their texts', async (t) => {
  const rows: readonly (readonly [element: string, written: string, shown: string])[] = [
    [fieldElement('spec'), 'f:spec', '.spec'],
    [fieldElement('a.b/c'), 'f:a.b/c', '.a.b/c'],
    [fieldElement(''), 'f:', '.'],
    [keyElement({ name: 'app' }), 'k:{"name":"app"}', '[name="app"]'],
    [
      keyElement({ protocol: 'TCP', containerPort: 80 }),
      'k:{"containerPort":80,"protocol":"TCP"}',
      '[containerPort=80,protocol="TCP"]',
    ],
    [keyElement({ a: null, b: true }), 'k:{"a":null,"b":true}', '[a=null,b=true]'],
    [keyElement({ mountPath: '/<"é">' }), 'k:{"mountPath":"/\\u003c\\"é\\"\\u003e"}', ''],
    [valueElement('x'), 'v:"x"', '[="x"]'],
    [valueElement(1.5), 'v:1.5', '[=1.5]'],
    [valueElement(false), 'v:false', '[=false]'],
    ['i:3', 'i:3', '[3]'],
  ];
  for (const [element, written, shown] of rows) {
    t.equal(element, written);
    if (shown !== '') t.equal(elementText(element), shown);
    t.equal(canonicalElement(element), element, `${element} is canonical`);
  }
  t.equal(elementText(keyElement({ mountPath: '/<"é">\t' })), '[mountPath="/<\\"é\\">\\t"]');
});

t.test('what clients write becomes canonical', async (t) => {
  for (const [written, canonical] of [
    ['k:{"b": 1, "a":"x"}', 'k:{"a":"x","b":1}'],
    ['k:{"a":1.0}', 'k:{"a":1}'],
    ['k:{"__proto__":"x"}', 'k:{"__proto__":"x"}'],
    ['v: "\\u0061"', 'v:"a"'],
    ['i:+07', 'i:7'],
    ['f:', 'f:'],
    ['x:unknown', undefined],
  ] as const) {
    t.equal(canonicalElement(written), canonical, written);
  }
  for (const [written, text] of [
    ['f', 'key must be 2 characters long:'],
    ['', 'key must be 2 characters long:'],
    ['name', 'missing colon: name'],
    ['k:[]', 'not an object: k:[]'],
    ['i:x', 'not an index: i:x'],
  ] as const) {
    t.throws(() => canonicalElement(written), { message: text }, written);
  }
  t.throws(() => canonicalElement('v:{'));
});

t.test('their order', async (t) => {
  const ordered = [
    'f:',
    'f:a',
    'f:a.b',
    'f:ab',
    'k:{"a":1}',
    'k:{"a":9}',
    'k:{"a":10}',
    'k:{"a":10,"b":1}',
    'k:{"a":"a"}',
    'k:{"a":"a b"}',
    'k:{"a":"ab"}',
    'k:{"b":0}',
    'v:-1',
    'v:2',
    'v:10',
    'v:"a"',
    'v:"a!"',
    'v:false',
    'v:true',
    'v:null',
    'i:0',
    'i:9',
    'i:10',
  ];
  for (const [at, a] of ordered.entries()) {
    for (const [other, b] of ordered.entries()) {
      const order = compareElements(a, b);
      t.equal(Math.sign(order), Math.sign(at - other), `${a} and ${b}`);
    }
  }
});
