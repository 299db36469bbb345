import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import sinon from 'sinon';
import { Sealwright } from '../../../../extension/page/api/api.ts';
import type { Calls } from '../../../../extension/page/connection/calls.ts';
import { installCryptoRandom } from '../../../../extension/page/crypto-random.ts';
import {
  announce,
  isServedAlready,
  installProvider,
} from '../../../../extension/page/connection/discovery.ts';
import { providerInfo, API_VERSION, VERSION } from '../../../../extension/page/connection/info.ts';
import { publicKeyText } from '../../../../src/format/wire/public-key.ts';
import { isServedFrame } from '../../../../src/rpc/hello.ts';
import { refusalOf } from '../../../support/outcomes.ts';

const MIB = 1024 * 1024;
type Method = (...args: unknown[]) => Promise<unknown>;

/** The API over calls that succeed with what the test says; `call.args` shows what would travel. */
function setUp(result: unknown = new Uint8Array(1)) {
  const call = sinon.stub().resolves(result);
  const page = new Sealwright(providerInfo('u'), { call } as unknown as Calls);
  const methods = page as unknown as Record<string, Method>;
  return { page, call, method: (name: string) => methods[name]!.bind(page) };
}

function detached(): Uint8Array {
  const bytes = new Uint8Array(4);
  structuredClone(bytes, { transfer: [bytes.buffer] });
  return bytes;
}
const resizable = (): ArrayBuffer =>
  new (ArrayBuffer as unknown as new (n: number, o: object) => ArrayBuffer)(4, {
    maxByteLength: 8,
  });

describe('window.sealwright', () => {
  const NO_BYTES = [undefined, null, 5, {}, [1, 2], detached(), detached().buffer, resizable()];
  for (const value of [...NO_BYTES, new Uint8Array(resizable()), new SharedArrayBuffer(4)]) {
    const kind = Object.prototype.toString.call(value);
    it(`refuses ${kind} where bytes belong, naming the argument`, async () => {
      const { method, call } = setUp();
      expect(await refusalOf(method('seal')(value))).to.equal('INVALID_ARGUMENT plaintext');
      expect(await refusalOf(method('open')(value))).to.equal('INVALID_ARGUMENT sealed');
      expect(await refusalOf(method('inspect')(value))).to.equal('INVALID_ARGUMENT sealed');
      if (value !== undefined) {
        const options = { context: value };
        expect(await refusalOf(method('seal')('x', options))).to.match(
          /^INVALID_ARGUMENT options.con/,
        );
      }
      expect(call.callCount).to.equal(0);
    });
  }

  it('takes every kind of view as the bytes it shows, copies them at once, and changes nothing', async () => {
    const whole = Uint8Array.from({ length: 16 }, (_, i) => i);
    for (const view of [
      whole.subarray(4, 8),
      new DataView(whole.buffer, 4, 4),
      new Uint16Array(whole.buffer, 4, 2),
      whole.slice(4, 8).buffer,
    ]) {
      const { page, call } = setUp();
      const sealing = page.seal(view);
      const { plaintext } = call.args[0]![1] as { plaintext: Uint8Array };
      expect([...plaintext]).to.deep.equal([4, 5, 6, 7]);
      expect(plaintext.buffer).to.not.equal(whole.buffer);
      await sealing;
    }
    expect(whole[4]).to.equal(4);
  });

  it('takes text as UTF-8 and refuses lone surrogates', async () => {
    const { method, call } = setUp(new TextEncoder().encode('sw1.x'));
    await method('seal')('é', { context: 'ü' });
    expect(call.args[0]![1]).to.deep.include({
      plaintext: new Uint8Array([0xc3, 0xa9]),
      context: new Uint8Array([0xc3, 0xbc]),
    });
    expect(await method('sealText')('é')).to.equal('sw1.x');
    for (const name of ['seal', 'sealText']) {
      expect(await refusalOf(method(name)('\ud800'))).to.match(
        /^INVALID_ARGUMENT (plaintext|text)$/,
      );
    }
    expect(await refusalOf(method('seal')('', { context: '\udc00' }))).to.match(
      /^INVALID_ARGUMENT/,
    );
  });

  it('takes 64 MiB and refuses a byte more with TOO_LARGE; context 64 KiB, random 1 MiB', async () => {
    const { method, call } = setUp();
    await method('seal')(new Uint8Array(64 * MIB));
    expect(call.callCount).to.equal(1);
    expect(await refusalOf(method('seal')(new Uint8Array(64 * MIB + 1)))).to.equal(
      'TOO_LARGE plaintext',
    );
    const context = new Uint8Array(64 * 1024 + 1);
    expect(await refusalOf(method('open')(new Uint8Array(1), { context }))).to.match(
      /^TOO_LARGE opt/,
    );
    await method('random')(MIB);
    expect(await refusalOf(method('random')(MIB + 1))).to.equal('TOO_LARGE length');
    for (const length of [-1, 0.5, Number.NaN, '5', undefined, null, 5n]) {
      expect(await refusalOf(method('random')(length))).to.equal('INVALID_ARGUMENT length');
    }
  });

  it('takes for randomInt limits from 1 to 2^48, and refuses all others', async () => {
    const { method, call } = setUp(0);
    for (const max of [1, 2 ** 48]) await method('randomInt')(max);
    expect(call.args.map(([, params]) => ({ ...(params as object) }))).to.deep.equal([
      { max: 1 },
      { max: 2 ** 48 },
    ]);
    for (const max of [0, -1, 2 ** 48 + 1, 1.5, Number.NaN, Infinity, '5', 5n, null, undefined]) {
      expect(await refusalOf(method('randomInt')(max))).to.equal('INVALID_ARGUMENT max');
    }
    expect(call.callCount).to.equal(2);
  });

  it('lists as features what the contract names, methods and groups', () => {
    const types = readFileSync('src/client/page-api.ts', 'utf8');
    const body = types.match(/interface Sealwright extends[^]*?\n\}/)![0];
    const names = Array.from(body.matchAll(/^ {2}(?:readonly )?(\w+)[(:]/gm), (match) => match[1]!);
    const { features } = providerInfo('u');
    expect(features).to.have.members(names.filter((name) => name !== 'info'));
    expect(features).to.have.length(new Set(features).size);
  });

  it('refuses options of the wrong kind, and ones that do not exist', async () => {
    const { method } = setUp();
    const refused: [object | number, string][] = [
      [5, 'options'],
      [{ contxt: 'x' }, 'options.contxt'],
      [{ signal: {} }, 'options.signal'],
      [{ timeoutMs: '5' }, 'options.timeoutMs'],
      [{ timeoutMs: Number.NaN }, 'options.timeoutMs'],
      [{ onProgress: 1 }, 'options.onProgress'],
      [{ key: '' }, 'options.key'],
      [{ pad: 1 }, 'options.pad'],
      [{ portable: 'yes' }, 'options.portable'],
    ];
    for (const [options, name] of refused) {
      expect(await refusalOf(method('seal')('x', options))).to.equal(`INVALID_ARGUMENT ${name}`);
    }
    expect(await refusalOf(method('seal')('x', null))).to.equal('ok');
  });

  it('says what it got, which method takes that, and which option may be meant', async () => {
    const { method } = setUp();
    const mistakes: [string, unknown[], RegExp][] = [
      ['seal', [], /^plaintext: expected text, or an ArrayBuffer.*, got undefined$/],
      ['seal', [null], /, got null$/],
      ['seal', [42], /, got a number$/],
      ['seal', [[1]], /, got an array$/],
      ['seal', [{}], /, got an object$/],
      ['seal', [new Blob([])], /, got a Blob: use sealBlob$/],
      ['seal', [detached()], /^plaintext: expected text, or .* not detached, resizable or shared$/],
      ['seal', ['x', { context: 7 }], /^options.context: expected text, or .*, got a number$/],
      ['seal', ['x', { key: 7 }], /^options.key: expected a string .*, got a number$/],
      ['seal', ['x', { contxt: 'y' }], /^options.contxt: .*no such option; did you mean context$/],
      ['open', [new Uint8Array(1), { Accept: 1 }], /; did you mean accept$/],
      ['seal', ['x', { timeoutms: 1 }], /; did you mean timeoutMs$/],
      ['seal', ['x', { colour: 1 }], /expected no such option$/],
      ['open', ['sw1.AAAA'], /^sealed: expected an ArrayBuffer.*, got text: use openText$/],
      ['open', [new Blob([])], /, got a Blob: use openBlob$/],
      ['openText', [new Uint8Array(1)], /^armored: expected a string, got bytes: use open$/],
      ['openBlob', ['sw1.AAAA'], /^sealed: expected a Blob or File, got text: use openText$/],
      ['sealBlob', [new ArrayBuffer(1)], /^plaintext: expected a Blob .*, got bytes: use seal$/],
      ['mac', ['x'], /^data: expected an ArrayBuffer.*, got text$/],
      [
        'connect',
        [{ purpos: 'x' }],
        /^request.purpos: expected no such field; did you mean purpose$/,
      ],
    ];
    for (const [name, args, expected] of mistakes) {
      const error: unknown = await method(name)(...args).catch((e: unknown) => e);
      expect((error as Error).message, name).to.match(expected);
    }
  });

  it('reads an option once', async () => {
    const read = sinon.stub().returns('c');
    const options = Object.defineProperty({}, 'context', { get: read, enumerable: true });
    await setUp().method('seal')('x', options);
    expect(read.callCount).to.equal(1);
  });

  it('refuses a malformed request for a grant, naming the field', async () => {
    const { method, call } = setUp([]);
    const good = { purpose: 'Notes', capabilities: ['seal'] };
    expect(await method('connect')(good)).to.deep.equal([]);
    for (const [request, name] of [
      [undefined, 'request'],
      [{ ...good, purpose: '' }, 'request.purpose'],
      [{ ...good, capabilities: [] }, 'request.capabilities'],
      [{ ...good, capabilities: ['all'] }, 'request.capabilities[0]'],
      [{ ...good, key: 'mine' }, 'request.key'],
      [{ ...good, maxUses: 0 }, 'request.maxUses'],
      [{ ...good, origin: 'https://bank.example' }, 'request.origin'],
      [{ ...good, key: { kind: 'sync' } }, 'request.key.collections'],
      [{ ...good, key: { kind: 'snyc' } }, 'request.key.kind'],
    ] as const) {
      expect(await refusalOf(method('connect')(request))).to.equal(`INVALID_ARGUMENT ${name}`);
    }
    expect(call.callCount).to.equal(1);
  });

  it('has verify by a key or by a public key, and lets no signature be too long', async () => {
    const { call, method } = setUp();
    const data = new Uint8Array(3);
    await method('verify')(data, new Uint8Array(64), { key: 'k' });
    await method('verify')(data, new Uint8Array(1025), { publicKey: 'swp1.x' });
    type Args = [string, Record<string, unknown>];
    const [[first, params], [second, others]] = call.args as unknown as [Args, Args];
    expect(first).to.equal('verify');
    expect(params).to.include({ key: 'k' });
    expect(params.signature).to.have.length(64);
    expect(second).to.equal('verifyByPublicKey');
    expect(others).to.include({ publicKey: 'swp1.x' });
    expect(others.signature).to.have.length(0);
    const both = method('verify')(data, data, { key: 'k', publicKey: 'swp1.x' });
    expect(await refusalOf(both)).to.equal('INVALID_ARGUMENT options');
  });

  it('passes recipients on, and whether shared messages are asked for', async () => {
    const { method, call } = setUp();
    await method('seal')('x', { to: ['k', 'l'], toSelf: true });
    expect(call.lastCall.args[1]).to.deep.include({ to: ['k', 'l'], toSelf: true });
    const sealed = new Uint8Array(1);
    await method('open')(sealed, { accept: 'shared' });
    expect(call.lastCall.args[1]).to.deep.equal({ sealed, accept: 'shared' });
    for (const to of [[], 'k', ['k', ''], [5], Array.from({ length: 17 }, () => 'k')]) {
      expect(await refusalOf(method('seal')('x', { to }))).to.match(/^INVALID_ARGUMENT options.to/);
    }
    const other = await refusalOf(method('open')(sealed, { accept: 'any' }));
    expect(other).to.equal('INVALID_ARGUMENT options.accept');
  });

  it('knows the length of a shared message by the public keys alone', () => {
    const { page } = setUp();
    const text = (type: 'X25519' | 'X-Wing', length: number) =>
      publicKeyText({ type, bytes: new Uint8Array(length).fill(0xff) });
    const [short, long] = [text('X25519', 32), text('X-Wing', 1216)];
    const own = page.sealedLength(7);
    expect(page.sealedLength(7, { to: [short] })).to.equal(own + 2 + 99);
    expect(page.sealedLength(7, { to: [short, long, long] })).to.equal(own + 2 + 99 + 2 * 1187);
    const signing = publicKeyText({ type: 'Ed25519', bytes: new Uint8Array(32) });
    for (const wrong of [signing, `${short}A`, short.slice(1), `SW${short.slice(2)}`, '']) {
      expect(() => page.sealedLength(7, { to: [wrong] })).to.throw(RangeError);
    }
  });

  it('returns streams that fail when they are used, not when they are made', async () => {
    const { page } = setUp();
    const wrong = { misspelt: true };
    for (const stream of [page.sealStream(wrong), page.openStream(wrong)]) {
      const code = 'INVALID_ARGUMENT options.misspelt';
      expect(await refusalOf(stream.readable.getReader().read())).to.equal(code);
      const writer = stream.writable.getWriter();
      expect(await refusalOf(writer.write(new Uint8Array(1)))).to.equal(code);
      await refusalOf(writer.closed);
    }
  });

  it('knows sealed lengths at once, and throws RangeError for what has none', () => {
    const { page } = setUp();
    expect(page.sealedLength(0)).to.equal(24 + 24 + 32 + 16);
    expect(page.sealedLength(5, { pad: true })).to.be.greaterThan(page.sealedLength(5));
    for (const args of [[-1], [0.5], [5, { pad: 1 }], [5, { to: ['k'] }], [5, 5]]) {
      const [length, options] = args as [number, unknown];
      expect(() => page.sealedLength(length, options)).to.throw(RangeError);
    }
  });

  it('can be taken apart, and its methods are the same each time', async () => {
    const { page, call } = setUp();
    type Taken = Readonly<Record<string, (...args: unknown[]) => unknown>>;
    const methods = page as unknown as Taken;
    const { seal, addEventListener, dispatchEvent } = methods;
    await seal!('x');
    expect(call.firstCall.args[0]).to.equal('seal');
    expect(methods['seal']).to.equal(seal);
    const heard = sinon.spy();
    addEventListener!('lock', heard);
    dispatchEvent!(new Event('lock'));
    expect(heard.callCount).to.equal(1);
    const { encryptRecords } = page.sync as unknown as Taken;
    call.resolves({ items: { bytes: new Uint8Array(), lengths: new Uint8Array() }, failures: [] });
    expect(await encryptRecords!('notes', [])).to.deep.equal([]);
    const { digest } = page.subtle as unknown as Taken;
    call.resolves({ value: new Uint8Array(32) });
    expect(await digest!('SHA-256', new Uint8Array())).to.be.instanceOf(ArrayBuffer);
    // Another instance has methods of its own; a Proxy may replace them.
    expect((setUp().page as unknown as Taken)['seal']).to.not.equal(seal);
    expect(new Proxy(methods, { get: () => seal })['open']).to.equal(seal);
  });

  it('works through a Proxy, and through an object that inherits from it', async () => {
    const { page, call } = setUp();
    call.resolves({ sealed: new Uint8Array() });
    for (const other of [new Proxy(page, {}), Object.create(page) as Sealwright]) {
      call.resetHistory();
      await other.seal('x');
      expect(call.firstCall.args[0]).to.equal('seal');
      expect(other.subtle).to.equal(page.subtle);
      expect(other.sync).to.equal(page.sync);
      other.addEventListener('lock', sinon.spy());
    }
  });

  it('is frozen with its prototypes, and each page load has an uuid of its own', () => {
    const { page } = setUp();
    expect(Object.isFrozen(page) && Object.isFrozen(page.info)).to.equal(true);
    expect(Object.isFrozen(Sealwright.prototype) && Object.isFrozen(Sealwright)).to.equal(true);
    expect(Object.isFrozen(Object.getPrototypeOf(page))).to.equal(true);
    expect(page).to.be.instanceOf(EventTarget);
  });

  it('refuses to open a text that is not sealed, with BAD_ENVELOPE', async () => {
    const { method } = setUp(new Uint8Array([0xff]));
    expect(await refusalOf(method('openText')('sw1.x'))).to.match(/^BAD_ENVELOPE/);
  });
});

describe('what is put into a page', () => {
  it('names the version of the manifest', () => {
    const manifest = JSON.parse(readFileSync('manifest.json', 'utf8')) as { version: string };
    expect(VERSION).to.equal(manifest.version);
    expect(API_VERSION).to.equal('1.0.0');
  });

  it('is window.sealwright: configurable, not writable, and never over a page’s own', () => {
    const target: { sealwright?: unknown } = {};
    const provider = {};
    installProvider(target, provider);
    expect(Object.getOwnPropertyDescriptor(target, 'sealwright')).to.include({
      value: provider,
      writable: false,
      configurable: true,
    });
    const own = { sealwright: 'theirs' };
    installProvider(own, provider);
    expect(own.sealwright).to.equal('theirs');
  });

  it('is crypto.random where there is none: own, configurable, not enumerable', async () => {
    const crypto: { random?: (length: number) => Promise<Uint8Array> } = {};
    installCryptoRandom(crypto, (length) => Promise.resolve(new Uint8Array(length)));
    expect(await crypto.random!(4)).to.have.length(4);
    expect(Object.getOwnPropertyDescriptor(crypto, 'random')).to.include({
      configurable: true,
      enumerable: false,
    });
    const theirs = Object.create({ random: 'theirs' }) as { random: unknown };
    installCryptoRandom(theirs, () => Promise.reject(new Error('never')));
    expect(theirs.random).to.equal('theirs');
  });

  it('announces itself once on load, at each request and after document.open(), with a frozen detail', () => {
    const target = new EventTarget();
    const info = providerInfo('u');
    const provider = {};
    const heard: unknown[] = [];
    target.addEventListener('sealwright:announce', (event) => {
      heard.push((event as CustomEvent).detail);
    });
    expect(isServedAlready(target)).to.equal(false);
    let announceAgain = (): void => undefined;
    announce(target, info, provider, (addAgain) => (announceAgain = addAgain));
    target.dispatchEvent(new Event('sealwright:request'));
    expect(heard)
      .to.have.length(2)
      .and.satisfy((all: object[]) => all.every(Object.isFrozen));
    expect(heard[0]).to.deep.equal({ info, provider });
    expect(isServedAlready(target)).to.equal(true);
    announceAgain();
    expect(heard).to.have.length(4);
    expect(info).to.include({ name: 'Sealwright', rdns: 'org.sealwright' });
    expect(info.icon).to.match(/^data:image\/svg\+xml,/);
  });

  it('is nothing in opaque origins and insecure contexts', () => {
    expect(isServedFrame({ origin: 'https://example.com', isSecureContext: true })).to.equal(true);
    expect(isServedFrame({ origin: 'null', isSecureContext: true })).to.equal(false);
    expect(isServedFrame({ origin: 'http://example.com', isSecureContext: false })).to.equal(false);
  });
});
