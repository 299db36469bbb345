import type { Part, PartEnd } from './test-run.mjs';

export interface NightlyResult {
  readonly date: string;
  readonly commit?: string;
  readonly machine: string;
  readonly passed: number;
  readonly failed: number;
  readonly overBudget: number;
  readonly notRun: number;
  readonly parts: readonly {
    readonly title: string;
    readonly state: PartEnd['state'];
    readonly seconds: number;
    readonly budgetMinutes?: number;
    readonly error?: string;
    readonly tests?: object;
    readonly figures?: object;
  }[];
}

export function chosen(parts: readonly Part[], texts: readonly string[]): Part[];
export function nightlyResult(
  parts: readonly Part[],
  ended: ReadonlyMap<string, PartEnd>,
  options: { readonly began: number; readonly only?: readonly string[] },
): NightlyResult;
export function nightlyPage(result: NightlyResult): string;
