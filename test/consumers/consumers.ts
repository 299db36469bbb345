import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { EXACT_APP, NODE_APP, PAGE_APP, POUCH_APP } from '../dist/typed-apps.ts';
import { NODES, NODE_PACKAGE, nodeIn } from '../support/other-nodes.ts';
import { RECIPE_OPTIONS, recipeModules } from '../support/samples/recipe-samples.ts';
import { FRAMEWORKS } from './frameworks.ts';
import { documented, NO_ERRORS, shown, withProject } from './project.ts';
import type { Consumer, Found, Places, Project, Tools } from './project.ts';
import { RUNNERS } from './runners.ts';

/*
 * The toolchains in which the package is tried, each as docs/bundlers.md says, with pinned versions, which
 * `npm run consumers` installs. What a consumer finds is compared by problemsOf.
 */
/** A program of the app, with its usual arguments. */
type Tool = (...args: string[]) => Promise<string>;

const PAGE = (script: string) =>
  `<!doctype html><meta charset="utf-8"><title>app</title><script type="module" src="${script}"></script>`;

const SAY = `.check().then((found) => console.log(JSON.stringify(found)))`;
const IMPORT = `import('./src/check.js').then((app) => app${SAY});`;
const lastLine = (text: string) => JSON.parse(text.trim().split('\n').at(-1)!) as Found;

const node = (version: string): Consumer => ({
  title: `Node ${version}`,
  try: (tools) =>
    withProject(tools, { [NODE_PACKAGE]: version }, async (project) => {
      const program = nodeIn(project.folder);
      const names = Object.keys(
        (JSON.parse(readFileSync('package.json', 'utf8')) as { exports: object }).exports,
      );
      const paths = names.filter((name) => !/json$|react$/.test(name));
      const required = `for (const path of ${JSON.stringify(paths)}) {
        const all = require('sealwright' + path.slice(1));
        if (Object.keys(all).length === 0) throw new Error(path);
      }
      ${IMPORT}`;
      return {
        import: lastLine(await project.run(program, '--input-type=module', '-e', IMPORT)),
        require: lastLine(await project.run(program, '--input-type=commonjs', '-e', required)),
      };
    }),
});

const bun = (version: string): Consumer => ({
  title: `Bun ${version}`,
  try: (tools) =>
    withProject(tools, { '@oven/bun-linux-x64': version }, async (project) => {
      const program = project.path('node_modules/@oven/bun-linux-x64/bin/bun');
      project.write('main.js', IMPORT);
      await project.run(program, 'build', 'src/check.js', '--target=bun', '--outdir=out');
      return { import: lastLine(await project.run(program, 'run', 'main.js')) };
    }),
});

const deno = (version: string): Consumer => ({
  title: `Deno ${version}`,
  try: (tools) =>
    withProject(tools, { '@deno/linux-x64-glibc': version }, async (project) => {
      const program = project.path('node_modules/@deno/linux-x64-glibc/deno');
      project.write('main.js', IMPORT);
      // Nothing but the right that docs/bundlers.md names.
      const args = [
        'run',
        '--no-prompt',
        '--node-modules-dir=manual',
        '--allow-read=node_modules/sealwright',
        'main.js',
      ];
      return { import: lastLine(await project.run(program, ...args)) };
    }),
});

const RESOLUTIONS = [
  ['node16', 'node16'],
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
] as const;

const DOM = ['es2022', 'dom', 'dom.iterable'];
const TYPED_APPS = [
  { file: 'page.ts', code: PAGE_APP, lib: DOM, types: [], skipLibCheck: false },
  { file: 'exact.ts', code: EXACT_APP, lib: DOM, types: [], skipLibCheck: false },
  // The types of PouchDB themselves have an error from TypeScript 5.9 on: their `Buffer` is no Uint8Array of its library.
  { file: 'pouch.ts', code: POUCH_APP, lib: DOM, types: ['pouchdb-core'], skipLibCheck: true },
  { file: 'server.ts', code: NODE_APP, lib: ['es2022'], types: ['node'], skipLibCheck: false },
];
const TYPES = { '@types/node': '20.19.43', '@types/pouchdb-core': '7.0.15' };

const typescript = (version: string): Consumer => ({
  title: `TypeScript ${version}`,
  try: (tools) =>
    withProject(tools, { typescript: version, ...TYPES }, async (project) => {
      const places: Record<string, Found> = {};
      for (const [module, moduleResolution] of RESOLUTIONS) {
        for (const { file, code, lib, types, skipLibCheck } of TYPED_APPS) {
          const compilerOptions = {
            module,
            moduleResolution,
            target: 'es2022',
            strict: true,
            noEmit: true,
            lib,
            types,
            skipLibCheck,
            exactOptionalPropertyTypes: file === 'exact.ts',
          };
          project.write(file, code);
          project.write('tsconfig.json', JSON.stringify({ compilerOptions, files: [file] }));
          await project.tool('typescript/bin/tsc', '-p', '.');
        }
        places[moduleResolution] = NO_ERRORS;
      }
      const recipes = recipeModules();
      for (const [file, code] of Object.entries(recipes)) project.write(file, code);
      const files = Object.keys(recipes);
      project.write('tsconfig.json', JSON.stringify({ compilerOptions: RECIPE_OPTIONS, files }));
      await project.tool('typescript/bin/tsc', '-p', '.');
      return { ...places, recipes: NO_ERRORS };
    }),
});

const vite = (version: string): readonly Consumer[] => {
  const install = (tools: Tools, work: (project: Project) => Promise<Places>) =>
    withProject(tools, { vite: version }, (project) => {
      project.write('index.html', PAGE('/src/main.js'));
      project.write('vite.config.js', documented('Vite', 'js'));
      return work(project);
    });
  return [
    {
      title: `Vite ${version}, development server`,
      try: (tools) =>
        install(tools, (project) =>
          project.whileServing(
            'vite/bin/vite.js',
            (port) => ['--port', String(port), '--strictPort', '--host', '127.0.0.1'],
            tools.inBrowsers,
          ),
        ),
    },
    {
      title: `Vite ${version}, build`,
      try: (tools) =>
        install(tools, async (project) => {
          await project.tool('vite/bin/vite.js', 'build', '--logLevel=error');
          return shown(tools, project.path('dist'));
        }),
    },
  ];
};

/** The script of docs/client.md in the project that its commands make, with a press of its button. */
const emptyProject = (version: string): Consumer => ({
  title: `create-vite ${version}, an empty project as docs/client.md fills it`,
  try: (tools) =>
    withProject(tools, { 'create-vite': version }, async (project) => {
      await project.tool('create-vite/index.js', 'notes', '--template', 'vanilla');
      const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
      await project.run('npm', 'install', '--prefix', 'notes', tools.tarball, ...quiet);
      const page = readFileSync(project.path('notes/index.html'), 'utf8');
      const script = /<script type="module" src="([^"]+)"/.exec(page)![1]!;
      project.write(
        `notes${script}`,
        documented('From an empty project', 'js', 'docs/client.md') + PRESS,
      );
      return project.whileServing(
        '../notes/node_modules/vite/bin/vite.js',
        (port) => ['notes', '--port', String(port), '--strictPort', '--host', '127.0.0.1'],
        tools.inBrowsers,
      );
    }),
});

/** No site is enabled in the browsers here, so the page is to say that it did not find the extension. */
const PRESS = `
button.click();
const waiting = setInterval(() => {
  const text = line.textContent;
  if (text === '') return;
  clearInterval(waiting);
  const wrong = text.includes('enable') ? [] : [text];
  globalThis.report = { page: { engines: {}, wrong } };
}, 100);
`;

const webpack = (version: string, cli: string): Consumer => ({
  title: `webpack ${version}`,
  try: (tools) =>
    withProject(tools, { webpack: version, 'webpack-cli': cli }, async (project) => {
      const args = ['--mode=production', '--entry=./src/main.js', '--output-path=dist'];
      await project.tool('webpack-cli/bin/cli.js', 'build', ...args, '--output-filename=main.js');
      project.write('dist/index.html', PAGE('main.js'));
      return shown(tools, project.path('dist'));
    }),
});

const esbuild = (version: string): readonly Consumer[] => {
  const install = (tools: Tools, work: (project: Project, tool: Tool) => Promise<Places>) =>
    withProject(tools, { esbuild: version }, (project) => {
      const base = ['--bundle', '--outdir=out', '--log-level=error'];
      return work(project, (...args) => project.tool('esbuild/bin/esbuild', ...base, ...args));
    });
  return [
    {
      title: `esbuild ${version}`,
      try: (tools) =>
        install(tools, async (project, tool) => {
          await tool('--format=esm', '--splitting', 'src/main.js', 'src/worker.js');
          project.write('out/index.html', PAGE('main.js'));
          return shown(tools, project.path('out'));
        }),
    },
    {
      title: `esbuild ${version}, for Node`,
      try: (tools) =>
        install(tools, async (project, tool) => {
          await tool('--format=esm', '--platform=node', '--splitting', 'src/check.js');
          return {
            import: lastLine(
              await project.run(
                process.execPath,
                '-e',
                `import('./out/check.js').then((app) => app${SAY})`,
              ),
            ),
          };
        }),
    },
    {
      title: `service worker, a classic script of esbuild ${version}`,
      try: (tools) =>
        install(tools, async (project, tool) => {
          await tool(
            '--format=iife',
            '--log-override:empty-import-meta=silent',
            'src/service-worker.js',
            'src/register.js',
          );
          // Not the modules in the script, but the files.
          const wasm = project.path('node_modules/sealwright/dist/lib/wasm');
          cpSync(wasm, project.path('out/wasm'), { recursive: true });
          project.write('out/index.html', PAGE('register.js'));
          return shown(tools, project.path('out'), '?wasm=/wasm/');
        }),
    },
  ];
};

const bunBuild = (version: string): Consumer => ({
  title: `Bun ${version}, build`,
  try: (tools) =>
    withProject(tools, { '@oven/bun-linux-x64': version }, async (project) => {
      const program = project.path('node_modules/@oven/bun-linux-x64/bin/bun');
      const args = ['--target=browser', '--format=esm', '--splitting', '--outdir=out'];
      await project.run(program, 'build', 'src/main.js', 'src/worker.js', ...args);
      project.write('out/index.html', PAGE('main.js'));
      return shown(tools, project.path('out'));
    }),
});

const rspack = (version: string, cli: string): Consumer => ({
  title: `Rspack ${version}`,
  try: (tools) =>
    withProject(tools, { '@rspack/core': version, '@rspack/cli': cli }, async (project) => {
      project.write(
        'rspack.config.mjs',
        `export default { mode: 'production', entry: './src/main.js' };`,
      );
      await project.tool('@rspack/cli/bin/rspack.js', 'build');
      project.write('dist/index.html', PAGE('main.js'));
      return shown(tools, project.path('dist'));
    }),
});

const rsbuild = (version: string): Consumer => ({
  title: `Rsbuild ${version}`,
  try: (tools) =>
    withProject(tools, { '@rsbuild/core': version }, async (project) => {
      project.write(
        'rsbuild.config.mjs',
        `export default { source: { entry: { index: './src/main.js' } } };`,
      );
      await project.tool('@rsbuild/core/bin/rsbuild.js', 'build');
      return shown(tools, project.path('dist'));
    }),
});

const rollup = (version: string, resolve: string): readonly Consumer[] => {
  const install = (tools: Tools, work: (project: Project, tool: Tool) => Promise<Places>) =>
    withProject(tools, { rollup: version, '@rollup/plugin-node-resolve': resolve }, (project) => {
      const base = ['--dir', 'out', '--format', 'es', '--plugin', 'node-resolve', '--silent'];
      return work(project, (...args) => project.tool('rollup/dist/bin/rollup', ...args, ...base));
    });
  return [
    {
      title: `Rollup ${version}`,
      try: (tools) =>
        install(tools, async (project, tool) => {
          await tool('src/main.js', 'src/worker.js');
          project.write('out/index.html', PAGE('main.js'));
          return shown(tools, project.path('out'));
        }),
    },
    {
      title: `service worker, a module of Rollup ${version}`,
      try: (tools) =>
        install(tools, async (project, tool) => {
          // No service worker can import a script at the time of its use.
          for (const name of ['register', 'service-worker']) {
            await tool(`src/${name}.js`, '--inlineDynamicImports');
          }
          project.write('out/index.html', PAGE('register.js'));
          return shown(tools, project.path('out'), '?type=module');
        }),
    },
  ];
};

const parcel = (version: string): Consumer => ({
  title: `Parcel ${version}`,
  try: (tools) =>
    withProject(
      tools,
      { parcel: version },
      async (project) => {
        project.write('src/index.html', PAGE('main.js'));
        await project.tool(
          'parcel/lib/bin.js',
          'build',
          'src/index.html',
          '--no-cache',
          '--no-source-maps',
        );
        return shown(tools, project.path('dist'));
      },
      JSON.parse(documented('Parcel', 'json')) as object,
    ),
});

const unbundled: Consumer = {
  title: 'no bundler, an import map',
  try: (tools) =>
    withProject(tools, {}, async (project) => {
      mkdirSync(project.path('site'));
      cpSync(project.path('node_modules/sealwright/dist/lib'), project.path('site/lib'), {
        recursive: true,
      });
      cpSync(project.path('src'), project.path('site/src'), { recursive: true });
      const names = [
        'algorithms',
        'bigint',
        'classical',
        'errors',
        'format',
        'legacy',
        'random',
        'sharing',
        'subtle',
        'sync',
      ];
      const imports = Object.fromEntries([
        ['sealwright', '/lib/client.js'],
        ...names.map((name) => [`sealwright/${name}`, `/lib/${name}.js`]),
      ]) as object;
      // An import map is for pages: workers have none.
      project.write(
        'site/src/page.js',
        `import { check } from './check.js'; check().then((page) => { globalThis.report = { page }; });`,
      );
      const map = `<script type="importmap">${JSON.stringify({ imports })}</script>`;
      project.write('site/index.html', PAGE('src/page.js').replace('<script', `${map}<script`));
      return shown(tools, project.path('site'));
    }),
};

const REACT = { react: '19.3.1', 'react-dom': '19.3.1' };
const RENDER = `.render().then((found) => console.log(JSON.stringify(found)))`;

const rendering = (version: string): readonly Consumer[] => {
  const install = (tools: Tools, work: (project: Project) => Promise<Places>) =>
    withProject(tools, { vite: version, ...REACT }, work);
  return [
    {
      title: `server rendering, Vite ${version}, development`,
      try: (tools) =>
        install(tools, async (project) => {
          project.write(
            'dev.js',
            `import { createServer } from 'vite';
            const server = await createServer({ server: { middlewareMode: true }, appType: 'custom' });
            const app = await server.ssrLoadModule('/src/server.js');
            await app${RENDER};
            await server.close();`,
          );
          return { server: rendered(await project.run(process.execPath, 'dev.js')) };
        }),
    },
    {
      title: `server rendering, Vite ${version}, build`,
      try: (tools) =>
        install(tools, async (project) => {
          await project.tool(
            'vite/bin/vite.js',
            'build',
            '--ssr',
            'src/server.js',
            '--logLevel=error',
          );
          return {
            server: rendered(
              await project.run(
                process.execPath,
                '-e',
                `import('./dist/server.js').then((app) => app${RENDER})`,
              ),
            ),
          };
        }),
    },
  ];
};

/** The state that the server's page has, and that a browser hydrates. */
function rendered(text: string): Found {
  const { html, wrong, ...found } = lastLine(text);
  return { ...found, wrong: html === '<p>looking</p>' ? wrong : [...wrong, `rendered ${html}`] };
}

const VITE = '8.3.8';

export const CONSUMERS: readonly Consumer[] = [
  ...[...NODES, '26.10.0'].map(node),
  bun('1.4.5'),
  deno('2.9.6'),
  ...['5.4.5', '5.5.4', '5.6.3', '5.7.3', '5.8.3', '5.9.3', '6.0.3', '7.0.2'].map(typescript),
  ...['5.4.21', '6.4.6', '7.3.8', VITE].flatMap((version) => vite(version)),
  emptyProject('9.3.0'),
  webpack('5.112.2', '7.3.1'),
  ...esbuild('0.28.2'),
  bunBuild('1.4.5'),
  ...rollup('4.68.8', '16.0.3'),
  rspack('2.3.4', '2.2.8'),
  rsbuild('2.3.2'),
  parcel('2.16.4'),
  unbundled,
  ...rendering(VITE),
  ...FRAMEWORKS,
  ...RUNNERS,
];

/** What a consumer's places say against what is expected: nothing if all is well. */
export function problemsOf(places: Places): string[] {
  if (Object.keys(places).length === 0) return ['it was tried nowhere'];
  return Object.entries(places).flatMap(([place, { engines, wrong, reason = 'no reason' }]) => {
    const slow = Object.entries(engines).filter(([, engine]) => engine !== 'wasm-simd');
    const unexpected = slow.map(([subpath, engine]) => `${subpath} runs in ${engine}: ${reason}`);
    return [...wrong, ...unexpected].map((problem) => `${place}: ${problem}`);
  });
}
