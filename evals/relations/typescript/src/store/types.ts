export type BookId = string;

export interface Dated {
  on: Date;
}

export interface Loan extends Dated { //= extends src/store/types.ts Dated
  book: BookId; //= uses src/store/types.ts BookId
  reader: string;
  returned?: Date;
}

export enum Shelf {
  Open,
  Stack,
}
