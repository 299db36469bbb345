import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { build, type Plugin } from 'esbuild';
import { compile } from 'svelte/compiler';
import { announce, FakeProvider } from '../client/fake-provider.ts';

/* The examples of docs/client.md, over the built client: each is whole, and the central one runs. */
const TEXT = readFileSync('docs/client.md', 'utf8');
const examplesIn = (language: string) =>
  [...TEXT.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, 'g'))].map((match) => match[1]!);
const EXAMPLES = examplesIn('jsx?');

/** Other people's libraries, which the examples only hand things to. */
const others: Plugin = {
  name: 'others',
  setup(bundler) {
    bundler.onResolve({ filter: /^[a-z-]+(\/(internal\/)?server)?$/ }, ({ path }) =>
      path === 'sealwright' ? undefined : { path, external: true },
    );
  },
};

async function bundled(contents: string): Promise<string> {
  const { outputFiles, warnings } = await build({
    stdin: { contents, resolveDir: '.', loader: 'jsx' },
    bundle: true,
    format: 'esm',
    jsxFactory: 'createElement',
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

  it('tests an app as it says', async () => {
    const example = EXAMPLES.find((text) => text.includes('createTestSealwright'))!;
    const script = await bundled(`${example}\nexport { opened };`);
    const file = join(mkdtempSync('dist/client-docs-'), 'tested.mjs');
    writeFileSync(file, script);
    try {
      const { opened } = (await import(pathToFileURL(file).href)) as { opened: string };
      expect(opened).to.equal('Meet me at nine');
      expect(globalThis).to.not.have.property('sealwright');
    } finally {
      rmSync(dirname(file), { recursive: true });
    }
  });

  describe('on a server, where Sealwright is not looked for', () => {
    let folder: string;
    // Below the project, so that Node finds the frameworks.
    before(() => (folder = mkdtempSync('dist/client-docs-')));
    after(() => rmSync(folder, { recursive: true }));

    async function rendered(example: string, render: string): Promise<unknown> {
      const file = join(folder, 'rendered.mjs');
      const script = await bundled(`${example}\n${render}`);
      writeFileSync(file, script);
      const url = `${pathToFileURL(file).href}?${render.length}`;
      return ((await import(url)) as { html: unknown }).html;
    }

    it('renders the example of React', async () => {
      const [example] = examplesIn('jsx');
      const render = `import { createElement } from 'react';
        import server from 'react-dom/server';
        const html = server.renderToStaticMarkup(createElement(Connection, {}));
        watch.stop();
        export { html };`;
      expect(await rendered(example!, render)).to.equal('<p>Looking for Sealwright … </p>');
    });

    it('renders the example of Svelte', async () => {
      const [example] = examplesIn('svelte');
      const { js } = compile(example!, { generate: 'server', name: 'Connection' });
      const render = `import { render } from 'svelte/server';
        const html = render(Connection).body;
        export { html };`;
      const html = (await rendered(js.code.replace('export default ', ''), render)) as string;
      expect(html.replace(/<!--.*?-->/g, '')).to.equal('<p>Looking for Sealwright …</p>');
    });

    it('renders with the composable of Vue', async () => {
      const example = examplesIn('js').find((text) => text.includes("from 'vue'"))!;
      const render = `import { effectScope } from 'vue';
        const scope = effectScope();
        const html = scope.run(() => useSealwright()).value.name;
        scope.stop();
        export { html };`;
      expect(await rendered(example, render)).to.equal('looking');
    });
  });
});
