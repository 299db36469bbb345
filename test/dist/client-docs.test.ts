import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { build, type Plugin } from 'esbuild';
import { announce, FakeProvider } from '../client/fake-provider.ts';

/* The examples of docs/client.md, over the built client: each is whole, and the central one runs. */
const EXAMPLES = [
  ...readFileSync('docs/client.md', 'utf8').matchAll(/```js\n([^]*?)```/g),
].map((match) => match[1]!);

/** Other people's libraries, which the examples only hand things to. */
const others: Plugin = {
  name: 'others',
  setup(bundler) {
    bundler.onResolve({ filter: /^[a-z-]+$/ }, ({ path }) =>
      path === 'sealwright' ? undefined : { path, external: true },
    );
  },
};

async function bundled(contents: string): Promise<string> {
  const { outputFiles, warnings } = await build({
    stdin: { contents, resolveDir: '.' },
    bundle: true,
    format: 'esm',
    write: false,
    plugins: [others],
    logLevel: 'silent',
  });
  // esbuild warns of imports that do not exist.
  expect(warnings.map(({ text }) => text)).to.deep.equal([]);
  return outputFiles[0]!.text;
}

describe('docs/client.md', () => {
  it('has examples', () => {
    expect(EXAMPLES).to.have.length.of.at.least(10);
  });

  for (const example of EXAMPLES) {
    const title = example.match(/import \{ (.*) \} from 'sealwright'/)?.[1] ?? example.slice(0, 40);
    it(`has a whole example of ${title}`, async () => {
      await bundled(example);
    });
  }

  it('seals a record and opens it as it says', async () => {
    const example = EXAMPLES.find((text) => text.includes('notes.open('))!;
    const target = new EventTarget();
    const world = globalThis as unknown as Record<string, unknown>;
    const names = ['addEventListener', 'removeEventListener', 'dispatchEvent'] as const;
    for (const name of names) world[name] = target[name].bind(target);
    announce(new FakeProvider(), target);
    try {
      const script = await bundled(`${example}\nexport { opened };`);
      const url = `data:text/javascript,${encodeURIComponent(script)}`;
      const { opened } = (await import(url)) as { opened: object };
      expect(opened).to.deep.include({ id: 'n1', payload: { text: 'Meet me at nine' } });
    } finally {
      for (const name of names) Reflect.deleteProperty(world, name);
    }
  });
});
