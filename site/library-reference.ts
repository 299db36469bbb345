/* The reference of the library: Markdown that typedoc makes of the doc comments, one document for each subpath. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Application, type TypeDocOptions } from 'typedoc';
import type { PluginOptions } from 'typedoc-plugin-markdown';

interface PackageManifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
}

/** The subpaths that can be imported, such as `sealwright/format`, and the source of each. */
export function librarySubpaths(): ReadonlyMap<string, string> {
  const { name, exports } = JSON.parse(readFileSync('package.json', 'utf8')) as PackageManifest;
  const subpaths = new Map<string, string>();
  for (const [subpath, target] of Object.entries(exports)) {
    if (typeof target === 'string') continue;
    const source = target.types.replace('./dist/lib/types/', '').replace('.d.ts', '.ts');
    subpaths.set(subpath.replace('.', name), source);
  }
  return subpaths;
}

/**
 * Runs typedoc.
 *
 * @returns Markdown by subpath; links between them are relative to the top, as in `src/library/format.md`
 * @throws Error where typedoc cannot read a source
 */
export async function libraryReference(): Promise<ReadonlyMap<string, string>> {
  const subpaths = librarySubpaths();
  const folder = mkdtempSync(join(tmpdir(), 'sealwright-reference-'));
  try {
    const options: Partial<TypeDocOptions & PluginOptions> = {
      entryPoints: [...subpaths.values()],
      tsconfig: 'tsconfig.lib.json',
      // `npm run check` has checked the types.
      skipErrorChecking: true,
      plugin: ['typedoc-plugin-markdown'],
      outputs: [{ name: 'markdown', path: folder }],
      router: 'module',
      hideBreadcrumbs: true,
      hidePageHeader: true,
      pageTitleTemplates: TITLES,
      groupOrder: ['Functions', 'Variables', 'Classes', '*'],
      parametersFormat: 'table',
      interfacePropertiesFormat: 'table',
      typeAliasPropertiesFormat: 'table',
      classPropertiesFormat: 'table',
      tableColumnSettings: {
        hideModifiers: true,
        hideDefaults: true,
        hideInherited: true,
        hideOverrides: true,
        hideSources: true,
      },
      readme: 'none',
      disableSources: true,
      excludePrivate: true,
      excludeExternals: true,
      validation: { notExported: false },
      logLevel: 'Warn',
    };
    const app = await Application.bootstrapWithPlugins(options);
    const project = await app.convert();
    if (!project) throw new Error('typedoc could not read the sources of the library');
    await app.generateOutputs(project);
    return new Map(
      Array.from(subpaths, ([subpath, source]) => {
        const path = join(folder, source.replace('.ts', '.md'));
        const text = readFileSync(path, 'utf8');
        return [subpath, text.replace(/^# .*$/m, `# \`${subpath}\``)] as const;
      }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const TITLES = { index: '{projectName}', module: '{name}', member: '{name}' };
