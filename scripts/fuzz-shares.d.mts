/** What the tally says of one target. */
interface Tallied {
  readonly executions: number;
  readonly seconds: number;
  readonly last: { readonly executions: number; readonly seconds?: number };
}

export function shares(
  names: readonly string[],
  tally: Readonly<Record<string, Tallied>>,
  how: {
    readonly executions: number;
    readonly seconds: number;
    readonly withinSeconds: number;
    readonly jobs: number;
  },
): { readonly name: string; readonly mostSeconds: number }[];
