import { NODE_PACKAGE } from '../support/other-nodes.ts';
import { withProject } from './project.ts';
import type { Consumer, Found, Places, Project, Tools } from './project.ts';

/*
 * Frameworks, which bundle for the page and for the server, each in development and as built. None has a line of
 * configuration for the package.
 */

/** What finds out what a page finds: by the mode of the toolchain. */
type Modes = Readonly<Record<string, () => Promise<Places>>>;

/** What a toolchain needs to be tried in its modes. */
interface Trial {
  readonly project: Project;
  readonly tools: Tools;
  /** Starts a program of the app as a server, with PORT in its words, and looks at its page and its log. */
  readonly serving: (script: string, ...words: string[]) => Promise<Places>;
}

const framework = (
  title: string,
  packages: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>>,
  modesOf: (trial: Trial) => Modes,
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
      for (const [mode, look] of Object.entries(modesOf({ project, tools, serving }))) {
        for (const [place, one] of Object.entries(await look())) places[`${mode}, ${place}`] = one;
      }
      return places;
    }),
});

/** Where a server listens; serving and whileServing also say it by PORT and HOST. */
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

const next = (version: string): Consumer => {
  const script = 'next/dist/bin/next';
  return framework(
    `Next ${version}, webpack`,
    { next: version, ...REACT },
    { ...NEXT_FILES, 'next.config.mjs': 'export default {};' },
    ({ project, serving }) => ({
      development: () => serving(script, 'dev', '--webpack', ...PLACE('hostname')),
      build: async () => {
        await project.tool(script, 'build', '--webpack');
        return serving(script, 'start', ...PLACE('hostname'));
      },
    }),
  );
};

export const FRAMEWORKS: readonly Consumer[] = [next('16.4.6')];
