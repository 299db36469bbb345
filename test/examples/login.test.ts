import { expect } from 'chai';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
// @ts-expect-error The example is plain JavaScript, as its readers will copy it.
import { createLoginServer as untypedServer } from '../../examples/login/server.mjs';
import { toBase64url } from '../../src/crypto/bytes.ts';
import { dsaPem } from '../support/samples/dsa-key.ts';
import { pageCaller } from '../support/service-fakes.ts';
import { World } from '../support/service-world.ts';

const createLoginServer = untypedServer as (origin: () => string) => Server;
const ORIGIN = 'https://a.example';
const A = pageCaller();
const B = pageCaller({ origin: 'https://b.example', documentId: 'doc-b' });
const requested = {
  key: { kind: 'signing' as const },
  capabilities: ['sign' as const, 'publicKey' as const],
};

/* examples/login over HTTP, with the real broker in the extension's place. */
describe('examples/login', function () {
  this.timeout(120_000);
  let server: Server;
  let world: World;
  let address: string;

  beforeEach(async () => {
    server = createLoginServer(() => ORIGIN);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    world = await World.unlocked();
  });

  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  async function post(path: string, body: unknown): Promise<readonly [number, unknown]> {
    const answer = await fetch(address + path, { method: 'POST', body: JSON.stringify(body) });
    return [answer.status, await answer.json()];
  }

  async function challenged(): Promise<string> {
    return ((await post('/challenge', {}))[1] as { challenge: string }).challenge;
  }

  async function signed(name: string, challenge: string, caller = A): Promise<string> {
    const data = new TextEncoder().encode(`login\n${name}\n${challenge}`);
    return toBase64url(await world.call('sign', { data }, caller));
  }

  async function logsIn(keyId: string): Promise<void> {
    const publicKey = await world.call('publicKey', { keyId });
    expect(await post('/register', { name: 'ada', publicKey })).to.have.property('0', 200);
    const challenge = await challenged();
    const login = { name: 'ada', challenge, signature: await signed('ada', challenge) };
    expect(await post('/login', login)).to.deep.equal([200, { welcome: 'ada' }]);
    expect((await post('/login', login))[0]).to.equal(401);
  }

  it('logs in by Ed25519, once for each challenge', async () => {
    const [grant] = await world.connect(requested, A, { newKeyLabel: 'Login' });
    await logsIn(grant!.keyId);
  });

  it('logs in by an imported key of DSA', async () => {
    const imported = { label: 'Old', text: dsaPem(), scheme: 'RSA-PSS' as const };
    const { ref } = await world.surface('ui.importKey', imported);
    const [grant] = await world.connect(requested, A, { ref });
    await logsIn(grant!.keyId);
  });

  it('refuses whatever was signed for another challenge, name or origin', async () => {
    const [grant] = await world.connect(requested, A, { newKeyLabel: 'Login' });
    const { ref } = (await world.surface('ui.keys', {})).at(-1)!;
    await world.connect(requested, B, { ref });
    await logsIn(grant!.keyId);
    const challenge = await challenged();
    const wrong = [
      await signed('ada', await challenged()),
      await signed('bob', challenge),
      await signed('ada', challenge, B),
      '',
      'AAAA',
    ];
    for (const signature of wrong) {
      const fresh = await challenged();
      for (const each of [challenge, fresh]) {
        const [status] = await post('/login', { name: 'ada', challenge: each, signature });
        expect(status).to.equal(401);
      }
    }
  });

  it('answers what is no request with an error, and keeps running', async () => {
    expect((await post('/register', { name: 'ada', publicKey: 'x' }))[0]).to.equal(200);
    expect((await post('/register', { name: 'ada', publicKey: 'y' }))[0]).to.equal(409);
    const login = { name: 'ada', challenge: await challenged(), signature: 'AAAA' };
    expect((await post('/login', login))[0]).to.equal(400);
    for (const body of [null, 7, { name: 7 }, { name: 'x'.repeat(10_000) }]) {
      expect((await post('/login', body))[0]).to.be.oneOf([400, 401, 413]);
    }
    expect((await post('/nothing', {}))[0]).to.equal(404);
    expect((await fetch(`${address}/server.mjs`)).status).to.equal(404);
    expect(await (await fetch(`${address}/`)).text()).to.contain('login.js');
  });
});
