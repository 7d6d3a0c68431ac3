import t from 'tap';
import { fieldPlaces, lineOfCause, ownersByLine, pathOfField } from '../../src/page/fields.ts';

const TEXT = `kind: Pod
metadata:
  name: web
  labels:
    app: web
  finalizers:
    - a/b
spec:
  containers:
    - name: a
      image: x
      ports:
        - containerPort: 80
          protocol: TCP
    - name: b
      image: y
`;

t.test('the owners of each line', async (t) => {
  const owners = ownersByLine(fieldPlaces(TEXT), [
    {
      manager: 'kubectl',
      fieldsV1: {
        'f:metadata': {
          'f:labels': { '.': {}, 'f:app': {} },
          'f:finalizers': { '.': {}, 'v:"a/b"': {} },
        },
        'f:spec': {
          'f:containers': {
            'k:{"name":"a"}': {
              '.': {},
              'f:image': {},
              'f:name': {},
              'f:ports': { 'k:{"containerPort":80,"protocol":"TCP"}': { 'f:containerPort': {} } },
            },
          },
        },
      },
    },
    { manager: 'scaler', subresource: 'scale', fieldsV1: { 'f:metadata': { 'f:labels': {} } } },
  ]);
  const lines = TEXT.split('\n');
  const shown = [...owners].map(([line, names]) => [lines[line]?.trim(), names.join()] as const);
  t.same(Object.fromEntries(shown), {
    'labels:': 'kubectl,scaler (scale)',
    'app: web': 'kubectl,scaler (scale)',
    'finalizers:': 'kubectl',
    '- a/b': 'kubectl',
    '- name: a': 'kubectl',
    'image: x': 'kubectl',
    '- containerPort: 80': 'kubectl',
  });
});

t.test('the line of the field that an error names', async (t) => {
  const places = fieldPlaces(TEXT);
  const rows: readonly [field: string, line: string | undefined][] = [
    ['spec.containers[1].image', '      image: y'],
    ['spec.containers[0].ports[0].protocol', '          protocol: TCP'],
    ['spec.containers[0].resources.limits[cpu]', '    - name: a'],
    ['metadata.labels', '  labels:'],
    ['metadata.finalizers[0]', '    - a/b'],
    ['status.phase', undefined],
  ];
  for (const [field, line] of rows) {
    const found = lineOfCause(places, { field });
    t.equal(found === undefined ? undefined : TEXT.split('\n')[found], line, field);
  }
  t.same(pathOfField('metadata.annotations[a.b/c]'), ['metadata', 'annotations', 'a.b/c']);
  t.same(fieldPlaces('a: [b\n'), [], 'a text that is no YAML');
});
