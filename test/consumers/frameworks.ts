import { NODE_PACKAGE } from '../support/other-nodes.ts';
import { documented, withProject } from './project.ts';
import type { Consumer, Found, Places, Project } from './project.ts';

/*
 * Frameworks, which bundle for the page and for the server, each in development and as built. None has a line of
 * configuration for the package, but for what docs/bundlers.md says of Nuxt's prefetch and of serverExternalPackages.
 */

/** What finds out what a page finds: by the mode of the toolchain. */
type Modes = Readonly<Record<string, () => Promise<Places>>>;

/** What a framework is tried with in each mode. */
interface Trial {
  readonly project: Project;
  /** Starts a program of the app as a server, with PORT in its words, and looks at its page and its log. */
  readonly serving: (script: string, ...words: string[]) => Promise<Places>;
}

/** Those of a framework's own pages of errors, and what they share. */
const MOST_PREFETCHED = 5;

/** A framework that prefetches what may be imported later loads all modules for nothing. */
function withPrefetch(found: Found): Found {
  const { prefetched = 0, wrong } = found;
  if (prefetched <= MOST_PREFETCHED) return found;
  return { ...found, wrong: [...wrong, `the page prefetches ${prefetched} scripts`] };
}

/** @param prefetching the mode in which docs/bundlers.md says that it prefetches */
const framework = (
  title: string,
  packages: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>>,
  modesOf: (trial: Trial) => Modes,
  prefetching?: string,
): Consumer => ({
  title,
  try: (tools) =>
    // Newer Nodes than this project's: all of them ask for one.
    withProject(tools, { [NODE_PACKAGE]: '24.21.0', ...packages }, async (project) => {
      for (const [name, content] of Object.entries(files)) project.write(name, content);
      const serving: Trial['serving'] = (script, ...words) =>
        project.whileServing(
          script,
          (port) => words.map((word) => word.replace('PORT', String(port))),
          tools.inBrowsers,
        );
      const places: Record<string, Found> = {};
      for (const [mode, look] of Object.entries(modesOf({ project, serving }))) {
        for (const [place, one] of Object.entries(await look())) {
          places[`${mode}, ${place}`] = mode === prefetching ? one : withPrefetch(one);
        }
      }
      return places;
    }),
});

/** Where a server listens; whileServing also says it by PORT and HOST. */
const PLACE = (host: string) => ['--port', 'PORT', `--${host}`, '127.0.0.1'];

const REACT = { react: '19.3.1', 'react-dom': '19.3.1' };

const NEXT_FILES = {
  'src/app/layout.jsx': `export default ({ children }) => <html lang="en"><body>{children}</body></html>;`,
  'src/app/page.jsx': `import { check } from '../check.js';
import { Client } from './client.jsx';

export const dynamic = 'force-dynamic';

export default async function Page() {
  return <><pre id="server">{JSON.stringify(await check())}</pre><Client /></>;
}
`,
  'src/app/client.jsx': `'use client';
import { useEffect } from 'react';
import { watchSealwright } from 'sealwright';
import { useSealwright } from 'sealwright/react';
import { report } from '../report.js';

const watch = watchSealwright();

export function Client() {
  useEffect(report, []);
  return <p>{useSealwright(watch).name}</p>;
}
`,
};

/** Each bundler in development and as built; a package of `serverExternalPackages` is loaded by the server itself, as built. */
const next = (version: string): readonly Consumer[] => {
  const script = 'next/dist/bin/next';
  const packages = { next: version, ...REACT };
  const filesWith = (config: object) => ({
    ...NEXT_FILES,
    'next.config.mjs': `export default ${JSON.stringify(config)};`,
  });
  const bundlers = { webpack: '--webpack', Turbopack: '--turbopack' };
  const built =
    ({ project, serving }: Trial, bundler: string) =>
    async () => {
      await project.tool(script, 'build', bundler);
      return serving(script, 'start', ...PLACE('hostname'));
    };
  return [
    ...Object.entries(bundlers).map(([name, bundler]) =>
      framework(`Next ${version}, ${name}`, packages, filesWith({}), (trial) => ({
        development: () => trial.serving(script, 'dev', bundler, ...PLACE('hostname')),
        build: built(trial, bundler),
      })),
    ),
    framework(
      `Next ${version}, serverExternalPackages`,
      packages,
      filesWith({ serverExternalPackages: ['sealwright'] }),
      (trial) =>
        Object.fromEntries(
          Object.entries(bundlers).map(([name, bundler]) => [name, built(trial, bundler)]),
        ),
    ),
  ];
};

const NUXT_FILES = {
  'nuxt.config.mjs': `export default defineNuxtConfig({ compatibilityDate: '2026-11-01' });`,
  'app/app.vue': `<script setup>
import { onMounted, shallowRef } from 'vue';
import { watchSealwright } from 'sealwright';
import { check } from '../src/check.js';
import { report } from '../src/report.js';

const { data } = await useAsyncData('server', () => check());
const watch = watchSealwright();
const state = shallowRef(watch.serverState);
onMounted(() => {
  watch.subscribe((now) => (state.value = now));
  report();
});
</script>

<template>
  <pre id="server">{{ JSON.stringify(data) }}</pre>
  <p>{{ state.name }}</p>
</template>
`,
};

const nuxt = (version: string): Consumer => {
  const script = 'nuxt/bin/nuxt.mjs';
  const built = async ({ project, serving }: Trial) => {
    await project.tool(script, 'build');
    return serving('../.output/server/index.mjs');
  };
  return framework(
    `Nuxt ${version}`,
    { nuxt: version },
    NUXT_FILES,
    (trial) => ({
      development: () => trial.serving(script, 'dev', ...PLACE('host')),
      build: () => built(trial),
      'build without prefetch': () => {
        trial.project.write('nuxt.config.mjs', documented('Frameworks', 'js'));
        return built(trial);
      },
    }),
    'build',
  );
};

const SVELTE_KIT_FILES = {
  // A file of the app has the name of SvelteKit's own service worker.
  'vite.config.js': `import adapter from '@sveltejs/adapter-node';
import { sveltekit } from '@sveltejs/kit/vite';

export default { plugins: [sveltekit({ adapter: adapter(), serviceWorker: { register: false } })] };
`,
  'src/app.html':
    '<!doctype html><html lang="en"><head>%sveltekit.head%</head><body><div>%sveltekit.body%</div></body></html>',
  'src/routes/+page.server.js': `import { check } from '../check.js';

export const load = async () => ({ server: await check() });
`,
  'src/routes/+page.svelte': `<script>
  import { onMount } from 'svelte';
  import { readable } from 'svelte/store';
  import { watchSealwright } from 'sealwright';
  import { report } from '../report.js';

  const { data } = $props();
  const watch = watchSealwright();
  const state = readable(watch.serverState, (set) => watch.subscribe(set));
  onMount(report);
</script>

<pre id="server">{JSON.stringify(data.server)}</pre>
<p>{$state.name}</p>
`,
};

const svelteKit = (version: string, packages: Readonly<Record<string, string>>): Consumer => {
  const script = 'vite/bin/vite.js';
  return framework(
    `SvelteKit ${version}`,
    { '@sveltejs/kit': version, ...packages },
    SVELTE_KIT_FILES,
    ({ project, serving }) => ({
      development: () => serving(script, 'dev', ...PLACE('host')),
      build: async () => {
        await project.tool(script, 'build', '--logLevel=error');
        return serving('../build/index.js');
      },
    }),
  );
};

const ASTRO_FILES = {
  'astro.config.mjs': `import node from '@astrojs/node';

export default { output: 'server', adapter: node({ mode: 'standalone' }) };
`,
  'src/pages/index.astro': `---
import { check } from '../check.js';

const server = JSON.stringify(await check());
---
<html lang="en">
  <head><title>app</title></head>
  <body>
    <pre id="server">{server}</pre>
    <script>
      import { report } from '../report.js';

      report();
    </script>
  </body>
</html>
`,
};

const astro = (version: string, node: string): Consumer => {
  const script = 'astro/bin/astro.mjs';
  return framework(
    `Astro ${version}`,
    { astro: version, '@astrojs/node': node },
    ASTRO_FILES,
    ({ project, serving }) => ({
      development: () => serving(script, 'dev', ...PLACE('host')),
      build: async () => {
        await project.tool(script, 'build');
        return serving('../dist/server/entry.mjs');
      },
    }),
  );
};

const REACT_ROUTER_FILES = {
  'vite.config.js': `import { reactRouter } from '@react-router/dev/vite';

export default { plugins: [reactRouter()] };
`,
  'app/root.jsx': `import { Outlet, Scripts } from 'react-router';

export default () => <html lang="en"><body><Outlet /><Scripts /></body></html>;
`,
  'app/routes.js': `import { index } from '@react-router/dev/routes';

export default [index('home.jsx')];
`,
  'app/home.jsx': `import { useEffect } from 'react';
import { watchSealwright } from 'sealwright';
import { useSealwright } from 'sealwright/react';
import { check } from '../src/check.js';
import { report } from '../src/report.js';

const watch = watchSealwright();

export const loader = () => check();

export default function Home({ loaderData }) {
  useEffect(report, []);
  return <><pre id="server">{JSON.stringify(loaderData)}</pre><p>{useSealwright(watch).name}</p></>;
}
`,
};

/** @param program the command's script in its package */
const reactRouter = (version: string, vite: string, program: string): Consumer => {
  const script = `@react-router/dev/${program}`;
  return framework(
    `React Router ${version}`,
    {
      ...{ '@react-router/dev': version, '@react-router/node': version },
      ...{ '@react-router/serve': version, 'react-router': version },
      ...{ isbot: '5.2.3', typescript: '6.0.3', vite, ...REACT },
    },
    REACT_ROUTER_FILES,
    ({ project, serving }) => ({
      development: () => serving(script, 'dev', ...PLACE('host')),
      build: async () => {
        await project.tool(script, 'build');
        return serving(`@react-router/serve/${program}`, 'build/server/index.js');
      },
    }),
  );
};

const ANGULAR_BUILD = {
  browser: 'src/angular/main.ts',
  server: 'src/angular/main.server.ts',
  index: 'src/angular/index.html',
  tsConfig: 'tsconfig.json',
  outputPath: 'out',
  outputMode: 'server',
  ssr: { entry: 'src/angular/server.ts' },
  security: { allowedHosts: ['127.0.0.1'] },
};

const ANGULAR_FILES = {
  'angular.json': JSON.stringify({
    version: 1,
    projects: {
      app: {
        projectType: 'application',
        root: '',
        sourceRoot: 'src',
        architect: {
          build: {
            builder: '@angular/build:application',
            options: ANGULAR_BUILD,
            configurations: { development: { optimization: false } },
          },
          serve: {
            builder: '@angular/build:dev-server',
            options: { buildTarget: 'app:build:development' },
          },
        },
      },
    },
  }),
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      ...{ target: 'es2022', module: 'preserve', strict: true, allowJs: true, types: ['node'] },
      ...{ lib: ['es2022', 'dom', 'dom.iterable'], skipLibCheck: true },
    },
    include: ['src/angular/*.ts'],
  }),
  'src/angular/index.html':
    '<!doctype html><html lang="en"><head><base href="/"></head><body><app-root></app-root></body></html>',
  'src/angular/app.ts': `import { afterNextRender, Component, inject, makeStateKey, PendingTasks, signal, TransferState } from '@angular/core';
import { watchSealwright } from 'sealwright';
import { check } from '../check.js';
import { report } from '../report.js';

const SERVER = makeStateKey<string>('server');

@Component({ selector: 'app-root', template: '<pre id="server">{{ server() }}</pre><p>{{ state() }}</p>' })
export class App {
  readonly #found = inject(TransferState);
  readonly #watch = watchSealwright();
  readonly server = signal(this.#found.get(SERVER, ''));
  readonly state = signal(this.#watch.serverState.name);

  constructor() {
    if (typeof window === 'undefined') {
      inject(PendingTasks).run(async () => {
        this.server.set(JSON.stringify(await check()));
        this.#found.set(SERVER, this.server());
      });
    }
    afterNextRender(() => {
      this.#watch.subscribe(({ name }) => this.state.set(name));
      report();
    });
  }
}
`,
  'src/angular/main.ts': `import { bootstrapApplication, provideClientHydration } from '@angular/platform-browser';
import { App } from './app';

bootstrapApplication(App, { providers: [provideClientHydration()] });
`,
  'src/angular/main.server.ts': `import { bootstrapApplication, provideClientHydration, type BootstrapContext } from '@angular/platform-browser';
import { provideServerRendering, RenderMode, withRoutes } from '@angular/ssr';
import { App } from './app';

const providers = [
  provideClientHydration(),
  provideServerRendering(withRoutes([{ path: '**', renderMode: RenderMode.Server }])),
];
export default (context: BootstrapContext) => bootstrapApplication(App, { providers }, context);
`,
  'src/angular/server.ts': `import { AngularNodeAppEngine, createNodeRequestHandler, isMainModule, writeResponseToNodeResponse } from '@angular/ssr/node';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';

const engine = new AngularNodeAppEngine();
const browser = join(import.meta.dirname, '../browser');

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = new URL(request.url!, 'http://localhost').pathname;
  const script = path.endsWith('.js') ? await readFile(join(browser, path)).catch(() => undefined) : undefined;
  if (script) {
    response.setHeader('content-type', 'text/javascript').end(script);
    return;
  }
  const page = await engine.handle(request);
  if (page) await writeResponseToNodeResponse(page, response);
  else response.writeHead(404).end();
}

export const reqHandler = createNodeRequestHandler(answer);

if (isMainModule(import.meta.url)) {
  createServer((request, response) => void answer(request, response)).listen(Number(process.env['PORT']), '127.0.0.1');
}
`,
};

const ANGULAR_PACKAGES = [
  ...['build', 'cli', 'common', 'compiler', 'compiler-cli', 'core'],
  ...['platform-browser', 'platform-server', 'router', 'ssr'],
];

const angular = (version: string): Consumer => {
  const script = '@angular/cli/bin/ng.js';
  return framework(
    `Angular ${version}`,
    {
      ...Object.fromEntries(ANGULAR_PACKAGES.map((name) => [`@angular/${name}`, version])),
      ...{ rxjs: '7.8.2', typescript: '6.0.3', '@types/node': '24.19.4' },
    },
    ANGULAR_FILES,
    ({ project, serving }) => ({
      development: () => serving(script, 'serve', ...PLACE('host')),
      build: async () => {
        await project.tool(script, 'build');
        return serving('../out/server/server.mjs');
      },
    }),
  );
};

export const FRAMEWORKS: readonly Consumer[] = [
  ...next('16.4.6'),
  nuxt('4.5.2'),
  svelteKit('3.2.0', {
    ...{ '@sveltejs/adapter-node': '6.0.1', '@sveltejs/vite-plugin-svelte': '7.3.1' },
    ...{ svelte: '5.57.3', vite: '8.3.8' },
  }),
  astro('7.3.5', '11.1.6'),
  reactRouter('7.18.4', '7.3.8', 'bin.js'),
  reactRouter('8.4.0', '8.3.8', 'bin.cjs'),
  angular('22.2.0'),
];
