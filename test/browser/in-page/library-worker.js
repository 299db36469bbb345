/* What a page or worker finds of the built library with WebGPU (webgpu.test.ts). */
const scriptsOf = () =>
  globalThis.performance
    .getEntriesByType('resource')
    .map(({ name }) => /lib\/(\w+\.js)$/.exec(name)?.[1])
    .filter((name) => name !== undefined);

export async function look() {
  const { createSubtle, engines } = await import('./lib/subtle.js');
  await createSubtle();
  await engines();
  const before = scriptsOf();
  const report = (await engines({ gpu: true })).find(({ name }) => name === 'webgpu');
  const byName = await createSubtle({ engine: 'webgpu' });
  const raw = new Uint8Array(32);
  const key = await byName.importKey('raw', raw, 'AES-CTR', false, ['encrypt']);
  const params = { name: 'AES-CTR', counter: new Uint8Array(16), length: 64 };
  await byName.encrypt(params, key, new Uint8Array(100));
  // A software rasterizer breaks even nowhere.
  const auto = await createSubtle({ gpu: true });
  const after = scriptsOf().filter((name) => !before.includes(name));
  return {
    scripts: [...before, ...after],
    report,
    named: byName.engineFor('AES-CTR', 100),
    below: auto.engineFor('AES-CTR', 1024),
  };
}

if (globalThis.WorkerGlobalScope !== undefined) {
  const { postMessage } = globalThis;
  look().then(postMessage, (error) => postMessage(String(error)));
}
