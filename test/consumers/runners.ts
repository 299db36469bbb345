import { documented, NO_ERRORS, withProject } from './project.ts';
import type { Consumer, Project } from './project.ts';

/*
 * The runners of unit tests: each runs the sample of docs/client.md as a test, as docs/bundlers.md says.
 */

/** The sample as a test, after the runner's own imports. */
function appTest(imports = ''): string {
  const lines = documented('Tests of your app', 'js', 'docs/client.md').split('\n');
  const isImport = (line: string) => line.startsWith('import ');
  return `${imports}
${lines.filter(isImport).join('\n')}
test('an app', async () => {
${lines.filter((line) => !isImport(line)).join('\n')}
if (opened !== 'Meet me at nine') throw new Error(opened);
});
`;
}

const runner = (
  title: string,
  packages: Readonly<Record<string, string>>,
  work: (project: Project) => Promise<unknown>,
  more?: object,
): Consumer => ({
  title,
  try: (tools) =>
    withProject(
      tools,
      packages,
      async (project) => {
        await work(project);
        return { test: NO_ERRORS };
      },
      more,
    ),
});

const nodeTest = runner('node:test', {}, (project) => {
  project.write('app.test.js', appTest(`import { test } from 'node:test';`));
  return project.run(process.execPath, '--test', 'app.test.js');
});

const vitest = (version: string): readonly Consumer[] =>
  Object.entries({
    node: {},
    jsdom: { jsdom: '29.1.1' },
    'happy-dom': { 'happy-dom': '21.0.4' },
  }).map(([environment, packages]) =>
    runner(`Vitest ${version}, ${environment}`, { vitest: version, ...packages }, (project) => {
      project.write('app.test.js', appTest(`import { test } from 'vitest';`));
      return project.tool('vitest/vitest.mjs', 'run', '--environment', environment);
    }),
  );

const BABEL = {
  '@babel/core': '7.29.13',
  '@babel/preset-env': '7.29.14',
  'babel-plugin-transform-import-meta': '2.3.3',
};

/** Once with modules of its own, once with what Babel makes of them; each in Node and in a simulated page. */
const jest = (version: string): readonly Consumer[] => {
  const packages = { jest: version, 'jest-environment-jsdom': version, ...BABEL };
  const environments = { node: 'node', jsdom: './sealwright-environment.cjs' };
  const ways = { modules: '.mjs', CommonJS: '.js' };
  return Object.entries(ways).flatMap(([way, extension]) =>
    Object.entries(environments).map(([name, environment]) =>
      runner(
        `Jest ${version}, ${way}, ${name}`,
        packages,
        (project) => {
          const section = 'Unit tests';
          project.write('sealwright-environment.cjs', documented(section, 'js'));
          if (way === 'CommonJS') project.write('jest.config.json', documented(section, 'json'));
          project.write(`app.test${extension}`, appTest());
          const flags = way === 'modules' ? ['--experimental-vm-modules'] : [];
          const script = project.path('node_modules/jest/bin/jest.js');
          return project.run(process.execPath, ...flags, script, '--env', environment);
        },
        { type: 'commonjs' },
      ),
    ),
  );
};

export const RUNNERS: readonly Consumer[] = [nodeTest, ...vitest('4.1.12'), ...jest('30.5.2')];
