// Makes a team of two, and waits until the keeper has said that it has its workers.
const { LAB_SERVER, LAB_TOKEN } = process.env;
const url = `${LAB_SERVER}/api/v1/namespaces/default/configmaps`;
const headers = { authorization: `Bearer ${LAB_TOKEN}`, 'content-type': 'application/json' };
const team = { metadata: { name: 'red', labels: { team: 'red' } }, data: { size: '2' } };

await fetch(url, { method: 'POST', headers, body: JSON.stringify(team) });
for (;;) {
  const { metadata } = await (await fetch(`${url}/red`, { headers })).json();
  if (metadata.annotations?.workers === '2') break;
  await new Promise((resolve) => setTimeout(resolve, 50));
}
