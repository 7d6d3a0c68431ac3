import t from 'tap';
import { memberChecks } from '../../src/conversion/check-members.ts';
import { convertText } from '../../src/conversion/convert-manifests.ts';
import { model } from '../codec/proto-model.ts';

const check = memberChecks(model);

function convert(text: string, outputVersion = '') {
  return convertText(text, { outputVersion, dialect: 'cluster.io', check });
}

const INGRESS = `# the front
apiVersion: networking.k8s.io/v1beta1 # old
kind: Ingress
metadata:
  name: "front"   # as in the shop
  annotations:
    octal: 0755
    yes: "no"
spec:
  # when nothing fits
  backend:
    serviceName: fallback # the old one
    servicePort: 80
  rules:
  - host: a.example
    http:
      paths:
      # everything
      - path: /
        backend:
          serviceName: 'true'   # of above
          servicePort: http
`;

t.test('comments stay with what they stand at, and scalars as they are written', async (t) => {
  const { text, problems, converted } = convert(INGRESS);
  t.equal(
    text,
    `# the front
apiVersion: networking.k8s.io/v1 # old
kind: Ingress
metadata:
  name: "front" # as in the shop
  annotations:
    octal: 0755
    yes: "no"
spec:
  # when nothing fits
  defaultBackend:
    service:
      name: fallback # the old one
      port:
        number: 80
  rules:
  - host: a.example
    http:
      paths:
      # everything
      - path: /
        backend:
          service:
            name: 'true' # of above
            port:
              name: http
        pathType: ImplementationSpecific
`,
  );
  // Annotations are texts.
  t.match(problems, [/cannot unmarshal number|octal/i]);
  t.equal(converted, 1);
});

t.test('documents in which nothing changes stay byte for byte', async (t) => {
  const before = "---   # first\napiVersion:   v1\nkind: 'ConfigMap'\n\n\n--- \n# nothing\n---\n";
  t.equal(convert(before).text, before);
  const job = 'apiVersion: batch/v1beta1\nkind: CronJob\nmetadata: {name: a}\n';
  const { text, problems } = convert(`${before}${job}...\n`);
  t.equal(text, `${before}${job.replace('v1beta1', 'v1')}...\n`);
  t.same(problems, []);
});

t.test('where only words change, all else stays byte for byte', async (t) => {
  const before = `

# one   space  is not two
kind: "CronJob"
apiVersion: 'batch/v1beta1'   # old
metadata:   {name: a,labels: &labels {app: a}}
spec:
        schedule: >-
            * * *
            * *
        jobTemplate: {metadata: {labels: *labels}}   # the same

# the end`;
  const { text, notes, problems } = convert(before);
  t.equal(text, before.replace('v1beta1', 'v1'));
  t.same([...notes, ...problems], []);
  const flow = 'kind: CronJob\napiVersion: batch/v1beta1\nmetadata: {\nname: a\n}\n';
  const indented = `kind: CronJob\napiVersion: batch/v1\nmetadata: {\n${' '.repeat(11)}name: a\n`;
  t.equal(convert(flow).text.indexOf(indented), 0, 'but for lines that are indented too little');
  // The anchored value is written out: its other places may have to stay as they are.
  const anchored = convert('kind: CronJob\napiVersion: &it batch/v1beta1\nmetadata: {name: *it}\n');
  t.match(anchored.text, /^apiVersion: batch\/v1\n[^]*name: batch\/v1beta1$/m);
});

t.test('what stood around moves along', async (t) => {
  const { text } = convert(`apiVersion: apiextensions.cluster.io/v1beta1
kind: CustomResourceDefinition
metadata: {name: as.example.com}
spec:
    group: example.com
    version: v1
    names: {plural: as, kind: A}
    preserveUnknownFields: false
    # what it looks like
    validation:
        openAPIV3Schema: {type: object} # all
    additionalPrinterColumns:
        # how old
        - name: Age
          type: date
          JSONPath: .metadata.creationTimestamp # since
`);
  t.equal(
    text,
    `apiVersion: apiextensions.cluster.io/v1
kind: CustomResourceDefinition
metadata: {name: as.example.com}
spec:
    group: example.com
    scope: Namespaced
    versions:
        - name: v1
          served: true
          storage: true
          # what it looks like
          schema:
              openAPIV3Schema: {type: object} # all
          additionalPrinterColumns:
              # how old
              - name: Age
                type: date
                jsonPath: .metadata.creationTimestamp # since
    names: {plural: as, kind: A}
`,
  );
});

t.test('lists, of any kind and of one', async (t) => {
  const list = convert(`apiVersion: v1
kind: List
items:
- apiVersion: batch/v1beta1 # the first
  kind: CronJob
  metadata: {name: a}
- apiVersion: v1
  kind: ConfigMap
`);
  t.equal(
    list.text,
    `apiVersion: v1
kind: List
items:
- apiVersion: batch/v1 # the first
  kind: CronJob
  metadata: {name: a}
- apiVersion: v1
  kind: ConfigMap
`,
  );
  const ofOne = convert(
    '{"kind":"CronJobList","apiVersion":"batch/v1beta1","items":[{"metadata":{"name":"a"}}]}',
  );
  t.equal(
    ofOne.text,
    '{"kind":"CronJobList","apiVersion":"batch/v1","items":[{"metadata":{"name":"a"}}]}',
  );
});

t.test('JSON keeps its order and indentation, and may be several', async (t) => {
  const job = { kind: 'CronJob', metadata: { name: 'a' }, apiVersion: 'batch/v1beta1' };
  const text = `${JSON.stringify(job, undefined, '\t')}\n${JSON.stringify(job)}`;
  t.equal(convert(text).text, text.replaceAll('v1beta1', 'v1'));
});

t.test('aliases are written out', async (t) => {
  const { text, notes, problems } = convert(`apiVersion: apps/v1beta1
kind: Deployment
metadata: {name: a, labels: &labels {app: a}}
spec:
  selector: {matchLabels: *labels}
  template: {metadata: {labels: *labels}}
`);
  t.notMatch(text, /[&*]labels/);
  t.match(text, /^apiVersion: apps\/v1$/m);
  t.equal(text.match(/app: a/g)?.length, 3);
  t.same(notes, ['line 1: aliases are written out, without comments']);
  t.same(problems, []);
});

t.test('of members that repeat, the last counts and is kept', async (t) => {
  const { text, notes } = convert(`kind: CronJob
apiVersion: v1
apiVersion: batch/v1beta1 # the old one
`);
  t.equal(text, 'kind: CronJob\napiVersion: batch/v1 # the old one\n');
  t.same(notes, ['line 1: of members that repeat, only the last is kept']);
});

t.test('lines end as they did', async (t) => {
  const text = 'apiVersion: batch/v1beta1\r\nkind: CronJob\r\n---\r\n# none\r\n';
  t.equal(convert(text).text, text.replace('v1beta1', 'v1'));
  const json = '{\r\n  "apiVersion": "batch/v1beta1",\r\n  "kind": "CronJob"\r\n}\r\n';
  t.equal(convert(json).text, json.replace('v1beta1', 'v1'));
});

t.test('documents may begin in the line of their separator', async (t) => {
  const job = (version: string) => `{apiVersion: batch/${version}, kind: CronJob}`;
  const text = `--- ${job('v1beta1')}\n--- # none\n--- # same\n${job('v1beta1')}\n... # end\n`;
  t.equal(convert(text).text, text.replaceAll('v1beta1', 'v1'));
});

t.test('problems say where', async (t) => {
  const { problems } = convert(`kind: ConfigMap
---
apiVersion: apps/v1beta2
kind: Deployment
metadata: {name: web, namespace: shop}
spec: {template: {}}
`);
  t.same(problems, ['line 3: Deployment shop/web: spec.selector is required']);
});

t.test('text that is half YAML gets one line that says where', async (t) => {
  t.throws(() => convert('kind: ConfigMap\n---\na: b\n  c: [\n'), {
    name: 'ManifestError',
    message: /^[^\n]*line 3[^\n]*$/,
  });
  t.throws(() => convert('{"kind": "ConfigMap"'), { name: 'ManifestError' });
  t.throws(() => convert('a: \u0001'), { name: 'ManifestError' });
  t.throws(() => convert(`a: b\n---\n${'? '.repeat(20_000)}`), {
    name: 'ManifestError',
    message: 'yaml: line 3: exceeded max depth of 500',
  });
  const deep = `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
  t.throws(() => convert(`{}\n${deep}`), {
    name: 'ManifestError',
    message: 'line 2: exceeded max depth of 500',
  });
  const large = `kind: ConfigMap\n---\na: b${' '.repeat(4 * 1024 * 1024)}\n`;
  t.throws(() => convert(large), { message: 'line 3: a YAML document is larger than 4 MiB' });
});

t.test('what is no object stays as it is', async (t) => {
  for (const text of ['', '\n', '# only this', '- 1\n- 2\n', '42\n', 'kind: List\nitems: [1]\n']) {
    t.equal(convert(text).text, text);
  }
});
