// Uses of the generated client as the compiler must see them; nothing runs it. A line after @ts-expect-error must be refused.
import { Daypack, type PackResult, type SearchResult } from "../../../clients/typescript/daypack.mjs";

const daypack = new Daypack({ token: "t" });
const pack: PackResult = await daypack.pack({ query: "q", budget: 3, format: "xml" });
const used: number = pack.details.budget.used;
const found: SearchResult = await daypack.search({ queries: ["q"] });
const name: string = found.details.answers[0].results[0].name;
// @ts-expect-error a misspelt argument
await daypack.pack({ query: "q", budgett: 3 });
// @ts-expect-error a missing argument
await daypack.pack({ budget: 3 });
// @ts-expect-error a value that is no choice
await daypack.pack({ query: "q", format: "pdf" });
// @ts-expect-error no verb
await daypack.dance({});
console.log(used, name);
