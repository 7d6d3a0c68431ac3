// A controller: keeps as many workers (Secrets) as a team (ConfigMap) asks for. It has a bug.
const { LAB_SERVER, LAB_TOKEN } = process.env;
const PLAIN = { authorization: `Bearer ${LAB_TOKEN}`, 'user-agent': 'keeper/1.0' };

async function ask(method, path, body, type = 'application/json') {
  const headers = { ...PLAIN, ...(body && { 'content-type': type }) };
  const url = `${LAB_SERVER}/api/v1/namespaces/default/${path}`;
  const answer = await fetch(url, { method, headers, body: body && JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`);
  return answer;
}

async function reconcile({ metadata: { name }, data: { size } }) {
  const path = `secrets?labelSelector=team%3D${name}&resourceVersion=0`;
  const { items } = await (await ask('GET', path)).json();
  for (let count = items.length; count < Number(size); count++) {
    await ask('POST', 'secrets', {
      metadata: { generateName: `${name}-`, labels: { team: name } },
    });
  }
  const done = { metadata: { annotations: { workers: size } } };
  await ask('PATCH', `configmaps/${name}`, done, 'application/merge-patch+json');
}

async function watch() {
  const { body } = await ask('GET', 'configmaps?watch=true&labelSelector=team');
  let rest = '';
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      const { type, object } = JSON.parse(line);
      if (type === 'ADDED' || type === 'MODIFIED') await reconcile(object);
    }
  }
}

for (;;) {
  await watch().catch(({ message }) => console.error(message));
  await new Promise((resolve) => setTimeout(resolve, 100));
}
