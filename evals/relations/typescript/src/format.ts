const pad = (n: number): string => String(n).padStart(2, "0");

export default function dueLine(due: Date): string {
  return `back by ${due.getFullYear()}-${pad(due.getMonth() + 1)}`; //= calls src/format.ts pad
}
