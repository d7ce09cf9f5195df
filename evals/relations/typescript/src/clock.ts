export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { //= uses src/clock.ts Clock
  now: () => new Date(),
};

export function addDays(date: Date, days: number): Date {
  const copy = new Date(date);
  copy.setDate(copy.getDate() + days);
  return copy;
}
