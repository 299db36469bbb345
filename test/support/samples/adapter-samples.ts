import { readFileSync } from 'node:fs';

/** The samples of docs/adapters.md, by their sections. */
export function adapterSamples(): ReadonlyMap<string, readonly string[]> {
  const sections = readFileSync('docs/adapters.md', 'utf8').split(/^## /m).slice(1);
  const samples = sections.map((text) => {
    const title = text.slice(0, text.indexOf('\n'));
    return [title, [...text.matchAll(/```js\n([^]*?)```/g)].map(([, sample]) => sample!)] as const;
  });
  return new Map(samples.filter(([, { length }]) => length > 0));
}
