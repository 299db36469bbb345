import type { Engine } from '../engine/contract.ts';

/** The names of the engines that work here; asked once, because that does not change. */
export function availableEngines(engines: readonly Engine[]): () => Promise<readonly string[]> {
  let names: Promise<string[]> | undefined;
  return () => (names ??= namesOf(engines));
}

async function namesOf(engines: readonly Engine[]): Promise<string[]> {
  const names: string[] = [];
  for (const engine of engines) {
    const { available } = await engine.probe();
    if (available) names.push(engine.name);
  }
  return names;
}
