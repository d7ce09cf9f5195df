import type { BookId, Loan } from "./types"; //= imports src/store/types.ts BookId; imports src/store/types.ts Loan
import { Clock, systemClock } from "../clock"; //= imports src/clock.ts Clock; imports src/clock.ts systemClock

const LIMIT = 5;

abstract class BaseStore<T> {
  protected rows: T[] = [];

  abstract key(row: T): string;

  find(id: string): T | undefined {
    return this.rows.find((row) => this.key(row) === id); //= calls src/store/loans.ts BaseStore.key
  }

  add(row: T): void {
    this.rows.push(row);
  }
}

export class LoanStore extends BaseStore<Loan> { //= extends src/store/loans.ts BaseStore; uses src/store/types.ts Loan
  constructor(private readonly clock: Clock = systemClock) { //= uses src/clock.ts Clock; uses src/clock.ts systemClock
    super();
  }

  key(row: Loan): string { //= uses src/store/types.ts Loan
    return row.book;
  }

  lend(book: BookId, reader: string): Loan { //= uses src/store/types.ts BookId; uses src/store/types.ts Loan
    if (this.open().length >= LIMIT) { //= calls src/store/loans.ts LoanStore.open; uses src/store/loans.ts LIMIT
      throw new TooMany(reader); //= calls src/store/loans.ts TooMany
    }
    const loan = { book, reader, on: this.clock.now() }; //= calls src/clock.ts Clock.now
    this.add(loan); //= calls src/store/loans.ts BaseStore.add
    return loan;
  }

  open(): Loan[] { //= uses src/store/types.ts Loan
    return this.rows.filter(isOpen); //= uses src/store/loans.ts isOpen
  }
}

export class TooMany extends Error {
  constructor(reader: string) {
    super(`${reader} has ${LIMIT} books`); //= uses src/store/loans.ts LIMIT
  }
}

function isOpen(loan: Loan): boolean { //= uses src/store/types.ts Loan
  return loan.returned === undefined;
}
