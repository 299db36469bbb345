import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import sinon from 'sinon';
import { folderUrl, loadWasmAt, warnOfJs } from '../../../src/engine/wasm/load-url.ts';
import { loadWasm } from '../../support/wasm.ts';

/*
 * Modules at URLs: a server of every kind that a site may have, and what the error says.
 */
const BYTES = new Uint8Array((await loadWasm('keccak')) as Uint8Array);

/** Of the loaded module, or of the error. */
async function tried(url: string): Promise<Uint8Array | string> {
  return loadWasmAt({ keccak: () => new URL(url) })('keccak').then(
    (bytes) => bytes as Uint8Array,
    (error: unknown) => (error as Error).message,
  );
}

describe('the loader of modules at URLs', () => {
  let server: Server;
  let origin: string;
  let folder: string;

  before(async () => {
    server = createServer((request, response) => {
      if (request.url === '/right/keccak.wasm') response.end(BYTES);
      else if (request.url === '/app/keccak.wasm') {
        response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>app');
      } else response.writeHead(404).end('not found');
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    folder = mkdtempSync(join(tmpdir(), 'sealwright-wasm-'));
    writeFileSync(join(folder, 'keccak.wasm'), BYTES);
  });
  after(() => {
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true });
  });
  afterEach(() => sinon.restore());

  it('takes them from servers, files and data: URLs', async () => {
    expect(await tried(`${origin}/right/keccak.wasm`)).to.deep.equal(BYTES);
    expect(await tried(pathToFileURL(join(folder, 'keccak.wasm')).href)).to.deep.equal(BYTES);
    const base64 = Buffer.from(BYTES).toString('base64');
    const fetching = sinon.spy(globalThis, 'fetch');
    expect(await tried(`data:application/wasm;base64,${base64}`)).to.deep.equal(BYTES);
    expect(fetching.callCount, 'connect-src may forbid it').to.equal(0);
  });

  it('takes them from the folder that a caller names, with a slash at its end or without', async () => {
    for (const base of [`${origin}/right`, new URL(`${origin}/right/`)]) {
      const load = loadWasmAt({ keccak: () => new URL('file:///nowhere') }, folderUrl(base));
      expect(await load('keccak')).to.deep.equal(BYTES);
    }
    expect(folderUrl(undefined)).to.equal(undefined);
    expect(() => folderUrl('wasm/')).to.throw(TypeError, 'wasmBase');
  });

  it('names the URL and the cause: another type, a status, a missing file, the network', async () => {
    const html = await tried(`${origin}/app/keccak.wasm`);
    expect(html).to.include(`${origin}/app/keccak.wasm: the server answers with text/html`);
    expect(html).to.include('wasmBase');
    expect(await tried(`${origin}/keccak.wasm`)).to.match(/\/keccak\.wasm: 404: copy .*wasmBase/);
    const missing = pathToFileURL(join(folder, 'missing.wasm')).href;
    expect(await tried(missing)).to.include(`${missing}: the file is missing`);
    const unreadable = pathToFileURL(folder).href;
    expect(await tried(unreadable)).to.include('the file may not be read (EISDIR)');
    expect(await tried('http://127.0.0.1:1/keccak.wasm')).to.match(
      /^http:\/\/127\.0\.0\.1:1\/keccak\.wasm: could not be fetched \(.*connect-src/,
    );
  });

  it('says what to write where a bundler made a path of the site of it, which a server cannot fetch', async () => {
    const href = '/_next/static/media/keccak.wasm';
    const load = loadWasmAt({ keccak: () => ({ href, protocol: '' }) as URL });
    const error = await load('keccak').catch((reason: unknown) => reason as Error);
    expect(error)
      .to.have.property('message')
      .that.matches(/wasmBase, a file: URL/);
    expect(error).to.have.property('message').that.does.not.include('Policy');
  });

  it('says that a script has no address, and that a policy forbids to compile', async () => {
    const load = loadWasmAt({ keccak: () => new URL('./wasm/keccak.wasm', undefined) });
    const error = await load('keccak').catch((reason: unknown) => reason as Error);
    expect(error)
      .to.have.property('message')
      .that.matches(/^keccak\.wasm: .*address.*wasmBase/);
    sinon.stub(WebAssembly, 'Module').throws(new WebAssembly.CompileError('blocked by CSP'));
    expect(await tried(`${origin}/right/keccak.wasm`)).to.include("'wasm-unsafe-eval'");
  });

  it('warns once', () => {
    const warned = Symbol.for('sealwright.warned-of-js');
    Reflect.deleteProperty(globalThis, warned);
    const warn = sinon.stub(console, 'warn');
    warnOfJs('AES-OCB', 'x.wasm: 404');
    warnOfJs('AES-CCM', 'x.wasm: 404');
    expect(warn.callCount).to.equal(1);
    expect(warn.firstCall.args[0]).to.match(
      /^sealwright: AES-OCB runs in the engine js.*x\.wasm: 404/,
    );
  });
});
