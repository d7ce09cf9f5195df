// Uses of the generated client as the compiler must see them; nothing runs it. A line after @ts-expect-error must be refused.
import { Daypack, type PackResult, type SearchResult } from "../../../clients/typescript/daypack.mjs";

const daypack = new Daypack({ token: "t" });
const pack: PackResult = await daypack.pack({ query: "q", budget: 3, format: "xml" });
const used: number = pack.details.budget.used;
const found: SearchResult = await daypack.search({ queries: ["q"] });
const name: string = found.details.answers[0].results[0].name;
const remembered = await daypack.search_memories({ query: "tea" });
const scores: [string, number][] = remembered.hits.map((hit) => [hit.key, hit.score]);
const likely: string[] = (await daypack.remember_if_absent({ key: "a", value: "b" })).similar.map((one) => one.key);
const documents = (await daypack.find({ collection: "teas" })).documents.map((one) => one["name"]);
const near: number[] = (await daypack.vsearch({ collection: "teas", field: "name", query: "q" })).hits.map((hit) => hit.score);
const symbols: string[] = (await daypack.symbols({ name: "delay" })).data.symbols.map((one) => `${one.file}:${one.start_line}`);
const tests: number[] = (await daypack.tests_for({ reference: "delay" })).data.tests.map((one) => one.distance);
const records: string[] = (await daypack.list_sources({ user_id: "ana" })).items.flatMap((one) => one.tags);
const versions: string[] = (await daypack.memory_history({ key: "a" })).versions?.map((one) => one.state) ?? [];
const current: string | undefined = (await daypack.remember_if_absent({ key: "a", value: "b" })).memory?.updated_at;
// @ts-expect-error a member that no hit has
console.log(remembered.hits[0].memory.key);
// @ts-expect-error a misspelt argument
await daypack.pack({ query: "q", budgett: 3 });
// @ts-expect-error a missing argument
await daypack.pack({ budget: 3 });
// @ts-expect-error a value that is no choice
await daypack.pack({ query: "q", format: "pdf" });
// @ts-expect-error no verb
await daypack.dance({});
console.log(used, name, scores, likely, documents, near, symbols, tests, records, versions, current);
