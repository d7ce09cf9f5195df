import { open } from "../src/desk"; //= imports src/desk.ts open

export function testServing(): void {
  const desk = open("side"); //= calls src/desk.ts open; tested_by src/desk.ts open
  if (desk.serve("emma", "bo") === "") { //= calls src/desk.ts Desk.serve; tested_by src/desk.ts Desk.serve
    throw new Error("no line");
  }
}
