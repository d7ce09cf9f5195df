// Drives the generated client against a running server: node client.mjs URL TOKEN. Prints what it saw as JSON.
import { Daypack, DaypackProblem } from "../../../clients/typescript/daypack.mjs";

const [url, token] = process.argv.slice(2);
const daypack = new Daypack({ url: `${url}/`, token });
const refused = async (call) => {
  try {
    await call();
  } catch (error) {
    if (error instanceof DaypackProblem) return [error.status, error.code, error.message];
    return String(error);
  }
  return "no error";
};
const pack = await daypack.pack({ query: "how are refunds retried?", budget: 300 });
const found = await daypack.search({ queries: ["refunds"], limit: 2 });
const steps = [];
const embedded = await daypack.embed({}, { onProgress: (done, total) => steps.push([done, total]) });
console.log(
  JSON.stringify({
    name: pack.name,
    used: pack.details.budget.used,
    text: pack.text.length,
    result: found.details.answers[0].results[0],
    status: (await daypack.status()).records,
    added: await daypack.add({ paths: ["docs"] }, { onProgress: () => {} }),
    embedded,
    steps,
    unknown: await refused(() => daypack.pack({ query: "x", budgett: 3 })),
    missing: await refused(() => daypack.get({ reference: "docs/none.md" })),
    inEvents: await refused(() => daypack.get({ reference: "docs/none.md" }, { onProgress: () => {} })),
    stranger: await refused(() => new Daypack({ url, token: "wrong" }).status()),
    unreachable: await refused(() => new Daypack({ url: "http://127.0.0.1:1", token }).status()),
    aborted: await refused(() => daypack.status({}, { signal: AbortSignal.abort() })),
  }),
);
