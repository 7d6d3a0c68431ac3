// Ends with 0 where the team has its two workers.
const { LAB_SERVER, LAB_TOKEN } = process.env;
const url = `${LAB_SERVER}/api/v1/namespaces/default/secrets?labelSelector=team%3Dred`;
const headers = { authorization: `Bearer ${LAB_TOKEN}` };

const { items } = await (await fetch(url, { headers })).json();
console.log(`the team has ${items.length} workers`);
process.exitCode = items.length === 2 ? 0 : 1;
