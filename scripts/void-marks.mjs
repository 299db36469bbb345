import webpack from 'webpack';

/** What webpack makes of an unused constant that is marked as pure. */
const VOID = /\/\* @__PURE__ \*\/ (?=\(\/\* unused pure expression or super \*\/ null && )/g;

/**
 * A webpack plugin: removes the marks of pure calls from what is not a call any more. Rollup, and so Vite, would warn of
 * each of them.
 */
export class WithoutVoidMarks {
  apply(compiler) {
    compiler.hooks.thisCompilation.tap('WithoutVoidMarks', (compilation) => {
      const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE;
      compilation.hooks.processAssets.tap({ name: 'WithoutVoidMarks', stage }, (assets) => {
        for (const [name, source] of Object.entries(assets)) {
          if (!name.endsWith('.js')) continue;
          const text = source.source().toString().replace(VOID, '');
          compilation.updateAsset(name, new webpack.sources.RawSource(text));
        }
      });
    });
  }
}
