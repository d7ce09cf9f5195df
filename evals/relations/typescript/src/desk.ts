import { Shelf, LoanStore as Store, type Loan } from "./store"; //= imports src/store/types.ts Shelf; imports src/store/loans.ts LoanStore; imports src/store/types.ts Loan
import * as clock from "./clock"; //= imports src/clock.ts
import format from "./format"; //= imports src/format.ts dueLine
import { readFile } from "node:fs/promises";

const DAYS = 14;

export class Desk {
  private readonly store = new Store(); //= calls src/store/loans.ts LoanStore
  private queue: string[] = [];

  constructor(readonly name: string) {}

  serve(book: string, reader: string): string {
    const loan = this.store.lend(book, reader); //= calls src/store/loans.ts LoanStore.lend
    return format(this.due(loan)); //= calls src/format.ts dueLine; calls src/desk.ts Desk.due
  }

  due(loan: Loan): Date { //= uses src/store/types.ts Loan
    return clock.addDays(loan.on, DAYS); //= calls src/clock.ts addDays; uses src/desk.ts DAYS
  }

  shelfOf(id: string): Shelf { //= uses src/store/types.ts Shelf
    return id.startsWith("s") ? Shelf.Stack : Shelf.Open; //= uses src/store/types.ts Shelf
  }

  async load(path: string): Promise<void> {
    for (const line of (await readFile(path, "utf8")).split("\n")) {
      this.queue.push(line);
    }
  }
}

export const open = (name: string): Desk => new Desk(name); //= calls src/desk.ts Desk

export function morning(add: (desk: Desk) => void): Desk { //= uses src/desk.ts Desk
  const desk = open("front"); //= calls src/desk.ts open
  add(desk);
  desk.serve("dune", "ana"); //= calls src/desk.ts Desk.serve
  return desk;
}
