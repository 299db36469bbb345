/* What a page or worker finds of the built library with WebGPU (cards.test.ts). */
const scriptsOf = () =>
  globalThis.performance
    .getEntriesByType('resource')
    .map(({ name }) => /lib\/(\w+\.js)$/.exec(name)?.[1])
    .filter((name) => name !== undefined);

export async function look() {
  const { createSubtle, engines } = await import('./lib/subtle.js');
  await createSubtle();
  const before = scriptsOf();
  const reports = (await engines({ gpu: true })).filter(({ name }) => name.startsWith('webg'));
  const digests = [];
  for (const engine of ['webgpu', 'webgl', 'wasm-simd']) {
    const subtle = await createSubtle({ engine });
    const key = await subtle.importKey('raw', new Uint8Array(32), 'AES-CTR', false, ['encrypt']);
    const params = { name: 'AES-CTR', counter: new Uint8Array(16), length: 64 };
    digests.push(
      [...new Uint8Array(await subtle.encrypt(params, key, new Uint8Array(100)))].join(),
    );
  }
  // A software rasterizer breaks even nowhere.
  const auto = await createSubtle({ gpu: true });
  const after = scriptsOf().filter((name) => !before.includes(name));
  return { before, after, reports, digests, below: auto.engineFor('AES-CTR', 1024) };
}

if (globalThis.WorkerGlobalScope !== undefined) {
  const { postMessage } = globalThis;
  look().then(postMessage, (error) => postMessage(String(error)));
}
