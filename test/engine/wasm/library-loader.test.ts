import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import sinon from 'sinon';
import { folderUrl, loadWasmAt, warnOfJs } from '../../../src/engine/wasm/library-loader.ts';
import { packedModule } from '../../../scripts/make-wasm.ts';
import { loadWasm } from '../../support/wasm.ts';

/*
 * Modules in scripts, and in folders: a server of every kind that a site may have, and what the error says.
 */
const BYTES = new Uint8Array((await loadWasm('keccak')) as Uint8Array);

const SCRIPT = packedModule(BYTES);
const PACKED = { default: /"(.*)"/.exec(SCRIPT)![1]! };

/** Of the loaded module, or of the error. @param folder undefined: in a script */
async function tried(
  folder?: string | URL,
  script = () => Promise.resolve(PACKED),
): Promise<Uint8Array | string> {
  return loadWasmAt(
    { keccak: script },
    folderUrl(folder),
  )('keccak').then(
    (bytes) => new Uint8Array(bytes as Uint8Array),
    (error: unknown) => (error as Error).message,
  );
}

describe('the loader of the library', () => {
  let server: Server;
  let origin: string;
  let folder: string;

  before(async () => {
    server = createServer((request, response) => {
      if (request.url === '/right/keccak.js') response.end(SCRIPT);
      else if (request.url === '/app/keccak.js') {
        response.writeHead(200).end('<!doctype html><html lang = "en"><title>app');
      } else response.writeHead(404).end('not found');
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    folder = mkdtempSync(join(tmpdir(), 'sealwright-wasm-'));
    writeFileSync(join(folder, 'keccak.js'), SCRIPT);
  });
  after(() => {
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true });
  });
  afterEach(() => sinon.restore());

  it('takes modules from scripts, without a request', async () => {
    const fetching = sinon.spy(globalThis, 'fetch');
    expect(await tried()).to.deep.equal(BYTES);
    expect(fetching.callCount, 'connect-src may forbid it').to.equal(0);
  });

  it('takes them from the folder that a caller names, a server or files, with a slash at its end or without', async () => {
    for (const base of [`${origin}/right`, new URL(`${origin}/right/`), pathToFileURL(folder)]) {
      expect(await tried(base, () => Promise.reject(new Error('asked')))).to.deep.equal(BYTES);
    }
    expect(folderUrl(undefined)).to.equal(undefined);
    expect(() => folderUrl('wasm/')).to.throw(TypeError, 'wasmBase');
  });

  it('names the URL and the cause: another type, a status, a missing file, the network', async () => {
    const html = await tried(`${origin}/app`);
    expect(html).to.include(`${origin}/app/keccak.js: it holds no module`);
    expect(html).to.include('wasmBase');
    expect(await tried(origin)).to.match(/\/keccak\.js: 404: copy .*wasmBase/);
    const missing = pathToFileURL(join(folder, 'elsewhere')).href;
    expect(await tried(missing)).to.include(`${missing}/keccak.js: the file is missing`);
    mkdirSync(join(folder, 'folders/keccak.js'), { recursive: true });
    const unreadable = pathToFileURL(join(folder, 'folders')).href;
    expect(await tried(unreadable)).to.include('the file may not be read (EISDIR)');
    expect(await tried('http://127.0.0.1:1')).to.match(
      /^http:\/\/127\.0\.0\.1:1\/keccak\.js: could not be fetched \(.*connect-src/,
    );
  });

  it('says that a script does not load, and that a policy forbids to compile', async () => {
    const refused = () =>
      Promise.reject(new TypeError('import() is disallowed on ServiceWorkerGlobalScope'));
    expect(await tried(undefined, refused)).to.match(
      /^keccak: its script .*disallowed.*same script.*wasmBase/,
    );
    sinon.stub(WebAssembly, 'Module').throws(new WebAssembly.CompileError('blocked by CSP'));
    expect(await tried()).to.include("'wasm-unsafe-eval'");
  });

  it('warns once', () => {
    const warned = Symbol.for('sealwright.warned-of-js');
    Reflect.deleteProperty(globalThis, warned);
    const warn = sinon.stub(console, 'warn');
    warnOfJs('AES-OCB', 'x.js: 404');
    warnOfJs('AES-CCM', 'x.js: 404');
    expect(warn.callCount).to.equal(1);
    expect(warn.firstCall.args[0]).to.match(
      /^sealwright: AES-OCB runs in the engine js.*x\.js: 404/,
    );
  });
});
