export { LoanStore } from "./loans"; //= imports src/store/loans.ts LoanStore
export * from "./types"; //= imports src/store/types.ts
