import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { build, type Plugin } from 'esbuild';
import { compile } from 'svelte/compiler';

/* The examples of docs/client.md for frameworks, which a server renders. samples.test.ts runs all that are JavaScript. */
const TEXT = readFileSync('docs/client.md', 'utf8');
const examplesIn = (language: string) =>
  [...TEXT.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, 'g'))].map((match) => match[1]!);

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

describe('docs/client.md, on a server, where Sealwright is not looked for', () => {
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
